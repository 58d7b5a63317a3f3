/* Many positions in one call. They are read first and then probed as one batch, which is faster; a
 * bad position has its error in its row. */
#include "serve/api.h"

#include "serve/position.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct posted {
    int n;
    char *texts[MOST_BATCH]; /* the FENs as they were sent */
    char *notes[MOST_BATCH]; /* what was ignored in reading, or the error; NULL: nothing */
};

static void posted_free(struct posted *batch)
{
    for (int i = 0; i < batch->n; i++) {
        free(batch->texts[i]);
        free(batch->notes[i]);
    }
    free(batch);
}

static enum status posted_add(struct posted *batch, const char *text, size_t n_bytes,
                              struct error *error)
{
    if (batch->n == MOST_BATCH)
        return error_set(error, STATUS_BAD_ARGUMENT, "more than %d positions", MOST_BATCH);
    batch->texts[batch->n] = strndup(text, n_bytes);
    if (batch->texts[batch->n] == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for a batch");
    batch->n++;
    return STATUS_OK;
}

/* One FEN per line; empty lines are skipped. */
static enum status read_lines(struct posted *batch, const char *body, size_t n_body,
                              struct error *error)
{
    const char *end = body + n_body;
    enum status status = STATUS_OK;
    while (body < end && status == STATUS_OK) {
        const char *stop = memchr(body, '\n', (size_t)(end - body));
        const char *next = stop == NULL ? end : stop + 1;
        size_t n = (size_t)((stop == NULL ? end : stop) - body);
        if (n > 0 && body[n - 1] == '\r')
            n--;
        if (n > 0)
            status = posted_add(batch, body, n, error);
        body = next;
    }
    return status;
}

/* An array of FENs, or an object that has it as "fens". */
static enum status read_json(struct posted *batch, const char *body, size_t n_body,
                             struct error *error)
{
    json_error_t where;
    size_t i = 0;
    json_t *value = NULL;
    enum status status = STATUS_OK;
    json_t *root = json_loadb(body, n_body, JSON_REJECT_DUPLICATES, &where);
    json_t *list = json_is_object(root) ? json_object_get(root, "fens") : root;

    if (root == NULL)
        return error_set(error, STATUS_BAD_ARGUMENT, "line %d: %s", where.line, where.text);
    if (!json_is_array(list))
        status = error_set(error, STATUS_BAD_ARGUMENT, "an array of FENs is expected");
    json_array_foreach(list, i, value)
    {
        if (status != STATUS_OK)
            break;
        status = json_is_string(value)
                     ? posted_add(batch, json_string_value(value), json_string_length(value), error)
                     : error_set(error, STATUS_BAD_ARGUMENT, "element %d is no text", (int)i + 1);
    }
    json_decref(root);
    return status;
}

static enum status read_body(struct posted *batch, const struct request *request,
                             struct error *error)
{
    size_t i = 0;
    while (i < request->n_body && strchr(" \t\r\n", request->body[i]) != NULL &&
           request->body[i] != '\0')
        i++;
    if (i < request->n_body && (request->body[i] == '[' || request->body[i] == '{'))
        return read_json(batch, request->body, request->n_body, error);
    return read_lines(batch, request->body, request->n_body, error);
}

/* The valid positions, consecutively, and their rows. */
struct probes {
    size_t n;
    size_t place[MOST_BATCH];
    einspul_position positions[MOST_BATCH];
    einspul_outcome outcomes[MOST_BATCH];
    int plies[MOST_BATCH];
    einspul_status statuses[MOST_BATCH];
};

static void probe_all(const struct rule_set *set, struct posted *batch, struct probes *probes)
{
    for (int i = 0; i < batch->n; i++) {
        char note[FEN_NOTE_SIZE] = "";
        struct error error;
        if (position_from_text(set, batch->texts[i], &probes->positions[probes->n], note, &error) ==
            STATUS_OK)
            probes->place[probes->n++] = (size_t)i;
        else
            snprintf(note, sizeof note, "%s", error.text);
        batch->notes[i] = note[0] != '\0' ? strdup(note) : NULL;
    }
    einspul_probe_dtw_batch(set->handle, probes->positions, probes->n, 0, probes->outcomes,
                            probes->plies, probes->statuses, NULL);
}

/* The row of a position; one that failed in the batch is probed alone for its own error. */
static json_t *batch_row(const struct rule_set *set, const struct probes *probes, size_t i,
                         const char *text, const char *note)
{
    struct verdict verdict = {
        .known = true, .outcome = probes->outcomes[i], .plies = probes->plies[i]};
    struct error error = {STATUS_OK, ""};
    json_t *object = json_object();
    json_object_set_new(object, "fen", json_any_text(text));
    if (probes->statuses[i] != EINSPUL_OK &&
        verdict_probe(set->handle, &probes->positions[i], &verdict, &error) != STATUS_OK)
        verdict.known = false;
    if (!verdict.known)
        json_object_set_new(object, "error", json_any_text(error.text));
    json_object_set_new(object, "category", json_string(verdict_category(&verdict)));
    json_object_set_new(
        object, "dtw",
        json_number(verdict.known && verdict.plies >= 0, (int)verdict.outcome * verdict.plies));
    note_add(object, note != NULL ? note : "");
    return object;
}

void api_batch(const struct call *call, struct reply *reply)
{
    struct posted *batch = calloc(1, sizeof *batch);
    struct probes *probes = calloc(1, sizeof *probes);
    struct error error = {STATUS_NO_MEMORY, "not enough memory for a batch"};
    enum status status = STATUS_NO_MEMORY;
    if (batch != NULL && probes != NULL)
        status = read_body(batch, call->request, &error);
    if (status == STATUS_OK) {
        json_t *rows = json_array();
        size_t next = 0;
        probe_all(call->set, batch, probes);
        for (int i = 0; i < batch->n; i++) {
            json_t *row = NULL;
            if (next < probes->n && probes->place[next] == (size_t)i)
                row = batch_row(call->set, probes, next++, batch->texts[i], batch->notes[i]);
            else
                row = json_pack("{s:o,s:s,s:n,s:o}", "fen", json_any_text(batch->texts[i]),
                                "category", "unknown", "dtw", "error",
                                json_any_text(batch->notes[i] != NULL ? batch->notes[i] : ""));
            json_array_append_new(rows, row);
        }
        reply_json(reply,
                   json_pack("{s:s,s:o}", "rules", call->set->rules.name, "positions", rows));
    } else {
        reply_error(reply, status, error.text);
    }
    if (batch != NULL)
        posted_free(batch);
    free(probes);
}
