/* Lists of positions prepared beforehand, for what takes too long to be searched here: the
 * output of `einspul find` in files FOLDER/RULES/NAME.tsv. A file is read anew for each request. */
#include "serve/api.h"

#include "core/fen.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_PATH_SIZE = 4096, LINE_SIZE = 512, DEFAULT_LISTED = 50, MOST_LISTED = 500 };

static const char suffix[] = ".tsv";

/* The length of a list's name; 0 for an entry that is none. */
static size_t name_length(const char *entry)
{
    const size_t n = strlen(entry);
    const size_t n_suffix = strlen(suffix);
    return entry[0] != '.' && n > n_suffix && strcmp(entry + n - n_suffix, suffix) == 0
               ? n - n_suffix
               : 0;
}

static int is_list(const struct dirent *entry)
{
    return name_length(entry->d_name) > 0;
}

void api_lists(const struct call *call, struct reply *reply)
{
    enum { MOST_LISTS = 1000 };
    const struct service *service = call->service;
    char path[LIST_PATH_SIZE];
    struct dirent **entries = NULL;
    int n = 0;
    json_t *list = json_array();
    if (service->options.lists != NULL &&
        snprintf(path, sizeof path, "%s/%s", service->options.lists, call->set->rules.name) <
            LIST_PATH_SIZE)
        n = scandir(path, &entries, is_list, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (i < MOST_LISTS) /* one that is not UTF-8 is left out */
            json_array_append_new(list, json_stringn(name, name_length(name)));
        free(entries[i]);
    }
    free(entries);
    reply_json(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "lists", list));
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

/* A line of a list as a row of an answer; NULL if it is no such line. */
static json_t *row_of(const struct rules *rules, char *line)
{
    struct state state;
    const char *fen = next_word(&line);
    const char *outcome = next_word(&line);
    const char *plies = next_word(&line);
    const char *instead = next_word(&line);
    if (fen == NULL || !is_outcome(outcome) || plies == NULL ||
        (instead != NULL && !is_outcome(instead)) ||
        fen_read(rules, fen, &state, NULL) != EINSPUL_OK)
        return NULL;
    const long distance = strtol(plies, NULL, 10);
    json_t *row = json_pack(
        "{s:s,s:s,s:o}", "fen", fen, "category", outcome, "dtw",
        plies[0] == '-' ? json_null() : json_integer(outcome[0] == 'l' ? -distance : distance));
    if (instead != NULL)
        json_object_set_new(row, "instead_of", json_string(instead));
    return row;
}

/* Opens the list of a name; only what stands in the folder can be opened. */
static FILE *open_list(const struct service *service, const struct rule_set *set, const char *name)
{
    char path[LIST_PATH_SIZE];
    if (service->options.lists == NULL || strcspn(name, "./") == 0 || strchr(name, '/') != NULL ||
        snprintf(path, sizeof path, "%s/%s/%s%s", service->options.lists, set->rules.name, name,
                 suffix) >= LIST_PATH_SIZE)
        return NULL;
    return fopen(path, "r");
}

void api_list(const struct call *call, struct reply *reply)
{
    char line[LINE_SIZE];
    const char *name = request_argument(call->request, "name");
    uint64_t from = 0;
    uint64_t limit = DEFAULT_LISTED;
    uint64_t n = 0;
    if (!request_number(call->request, "from", 0, 1000000000, &from, reply) ||
        !request_number(call->request, "limit", 0, MOST_LISTED, &limit, reply))
        return;
    FILE *file = name != NULL ? open_list(call->service, call->set, name) : NULL;
    if (file == NULL) {
        reply_text(reply, HTTP_NOT_FOUND, "no list of that name here");
        return;
    }
    json_t *rows = json_array();
    for (; fgets(line, sizeof line, file) != NULL; n++) {
        if (n < from || n >= from + limit)
            continue;
        json_t *row = row_of(&call->set->rules, line);
        if (row == NULL) {
            reply_text(reply, HTTP_FAULT, "line %" PRIu64 " of the list is not of einspul find",
                       n + 1);
            break;
        }
        json_array_append_new(rows, row);
    }
    fclose(file);
    if (reply->code != HTTP_FAULT)
        reply_json(reply, json_pack("{s:s,s:s,s:I,s:O}", "rules", call->set->rules.name, "name",
                                    name, "found", (json_int_t)n, "positions", rows));
    json_decref(rows);
}
