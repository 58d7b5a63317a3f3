/* Prepared lists: results of searches too long for a request: the output of `einspul find` in files
 * FOLDER/RULES/NAME.tsv. They are read once, when the server starts, so that no request waits for a
 * file; a FIFO or a device among them is never opened. */
#include "serve/api.h"

#include "core/fen.h"
#include "core/program/array.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "table/read_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512, PATH_SIZE = 4096, MAX_LISTS = 1000 };
enum { DEFAULT_LISTED = 50, MAX_LISTED = 500, MAX_PLIES = 9999 };

/* --- reading ---------------------------------------------------------------------------------- */

/* Where the line after one begins, or the text ends. */
static const char *next_line(const struct list *list, const char *line)
{
    const char *end = list->text + list->n_bytes;
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return feed != NULL ? feed + 1 : end;
}

/* Adds the list of an entry of a folder, if it is one. */
static einspul_status add_list(const char *folder, const char *entry, uint64_t *n_left,
                               struct lists *lists, einspul_error *error)
{
    char path[PATH_SIZE];
    struct os_info info;
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    const char *suffix = strrchr(entry, '.');
    if (entry[0] == '.' || suffix == NULL || strcmp(suffix, ".tsv") != 0 ||
        snprintf(path, sizeof path, "%s/%s", folder, entry) >= PATH_SIZE ||
        os_info_at(path, &info) != 0 || info.kind != OS_REGULAR)
        return EINSPUL_OK;
    einspul_status status = file_open(path, NULL, &file, error);
    if (status == EINSPUL_OK && (file->size > *n_left || lists->n == MAX_LISTS))
        status = error_set(error, EINSPUL_NO_MEMORY, "%s: the lists take too much memory",
                           path_tail(path));
    if (status == EINSPUL_OK)
        status = file_read(file, 0, file->size, &bytes, error);
    struct list list = {.name = strndup(entry, (size_t)(suffix - entry)),
                        .text = (char *)bytes,
                        .n_bytes = status == EINSPUL_OK ? (size_t)file->size : 0};
    struct list *more = array_reserve(lists->list, lists->n, &lists->room, 16, sizeof *more);
    if (status == EINSPUL_OK && (list.name == NULL || more == NULL))
        status = file_no_memory(path, error);
    file_close(file);
    lists->list = more != NULL ? more : lists->list;
    if (status != EINSPUL_OK) {
        free(list.name);
        free(list.text);
        return status;
    }
    for (const char *at = list.text; at < list.text + list.n_bytes; at = next_line(&list, at))
        list.n_lines++;
    *n_left -= list.n_bytes;
    lists->list[lists->n++] = list;
    return EINSPUL_OK;
}

static int compare(const void *first, const void *second)
{
    return strcmp(((const struct list *)first)->name, ((const struct list *)second)->name);
}

einspul_status lists_read(const char *folder, const char *rules, uint64_t *n_left,
                          struct lists *lists, einspul_error *error)
{
    char path[PATH_SIZE];
    einspul_status status = EINSPUL_OK;
    const char *entry = NULL;
    struct os_folder *entries = snprintf(path, sizeof path, "%s/%s", folder, rules) < PATH_SIZE
                                    ? os_folder_open(path)
                                    : NULL;
    if (entries == NULL)
        return EINSPUL_OK;
    while (status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL)
        status = add_list(path, entry, n_left, lists, error);
    os_folder_close(entries);
    if (lists->n > 1)
        qsort(lists->list, lists->n, sizeof *lists->list, compare);
    return status;
}

void lists_free(struct lists *lists)
{
    for (size_t i = 0; i < lists->n; i++) {
        free(lists->list[i].name);
        free(lists->list[i].text);
    }
    free(lists->list);
}

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

/* The list of a name, which JSON can have; NULL: none. */
static const struct list *find_list(const struct lists *lists, const char *name)
{
    const struct list key = {.name = (char *)name};
    json_t *json = json_string(name);
    json_decref(json);
    return json != NULL && lists->n > 0 ? bsearch(&key, lists->list, lists->n, sizeof key, compare)
                                        : NULL;
}

void api_list(const struct call *call, struct reply *reply)
{
    const char *name = request_argument(call->request, "name");
    const struct list *list = find_list(&call->set->lists, name != NULL ? name : "");
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
        next = next_line(list, at);
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
