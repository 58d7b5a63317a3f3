/* The calls of Ed Gilbert's egdb, the driver of Kingsrow's endgame databases for checkers (English
 * draughts), on einspul's tables. Names, parameters and values are those of its documentation, so a
 * program may also keep the driver's header and link egdb_checkers.c. Omitted: the MTC and DTW
 * databases, egdb_version, and the index functions and bit tables of old versions. */
#ifndef EXAMPLE_EGDB_CHECKERS_H
#define EXAMPLE_EGDB_CHECKERS_H

#ifdef __cplusplus
extern "C" {
#endif

enum EGDB_COLOR { EGDB_BLACK = 0, EGDB_WHITE = 1 };

enum LOOKUP_VALUE { /* for the side to move */
                    EGDB_SUBDB_UNAVAILABLE = -2,
                    EGDB_NOT_IN_CACHE = -1,
                    EGDB_UNKNOWN = 0,
                    EGDB_WIN = 1,
                    EGDB_LOSS = 2,
                    EGDB_DRAW = 3,
                    EGDB_DRAW_OR_LOSS = 4,
                    EGDB_WIN_OR_DRAW = 5
};

typedef enum { EGDB_KINGSROW32_WLD = 4 } EGDB_TYPE;

/* Square n, 1..32, is bit n-1 of a normal bitboard. A row-reversed one has the bits of each row of
 * four in the opposite order: square 1 is bit 3, square 4 bit 0, square 5 bit 7. */
typedef enum { EGDB_NORMAL = 0, EGDB_ROW_REVERSED } EGDB_BITBOARD_TYPE;

typedef struct {
    unsigned int black, white, king; /* `king`: a subset of `black` and `white` */
} EGDB_NORMAL_BITBOARD;

typedef struct {
    unsigned int black_man, black_king, white_man, white_king;
} EGDB_ROW_REVERSED_BITBOARD;

typedef union {
    EGDB_NORMAL_BITBOARD normal;
    EGDB_ROW_REVERSED_BITBOARD row_reversed;
} EGDB_BITBOARD;

typedef struct {
    unsigned int lru_cache_hits, lru_cache_loads, autoload_hits; /* always 0 */
    unsigned int db_requests;                                    /* lookups */
    unsigned int db_returns;              /* lookups that returned a win, loss or draw */
    unsigned int db_not_present_requests; /* lookups that returned EGDB_SUBDB_UNAVAILABLE */
} EGDB_STATS;

typedef struct egdb_driver {
    /* The value of a position for `color`, the side to move. If `cl` is not 0, the lookup reads
     * nothing from disk, and may return EGDB_NOT_IN_CACHE. */
    int (*lookup)(struct egdb_driver *handle, EGDB_BITBOARD *position, int color, int cl);
    void (*reset_stats)(struct egdb_driver *handle);
    EGDB_STATS *(*get_stats)(struct egdb_driver *handle);
    int (*verify)(struct egdb_driver *handle); /* 0 if no table is missing or has a bad header */
    int (*close)(struct egdb_driver *handle);  /* returns 0 */
    void *internal_data;
} EGDB_DRIVER;

/* Opens the tables of a folder or pack for positions of at most `pieces` pieces. `msg_fn` receives
 * errors, now and in lookups, and may be NULL. Returns NULL on error, also if no table has so many
 * pieces. */
EGDB_DRIVER *egdb_open(EGDB_BITBOARD_TYPE bitboard_type, int pieces, int cache_mb,
                       const char *directory, void (*msg_fn)(char *));

/* The type, always EGDB_KINGSROW32_WLD, and the largest number of pieces of any table. Returns 0 if
 * the folder has tables. */
int egdb_identify(const char *directory, EGDB_TYPE *egdb_type, int *max_pieces);

#ifdef __cplusplus
}
#endif

#endif
