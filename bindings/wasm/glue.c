/* What JavaScript calls. Texts go in and out as UTF-8 in the module's memory: positions as FEN,
 * lists as lines with tabs between the fields, so that no structure's layout is known outside.
 * An answer stays until the next call. Files are read by functions that JavaScript gives (module
 * "tables"). */
#include <einspul.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("tables"), import_name(#name)))

/* A file by its name, as "frisian/KvK.wdl": its number, or -1. Its size. Reads bytes: 0 when
 * they are there, else they are not yet. */
IMPORT(find) int tables_find(const char *name);
IMPORT(size) double tables_size(int file);
IMPORT(read) int tables_read(int file, double offset, void *bytes, size_t n_bytes);

/* --- memory and answers ----------------------------------------------------------------------- */

static char *answer;
static size_t answer_size, answer_room;
static einspul_error last_error;

void *EXPORT(einspul_js_alloc)(size_t n_bytes)
{
    return malloc(n_bytes);
}

void EXPORT(einspul_js_free)(void *bytes)
{
    free(bytes);
}

const char *EXPORT(einspul_js_answer)(void)
{
    return answer == NULL ? "" : answer;
}

const char *EXPORT(einspul_js_error)(void)
{
    return last_error.text;
}

const char *EXPORT(einspul_js_status_name)(int status)
{
    return einspul_status_name((einspul_status)status);
}

static void clear(void)
{
    answer_size = 0;
    last_error.text[0] = '\0';
    if (answer != NULL)
        answer[0] = '\0';
}

/* Adds to the answer, as printf; without memory the answer ends there. */
__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    enum { MOST_ADDED = 1024 }; /* more than a move, a FEN or an error is long */
    va_list arguments;
    if (answer_size + MOST_ADDED > answer_room) {
        const size_t room = 2 * answer_size + MOST_ADDED;
        char *more = realloc(answer, room);
        if (more == NULL)
            return;
        answer = more;
        answer_room = room;
    }
    va_start(arguments, format);
    answer_size += (size_t)vsnprintf(answer + answer_size, MOST_ADDED, format, arguments);
    va_end(arguments);
}

/* --- files ------------------------------------------------------------------------------------ */

/* A file is its number and 1, as a pointer; none is NULL. */
static void *open_file(void *user, const char *name)
{
    (void)user;
    return (void *)(intptr_t)(tables_find(name) + 1);
}

static int number_of(void *file)
{
    return (int)(intptr_t)file - 1;
}

static int64_t file_size(void *user, void *file)
{
    (void)user;
    return (int64_t)tables_size(number_of(file));
}

static int read_at(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes)
{
    (void)user;
    return tables_read(number_of(file), (double)offset, bytes, n_bytes);
}

static void close_file(void *user, void *file)
{
    (void)user;
    (void)file;
}

static const einspul_callbacks callbacks = {
    .open = open_file, .size = file_size, .read_at = read_at, .close = close_file};

/* --- calls; each returns a status ------------------------------------------------------------- */

/* The handle as a number, 0 after an error. `pack` is the name of the pack to read, or empty. */
einspul *EXPORT(einspul_js_open)(const char *rules, const char *pack, double cache_bytes)
{
    einspul *handle = NULL;
    clear();
    einspul_open(pack, rules, (size_t)cache_bytes, &callbacks, &handle, &last_error);
    return handle; /* NULL if it fails */
}

void EXPORT(einspul_js_close)(einspul *handle)
{
    einspul_close(handle);
}

int EXPORT(einspul_js_last_status)(void)
{
    return (int)last_error.status;
}

/* Reads a position and begins an answer about it. */
static einspul_status begin(const char *rules, const char *fen, einspul_position *position)
{
    clear();
    return einspul_fen_read(rules, fen, position, &last_error);
}

static einspul_outcome probe_one(einspul *handle, const einspul_position *position, int distances,
                                 int *plies, einspul_status *status)
{
    const einspul_metric metric = distances ? EINSPUL_DTW : EINSPUL_WDL;
    const einspul_outcome outcome = einspul_probe(handle, position, 0, distances ? plies : NULL);
    *status = EINSPUL_OK;
    if (outcome == EINSPUL_UNKNOWN || (distances && outcome != EINSPUL_DRAW && *plies < 0))
        *status = einspul_why(handle, position, metric, 0, &last_error);
    return outcome;
}

/* `outcome<TAB>plies`. */
int EXPORT(einspul_js_probe)(einspul *handle, const char *rules, const char *fen, int distances)
{
    einspul_position position;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    einspul_status status = begin(rules, fen, &position);
    if (status == EINSPUL_OK)
        outcome = probe_one(handle, &position, distances, &plies, &status);
    add("%d\t%d", (int)outcome, plies);
    return (int)status;
}

/* Reads a FEN of several, each ended by a line feed, which becomes a zero byte. */
static einspul_status next_position(const char *rules, char **fens, einspul_position *position)
{
    char *fen = *fens;
    char *end = fen + strcspn(fen, "\n");
    *fens = end + (*end != '\0');
    *end = '\0';
    return einspul_fen_read(rules, fen, position, &last_error);
}

/* A line a position: status, outcome and plies, or status and text. What is unknown is asked once
 * more, for its error. */
