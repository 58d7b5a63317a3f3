/* The contents of an einspul handle: the available files, and the tables opened so far. */
#ifndef EINSPUL_PROBE_HANDLE_H
#define EINSPUL_PROBE_HANDLE_H

#include "core/os.h"
#include "probe/cache.h"
#include "probe/value_cache.h"
#include "table/pack.h"

#include <stdatomic.h>

/* The contribution of a piece to the index of a placement: weight * C(n, k), where n is its square
 * in the numbering of the table. */
struct term {
    uint64_t weight;
    int32_t add; /* to the square, or to its complement if flipped */
    int32_t k;   /* position in the set, from 1 */
};

/* How to look up placements of a material, as it is on the board, with a side to move: everything a
 * probe needs to know about the table, in one record. Immutable. */
struct table_view {
    struct cache_slot *slots; /* of the blocks of the side to move as stored */
    const struct open_table *opened;
    uint8_t place_bits; /* 2^place_bits placements a block */
    uint8_t n_rule_states;
    int8_t most_own_run;   /* of the side to move: states with a longer one are not stored */
    uint8_t run_weight[2]; /* of a run, by side on the board; 0 where there is none */
    bool is_outcome;       /* the table has no distances */
    bool has_clock;        /* the rule state is the clock */
    bool flipped;          /* the table has the board rotated */
    bool is_plain;         /* no limit changes its values, and the table omits no side */
    uint64_t first_key;    /* first key in `values`; 0 if the table omits no side */
    struct term terms[MAX_PIECES]; /* of White's men, Black's men, White's and Black's kings */
};

/* True if the table omits a state, whose value is then that of its best move. */
static inline bool view_omits(const struct table_view *view, const struct state *state)
{
    return (int)state->run[state->at.side].count > view->most_own_run;
}

/* An open table, or why it cannot be opened. Immutable. */
struct open_table {
    einspul_error failure; /* EINSPUL_OK: it is open */
    struct table *table;
    struct cache_slot *slots;      /* by block */
    struct table_view views[2][2]; /* by colours exchanged or not, side to move */
};

/* A file that existed when the handle was opened. */
struct source {
    struct table_id id;
    char *path;              /* NULL: no such file */
    const struct pack *pack; /* the pack that contains it, from `offset`; NULL: a file of its own */
    uint64_t offset;
    uint64_t n_bytes;
    struct open_table *_Atomic opened; /* set once, under open_lock; NULL until first needed */
};

enum { N_KEYS = 4096 }; /* four numbers of pieces, three bits each */

struct einspul {
    struct rules rules;
    einspul_callbacks own_callbacks;
    const einspul_callbacks *callbacks; /* own_callbacks; NULL: the system reads files */
    struct pack *packs;                 /* a list */
    struct cache *cache;
    struct value_cache *values;
    _Atomic uint64_t n_value_keys; /* keys given out: a state of a table that omits a side */
    struct os_mutex open_lock;
    size_t n_found; /* files */
    int n_materials;
    /* All materials, in generation order; by metric - 1. */
    struct source sources[MAX_MATERIALS][2];
    /* By key of the material as it is on the board: its number, and by metric - 1 its two views, by
     * side to move; NULL until first needed. */
    uint8_t number[N_KEYS];
    const struct table_view *_Atomic views[2][N_KEYS];
};

/* The key of a material of at most MAX_PIECES pieces, some of them on each side. */
static inline int key_of_counts(int white_men, int white_kings, int black_men, int black_kings)
{
    return white_men | white_kings << 3 | black_men << 6 | black_kings << 9;
}

static inline int key_of_material(const struct material *material)
{
    return key_of_counts(material->men[WHITE], material->kings[WHITE], material->men[BLACK],
                         material->kings[BLACK]);
}

static inline const struct material *handle_material(const einspul *handle, int number)
{
    return &handle->sources[number][0].id.material;
}

/* The table of a file that exists. NOT_CACHED if it would have to be opened but `cached_only`. */
einspul_status handle_source(einspul *handle, struct source *source, bool cached_only,
                             const struct open_table **result, einspul_error *error);

/* EINSPUL_OK if a file answers `metric` for a material, by its number; else NO_TABLE or
 * NO_METRIC. */
static inline einspul_status handle_has_table(const einspul *handle, int number,
                                              einspul_metric metric)
{
    const struct source *sources = handle->sources[number];
    const bool other = sources[metric == EINSPUL_WDL].path != NULL;
    if (sources[metric - 1].path != NULL ||
        (other && (metric == EINSPUL_WDL ||
                   table_always_has_distances(&handle->rules, &sources->id.material))))
        return EINSPUL_OK;
    return other ? EINSPUL_NO_METRIC : EINSPUL_NO_TABLE;
}

/* The open table of a material, by its number, that answers `metric`: EINSPUL_WDL is answered by
 * any file, EINSPUL_DTW by one with distances. Opens it if necessary; with `cached_only` NOT_CACHED
 * instead. NO_TABLE, NO_METRIC, errors of table_open_file. Thread-safe. */
einspul_status handle_table(einspul *handle, int number, einspul_metric metric, bool cached_only,
                            const struct open_table **opened, einspul_error *error);

/* The view of the values of a placement for `metric`, whose material has the key `key`; opens the
 * table if necessary. Errors of handle_table. Thread-safe. */
einspul_status handle_find_view(einspul *handle, int key, const struct placement *placement,
                                einspul_metric metric, bool cached_only,
                                const struct table_view **view, einspul_error *error);

void open_table_free(struct open_table *opened); /* NULL is allowed */

/* The key of a placement's material; -1 if it has too many pieces. */
static inline int handle_key(const struct placement *placement)
{
    const int white_men = bits_count(placement->men[WHITE]);
    const int white_kings = bits_count(placement->kings[WHITE]);
    const int black_men = bits_count(placement->men[BLACK]);
    const int black_kings = bits_count(placement->kings[BLACK]);
    const int white = white_men + white_kings;
    const int black = black_men + black_kings;
    return white < MAX_PIECES && black < MAX_PIECES && white + black <= MAX_PIECES
               ? key_of_counts(white_men, white_kings, black_men, black_kings)
               : -1;
}

/* Like handle_find_view, but NULL unless the view was found before. NULL for a side without pieces
 * too, because no table has that material. */
static inline const struct table_view *handle_known_view(const einspul *handle, int key,
                                                         enum side side, einspul_metric metric)
{
    const struct table_view *views =
        key < 0 ? NULL
                : atomic_load_explicit(&handle->views[metric - 1][key], memory_order_acquire);
    return views == NULL ? NULL : &views[side];
}

#endif
