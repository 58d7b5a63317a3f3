/* Seeds with distances as events: words of states that get the same seed at the same ply.
 *
 * Once a frame begins, all seeds of a word are gathered as bytes, which are compared with each value
 * among them at once; each value becomes an event, in the order of the words. A list sorted by ply
 * follows, in which the events of a ply keep that order.
 * So the events of a ply are applied in the order of memory, many states at once.
 *
 * A seed that is the value of its placement (a capture, or a side without kings) is an event of the
 * words that it is propagated to, of the other side's final states; one that is a move of a quiet
 * placement is an event of the words of the side itself, the same in all planes. */
#include "gen/solver/seed_events.h"

#include "core/bits.h"
#include "gen/solver/decide.h"
#include "table/bytes.h"

#include <string.h>

enum { MIN_SHARED_EVENTS = 1024, ANY_RUN = 0 };

/* The seeds of the states of a word. */
struct seeds_of_word {
    value_t seed[WORD_CELLS]; /* by cell; VALUE_DRAW without one, and between words */
    size_t n;                 /* values among them other than VALUE_DRAW: */
    cells_t cells[WORD_CELLS];
    value_t values[WORD_CELLS];
};

/* The states `bits` of a word; `key` is twice the ply, plus 1 for final states. */
struct seed_event {
    cells_t bits;
    uint32_t word;
    uint32_t key;
};

static bool has_moves(const struct word_side *side)
{
    return side->has_men && side->own->n_kings > 0;
}

static struct seeds_of_word no_seeds(void)
{
    struct seeds_of_word seeds = {.n = 0};
    memset(seeds.seed, VALUE_DRAW, sizeof seeds.seed);
    return seeds;
}

void seed_events_allocate(struct word_side *side, struct allocation *allocation)
{
    const struct layout *own = side->own;
    const struct layout *other = side->other;
    const size_t n_moves = has_moves(side) ? (size_t)(other->n_runs * own->n_kings) : 0;
    const size_t n_finals = (size_t)other->n_kings * (other->has_runs ? MAX_RUN_COUNT : 1);
    const size_t n =
        (size_t)own->n_sets * other->n_sets * (n_moves > n_finals ? n_moves : n_finals);
    side->events = allocation_alloc(allocation, n, sizeof *side->events);
    side->event_order = allocation_alloc(allocation, n, sizeof *side->event_order);
    const size_t n_words = (size_t)other->n_runs + 1;
    side->seeds_by_run = allocation_alloc(allocation, n_words, sizeof *side->seeds_by_run);
    for (size_t i = 0; side->seeds_by_run != NULL && i < n_words; i++)
        side->seeds_by_run[i] = no_seeds();
}

/* --- making them ------------------------------------------------------------------------------ */

/* Lists the values among the seeds, which are complete. */
static void seeds_list(struct seeds_of_word *seeds)
{
    cells_t left = ~bytes_matching(seeds->seed, VALUE_DRAW);
    seeds->n = 0;
    for (; left != 0; left &= ~seeds->cells[seeds->n++]) {
        const value_t value = seeds->seed[bits_first(left)];
        seeds->values[seeds->n] = value;
        seeds->cells[seeds->n] = bytes_matching(seeds->seed, value);
    }
    if (seeds->n > 0)
        memset(seeds->seed, VALUE_DRAW, sizeof seeds->seed);
}

/* Adds the events of a word. */
static void add_events(struct word_side *side, const struct seeds_of_word *seeds, size_t word,
                       bool final)
{
    for (size_t i = 0; i < seeds->n; i++) {
        const int ply = value_plies(seeds->values[i]);
        const uint32_t key = 2 * (uint32_t)ply + final;
        side->events[side->n_events++] =
            (struct seed_event){.bits = seeds->cells[i], .word = (uint32_t)word, .key = key};
        side->event_start[key]++;
        if (side->n_event_plies <= ply)
            side->n_event_plies = ply + 1;
    }
}

static inline bool seeds_equal(const value_t *seed, int first, int n)
{
    if (n == 1 + MAX_RUN_COUNT) {
        const uint32_t seeds = load_u32(seed);
        return ((seeds ^ seeds << 8) & UINT32_MAX << (8 * (first + 1))) == 0;
    }
    for (int i = first + 1; i < n; i++)
        if (seed[i] != seed[first])
            return false;
    return true;
}

/* The seeds of one side to move, by king set of that side and of the other. */
struct seed_walk {
    const struct solver *solver;
    struct word_side *side;
    const uint8_t *class_of;
    const value_t *seed;
    const value_t *value; /* of the frame, which begins with captures; NULL with runs */
    size_t own_stride, other_stride;
};

/* Gathers the seeds of `cells` of a word, where a placement has one value; the sets are by cell of
 * the designated king. */
