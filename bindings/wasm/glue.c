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
    einspul_options options;
    einspul *handle = NULL;
    clear();
    einspul_options_init(&options);
    options.rules = rules;
    options.cache_bytes = (size_t)cache_bytes;
    options.io = EINSPUL_IO_CALLBACKS;
    options.callbacks = &callbacks;
    options.folders = &pack;
    options.n_folders = pack[0] != '\0';
    einspul_open(&options, &handle, &last_error); /* NULL if it fails */
    return handle;
}

void EXPORT(einspul_js_close)(einspul *handle)
{
    einspul_close(handle);
}

int EXPORT(einspul_js_last_status)(void)
{
    return (int)last_error.status;
}

static einspul_status probe_one(einspul *handle, const einspul_position *position, int distances,
                                einspul_outcome *outcome, int *plies)
{
    return distances ? einspul_probe_dtw(handle, position, 0, outcome, plies, &last_error)
                     : einspul_probe_wdl(handle, position, 0, outcome, &last_error);
}

/* Begins an answer about a position. */
static einspul_status begin(einspul *handle, const char *fen, einspul_position *position)
{
    clear();
    return einspul_position_from_fen(handle, fen, position, &last_error);
}

/* `outcome<TAB>plies`. */
int EXPORT(einspul_js_probe)(einspul *handle, const char *fen, int distances)
{
    einspul_position position;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    einspul_status status = begin(handle, fen, &position);
    if (status == EINSPUL_OK)
        status = probe_one(handle, &position, distances, &outcome, &plies);
    add("%d\t%d", (int)outcome, plies);
    return (int)status;
}

/* Reads a FEN of several, each ended by a line feed, which becomes a zero byte. */
static einspul_status next_position(einspul *handle, char **fens, einspul_position *position)
{
    char *fen = *fens;
    char *end = fen + strcspn(fen, "\n");
    *fens = end + (*end != '\0');
    *end = '\0';
    return einspul_position_from_fen(handle, fen, position, &last_error);
}

/* What a batch of positions is worked with. */
struct batch {
    size_t n;
    einspul_position *positions;
    einspul_outcome *outcomes;
    int *plies;
    einspul_status *statuses;
};

/* A line a position: status, outcome and plies, or status and text. The texts of a batch's errors
 * are had by asking again; a position that could not be read has none to be asked for. */
static void add_batch(einspul *handle, const struct batch *batch, int distances)
{
    for (size_t i = 0; i < batch->n; i++) {
        const einspul_status status = batch->statuses[i];
        if (status == EINSPUL_OK) {
            add("0\t%d\t%d\n", (int)batch->outcomes[i], batch->plies[i]);
        } else {
            last_error.text[0] = '\0';
            probe_one(handle, &batch->positions[i], distances, &batch->outcomes[i],
                      &batch->plies[i]);
            add("%d\t%s\n", (int)status, last_error.text);
        }
    }
}

/* FENs of all positions, each ended by a line feed; they are written over. The first that cannot be
 * read ends the call. */
int EXPORT(einspul_js_probe_many)(einspul *handle, char *fens, double n, int distances)
{
    struct batch batch = {.n = (size_t)n};
    einspul_status status = EINSPUL_OK;
    clear();
    batch.positions = calloc(batch.n + 1, sizeof *batch.positions);
    batch.outcomes = calloc(batch.n + 1, sizeof *batch.outcomes);
    batch.plies = calloc(batch.n + 1, sizeof *batch.plies);
    batch.statuses = calloc(batch.n + 1, sizeof *batch.statuses);
    if (batch.positions == NULL || batch.outcomes == NULL || batch.plies == NULL ||
        batch.statuses == NULL)
        status = EINSPUL_NO_MEMORY;
    for (size_t i = 0; i < batch.n && status == EINSPUL_OK; i++) {
        batch.plies[i] = -1;
        status = next_position(handle, &fens, &batch.positions[i]);
    }
    if (status == EINSPUL_OK) {
        if (distances)
            einspul_probe_dtw_batch(handle, batch.positions, batch.n, 0, batch.outcomes,
                                    batch.plies, batch.statuses, NULL);
        else
            einspul_probe_wdl_batch(handle, batch.positions, batch.n, 0, batch.outcomes,
                                    batch.statuses, NULL);
        add_batch(handle, &batch, distances);
    }
    free(batch.positions);
    free(batch.outcomes);
    free(batch.plies);
    free(batch.statuses);
    return (int)status;
}

/* `worst<TAB>best` over all king runs and clocks. */
int EXPORT(einspul_js_bounds)(einspul *handle, const char *fen)
{
    einspul_position position;
    einspul_outcome worst = EINSPUL_DRAW;
    einspul_outcome best = EINSPUL_DRAW;
    einspul_status status = begin(handle, fen, &position);
    if (status == EINSPUL_OK)
        status = einspul_probe_bounds(handle, &position, 0, &worst, &best, &last_error);
    add("%d\t%d", (int)worst, (int)best);
    return (int)status;
}

/* A line a move: text, from, to, captured squares, outcome, plies, FEN after it. */
static void add_moves(const char *rules, const einspul_move *moves, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char fen[EINSPUL_FEN_SIZE] = "";
        const char *comma = "";
        add("%s\t%d\t%d\t", moves[i].text, moves[i].from, moves[i].to);
        for (int square = 1; square <= 50; square++) {
            if ((moves[i].captured >> (square - 1) & 1) == 0)
                continue;
            add("%s%d", comma, square);
            comma = ",";
        }
        einspul_fen_write(rules, &moves[i].after, fen, NULL);
        add("\t%d\t%d\t%s\n", (int)moves[i].outcome, moves[i].plies, fen);
    }
}

static einspul_status list(einspul *handle, const char *rules, const einspul_position *position)
{
    size_t n = 0;
    einspul_status status = einspul_moves(rules, position, NULL, 0, &n, &last_error);
    if (status != EINSPUL_OK)
        return status;
    einspul_move *moves = malloc((n + 1) * sizeof *moves);
    if (moves == NULL)
        return EINSPUL_NO_MEMORY;
    status = handle == NULL ? einspul_moves(rules, position, moves, n, &n, &last_error)
                            : einspul_probe_moves(handle, position, moves, n, &n, &last_error);
    if (status == EINSPUL_OK)
        add_moves(rules, moves, n);
    free(moves);
    return status;
}

/* All legal moves, best first. */
int EXPORT(einspul_js_probe_moves)(einspul *handle, const char *fen)
{
    einspul_position position;
    const einspul_status status = begin(handle, fen, &position);
    return (int)(status == EINSPUL_OK ? list(handle, einspul_rules(handle), &position) : status);
}

/* All legal moves, without tables. */
int EXPORT(einspul_js_moves)(const char *rules, const char *fen)
{
    einspul_position position;
    clear();
    const einspul_status status = einspul_fen_read(rules, fen, &position, &last_error);
    return (int)(status == EINSPUL_OK ? list(NULL, rules, &position) : status);
}

/* The FEN after a move. */
int EXPORT(einspul_js_play)(const char *rules, const char *fen, const char *move)
{
    einspul_position position;
    char text[EINSPUL_FEN_SIZE] = "";
    clear();
    einspul_status status = einspul_fen_read(rules, fen, &position, &last_error);
    if (status == EINSPUL_OK)
        status = einspul_play(rules, &position, move, &position, &last_error);
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
