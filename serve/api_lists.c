/* Lists of positions prepared beforehand, for what takes too long to be searched here: the
 * output of `einspul find` (serve/lists.h). */
#include "serve/api.h"

#include "core/fen.h"
#include "core/number.h"
#include "core/text.h"

#include <string.h>

enum { LINE_SIZE = 512, DEFAULT_LISTED = 50, MOST_LISTED = 500, MOST_PLIES = 9999 };

void api_lists(const struct call *call, struct reply *reply)
{
    const struct lists *lists = &call->set->lists;
    json_t *names = json_array();
    for (size_t i = 0; i < lists->n; i++)
        json_array_append_new(names, json_string(lists->list[i].name));
    reply_json(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "lists", names));
}

/* --- one list --------------------------------------------------------------------------------- */

/* A word up to the next tab or the end of the line, which it ends; NULL where there is none. */
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
    return word != NULL &&
           (strcmp(word, "-") == 0 || (outcome != 'd' && text_number(word, 0, MOST_PLIES, plies) &&
                                       (*plies % 2 != 0) == (outcome == 'w')));
}

/* A line of a list as a row of an answer; NULL if it is no such line. */
static json_t *row_of(const struct rules *rules, char *line)
{
    struct state state;
    uint64_t distance = 0;
    const char *fen = next_word(&line);
    const char *outcome = next_word(&line);
    const char *plies = next_word(&line);
    const char *instead = next_word(&line);
    if (fen == NULL || !is_outcome(outcome) || !read_plies(plies, outcome[0], &distance) ||
        (instead != NULL && !is_outcome(instead)) ||
        fen_read(rules, fen, &state, NULL) != EINSPUL_OK)
        return NULL;
    const json_int_t dtw = outcome[0] == 'l' ? -(json_int_t)distance : (json_int_t)distance;
    json_t *row = json_pack("{s:s,s:s,s:o}", "fen", fen, "category", outcome, "dtw",
                            plies[0] == '-' ? json_null() : json_integer(dtw));
    if (instead != NULL)
        json_object_set_new(row, "instead_of", json_string(instead));
    return row;
}

/* A line of a list as a row; NULL if it is none of einspul find. */
static json_t *list_row(const struct rules *rules, const struct list *list, const char *from,
                        const char *next)
{
    char line[LINE_SIZE];
    const char *end = next != NULL ? next : list->text + list->n_bytes;
    const size_t n = (size_t)(end - from);
    if (n >= sizeof line || memchr(from, 0, n) != NULL)
        return NULL;
    memcpy(line, from, n);
    line[n] = '\0';
    return row_of(rules, line);
}

void api_list(const struct call *call, struct reply *reply)
{
    const char *name = request_argument(call->request, "name");
    const struct list *list = name != NULL ? lists_find(&call->set->lists, name) : NULL;
    uint64_t from = 0;
    uint64_t limit = DEFAULT_LISTED;
    if (!request_number(call->request, "from", 0, 1000000000, &from, reply) ||
        !request_number(call->request, "limit", 0, MOST_LISTED, &limit, reply))
        return;
    if (list == NULL) {
        reply_text(reply, HTTP_NOT_FOUND, "no list of that name here");
        return;
    }
    json_t *rows = json_array();
    const char *at = list_line_after(list, NULL);
    const char *next = NULL;
    for (uint64_t i = 0; at != NULL && i < from + limit; i++, at = next) {
        next = list_line_after(list, at);
        json_t *row = i < from ? NULL : list_row(&call->set->rules, list, at, next);
        if (row == NULL && i >= from) {
            reply_text(reply, HTTP_FAULT, "line %d of the list is not of einspul find", (int)i + 1);
            break;
        }
        if (row != NULL)
            json_array_append_new(rows, row);
    }
    if (reply->code != HTTP_FAULT)
        reply_json(reply, json_pack("{s:s,s:s,s:I,s:O}", "rules", call->set->rules.name, "name",
                                    name, "found", (json_int_t)list->n_lines, "positions", rows));
    json_decref(rows);
}
