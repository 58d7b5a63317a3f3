/* The contents of an einspul handle: the available files, and the tables opened so far. */
#ifndef EINSPUL_PROBE_HANDLE_H
#define EINSPUL_PROBE_HANDLE_H

#include "core/os.h"
#include "probe/answers.h"
#include "probe/cache.h"
#include "probe/probe.h"
#include "table/pack.h"

#include <stdatomic.h>

/* The contribution of a piece to the index of a placement: weight * C(n, k), where n is its square
 * in the numbering of the table. */
struct term {
    uint64_t weight;
    uint8_t set; /* which of White's men, Black's men, White's kings, Black's kings on the board */
    uint8_t k;   /* which of that set in the order of rank */
    int8_t add;  /* to the square, or to its complement in a way that is turned */
};

/* How to look up placements of a material, as it is on the board, with a side to move: everything a
 * probe needs to know about the table, in one record. Immutable. */
struct way {
    struct cache_slot *slots; /* of the blocks of the side to move as stored */
    const struct opened *opened;
    uint8_t place_bits; /* 2^place_bits placements a block */
    uint8_t n_pieces;
    uint8_t n_run_states;
    int8_t most_own_run;   /* of the side to move: states with a longer one are not stored */
    uint8_t run_weight[2]; /* of a run, by side on the board; 0 where there is none */
    uint8_t number;        /* of the material, from 1, if a side of it is omitted; otherwise 0 */
    bool has_clock;        /* the run state is the clock */
    bool turned;           /* the table has the board turned round */
    struct term terms[MAX_PIECES];
};

/* Whether the table omits a state, so that its value is that of its best move. */
static inline bool way_leaves_out(const struct way *way, const struct state *state)
{
    return (int)state->run[state->at.side].count > way->most_own_run;
}

/* An open table. Immutable. */
struct opened {
    struct table *table;
    struct cache_slot *slots; /* by block */
    struct way ways[2][2];    /* by colours changed or not, side to move; not those of a symmetric
                                 material with colours changed */
};

void opened_free(struct opened *opened); /* may be NULL */

/* A file that existed when the handle was opened. At most one of the two pointers is set, once and
 * under open_lock; they are read without the lock. */
struct source {
    char *path;              /* NULL: no such file */
    const struct pack *pack; /* what it is in, from `offset`; NULL: a file of its own */
    uint64_t offset;
    uint64_t n_bytes;
    struct opened *_Atomic opened;
    einspul_error *_Atomic failure; /* why it could not be opened */
};

enum { N_KEYS = 4096 }; /* four numbers of pieces, three bits each */

struct einspul {
    struct rules rules;
    einspul_callbacks functions;
    const einspul_callbacks *callbacks; /* these functions; NULL: the system reads files */
    struct pack **packs;
    size_t n_packs;
    struct cache *cache;
    struct answers *answers;
    atomic_bool omits[2]; /* by metric - 1: a table that answers it omits a side */
    struct os_mutex open_lock;
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* all there could be, in generation order */
    struct source sources[MAX_MATERIALS][2];  /* by metric - 1 */
    uint8_t number[MAX_PIECES][MAX_PIECES][MAX_PIECES][MAX_PIECES]; /* of a canonical material:
                                                     White's men and kings, Black's men and kings */
    const struct way *_Atomic ways[2][N_KEYS]; /* by metric - 1, key of the material on the board:
                                     the two of its sides to move; NULL until asked for once */
    _Atomic uint8_t absent[2][N_KEYS]; /* the status where there is no file for that, and never will
                                          be; EINSPUL_OK where there may be, or until asked for once */
};

/* The number of a canonical material. */
static inline uint8_t *handle_number(einspul *handle, const struct material *material)
{
    return &handle->number[material->men[WHITE]][material->kings[WHITE]][material->men[BLACK]]
                          [material->kings[BLACK]];
}

/* The key of a material of at most MAX_PIECES pieces, some of them on each side. */
static inline int way_key(int white_men, int white_kings, int black_men, int black_kings)
{
    return white_men | white_kings << 3 | black_men << 6 | black_kings << 9;
}

/* Sets up the list of materials and finds their files, in folders and packs or through the
 * callbacks (probe/catalogue.c). NO_FOLDER, IO, NO_MEMORY, errors of pack_open. */
einspul_status handle_find_sources(einspul *handle, const char *const *folders, size_t n_folders,
                                   einspul_error *error);

/* The table of a file that exists. NOT_CACHED if it would have to be opened and that is not wanted. */
einspul_status handle_source(einspul *handle, struct source *source,
                             const struct material *material, einspul_metric metric,
                             bool cached_only, const struct opened **result, einspul_error *error);

/* The open table of a canonical material of at most MAX_PIECES pieces that answers `metric`:
 * EINSPUL_WDL is answered by any file, EINSPUL_DTW by one with distances. Opens it if necessary; with
 * `cached_only` NOT_CACHED instead. NO_TABLE, NO_METRIC, errors of table_open. Thread-safe. */
einspul_status handle_table(einspul *handle, const struct material *material, einspul_metric metric,
                            bool cached_only, const struct opened **opened, einspul_error *error);

/* NO_TABLE for more pieces than tables have. */
einspul_status handle_check_pieces(const einspul *handle, const struct placement *placement,
                                   einspul_error *error);

/* The way to the values of a placement for `metric`; opens the table if necessary. Errors as
 * handle_table and handle_check_pieces. Thread-safe. */
einspul_status handle_find_way(einspul *handle, const struct placement *placement,
                               einspul_metric metric, bool cached_only, const struct way **way,
                               einspul_error *error);

/* The key of a placement's material; -1 if no table has it: of too many pieces, or a side without. */
static inline int handle_key(const struct placement *placement)
{
    const int white_men = squares_count(placement->men[WHITE]);
    const int white_kings = squares_count(placement->kings[WHITE]);
    const int black_men = squares_count(placement->men[BLACK]);
    const int black_kings = squares_count(placement->kings[BLACK]);
    const int white = white_men + white_kings;
    const int black = black_men + black_kings;
    return white < MAX_PIECES && black < MAX_PIECES && white + black <= MAX_PIECES
               ? way_key(white_men, white_kings, black_men, black_kings)
               : -1;
}

/* The same if it was found before, otherwise NULL. NULL for a side without pieces too, because no
 * table has that material. */
static inline const struct way *
handle_known_way(const einspul *handle, const struct placement *placement, einspul_metric metric)
{
    const int key = handle_key(placement);
    const struct way *ways =
        key < 0 ? NULL : atomic_load_explicit(&handle->ways[metric - 1][key], memory_order_acquire);
    return ways == NULL ? NULL : &ways[placement->side];
}

/* Why there is no way, if that was found before and lasts: NO_TABLE or NO_METRIC, else EINSPUL_OK. */
static inline einspul_status handle_absent(const einspul *handle, const struct placement *placement,
                                           einspul_metric metric)
{
    const int key = handle_key(placement);
    return key < 0 ? EINSPUL_OK
                   : (einspul_status)atomic_load_explicit(&handle->absent[metric - 1][key],
                                                          memory_order_relaxed);
}

/* Whether answers are kept: not while all sides are stored in the tables asked so far. */
static inline bool handle_keeps_answers(const einspul *handle, einspul_metric metric)
{
    return atomic_load_explicit(&handle->omits[metric - 1], memory_order_relaxed);
}

#endif
