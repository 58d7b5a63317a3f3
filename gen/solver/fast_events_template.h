/* Seeds in the fast solver, as events that come true at the ply of their value: EVENT_FINAL where
 * the seed is the value of its placement, EVENT_MOVE where it is one of its moves. Most seeds are
 * the same for all runs of the other side, and are one event then. Those of large frames are in
 * fast_scan_template.h.
 *
 * The events of a side are sorted by ply once (in place, as there are many) and applied as the
 * plies go by. Without, seeds need no order (fast_words_template.h). */
#ifndef EINSPUL_GEN_SOLVER_FAST_EVENTS_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_EVENTS_TEMPLATE_H

#include "gen/solver/fast_seeds_template.h"

enum { MIN_SHARED_EVENTS = 1024 };

/* An event is a number:
 *
 *   config << 38 | value << 26 | set << 2 | all_runs << 1 | kind
 *
 * `set` is the rank of the king set of the side to move; `config` is the other side's, or with
 * `all_runs` the rank of its king set. */
enum event_kind { EVENT_FINAL, EVENT_MOVE };

enum { EVENT_SET_SHIFT = 2, EVENT_VALUE_SHIFT = 26, EVENT_CONFIG_SHIFT = 38 };

static inline uint64_t event_pack(uint32_t config, bool all_runs, uint32_t set,
                                  enum event_kind kind, value_t value)
{
    return (uint64_t)config << EVENT_CONFIG_SHIFT | (uint64_t)value << EVENT_VALUE_SHIFT |
           (uint64_t)set << EVENT_SET_SHIFT | (uint64_t)all_runs << 1 | (uint64_t)kind;
}

static inline value_t event_value(uint64_t event)
{
    return (value_t)(event >> EVENT_VALUE_SHIFT & VALUE_NONE);
}

/* --- applying events -------------------------------------------------------------------------- */

static void event_apply(struct solver *solver, int to_move, uint64_t event, bool shared)
{
    const uint32_t config = (uint32_t)(event >> EVENT_CONFIG_SHIFT);
    const uint32_t set = ((uint32_t)event & ((1u << EVENT_VALUE_SHIFT) - 1)) >> EVENT_SET_SHIFT;
    seed_apply(solver, to_move, (event & 1) == EVENT_FINAL, config, (event >> 1 & 1) != 0, set,
               event_value(event), shared);
}