static void add_batch(einspul *handle, const einspul_position *positions, size_t n,
                      const einspul_outcome *outcomes, const int *plies, int distances)
{
    for (size_t i = 0; i < n; i++) {
        einspul_status status = EINSPUL_OK;
        einspul_outcome outcome = outcomes[i];
        int n_plies = distances ? plies[i] : -1;
        if (outcome == EINSPUL_UNKNOWN || (distances && outcome != EINSPUL_DRAW && n_plies < 0))
            outcome = probe_one(handle, &positions[i], distances, &n_plies, &status);
        if (status == EINSPUL_OK)
            add("0\t%d\t%d\n", (int)outcome, n_plies);
        else
            add("%d\t%s\n", (int)status, last_error.text);
    }
}

/* FENs of all positions, each ended by a line feed; they are written over. The first that cannot be
 * read ends the call. */
int EXPORT(einspul_js_probe_many)(einspul *handle, const char *rules, char *fens, double n_fens,
                                  int distances)
{
    const size_t n = (size_t)n_fens;
    einspul_position *positions = calloc(n + 1, sizeof *positions);
    einspul_outcome *outcomes = calloc(n + 1, sizeof *outcomes);
    int *plies = calloc(n + 1, sizeof *plies);
    einspul_status status = EINSPUL_OK;
    clear();
    if (positions == NULL || outcomes == NULL || plies == NULL)
        status = EINSPUL_NO_MEMORY;
    for (size_t i = 0; i < n && status == EINSPUL_OK; i++)
        status = next_position(rules, &fens, &positions[i]);
    if (status == EINSPUL_OK) {
        einspul_probe_many(handle, positions, n, 0, outcomes, distances ? plies : NULL);
        add_batch(handle, positions, n, outcomes, plies, distances);
    }
    free(positions);
    free(outcomes);
    free(plies);
    return (int)status;
}

/* A line a move: text, from, to, captured squares, outcome, plies, FEN after it. */
static void add_moves(const char *rules, const einspul_position *position,
                      const einspul_move *moves, int n)
{
    for (int i = 0; i < n; i++) {
        char text[EINSPUL_MOVE_TEXT_SIZE] = "";
        char fen[EINSPUL_FEN_SIZE] = "";
        const char *comma = "";
        einspul_move_write(rules, position, &moves[i], text, NULL);
        add("%s\t%d\t%d\t", text, moves[i].from, moves[i].to);
        for (int square = 1; square <= 50; square++) {
            if ((moves[i].captured >> (square - 1) & 1) == 0)
                continue;
            add("%s%d", comma, square);
            comma = ",";
        }
        einspul_fen_write(rules, &moves[i].after, fen, NULL);
        add("\t%d\t%d\t%s\n", moves[i].outcome, moves[i].plies, fen);
    }
}

/* With the values of tables, or, if `handle` is NULL, without. */
static einspul_status list(einspul *handle, const char *rules, const char *fen)
{
    einspul_position position;
    einspul_status status = begin(rules, fen, &position);
    if (status != EINSPUL_OK)
        return status;
    int n = einspul_moves(rules, &position, NULL, 0, &last_error);
    einspul_move *moves = n < 0 ? NULL : malloc(((size_t)n + 1) * sizeof *moves);
    if (moves == NULL)
        return n < 0 ? last_error.status : EINSPUL_NO_MEMORY;
    n = handle == NULL ? einspul_moves(rules, &position, moves, n, &last_error)
                       : einspul_probe_moves(handle, &position, moves, n, &last_error);
    if (n >= 0)
        add_moves(rules, &position, moves, n);
    else
        status = last_error.status;
    free(moves);
    return status;
}

/* All legal moves, best first. */
int EXPORT(einspul_js_probe_moves)(einspul *handle, const char *rules, const char *fen)
{
    return (int)list(handle, rules, fen);
}

/* All legal moves, without tables. */
int EXPORT(einspul_js_moves)(const char *rules, const char *fen)
{
    return (int)list(NULL, rules, fen);
}

/* The FEN after a move. */
int EXPORT(einspul_js_play)(const char *rules, const char *fen, const char *move)
{
    einspul_position position;
    char text[EINSPUL_FEN_SIZE] = "";
    clear();
    einspul_status status = einspul_fen_read(rules, fen, &position, &last_error);
    if (status == EINSPUL_OK)
        status = einspul_play(rules, &position, move, &last_error);
    if (status == EINSPUL_OK)
        status = einspul_fen_write(rules, &position, text, &last_error);
    add("%s", text);
    return (int)status;
}

/* The names of all rule sets, a line each. */
int EXPORT(einspul_js_rules)(void)
{
    clear();
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++)
        add("%s\n", *name);
    return EINSPUL_OK;
}

/* Materials that have a file, a line each. */
int EXPORT(einspul_js_list)(einspul *handle)
{
    const size_t n = einspul_list(handle, NULL, 0);
    einspul_table_info *tables = malloc((n + 1) * sizeof *tables);
    clear();
    if (tables == NULL)
        return EINSPUL_NO_MEMORY;
    einspul_list(handle, tables, n);
    for (size_t i = 0; i < n; i++)
        add("%s\n", tables[i].material);
    free(tables);
    return EINSPUL_OK;
}
