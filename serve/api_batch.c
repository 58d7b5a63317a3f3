/* Many positions in one call. They are read first and then probed as one batch, which is faster; a
 * bad position has its error in its row. */
#include "serve/api.h"

#include "serve/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fen_batch {
    int n;
    json_t *fens[MOST_BATCH];  /* as they were sent */
    json_t *notes[MOST_BATCH]; /* what was ignored in reading, or the error; NULL: nothing */
    size_t n_valid;            /* the valid positions, consecutively: */
    int row[MOST_BATCH];
    einspul_position positions[MOST_BATCH];
    einspul_outcome outcomes[MOST_BATCH];
    int plies[MOST_BATCH];
    einspul_status statuses[MOST_BATCH];
};

static einspul_status batch_add(const struct rule_set *set, struct fen_batch *batch,
                                const char *bytes, size_t n_bytes, einspul_error *error)
{
    char note[FEN_NOTE_SIZE] = "";
    struct state state;
    einspul_error own;
    if (batch->n == MOST_BATCH)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "more than %d positions", MOST_BATCH);
    char *text = strndup(bytes, n_bytes);
    if (text == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a batch");
    if (fen_read_lenient(&set->rules, text, &state, note, NULL, &own) == EINSPUL_OK) {
        probe_position_from_state(&state, &batch->positions[batch->n_valid]);
        batch->row[batch->n_valid++] = batch->n;
    } else {
        snprintf(note, sizeof note, "%s", own.text);
    }
    batch->fens[batch->n] = json_any_text(text);
    batch->notes[batch->n++] = note[0] != '\0' ? json_any_text(note) : NULL;
    free(text);
    return EINSPUL_OK;
}

/* One FEN per line; empty lines are skipped. */
static einspul_status read_lines(const struct rule_set *set, struct fen_batch *batch,
                                 const char *body, size_t n_body, einspul_error *error)
{
    const char *end = body + n_body;
    einspul_status status = EINSPUL_OK;
    while (body < end && status == EINSPUL_OK) {
        const char *feed = memchr(body, '\n', (size_t)(end - body));
        const char *stop = feed == NULL ? end : feed;
        size_t n = (size_t)(stop - body);
        if (n > 0 && body[n - 1] == '\r')
            n--;
        if (n > 0)
            status = batch_add(set, batch, body, n, error);
        body = feed == NULL ? end : feed + 1;
    }
    return status;
}

/* An array of FENs, or an object that has it as "fens". */
static einspul_status read_json(const struct rule_set *set, struct fen_batch *batch,
                                const char *body, size_t n_body, einspul_error *error)
{
    json_error_t where;
    size_t i = 0;
    json_t *value = NULL;
    einspul_status status = EINSPUL_OK;
    json_t *root = json_loadb(body, n_body, JSON_REJECT_DUPLICATES, &where);
    json_t *list = json_is_object(root) ? json_object_get(root, "fens") : root;

    if (root == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "line %d: %s", where.line, where.text);
    if (!json_is_array(list))
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "an array of FENs is expected");
    json_array_foreach(list, i, value)
    {
        if (status != EINSPUL_OK)
            break;
        status =
            json_is_string(value)
                ? batch_add(set, batch, json_string_value(value), json_string_length(value), error)
                : error_set(error, EINSPUL_BAD_ARGUMENT, "element %d is no text", (int)i + 1);
    }
    json_decref(root);
    return status;
}

static einspul_status read_body(const struct rule_set *set, struct fen_batch *batch,
                                const struct request *request, einspul_error *error)
{
    size_t i = 0;
    while (i < request->n_body && strchr(" \t\r\n", request->body[i]) != NULL &&
           request->body[i] != '\0')
        i++;
    if (i < request->n_body && (request->body[i] == '[' || request->body[i] == '{'))
        return read_json(set, batch, request->body, request->n_body, error);
    return read_lines(set, batch, request->body, request->n_body, error);
}

/* The row of a valid position; one that failed in the batch is probed alone for its own error. */
static json_t *valid_row(const struct rule_set *set, const struct fen_batch *batch, size_t i)
{
    struct verdict verdict = {
        .known = true, .outcome = batch->outcomes[i], .plies = batch->plies[i]};
    const struct state state = state_of_position(&batch->positions[i]);
    einspul_error error = {EINSPUL_OK, ""};
    json_t *object = json_pack("{s:O}", "fen", batch->fens[batch->row[i]]);
    if (batch->statuses[i] != EINSPUL_OK &&
        map_value(set->handle, &state, &verdict, &error) != EINSPUL_OK)
        json_object_set_new(object, "error", json_any_text(error.text));
    json_object_set_new(object, "category", json_string(map_verdict_text(&verdict)));
    json_object_set_new(
        object, "dtw",
        json_number(verdict.known && verdict.plies >= 0, (int)verdict.outcome * verdict.plies));
    if (batch->notes[batch->row[i]] != NULL)
        json_object_set(object, "note", batch->notes[batch->row[i]]);
    return object;
}

void api_batch(const struct call *call, struct reply *reply)
{
    struct fen_batch *batch = calloc(1, sizeof *batch);
    einspul_error error = {EINSPUL_NO_MEMORY, "not enough memory for a batch"};
    const einspul_status status =
        batch == NULL ? EINSPUL_NO_MEMORY : read_body(call->set, batch, call->request, &error);
    if (status != EINSPUL_OK) {
        reply_error(reply, status, error.text);
    } else {
        json_t *rows = json_array();
        size_t next = 0; /* valid position */
        probe_positions(call->set->handle, batch->positions, batch->n_valid, EINSPUL_DTW, 0,
                        batch->outcomes, batch->plies, batch->statuses, NULL);
        for (int i = 0; i < batch->n; i++)
            json_array_append_new(rows, next < batch->n_valid && batch->row[next] == i
                                            ? valid_row(call->set, batch, next++)
                                            : json_pack("{s:O,s:s,s:n,s:O}", "fen", batch->fens[i],
                                                        "category", "unknown", "dtw", "error",
                                                        batch->notes[i]));
        reply_json(reply,
                   json_pack("{s:s,s:o}", "rules", call->set->rules.name, "positions", rows));
    }
    for (int i = 0; batch != NULL && i < batch->n; i++) {
        json_decref(batch->fens[i]);
        json_decref(batch->notes[i]);
    }
    free(batch);
}