/* Applies the events of one ply. */
static void fast_events_apply(struct solver *solver, int to_move, int ply)
{
    const struct fast_side *side = &solver->side[to_move];
    const size_t first = ply < side->n_event_plies ? side->event_start[ply] : 0;
    const size_t last = ply < side->n_event_plies ? side->event_start[ply + 1] : 0;
    const uint64_t *events = side->events;

    if (solver->n_threads == 1 || last - first < MIN_SHARED_EVENTS) {
        for (size_t i = first; i < last; i++)
            event_apply(solver, to_move, events[i], false);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (size_t i = first; i < last; i++)
        event_apply(solver, to_move, events[i], true);
}

/* --- a frame's seeds -------------------------------------------------------------------------- */

/* What of a placement's seeds has to be told, by its class: all of them, or, where they are its
 * values, those of runs that a king of the other side can have moved into. Draws never, nor what
 * all quiet placements of a side without men have in common: they are lost as soon as no move is
 * left. */
struct told {
    bool any;
    enum event_kind kind;
    int first_run;
};

static inline struct told seeds_told(const struct fast_side *side, enum placement_class class_of,
                                     bool has_men)
{
    if (class_of == CLASS_CAPTURE || (class_of == CLASS_QUIET && side->own->n_kings == 0))
        return (struct told){true, EVENT_FINAL, first_carried_run(side->other)};
    return (struct told){class_of == CLASS_QUIET && has_men, EVENT_MOVE, 0};
}

/* Lists the events of a placement from `next` on; returns their end. */
static inline uint64_t *list_seeds(uint64_t *next, const struct layout *other, struct told told,
                                   uint32_t own_set, uint32_t other_set, const value_t *seed)
{
    const int n_runs = other->n_runs;
    if (told.first_run < n_runs && seeds_equal(seed, told.first_run, n_runs)) {
        *next = event_pack(other_set, true, own_set, told.kind, seed[told.first_run]);
        return next + (seed[told.first_run] != VALUE_DRAW);
    }
    const uint32_t *configs = other->config_of_run + other_set * (size_t)n_runs;
    for (int run = told.first_run; run < n_runs; run++)
        if (seed[run] != VALUE_DRAW)
            *next++ = event_pack(configs[run], false, own_set, told.kind, seed[run]);
    return next;
}

/* Lists the events of one side. Returns how many there are. */
static size_t list_events(const struct solver *solver, const struct frame *frame, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    const struct fast_side *side = &solver->side[to_move];
    const bool has_men = shape->material.men[to_move] > 0;
    const size_t n_runs = (size_t)side->other->n_runs;
    const uint8_t *class_of = frame->class_of[to_move];
    const value_t *seed = frame->seed[to_move];
    uint64_t *next = side->events;
    struct told told[N_CLASSES];

    for (int class = 0; class < N_CLASSES; class ++)
        told[class] = seeds_told(side, (enum placement_class) class, has_men);
    for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++) {
        for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++, seed += n_runs) {
            const uint32_t own_set = to_move == WHITE ? white : black;
            const uint32_t other_set = to_move == WHITE ? black : white;
            const struct told this = told[*class_of++];
            if (n_runs == 1) { /* what is told cannot be foreseen: no branch */
                *next = event_pack(other_set, true, own_set, this.kind, *seed);
                next += this.any && this.first_run == 0 && *seed != VALUE_DRAW;
            } else if (this.any) {
                next = list_seeds(next, side->other, this, own_set, other_set, seed);
            }
        }
    }
    return (size_t)(next - side->events);
}

/* Counts events by value. Neighbours often have the same: they are counted in turn, so that none
 * waits for the one before. */
static void count_events(const uint64_t *events, size_t n, size_t n_of_value[VALUE_NONE + 1])
{
    size_t odd[VALUE_NONE + 1] = {0};
    for (size_t i = 0; i + 1 < n; i += 2) {
        n_of_value[event_value(events[i])]++;
        odd[event_value(events[i + 1])]++;
    }
    if (n % 2 != 0)
        n_of_value[event_value(events[n - 1])]++;
    for (int value = 0; value <= VALUE_NONE; value++)
        n_of_value[value] += odd[value];
}

/* Sorts events by ply where they stand: each that is met out of its place is put into the next one
 * of its ply that is still to be filled, and what stood there is looked at then (McIlroy, Bostic
 * and McIlroy, Engineering radix sort, 1993). Their order within a ply does not matter. */
static void sort_events(const struct fast_side *side, size_t next[VALUE_NONE + 1])
{
    uint64_t *events = side->events;
    for (int ply = 0; ply < side->n_event_plies; ply++) {
        const value_t value = value_from_plies(ply);
        while (next[value] < side->event_start[ply + 1]) {
            uint64_t event = events[next[value]];
            while (event_value(event) != value) {
                const size_t at = next[event_value(event)]++;
                const uint64_t other = events[at];
                events[at] = event;
                event = other;
            }
            events[next[value]++] = event;
        }
    }
}

/* Makes the seeds of one side into events, sorted by ply. */
static void fast_events_create(struct solver *solver, const struct frame *frame, int to_move)
{
    struct fast_side *side = &solver->side[to_move];
    /* By value: how many there are; then where the first one goes. */
    size_t next[VALUE_NONE + 1] = {0};
    const size_t n_events = list_events(solver, frame, to_move);
    size_t n = 0;
    int ply = 0;

    count_events(side->events, n_events, next);
    for (; n < n_events; ply++) {
        const value_t value = value_from_plies(ply);
        side->event_start[ply] = n;
        n += next[value];
        next[value] = side->event_start[ply];
    }
    side->event_start[ply] = n;
    side->n_event_plies = ply;
    sort_events(side, next);
}

#endif
