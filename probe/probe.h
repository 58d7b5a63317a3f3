/* The state of one probe during its recursion through the tables. */
#ifndef EINSPUL_PROBE_PROBE_H
#define EINSPUL_PROBE_PROBE_H

#include "core/captures.h"
#include "core/moves.h"
#include "probe/handle.h"
#include "probe/position.h"

/* A probe that has visited more states stores all values it computes in `values`, not only its
 * result. Captures of eight pieces lead to a few thousand states at most; but where tables omit a
 * side to move, its moves and the captures that follow lead to millions, most of them repeated. */
enum { QUICK_STATES = 256 };

/* One for the whole recursion of a probe. */
struct query {
    einspul *handle;
    struct cache_reader *reader; /* pins the blocks it finds; NULL before the first one, and where
                                    it has left the cache for something slow */
    einspul_metric metric;
    bool raw; /* without the limit of limited material */
    bool cached_only;
    bool no_capture;   /* in the probed state, as the caller says */
    uint32_t n_states; /* met so far */
    uint32_t first;    /* the number of the one that is probed */
    einspul_error *error;
};

/* The location of a value. */
struct value_location {
    const struct table_view *view;
    struct cache_slot *slot;
    uint32_t place;
    uint32_t rule_state;
};

/* The index of a side's run, 0 for none. In a flipped table the order of the kings is reversed. */
static inline uint32_t run_either_way(squares_t kings, struct run run, bool flipped)
{
    const squares_t before =
        flipped ? kings >> run.square >> 1 : kings & (square_bit(run.square) - 1);
    return (uint32_t)run_index_of(bits_count(before), run.count);
}

/* The index of a placement (core/rank.h), computed square by square without turning the board. */
static inline uint64_t view_index(const struct table_view *view, const struct state *state)
{
    const squares_t sets[4] = {state->at.men[WHITE], state->at.men[BLACK], state->at.kings[WHITE],
                               state->at.kings[BLACK]};
    const int flip = view->flipped ? -1 : 0;
    const struct term *term = view->terms;
    uint64_t index = 0;

    for (int set = 0; set < 4; set++)
        for (squares_t left = sets[set]; left != 0; left &= left - 1, term++)
            index += term->weight * pascal[(bits_first(left) ^ flip) + term->add][term->k];
    return index;
}

static inline uint32_t view_rule_state(const struct table_view *view, const struct state *state)
{
    uint32_t rule_state = view->has_clock ? state->clock : 0;
    if (!view->has_clock && view->n_rule_states > 1)
        for (int side = WHITE; side <= BLACK; side++)
            rule_state += view->run_weight[side] *
                          run_either_way(state->at.kings[side], state->run[side], view->flipped);
    return rule_state;
}

static inline void location_find(struct value_location *location, const struct table_view *view,
                                 const struct state *state)
{
    const uint64_t index = view_index(view, state);
    location->view = view;
    location->slot = &view->slots[index >> view->place_bits];
    location->place = (uint32_t)(index & (((uint64_t)1 << view->place_bits) - 1));
    location->rule_state = view_rule_state(view, state);
}

/* The placements of a block with its flags. Its header is elsewhere in memory: it is read only if the
 * block is short. */
static inline uint32_t location_block_size(const struct value_location *location,
                                           const struct block *block, unsigned flags)
{
    return (flags & SLOT_SHORT) != 0 ? block->n_placements
                                     : (uint32_t)1 << location->view->place_bits;
}

/* Prefetches what the value at a location is read from: an uneven placement also needs the count
 * before it and a pattern, probably one of the first. */
static inline void location_prefetch(const struct value_location *location,
                                     const struct block *block, unsigned flags)
{
    const struct table_view *view = location->view;
    const uint32_t n = location_block_size(location, block, flags);
    const uint8_t *codes = block_codes(block, n, view->n_rule_states);
    if (!view->is_outcome) {
        PREFETCH(block->data + ((size_t)location->place << ((flags & SLOT_WIDE) != 0)));
        return;
    }
    PREFETCH(codes + location->place / 4);
    if (view->n_rule_states > 1) {
        PREFETCH(block->data + location->place / COUNTED * 2);
        PREFETCH(block_patterns(codes, n));
    }
}

/* The value at a location, whose block with its flags holds it. */
static inline value_t location_value(const struct value_location *location,
                                     const struct block *block, unsigned flags)
{
    const struct table_view *view = location->view;
    if (view->n_rule_states > 1)
        location_prefetch(location, block, flags);
    return block_read(block, location_block_size(location, block, flags), view->is_outcome,
                      (flags & SLOT_WIDE) != 0, location->place, view->n_rule_states,
                      location->rule_state);
}

/* The state of a position to be probed with these flags. BAD_POSITION; BAD_ARGUMENT for unknown
 * flags, and without NDEBUG for a wrong EINSPUL_NO_CAPTURE. */
einspul_status query_position(const struct rules *rules, const einspul_position *position,
                              unsigned flags, struct state *state, einspul_error *error);

/* The value of a state for the side to move; with EINSPUL_WDL its sign. UNDECIDED: `*value` is set,
 * but the quiet-play limit may turn it into a draw; NO_TABLE for more pieces than tables have,
 * unless the game is over. Errors of handle_find_view and cache_decode, NOT_CACHED, NO_MEMORY. The
 * thread must not have entered the cache. */
einspul_status query_state(struct query *query, const struct state *state, value_t *value);

/* The outcome of a state, UNKNOWN if it is not known, and, unless `plies` is NULL, the plies to the
 * end, -1 for a draw or if they are not known. Sets the query's metric. Errors of query_state: with
 * NO_METRIC and UNDECIDED the outcome may still be known. */
einspul_status query_outcome(struct query *query, const struct state *state,
                             einspul_outcome *outcome, int *plies);

/* The number of legal moves. Errors of moves_generate. */
einspul_status query_count_moves(const struct rules *rules, const struct state *state, int *n_moves,
                                 einspul_error *error);

#endif
