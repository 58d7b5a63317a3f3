/* Prepared lists: results of searches too long for a request: the output of `einspul find` in files
 * FOLDER/RULES/NAME.tsv (study/lists.h). */
#include "serve/endpoints.h"

enum { DEFAULT_LISTED = 50 };

/* --- their names ------------------------------------------------------------------------------ */

void api_lists(const struct call *call, struct reply *reply)
{
    const struct lists *lists = &call->set->lists;
    json_t *names = json_array();
    for (size_t i = 0; i < lists->n; i++) /* a name that is not UTF-8 is not JSON, and not added */
        json_array_append_new(names, json_string(lists->list[i].name));
    reply_json(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "lists", names));
}

/* --- one list --------------------------------------------------------------------------------- */

/* A line as a row of the answer; NULL if it is none. */
static json_t *row_of(const struct rules *rules, const char *line, size_t n_bytes)
{
    struct list_row row;
    if (!list_row_read(&row, rules, line, n_bytes))
        return NULL;
    return json_pack("{s:s,s:s,s:o,s:s*}", "fen", row.fen, "category", row.outcome, "dtw",
                     json_number(row.plies >= 0, row.outcome[0] == 'l' ? -row.plies : row.plies),
                     "instead_of", row.instead_of);
}

/* The list of a name; NULL for none, and for a name that JSON cannot hold. */
static const struct list *find_list(const struct lists *lists, const char *name)
{
    json_t *json = name != NULL ? json_string(name) : NULL;
    json_decref(json);
    return json != NULL ? lists_find(lists, name) : NULL;
}

void api_list(const struct call *call, struct reply *reply)
{
    const char *name = request_argument(call->request, "name");
    const struct list *list = find_list(&call->set->lists, name);
    uint64_t from = 0;
    uint64_t limit = DEFAULT_LISTED;
    if (!request_number(call->request, "from", 0, 1000000000, &from, reply) ||
        !request_number(call->request, "limit", 0, MAX_ROWS, &limit, reply))
        return;
    if (list == NULL) {
        reply_text(reply, HTTP_NOT_FOUND, "no list of that name here");
        return;
    }
    json_t *rows = json_array();
    const char *next = list->text;
    for (uint64_t i = 0; i < from + limit && i < list->n_lines; i++) {
        const char *at = next;
        next = list_next_line(list, at);
        if (i >= from &&
            json_array_append_new(rows, row_of(&call->set->rules, at, (size_t)(next - at))) != 0) {
            reply_text(reply, HTTP_FAULT, "line %d is not output of 'einspul find'", (int)i + 1);
            break;
        }
    }
    if (reply->code != HTTP_FAULT)
        reply_json(reply, json_pack("{s:s,s:s,s:I,s:O}", "rules", call->set->rules.name, "name",
                                    name, "found", (json_int_t)list->n_lines, "positions", rows));
    json_decref(rows);
}
