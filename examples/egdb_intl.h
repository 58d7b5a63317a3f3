/* The calls of Ed Gilbert's egdb_intl, the driver of Kingsrow's endgame databases for international
 * draughts, on einspul's tables: opening, lookup, closing, and the size of the databases. Names,
 * parameters and values are those of its documentation, so a program may also keep the driver's
 * header and link egdb_intl.cpp. Omitted: verification, statistics, distances (MTC and DTW), and the
 * deprecated form handle->lookup(handle, ...). */
#ifndef EXAMPLE_EGDB_INTL_H
#define EXAMPLE_EGDB_INTL_H

#include <stdint.h>

namespace egdb_interface
{

typedef uint64_t EGDB_BITBOARD; /* square n is bit n-1 + (n-1)/10 */

struct EGDB_POSITION {
    EGDB_BITBOARD black, white, king; /* `king`: a subset of `black` and `white` */
};

enum EGDB_COLOR { EGDB_BLACK = 0, EGDB_WHITE = 1 };

enum WLD_VALUE { /* for the side to move */
                 EGDB_SUBDB_UNAVAILABLE = -2,
                 EGDB_NOT_IN_CACHE = -1,
                 EGDB_UNKNOWN = 0,
                 EGDB_WIN = 1,
                 EGDB_LOSS = 2,
                 EGDB_DRAW = 3,
                 EGDB_DRAW_OR_LOSS = 4,
                 EGDB_WIN_OR_DRAW = 5
};

enum EGDB_TYPE {
    EGDB_WLD_RUNLEN = 0,
    EGDB_MTC_RUNLEN = 1,
    EGDB_WLD_HUFFMAN = 2,
    EGDB_WLD_TUN_V1 = 3,
    EGDB_WLD_TUN_V2 = 4
};

struct EGDB_DRIVER;

/* Opens the tables of a folder or pack. `options` may be NULL; "maxpieces = N" refuses positions
 * with more pieces, other options are ignored. `msg_fn` receives errors, now and in lookups, and
 * may be NULL. Returns NULL on error. */
EGDB_DRIVER *egdb_open(char const *options, int cache_mb, char const *directory,
                       void (*msg_fn)(char const *msg));

/* The value of a position for `color`, the side to move. If `cl` is not 0, the lookup reads nothing
 * from disk, and may return EGDB_NOT_IN_CACHE. */
int egdb_lookup(EGDB_DRIVER *handle, EGDB_POSITION const *position, int color, int cl);

/* Like egdb_lookup with `cl` 0. A separate call in the driver's DLL, whose databases lack values. */
int egdb_lookup_with_search(EGDB_DRIVER *handle, EGDB_POSITION const *position, int color);

/* Returns 0. */
int egdb_close(EGDB_DRIVER *handle);

/* The type, always EGDB_WLD_TUN_V2, and the largest number of pieces of any table. Returns 0 if
 * the folder has tables. */
int egdb_identify(char const *directory, EGDB_TYPE *egdb_type, int *max_pieces);

/* The largest number of pieces, of pieces of one side, of kings with nine pieces (always 0), and of
 * kings of one side with eight pieces. Returns 0. */
int egdb_get_pieces(EGDB_DRIVER const *handle, int *max_pieces, int *max_pieces_1side,
                    int *max_9pc_kings, int *max_8pc_kings_1side);

} // namespace egdb_interface

#endif
