/* Many positions in one call. A bad position has its error in its row. */
#include "serve/endpoints.h"

#include "serve/position.h"

#include <stdlib.h>
#include <string.h>

/* Appends the row of a position. */
static einspul_status row_add(const struct rule_set *set, const char *bytes, size_t n_bytes,
                              json_t *rows, einspul_error *error)
{
    struct verdict verdict = {.plies = -1};
    struct state state;
    char note[FEN_NOTE_SIZE];
    einspul_error own;
    char *text = strndup(bytes, n_bytes);
    if (text == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a batch");
    if (json_array_size(rows) == MAX_BATCH) {
        free(text);
        return error_set(error, EINSPUL_BAD_ARGUMENT, "too many positions (at most %d)", MAX_BATCH);
    }
    einspul_status status = fen_read_lenient(&set->rules, text, &state, note, NULL, NULL, &own);
    if (status == EINSPUL_OK)
        status = verdict_of(set->handle, &state, &verdict, &own);
    json_t *row = json_pack(
        "{s:o,s:o*,s:o*,s:s,s:o}", "fen", json_any_text(text), "note",
        note[0] != '\0' ? json_any_text(note) : NULL, "error",
        status != EINSPUL_OK ? json_any_text(own.text) : NULL, "category", verdict_text(&verdict),
        "dtw",
        json_number(verdict.known && verdict.plies >= 0, (int)verdict.outcome * verdict.plies));
    json_array_append_new(rows, row);
    free(text);
    return EINSPUL_OK;
}

/* One FEN per line; empty lines and those that begin with `#` are skipped. */
static einspul_status read_lines(const struct rule_set *set, const char *body, size_t n_body,
                                 json_t *rows, einspul_error *error)
{
    const char *end = body + n_body;
    einspul_status status = EINSPUL_OK;
    while (body < end && status == EINSPUL_OK) {
        const char *feed = memchr(body, '\n', (size_t)(end - body));
        const char *stop = feed == NULL ? end : feed;
        size_t n = (size_t)(stop - body);
        if (n > 0 && body[n - 1] == '\r')
            n--;
        if (n > 0 && *body != '#')
            status = row_add(set, body, n, rows, error);
        body = feed == NULL ? end : feed + 1;
    }
    return status;
}

/* An array of FENs, or an object that has it as "fens". */
static einspul_status read_json(const struct rule_set *set, const char *body, size_t n_body,
                                json_t *rows, einspul_error *error)
{
    json_error_t where;
    einspul_status status = EINSPUL_OK;
    json_t *root = json_loadb(body, n_body, JSON_REJECT_DUPLICATES, &where);
    json_t *list = json_is_object(root) ? json_object_get(root, "fens") : root;

    if (root == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "line %d: %s", where.line, where.text);
    if (!json_is_array(list))
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "expected a JSON array of FENs");
    for (size_t i = 0; i < json_array_size(list) && status == EINSPUL_OK; i++) {
        const json_t *value = json_array_get(list, i);
        status =
            json_is_string(value)
                ? row_add(set, json_string_value(value), json_string_length(value), rows, error)
                : error_set(error, EINSPUL_BAD_ARGUMENT, "element %d is not a string", (int)i + 1);
    }
    json_decref(root);
    return status;
}

void api_batch(const struct call *call, struct reply *reply)
{
    const char *body = call->request->body;
    const size_t n_body = call->request->n_body;
    einspul_error error;
    json_t *rows = json_array();
    size_t i = 0;
    while (i < n_body && strchr(" \t\r\n", body[i]) != NULL && body[i] != '\0')
        i++;
    const bool is_json = i < n_body && (body[i] == '[' || body[i] == '{');
    const einspul_status status =
        (is_json ? read_json : read_lines)(call->set, body, n_body, rows, &error);
    reply_result(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "positions", rows),
                 status, &error);
}