static void gather_single(const value_t *value, size_t stride, const uint32_t *set_of,
                          cells_t cells, value_t seed[WORD_CELLS])
{
    for (; cells != 0; cells &= cells - 1) {
        const int cell = bits_first(cells);
        seed[cell] = value[set_of[cell] * stride];
    }
}

/* Events of the quiet placements with one king set of the other side. */
static void add_moves_of_set(const struct seed_walk *walk, uint32_t other_set)
{
    struct word_side *side = walk->side;
    const struct layout *own = side->own;
    const int n_runs = side->other->n_runs;
    const uint32_t *configs = side->other->config_of_run + other_set * (size_t)n_runs;
    const value_t *first = walk->seed + other_set * walk->other_stride * (size_t)n_runs;
    const size_t stride = walk->own_stride * (size_t)n_runs;
    struct seeds_of_word *by_run = side->seeds_by_run + 1;
    value_t *any_run = side->seeds_by_run[ANY_RUN].seed;

    for (uint32_t others = 0; others < own->n_others; others++) {
        const uint32_t *set_of = own->set_of + (size_t)others * WORD_CELLS;
        /* Nothing is decided yet, and without runs every quiet state is open. */
        cells_t left = side->open[(size_t)configs[0] * own->n_others + others];
        bool some_differ = false;
        if (n_runs == 1) {
            gather_single(first, stride, set_of, left, any_run);
            left = 0;
        }
        for (; left != 0; left &= left - 1) {
            const int cell = bits_first(left);
            const value_t *seed = first + set_of[cell] * stride;
            if (seeds_equal(seed, 0, n_runs)) {
                any_run[cell] = seed[0];
                continue;
            }
            some_differ = true;
            for (int run = 0; run < n_runs; run++)
                by_run[run].seed[cell] = seed[run];
        }
        seeds_list(&side->seeds_by_run[ANY_RUN]);
        for (int run = 0; run < n_runs; run++) {
            const size_t word = (size_t)configs[run] * own->n_others + others;
            add_events(side, &side->seeds_by_run[ANY_RUN], word, false);
            if (!some_differ)
                continue;
            seeds_list(&by_run[run]);
            add_events(side, &by_run[run], word, false);
        }
    }
}

/* Events of the final placements with one king set of the side to move. Only runs of the other side
 * that a king move can lead to matter. */
static void add_finals_of_set(const struct seed_walk *walk, uint32_t set)
{
    struct word_side *side = walk->side;
    const struct layout *other = side->other;
    const struct word_side *to = &walk->solver->side[!(side - walk->solver->side)];
    const cells_t free = walk->solver->no_men & ~side->own->config_cells[set];
    const int first_run = other->has_runs ? 1 : 0;
    const int n_counts = other->has_runs ? MAX_RUN_COUNT : 0;
    const size_t n_runs = (size_t)other->n_runs;
    const size_t first = set * walk->own_stride;
    const uint8_t *class_of = walk->class_of;
    const uint8_t not_final = side->own->n_kings > 0 ? CLASS_QUIET : CLASS_IMPOSSIBLE;
    struct seeds_of_word *by_count = side->seeds_by_run + 1;
    value_t *any_run = side->seeds_by_run[ANY_RUN].seed;

    for (uint32_t others = 0; others < other->n_others; others++) {
        const cells_t taken = other->others_cells[others];
        const uint32_t *set_of = other->set_of + (size_t)others * WORD_CELLS;
        const size_t word = (size_t)set * other->n_others + others;
        if ((taken & ~free) != 0)
            continue;
        bool some_differ = false;
        cells_t left = free & ~taken;
        if (walk->value != NULL) { /* which is VALUE_DRAW where the seed is not final */
            gather_single(walk->value + first, walk->other_stride, set_of, left, any_run);
            left = 0;
        }
        for (; left != 0; left &= left - 1) {
            const int cell = bits_first(left);
            const size_t place = first + set_of[cell] * walk->other_stride;
            const value_t *seed = walk->seed + place * n_runs;
            if (class_of[place] == not_final)
                continue;
            if (seeds_equal(seed, first_run, (int)n_runs)) {
                any_run[cell] = seed[first_run];
                continue;
            }
            some_differ = true;
            seed += run_index_of(bits_count(taken & (((cells_t)1 << cell) - 1)), 1);
            for (int i = 0; i < n_counts; i++)
                by_count[i].seed[cell] = seed[i];
        }
        seeds_list(&side->seeds_by_run[ANY_RUN]);
        add_events(side, &side->seeds_by_run[ANY_RUN],
                   (size_t)(to->n_final_planes - 1) * to->n_final + word, true);
        for (int i = 0; some_differ && i < n_counts; i++) {
            seeds_list(&by_count[i]);
            add_events(side, &by_count[i], (size_t)i * to->n_final + word, true);
        }
    }
}

