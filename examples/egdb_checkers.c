/* The calls of Kingsrow's driver for checkers on einspul's English tables, for programs that use
 * that interface: compile this file with the program in place of the driver, and link libeinspul.
 * Differences:
 *
 * - Positions with captures, of either side, have a value. A search of captures before the lookup
 *   is unnecessary, but harmless.
 * - Values are exact: never EGDB_DRAW_OR_LOSS or EGDB_WIN_OR_DRAW. EGDB_UNKNOWN means an invalid
 *   position, or a file or memory error; `msg_fn` receives the reason.
 * - verify() checks headers and indices. The blocks of a table are checked when they are read;
 *   `einspul verify` checks whole files.
 * - `msg_fn` receives no messages about progress, and the statistics do not count the cache. */
#include "egdb_checkers.h"

#include "egdb_value.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct internal {
    einspul *tables;
    int pieces;
    void (*msg_fn)(char *msg);
    atomic_uint n_lookups, n_values, n_unavailable;
    EGDB_STATS stats;
};

static void report(void (*msg_fn)(char *), einspul_error *error)
{
    if (msg_fn == NULL)
        return;
    error->text[sizeof error->text - 2] = '\0'; /* space for the end of line */
    msg_fn(strcat(error->text, "\n"));
}

/* Of a normal bitboard from a row-reversed one, or the other way round. */
static unsigned reversed_rows(unsigned bits)
{
    bits = (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
    return (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
}

static int lookup(EGDB_DRIVER *handle, const einspul_position *position, int cl)
{
    struct internal *internal = handle->internal_data;
    const int opponent = 1 - position->side;
    einspul_error error;
    /* The only side with pieces has won. The library has no such position, since no side can be to move. */
    const int value = (position->men[opponent] | position->kings[opponent]) == 0
                          ? EGDB_WIN
                          : egdb_value(internal->tables, position, internal->pieces, cl, &error);

    if (value == EGDB_UNKNOWN)
        report(internal->msg_fn, &error);
    atomic_fetch_add(&internal->n_lookups, 1);
    atomic_fetch_add(&internal->n_values, value > EGDB_UNKNOWN);
    atomic_fetch_add(&internal->n_unavailable, value == EGDB_SUBDB_UNAVAILABLE);
    return value;
}

static int lookup_normal(EGDB_DRIVER *handle, EGDB_BITBOARD *position, int color, int cl)
{
    const EGDB_NORMAL_BITBOARD *from = &position->normal;
    const einspul_position to = {
        .men = {[EINSPUL_WHITE] = from->white & ~from->king,
                [EINSPUL_BLACK] = from->black & ~from->king},
        .kings = {[EINSPUL_WHITE] = from->white & from->king,
                  [EINSPUL_BLACK] = from->black & from->king},
        .side = color == EGDB_WHITE ? EINSPUL_WHITE : EINSPUL_BLACK,
    };
    return lookup(handle, &to, cl);
}

static int lookup_row_reversed(EGDB_DRIVER *handle, EGDB_BITBOARD *position, int color, int cl)
{
    const EGDB_ROW_REVERSED_BITBOARD *from = &position->row_reversed;
    const einspul_position to = {
        .men = {[EINSPUL_WHITE] = reversed_rows(from->white_man),
                [EINSPUL_BLACK] = reversed_rows(from->black_man)},
        .kings = {[EINSPUL_WHITE] = reversed_rows(from->white_king),
                  [EINSPUL_BLACK] = reversed_rows(from->black_king)},
        .side = color == EGDB_WHITE ? EINSPUL_WHITE : EINSPUL_BLACK,
    };
    return lookup(handle, &to, cl);
}

static void reset_stats(EGDB_DRIVER *handle)
{
    struct internal *internal = handle->internal_data;
    internal->n_lookups = internal->n_values = internal->n_unavailable = 0;
}

static EGDB_STATS *get_stats(EGDB_DRIVER *handle)
{
    struct internal *internal = handle->internal_data;
    internal->stats = (EGDB_STATS){
        .db_requests = internal->n_lookups,
        .db_returns = internal->n_values,
        .db_not_present_requests = internal->n_unavailable,
    };
    return &internal->stats;
}

static int verify(EGDB_DRIVER *handle)
{
    struct internal *internal = handle->internal_data;
    return einspul_complete(internal->tables, EINSPUL_WDL) < internal->pieces;
}

static int close_driver(EGDB_DRIVER *handle)
{
    einspul_close(((struct internal *)handle->internal_data)->tables);
    free(handle->internal_data);
    free(handle);
    return 0;
}

static int max_table_pieces(const einspul *tables)
{
    einspul_table_info list[210]; /* fewest pieces first */
    const size_t n = einspul_list(tables, list, 210);
    return n == 0 ? 0 : list[n - 1].pieces;
}

static einspul_status open_tables(const char *directory, int pieces, int cache_mb, einspul **tables,
                                  einspul_error *error)
{
    const size_t cache_bytes = (size_t)(cache_mb > 0 ? cache_mb : 0) << 20;
    einspul_status status = einspul_open(directory, "english", cache_bytes, NULL, tables, error);
    if (status == EINSPUL_OK && max_table_pieces(*tables) < pieces) {
        snprintf(error->text, sizeof error->text, "%s has no tables of %d pieces", directory,
                 pieces);
        einspul_close(*tables);
        status = EINSPUL_NO_TABLE;
    }
    return status;
}

EGDB_DRIVER *egdb_open(EGDB_BITBOARD_TYPE bitboard_type, int pieces, int cache_mb,
                       const char *directory, void (*msg_fn)(char *))
{
    struct internal *internal = calloc(1, sizeof *internal);
    EGDB_DRIVER *handle = malloc(sizeof *handle);
    einspul_error error = {.text = "out of memory"};

    if (internal == NULL || handle == NULL ||
        open_tables(directory, pieces, cache_mb, &internal->tables, &error) != EINSPUL_OK) {
        report(msg_fn, &error);
        free(internal);
        free(handle);
        return NULL;
    }
    internal->pieces = pieces;
    internal->msg_fn = msg_fn;
    *handle = (EGDB_DRIVER){
        .lookup = bitboard_type == EGDB_NORMAL ? lookup_normal : lookup_row_reversed,
        .reset_stats = reset_stats,
        .get_stats = get_stats,
        .verify = verify,
        .close = close_driver,
        .internal_data = internal,
    };
    return handle;
}

int egdb_identify(const char *directory, EGDB_TYPE *egdb_type, int *max_pieces)
{
    einspul *tables;

    if (einspul_open(directory, "english", 0, NULL, &tables, NULL) != EINSPUL_OK)
        return 1;
    *egdb_type = EGDB_KINGSROW32_WLD;
    *max_pieces = max_table_pieces(tables);
    einspul_close(tables);
    return 0;
}
