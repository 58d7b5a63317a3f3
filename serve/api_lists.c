/* Prepared lists: results of searches too long for a request: the output of `einspul find` in files
 * FOLDER/RULES/NAME.tsv (serve/lists.h). */
#include "serve/endpoints.h"

#include "core/fen.h"
#include "core/program/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, DEFAULT_LISTED = 50, MAX_LISTED = 500, MAX_PLIES = 9999 };

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

/* Splits off the next tab-separated field; NULL at the end of the line. */
static char *next_word(char **at)
{
    char *word = *at;
    const size_t n = strcspn(word, "\t\r\n");
    *at = word + n + (word[n] != '\0');
    word[n] = '\0';
    return n > 0 ? word : NULL;
}

static bool is_outcome(const char *word)
{
    return word != NULL &&
           (strcmp(word, "win") == 0 || strcmp(word, "draw") == 0 || strcmp(word, "loss") == 0);
}

/* The plies of an outcome: odd for a win, even for a loss, `-` for a draw or where they are not
 * known. */
static bool read_plies(const char *word, char outcome, uint64_t *plies)
{
    return word != NULL && (strcmp(word, "-") == 0 ||
                            (outcome != 'd' && text_read_number(word, 0, MAX_PLIES, plies) &&
                             (*plies % 2 != 0) == (outcome == 'w')));
}

/* Converts a line to a row of the answer; NULL if `einspul find` did not write it. */
static json_t *row_of(const struct rules *rules, const char *text, size_t n_bytes)
{
    char line[LINE_SIZE];
    char *at = line;
    struct state state;
    uint64_t distance = 0;
    if (n_bytes >= sizeof line || memchr(text, 0, n_bytes) != NULL)
        return NULL;
    memcpy(line, text, n_bytes);
    line[n_bytes] = '\0';
    const char *fen = next_word(&at);
    const char *outcome = next_word(&at);
    const char *plies = next_word(&at);
    const char *instead = next_word(&at);
    if (fen == NULL || !is_outcome(outcome) || !read_plies(plies, outcome[0], &distance) ||
        (instead != NULL && !is_outcome(instead)) ||
        fen_read(rules, fen, &state, NULL, NULL) != EINSPUL_OK)
        return NULL;
    const json_int_t dtw = outcome[0] == 'l' ? -(json_int_t)distance : (json_int_t)distance;
    json_t *row = json_pack("{s:s,s:s,s:o}", "fen", fen, "category", outcome, "dtw",
                            json_number(plies[0] != '-', dtw));
    if (instead != NULL)
        json_object_set_new(row, "instead_of", json_string(instead));
    return row;
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
        !request_number(call->request, "limit", 0, MAX_LISTED, &limit, reply))
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