/* Lists the events by key; event_start has their numbers. */
static void sort_events(struct word_side *side)
{
    size_t next[2 * N_PLIES];
    size_t n = 0;
    for (int key = 0; key < 2 * side->n_event_plies; key++) {
        const size_t n_of_key = side->event_start[key];
        side->event_start[key] = next[key] = n;
        n += n_of_key;
    }
    side->event_start[2 * side->n_event_plies] = n;
    for (size_t i = 0; i < side->n_events; i++)
        side->event_order[next[side->events[i].key]++] = (uint32_t)i;
}

void seed_events_create(struct solver *solver, int to_move)
{
    const size_t n_black = solver->context->shape.n_king_sets[BLACK];
    struct word_side *side = &solver->side[to_move];
    const struct seed_walk walk = {
        .solver = solver,
        .side = side,
        .class_of = solver->frame->class_of[to_move],
        .seed = solver->frame->seed[to_move],
        .value = solver->context->shape.n_rule_states == 1 ? solver->frame->value[to_move] : NULL,
        .own_stride = to_move == WHITE ? n_black : 1,
        .other_stride = to_move == WHITE ? 1 : n_black,
    };
    side->n_events = 0;
    /* What the frame before has used. */
    memset(side->event_start, 0, (2 * (size_t)side->n_event_plies + 1) * sizeof *side->event_start);
    side->n_event_plies = 0;
    for (uint32_t set = 0; has_moves(side) && set < side->other->n_sets; set++)
        add_moves_of_set(&walk, set);
    for (uint32_t set = 0; side->other->n_kings > 0 && set < side->own->n_sets; set++)
        if ((side->own->config_cells[set] & ~solver->no_men) == 0)
            add_finals_of_set(&walk, set);
    sort_events(side);
}

/* --- applying them ---------------------------------------------------------------------------- */

/* States whose seed is their value. */
static inline void final_apply(const struct word_side *to, const struct seed_event *event, bool win,
                               bool shared)
{
    uint8_t *touched = win ? to->won_touched : to->lost_touched;
    uint8_t *final_touched = win ? to->won_final_touched : to->lost_final_touched;
    cells_t *target = win ? to->won_final : to->lost_final;
    const uint32_t set = event->word % (uint32_t)to->n_final / to->own->n_others;
    if (target == NULL) { /* the king set is the config */
        or_word(&(win ? to->won_after : to->lost_after)[event->word], event->bits, shared);
        touch(to, touched, set);
        return;
    }
    or_word(&target[event->word], event->bits, shared);
    ATOMIC_STORE(&final_touched[set], 1);
    ATOMIC_STORE(&touched[to->n_groups], 1);
}

/* States whose seed is one of their moves. */
static inline void move_apply(struct solver *solver, int to_move, const struct seed_event *event,
                              value_t value, bool shared)
{
    struct word_side *side = &solver->side[to_move];
    const uint32_t strip = event->word / side->own->n_others;
    const uint32_t others = event->word % side->own->n_others;
    if (value < VALUE_DRAW) {
        or_word(&side->seed_lost[event->word], event->bits, shared);
        touch(side, side->won_touched, strip);
        return;
    }
    for (int plane = 0; plane < side->own->n_planes; plane++) {
        cells_t *open = &side->open[(size_t)plane * side->n_words + event->word];
        const cells_t bits = ATOMIC_LOAD(open) & event->bits;
        if (bits == 0)
            continue;
        if (shared)
            ATOMIC_AND(open, ~bits);
        else
            *open &= ~bits;
        decide_states(solver, to_move, strip, others, plane, bits, value, shared);
    }
}

static inline void event_apply(struct solver *solver, int to_move, const struct seed_event *event,
                               value_t value, bool shared)
{
    if (event->key % 2 != 0)
        final_apply(&solver->side[!to_move], event, value > VALUE_DRAW, shared);
    else
        move_apply(solver, to_move, event, value, shared);
}

void seed_events_apply(struct solver *solver, int to_move, int ply)
{
    const struct word_side *side = &solver->side[to_move];
    if (ply >= side->n_event_plies)
        return;
    const size_t first = side->event_start[2 * ply];
    const size_t last = side->event_start[2 * ply + 2];
    const value_t value = value_from_plies(ply);

    if (solver->n_threads == 1 || last - first < MIN_SHARED_EVENTS) {
        for (size_t i = first; i < last; i++)
            event_apply(solver, to_move, &side->events[side->event_order[i]], value, false);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (size_t i = first; i < last; i++)
        event_apply(solver, to_move, &side->events[side->event_order[i]], value, true);
}
