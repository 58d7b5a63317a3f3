/* The fast solver: the same retrograde analysis as the plain one, a word of states at a time.
 *
 * Each side's move is done in that side's own layout (layout.h): a chunk for every config of the
 * other side, and in it a word for every set of this side's other kings, whose bits are the squares
 * of the designated king. A simple king move then is a slide of the word's bits over the cells that
 * are empty in that word; a move by another king than the designated one is the same slide seen
 * through a bit matrix transpose. A move never leaves its chunk, so chunks are independent of each
 * other.
 *
 * What one side's states turn out to be is carried over to the other side's layout state by state,
 * each once: `lost_after` gets what was lost at this ply, `won_after` keeps all that is won so far.
 * Both are kept for successors only, that is for runs of at least 1 where the mover has runs.
 *
 *   win wave (odd plies):  open states from which a slide reaches lost_after, or whose seed wins
 * now. loss wave (even plies): open states whose seed has lost by now, and from which no slide
 * reaches a cell outside won_after.
 *
 * Groups of words that nothing was carried to since their last wave are passed over. Without
 * distances the seeds all come first, and waves go on until nothing is carried any more. */
#include "gen/solve.h"

#include "gen/layout.h"

#include <stdlib.h>
#include <string.h>

enum { N_PLIES = VALUE_MAX_PLIES + 1, GROUP_SHIFT = 4, MIN_SHARED_GROUPS = 64 };

/* Seeds in the order of their plies: config of the other side, king set, and what it is. */
enum event_kind { EVENT_FINAL, EVENT_MOVE };

static inline uint64_t event_pack(uint32_t config, uint32_t set, enum event_kind kind)
{
    return (uint64_t)config << 32 | (uint64_t)set << 1 | (uint64_t)kind;
}

/* One side to move, in its own layout. Arrays by plane have n_words entries a plane. */
struct half {
    const struct layout *own;
    const struct layout *other;
    uint32_t n_chunks; /* configs of the other side */
    size_t n_words;    /* n_chunks * own->n_others */
    int group_shift;   /* a group is 2^group_shift chunks: several where they are one word */
    size_t n_groups;
    cells_t *empty;        /* by word: cells without another piece */
    cells_t *open;         /* by plane, word: quiet and not decided */
    cells_t *lossable;     /* by word: the seed has lost by now */
    cells_t *won;          /* by plane, word: without distances, quiet and won */
    cells_t *lost_after;   /* by after-plane, word */
    cells_t *won_after;    /* by after-plane, word */
    value_t *value;        /* by plane, word, cell: with distances */
    uint8_t *lost_touched; /* by group: lost_after is not empty; behind the last: any of them */
    uint8_t *won_touched;  /* the same: won_after or lossable has grown */
    cells_t *quiet;        /* by other side's set rank, others */
    uint64_t *events;
    size_t n_events, event_capacity;
    size_t event_start[N_PLIES + 1];
};

/* What one thread needs for a group. */
struct scratch {
    cells_t *source;  /* n_after planes of a group */
    cells_t *slid;    /* n_after planes */
    cells_t *crossed; /* one plane: slides of other kings than the designated one */
    cells_t *decided; /* one plane */
};

struct solver {
    const struct frame_context *context;
    struct layout layout[2];
    struct half half[2];
    struct scratch *scratch;
    int n_threads;
    bool distances;
    bool has_kings;
    uint8_t square_of_cell[WORD_CELLS];
    uint8_t cell_of[MAX_SQUARES];
    cells_t all_cells;
};

/* --- memory -------------------------------------------------------------------------------------
 */

static void half_free(struct half *half)
{
    free(half->empty);
    free(half->open);
    free(half->lossable);
    free(half->won);
    free(half->lost_after);
    free(half->won_after);
    free(half->value);
    free(half->lost_touched);
    free(half->won_touched);
    free(half->quiet);
    free(half->events);
}

static void *words_new(size_t n)
{
    return malloc(n * sizeof(cells_t));
}

static enum status half_create(struct half *half, const struct layout *own,
                               const struct layout *other, bool distances)
{
    const size_t n_planes = (size_t)own->n_planes;
    const size_t n_after = (size_t)own->n_after;
    half->own = own;
    half->other = other;
    half->n_chunks = other->n_configs;
    half->n_words = (size_t)half->n_chunks * own->n_others;
    half->group_shift = own->n_others == 1 ? GROUP_SHIFT : 0;
    half->n_groups =
        ((size_t)half->n_chunks + ((size_t)1 << half->group_shift) - 1) >> half->group_shift;
    half->empty = words_new(half->n_words);
    half->open = words_new(n_planes * half->n_words);
    half->lossable = words_new(half->n_words);
    half->lost_after = words_new(n_after * half->n_words);
    half->won_after = words_new(n_after * half->n_words);
    half->lost_touched = malloc(half->n_groups + 1);
    half->won_touched = malloc(half->n_groups + 1);
    half->quiet = words_new((size_t)other->n_sets * own->n_others);
    if (distances)
        half->value = malloc(n_planes * half->n_words * WORD_CELLS);
    else
        half->won = words_new(n_planes * half->n_words);
    const bool complete = half->empty != NULL && half->open != NULL && half->lossable != NULL &&
                          half->lost_after != NULL && half->won_after != NULL &&
                          half->lost_touched != NULL && half->won_touched != NULL &&
                          half->quiet != NULL && (half->value != NULL || half->won != NULL);
    return complete ? STATUS_OK : STATUS_NO_MEMORY;
}

static size_t group_words(const struct half *half)
{
    return (size_t)half->own->n_others << half->group_shift;
}

static void fast_destroy(struct solver *solver)
{
    if (solver == NULL)
        return;
    for (int side = WHITE; side <= BLACK; side++) {
        half_free(&solver->half[side]);
        layout_free(&solver->layout[side]);
    }
    for (int i = 0; solver->scratch != NULL && i < solver->n_threads; i++) {
        free(solver->scratch[i].source);
        free(solver->scratch[i].slid);
        free(solver->scratch[i].crossed);
        free(solver->scratch[i].decided);
    }
    free(solver->scratch);
    free(solver);
}

static enum status scratch_create(struct solver *solver)
{
    size_t n = 0;
    for (int side = WHITE; side <= BLACK; side++)
        if (group_words(&solver->half[side]) > n)
            n = group_words(&solver->half[side]);
    solver->scratch = calloc((size_t)solver->n_threads, sizeof *solver->scratch);
    if (solver->scratch == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < solver->n_threads; i++) {
        solver->scratch[i].source = words_new(3 * n);
        solver->scratch[i].slid = words_new(3 * n);
        solver->scratch[i].crossed = words_new(n);
        solver->scratch[i].decided = words_new(n);
        if (solver->scratch[i].source == NULL || solver->scratch[i].slid == NULL ||
            solver->scratch[i].crossed == NULL || solver->scratch[i].decided == NULL)
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

static enum status fast_create(const struct frame_context *context, int n_threads,
                               struct solver **result)
{
    const struct board *board = &context->rules->board;
    struct solver *solver = calloc(1, sizeof *solver);
    enum status status = STATUS_OK;

    *result = NULL;
    if (solver == NULL)
        return STATUS_NO_MEMORY;
    solver->context = context;
    solver->n_threads = n_threads;
    solver->distances = context->metric == METRIC_DTW;
    solver->has_kings =
        context->shape.material.kings[WHITE] + context->shape.material.kings[BLACK] > 0;
    solver->all_cells = cells_of_squares(board, board->all);
    for (int square = 0; square < board->n_squares; square++) {
        const int cell = cell_of_square(board, square);
        solver->cell_of[square] = (uint8_t)cell;
        solver->square_of_cell[cell] = (uint8_t)square;
    }
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++)
        status = layout_create(&solver->layout[side], context, (enum side)side);
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++)
        status = half_create(&solver->half[side], &solver->layout[side], &solver->layout[!side],
                             solver->distances);
    if (status == STATUS_OK)
        status = scratch_create(solver);
    if (status != STATUS_OK)
        fast_destroy(solver);
    else
        *result = solver;
    return status;
}

static uint64_t fast_bytes(const struct shape *shape)
{
    uint64_t n_bytes = 0;
    for (int side = WHITE; side <= BLACK; side++) {
        const int n_kings[2] = {shape->material.kings[side], shape->material.kings[!side]};
        const bool runs[2] = {shape->n_runs[side] > 1, shape->n_runs[!side] > 1};
        const uint64_t n_others = n_kings[0] > 0 ? choose(shape->n_squares, n_kings[0] - 1) : 1;
        uint64_t n_configs = shape->n_king_sets[!side];
        if (runs[1])
            n_configs +=
                3 * (uint64_t)choose(shape->n_squares, n_kings[1] - 1) * (uint64_t)shape->n_squares;
        const uint64_t n_words = n_configs * n_others;
        const uint64_t n_planes = runs[0] ? 4 : 1;
        const uint64_t n_after = runs[0] ? 3 : 1;
        n_bytes += layout_bytes(shape, (enum side)side);
        n_bytes += n_words * (8 * (2 + n_planes + 2 * n_after) + n_planes * WORD_CELLS);
        n_bytes += 8 * (uint64_t)shape->n_king_sets[!side] * n_others;
        n_bytes += 8 * shape->frame_size * (uint64_t)shape->n_runs[!side]; /* events */
    }
    return n_bytes;
}

/* --- carrying states over -----------------------------------------------------------------------
 */

static inline void or_word(cells_t *word, cells_t bits, bool shared)
{
    if (shared)
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
    else
        *word |= bits;
}

static inline void touch(const struct half *half, uint8_t *touched, uint32_t chunk)
{
    __atomic_store_n(&touched[chunk >> half->group_shift], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&touched[half->n_groups], 1, __ATOMIC_RELAXED);
}

/* Tells the other side's layout that the states `bits` of a word of `half`, this side to move, are
 * now decided as `value`. */
static void carry(const struct solver *solver, const struct half *half, struct half *other_half,
                  uint32_t chunk, uint32_t others, int plane, cells_t bits, bool won, bool shared)
{
    const struct layout *own = half->own;
    const struct layout *other = half->other;
    const uint32_t n_squares = (uint32_t)solver->context->shape.n_squares;
    const struct layout_place *places = other->places + (size_t)chunk * (size_t)other->n_places;
    cells_t *target = won ? other_half->won_after : other_half->lost_after;
    uint8_t *touched = won ? other_half->won_touched : other_half->lost_touched;
    const uint32_t *configs = own->set_of + (size_t)others * n_squares;
    const uint32_t running =
        own->n_sets + ((uint32_t)(plane - 1) * own->n_others + others) * n_squares;

    if (other->n_places == 0 || places[0].plane >= other->n_after)
        return; /* no king of the other side can have moved last */
    if (plane == 0)
        bits &= own->highest[others]; /* the placement stands in a word for each of its kings */
    for (; bits != 0; bits &= bits - 1) {
        const uint32_t square = solver->square_of_cell[squares_first(bits)];
        const uint32_t config = plane == 0 ? configs[square] : running + square;
        for (int i = 0; i < other->n_places; i++)
            or_word(&target[places[i].plane * other_half->n_words +
                            (size_t)config * other->n_others + places[i].others],
                    (cells_t)1 << places[i].cell, shared);
        touch(other_half, touched, config);
    }
}

/* Enters newly decided quiet states of a word. */
static void decide(struct solver *solver, int side, uint32_t chunk, uint32_t others, int plane,
                   cells_t bits, value_t value, bool shared)
{
    struct half *half = &solver->half[side];
    const size_t word =
        (size_t)plane * half->n_words + (size_t)chunk * half->own->n_others + others;

    if (solver->distances)
        for (cells_t left = bits; left != 0; left &= left - 1)
            half->value[word * WORD_CELLS + (size_t)squares_first(left)] = value;
    else if (value > VALUE_DRAW)
        or_word(&half->won[word], bits, shared);
    carry(solver, half, &solver->half[!side], chunk, others, plane, bits, value > VALUE_DRAW,
          shared);
}

/* --- waves --------------------------------------------------------------------------------------
 */

/* crossed[others] gets the cells of designated kings such that one of the others can slide: the
 * slides of that king stand in the word where it is the designated one. For each set of all but two
 * kings: the words of the set and one more square are the rows of a matrix, and what is wanted is
 * its transpose. `slid` and `crossed` are one chunk. */
static void cross(const struct solver *solver, const struct layout *own, const cells_t *slid,
                  cells_t *crossed)
{
    const uint32_t n_squares = (uint32_t)solver->context->shape.n_squares;
    memset(crossed, 0, own->n_others * sizeof *crossed);
    for (uint32_t base = 0; base < own->n_pair_bases; base++) {
        const uint32_t *others = own->pair_others + (size_t)base * n_squares;
        cells_t matrix[WORD_CELLS] = {0};
        cells_t any = 0;
        for (uint32_t square = 0; square < n_squares; square++) {
            if (others[square] == NO_CONFIG)
                continue;
            matrix[solver->cell_of[square]] = slid[others[square]];
            any |= slid[others[square]];
        }
        if (any == 0)
            continue;
        words_transpose(matrix);
        for (uint32_t square = 0; square < n_squares; square++)
            if (others[square] != NO_CONFIG)
                crossed[others[square]] |= matrix[solver->cell_of[square]];
    }
}

/* scratch->slid and crossed from scratch->source for the words of a group. */
static void slide_group(struct solver *solver, const struct half *half, struct scratch *scratch,
                        size_t first, size_t n)
{
    const struct layout *own = half->own;
    const struct rules *rules = solver->context->rules;
    for (int after = 0; after < own->n_after; after++)
        words_slide_back(&rules->board, rules->flying_kings, n, half->empty + first,
                         scratch->source + (size_t)after * n, scratch->slid + (size_t)after * n);
    if (own->n_kings > 1)
        for (size_t chunk = 0; chunk < n; chunk += own->n_others)
            cross(solver, own, scratch->slid + chunk, scratch->crossed + chunk);
    else
        memset(scratch->crossed, 0, n * sizeof *scratch->crossed);
}

/* Takes what a wave decides out of `open` into `decided`; returns whether that is anything. */
MULTI_TARGET
static bool words_decided(size_t n, bool win, const cells_t *restrict slid,
                          const cells_t *restrict crossed, const cells_t *restrict lossable,
                          cells_t *restrict open, cells_t *restrict decided)
{
    cells_t any = 0;
    for (size_t i = 0; i < n; i++)
        decided[i] = crossed[i] | (slid != NULL ? slid[i] : 0);
    if (!win)
        for (size_t i = 0; i < n; i++)
            decided[i] = ~decided[i] & lossable[i];
    for (size_t i = 0; i < n; i++) {
        decided[i] &= open[i];
        open[i] &= ~decided[i];
        any |= decided[i];
    }
    return any != 0;
}

/* One group's share of a wave: what slides reach (wins), or what they do not (losses). */
static void group_wave(struct solver *solver, int side, size_t group, value_t value,
                       struct scratch *scratch, bool shared)
{
    struct half *half = &solver->half[side];
    const struct layout *own = half->own;
    const bool win = value > VALUE_DRAW;
    const uint32_t group_chunks = (uint32_t)1 << half->group_shift;
    const uint32_t first_chunk = (uint32_t)group << half->group_shift;
    const uint32_t n_left = half->n_chunks - first_chunk;
    const uint32_t n_chunks = n_left < group_chunks ? n_left : group_chunks;
    const size_t first = (size_t)first_chunk * own->n_others;
    const size_t n = (size_t)n_chunks * own->n_others;
    cells_t any_open = 0;

    for (int plane = 0; plane < own->n_planes; plane++) {
        const cells_t *open = half->open + (size_t)plane * half->n_words + first;
        for (size_t i = 0; i < n; i++)
            any_open |= open[i];
    }
    for (int after = 0; after < own->n_after; after++) {
        const size_t at = (size_t)after * half->n_words + first;
        cells_t *source = scratch->source + (size_t)after * n;
        if (win) {
            memcpy(source, half->lost_after + at, n * sizeof *source);
            memset(half->lost_after + at, 0, n * sizeof *source);
        } else {
            for (size_t i = 0; i < n; i++)
                source[i] = half->empty[first + i] & ~half->won_after[at + i];
        }
    }
    if (any_open == 0)
        return;
    slide_group(solver, half, scratch, first, n);
    for (int plane = 0; plane < own->n_planes; plane++) {
        cells_t *open = half->open + (size_t)plane * half->n_words + first;
        /* A king with run c moves on to run c+1, which is after-plane c; another king to run 1. At
         * count 3 only the others may move. */
        const cells_t *slid = plane < own->n_after ? scratch->slid + (size_t)plane * n : NULL;
        if (!words_decided(n, win, slid, scratch->crossed, half->lossable + first, open,
                           scratch->decided))
            continue;
        for (uint32_t chunk = 0; chunk < n_chunks; chunk++) {
            for (uint32_t others = 0; others < own->n_others; others++) {
                const cells_t bits = scratch->decided[(size_t)chunk * own->n_others + others];
                if (bits != 0)
                    decide(solver, side, first_chunk + chunk, others, plane, bits, value, shared);
            }
        }
    }
}

/* A wave of one side over all groups that were touched. */
static void wave(struct solver *solver, int side, value_t value)
{
    struct half *half = &solver->half[side];
    uint8_t *touched = value > VALUE_DRAW ? half->lost_touched : half->won_touched;
    size_t n_touched = 0;

    if (touched[half->n_groups] == 0)
        return;
    touched[half->n_groups] = 0;
    if (solver->n_threads > 1)
        for (size_t group = 0; group < half->n_groups; group++)
            n_touched += touched[group];
    if (n_touched < MIN_SHARED_GROUPS) {
        for (size_t group = 0; group < half->n_groups; group++) {
            if (touched[group] == 0)
                continue;
            touched[group] = 0;
            group_wave(solver, side, group, value, solver->scratch, false);
        }
        return;
    }
    int next_scratch = 0;
#pragma omp parallel num_threads(solver->n_threads)
    {
        int mine = 0;
#pragma omp atomic capture
        mine = next_scratch++;
#pragma omp for schedule(dynamic, 8)
        for (size_t group = 0; group < half->n_groups; group++) {
            if (touched[group] == 0)
                continue;
            touched[group] = 0;
            group_wave(solver, side, group, value, &solver->scratch[mine], true);
        }
    }
}

/* --- seeds --------------------------------------------------------------------------------------
 */

/* States whose seed is their value, whatever the side's own run: nothing to decide, only to carry.
 */
static void event_final(const struct solver *solver, int side, uint32_t chunk, uint32_t set,
                        value_t value, bool shared)
{
    const struct half *half = &solver->half[side];
    const struct half *other_half = &solver->half[!side];
    const struct layout *own = half->own;
    const struct layout *other = half->other;
    const struct layout_place *places = other->places + (size_t)chunk * (size_t)other->n_places;
    cells_t *target = value > VALUE_DRAW ? other_half->won_after : other_half->lost_after;
    uint8_t *touched = value > VALUE_DRAW ? other_half->won_touched : other_half->lost_touched;
    const uint32_t *configs = own->config_of_run + (size_t)set * (size_t)own->n_runs;

    for (int run = 0; run < own->n_runs; run++) {
        for (int i = 0; i < other->n_places; i++)
            or_word(&target[places[i].plane * other_half->n_words +
                            (size_t)configs[run] * other->n_others + places[i].others],
                    (cells_t)1 << places[i].cell, shared);
        touch(other_half, touched, configs[run]);
    }
}

static void event_apply(struct solver *solver, int side, uint64_t event, value_t value, bool shared)
{
    struct half *half = &solver->half[side];
    const struct layout *own = half->own;
    const uint32_t chunk = (uint32_t)(event >> 32);
    const uint32_t set = (uint32_t)event >> 1;

    if ((event & 1) == EVENT_FINAL) {
        event_final(solver, side, chunk, set, value, shared);
        return;
    }
    for (int king = 0; king < own->n_kings; king++) {
        const size_t at = (size_t)set * (size_t)own->n_kings + (size_t)king;
        const uint32_t others = own->set_others[at];
        const cells_t bit = (cells_t)1 << own->set_cell[at];
        const size_t word = (size_t)chunk * own->n_others + others;
        if (value < VALUE_DRAW) {
            or_word(&half->lossable[word], bit, shared);
            touch(half, half->won_touched, chunk);
            continue;
        }
        for (int plane = 0; plane < own->n_planes; plane++) {
            cells_t *open = &half->open[(size_t)plane * half->n_words + word];
            if ((__atomic_load_n(open, __ATOMIC_RELAXED) & bit) == 0)
                continue;
            if (shared)
                __atomic_fetch_and(open, ~bit, __ATOMIC_RELAXED);
            else
                *open &= ~bit;
            decide(solver, side, chunk, others, plane, bit, value, shared);
        }
    }
}

/* Applies events of one side, [first, last), all of the same value. */
static void events_apply(struct solver *solver, int side, size_t first, size_t last, value_t value)
{
    const uint64_t *events = solver->half[side].events;
    if (solver->n_threads == 1 || last - first < 1024) {
        for (size_t i = first; i < last; i++)
            event_apply(solver, side, events[i], value, false);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (size_t i = first; i < last; i++)
        event_apply(solver, side, events[i], value, true);
}

/* What of a placement's seeds has to be told: all of them, or, where they are its values, those of
 * runs that a king of the other side can have moved into. Draws never, nor what all quiet
 * placements of a side without men have in common: they are lost as soon as no move is left. */
static inline bool seeds_told(const struct half *half, uint8_t class_of, bool has_men, int n_runs,
                              int *first_run, enum event_kind *kind)
{
    if (class_of == CLASS_IMPOSSIBLE)
        return false;
    if (class_of == CLASS_CAPTURE || half->own->n_kings == 0) {
        *kind = EVENT_FINAL;
        *first_run = half->other->n_kings == 0 ? n_runs : half->other->has_runs ? 1 : 0;
        return true;
    }
    *kind = EVENT_MOVE;
    *first_run = 0;
    return has_men;
}

/* A walk over the seeds of one side. */
struct walk {
    const struct frame *frame;
    struct half *half;
    int side;
    int n_runs;   /* of the other side */
    bool has_men; /* the side to move */
    uint32_t n_black;
};

static struct walk walk_start(struct solver *solver, const struct frame *frame, int side)
{
    const struct shape *shape = &solver->context->shape;
    const struct walk walk = {.frame = frame,
                              .half = &solver->half[side],
                              .side = side,
                              .n_runs = shape->n_runs[!side],
                              .has_men = shape->material.men[side] > 0,
                              .n_black = shape->n_king_sets[BLACK]};
    return walk;
}

/* Without distances seeds need no order. White king sets of ranks first .. last - 1. */
static void seeds_apply(struct solver *solver, const struct walk *walk, uint32_t first,
                        uint32_t last, bool shared)
{
    const struct layout *other = walk->half->other;
    const size_t n_runs = (size_t)walk->n_runs;

    for (uint32_t white = first; white < last; white++) {
        for (uint32_t black = 0; black < walk->n_black; black++) {
            const size_t index = (size_t)white * walk->n_black + black;
            const value_t *seed = walk->frame->seed[walk->side] + index * n_runs;
            const uint32_t own_set = walk->side == WHITE ? white : black;
            const uint32_t other_set = walk->side == WHITE ? black : white;
            const uint32_t *configs = other->config_of_run + other_set * n_runs;
            enum event_kind kind = EVENT_FINAL;
            int run = 0;
            if (!seeds_told(walk->half, walk->frame->class_of[walk->side][index], walk->has_men,
                            walk->n_runs, &run, &kind))
                continue;
            for (; run < walk->n_runs; run++)
                if (seed[run] != VALUE_DRAW)
                    event_apply(solver, walk->side, event_pack(configs[run], own_set, kind),
                                seed[run], shared);
        }
    }
}

static void seeds_apply_all(struct solver *solver, const struct frame *frame)
{
    const uint32_t n_white = solver->context->shape.n_king_sets[WHITE];
    for (int side = WHITE; side <= BLACK; side++) {
        const struct walk walk = walk_start(solver, frame, side);
        if (solver->n_threads == 1) {
            seeds_apply(solver, &walk, 0, n_white, false);
            continue;
        }
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
        for (uint32_t white = 0; white < n_white; white++)
            seeds_apply(solver, &walk, white, white + 1, true);
    }
}

/* Sorts the seeds of one side into events by ply, in two passes: count, fill. */
static enum status events_create(const struct walk *walk)
{
    struct half *half = walk->half;
    const struct frame *frame = walk->frame;
    const struct layout *other = half->other;
    const size_t n_runs = (size_t)walk->n_runs;
    const uint64_t n_placements = frame->context->shape.frame_size;
    size_t count[256] = {0};
    size_t next[N_PLIES + 1] = {0};
    enum event_kind kind = EVENT_FINAL;
    int run = 0;

    for (uint64_t index = 0; index < n_placements; index++) {
        const value_t *seed = frame->seed[walk->side] + index * n_runs;
        if (seeds_told(half, frame->class_of[walk->side][index], walk->has_men, walk->n_runs, &run,
                       &kind))
            for (; run < walk->n_runs; run++)
                count[seed[run]]++;
    }
    for (int value = 0; value < VALUE_NONE; value++)
        if (value != VALUE_DRAW && count[value] > 0)
            next[value_plies((value_t)value) + 1] += count[value];
    for (int ply = 0; ply < N_PLIES; ply++)
        next[ply + 1] += next[ply];
    memcpy(half->event_start, next, sizeof next);
    half->n_events = next[N_PLIES];
    if (half->n_events > half->event_capacity) {
        free(half->events);
        half->event_capacity = half->n_events + half->n_events / 4;
        half->events = malloc(half->event_capacity * sizeof *half->events);
        if (half->events == NULL) {
            half->event_capacity = 0;
            return STATUS_NO_MEMORY;
        }
    }
    for (uint64_t index = 0; index < n_placements; index++) {
        const value_t *seed = frame->seed[walk->side] + index * n_runs;
        if (!seeds_told(half, frame->class_of[walk->side][index], walk->has_men, walk->n_runs, &run,
                        &kind))
            continue;
        const uint32_t white = (uint32_t)(index / walk->n_black);
        const uint32_t black = (uint32_t)(index % walk->n_black);
        const uint32_t own_set = walk->side == WHITE ? white : black;
        const uint32_t other_set = walk->side == WHITE ? black : white;
        const uint32_t *configs = other->config_of_run + other_set * n_runs;
        for (; run < walk->n_runs; run++)
            if (seed[run] != VALUE_DRAW)
                half->events[next[value_plies(seed[run])]++] =
                    event_pack(configs[run], own_set, kind);
    }
    return STATUS_OK;
}

/* --- a frame ------------------------------------------------------------------------------------
 */

/* Sets all arrays of one side up for a frame. */
static void half_start(struct solver *solver, const struct frame *frame, int side)
{
    const struct shape *shape = &solver->context->shape;
    struct half *half = &solver->half[side];
    const struct layout *own = half->own;
    const struct layout *other = half->other;
    const cells_t men =
        cells_of_squares(&solver->context->rules->board, frame->men[WHITE] | frame->men[BLACK]);
    const size_t n_words = half->n_words;
    uint64_t index = 0;

    /* A side without kings has nothing to solve: its seeds are its values. */
    memset(half->quiet, 0, (size_t)other->n_sets * own->n_others * sizeof *half->quiet);
    for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++) {
        for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++, index++) {
            const uint32_t own_set = side == WHITE ? white : black;
            const uint32_t other_set = side == WHITE ? black : white;
            if (frame->class_of[side][index] != CLASS_QUIET)
                continue;
            cells_t *quiet = half->quiet + (size_t)other_set * own->n_others;
            for (int king = 0; king < own->n_kings; king++) {
                const size_t at = (size_t)own_set * (size_t)own->n_kings + (size_t)king;
                quiet[own->set_others[at]] |= (cells_t)1 << own->set_cell[at];
            }
        }
    }
    for (uint32_t chunk = 0; chunk < half->n_chunks; chunk++) {
        const uint32_t set = other->config_set[chunk];
        cells_t *empty = half->empty + (size_t)chunk * own->n_others;
        cells_t *open = half->open + (size_t)chunk * own->n_others;
        if (set == NO_CONFIG) {
            memset(empty, 0, own->n_others * sizeof *empty);
            for (int plane = 0; plane < own->n_planes; plane++)
                memset(open + (size_t)plane * n_words, 0, own->n_others * sizeof *open);
            continue;
        }
        const cells_t taken = men | other->config_cells[chunk];
        for (uint32_t others = 0; others < own->n_others; others++)
            empty[others] =
                own->n_kings == 0 ? 0 : solver->all_cells & ~(taken | own->others_cells[others]);
        for (int plane = 0; plane < own->n_planes; plane++)
            memcpy(open + (size_t)plane * n_words, half->quiet + (size_t)set * own->n_others,
                   own->n_others * sizeof *open);
    }
    memset(half->lossable, shape->material.men[side] > 0 ? 0 : 0xff,
           n_words * sizeof *half->lossable);
    memset(half->lost_after, 0, (size_t)own->n_after * n_words * sizeof *half->lost_after);
    memset(half->won_after, 0, (size_t)own->n_after * n_words * sizeof *half->won_after);
    memset(half->lost_touched, 0, half->n_groups + 1);
    memset(half->won_touched, own->n_kings > 0, half->n_groups + 1);
    if (solver->distances)
        memset(half->value, VALUE_DRAW, (size_t)own->n_planes * n_words * WORD_CELLS);
    else
        memset(half->won, 0, (size_t)own->n_planes * n_words * sizeof *half->won);
}

static bool anything_touched(const struct solver *solver)
{
    for (int side = WHITE; side <= BLACK; side++) {
        const struct half *half = &solver->half[side];
        if (half->lost_touched[half->n_groups] != 0 || half->won_touched[half->n_groups] != 0)
            return true;
    }
    return false;
}

static enum status solve_distances(struct solver *solver, struct error *error)
{
    for (int ply = 0; ply < N_PLIES; ply++) {
        const value_t value = value_from_plies(ply);
        bool left = false;
        for (int side = WHITE; side <= BLACK; side++) {
            const struct half *half = &solver->half[side];
            if (half->event_start[ply] < half->event_start[ply + 1])
                events_apply(solver, side, half->event_start[ply], half->event_start[ply + 1],
                             value);
            left = left || half->event_start[ply + 1] < half->n_events;
        }
        for (int side = WHITE; side <= BLACK; side++)
            wave(solver, side, value);
        if (!left && !anything_touched(solver))
            return STATUS_OK;
    }
    if (anything_touched(solver))
        return error_set(error, STATUS_TOO_LONG, "a distance beyond %d plies", VALUE_MAX_PLIES);
    return STATUS_OK;
}

static void solve_outcomes(struct solver *solver)
{
    while (anything_touched(solver)) {
        for (int side = WHITE; side <= BLACK; side++) {
            wave(solver, side, VALUE_WIN_IN_1);
            wave(solver, side, VALUE_LOST);
        }
    }
}

/* --- the answer ---------------------------------------------------------------------------------
 */

/* The word and cell of a side's king set and run. */
static size_t word_of_run(const struct half *half, uint32_t set, int run, uint32_t chunk, int *cell)
{
    const struct layout *own = half->own;
    const int king = run > 0 ? (run - 1) / 3 : 0;
    const int plane = run > 0 ? (run - 1) % 3 + 1 : 0;
    const size_t at = (size_t)set * (size_t)own->n_kings + (size_t)king;
    const uint32_t others = own->set_others[at];
    *cell = own->set_cell[at];
    return (size_t)plane * half->n_words + (size_t)chunk * own->n_others + others;
}

static value_t value_at(const struct solver *solver, const struct half *half, size_t word, int cell)
{
    if (solver->distances)
        return half->value[word * WORD_CELLS + (size_t)cell];
    if ((half->won[word] >> cell & 1) != 0)
        return VALUE_WIN_IN_1;
    return (half->open[word] >> cell & 1) != 0 ? VALUE_DRAW : VALUE_LOST;
}

static void read_placement(const struct solver *solver, struct frame *frame, int side,
                           uint32_t white, uint32_t black)
{
    const struct shape *shape = &solver->context->shape;
    const struct half *half = &solver->half[side];
    const uint64_t index = (uint64_t)white * shape->n_king_sets[BLACK] + black;
    const uint32_t own_set = side == WHITE ? white : black;
    const uint32_t other_set = side == WHITE ? black : white;
    const int n_other_runs = shape->n_runs[!side];
    const size_t own_stride = side == WHITE ? (size_t)shape->n_runs[BLACK] : 1;
    const size_t other_stride = side == WHITE ? 1 : (size_t)shape->n_runs[BLACK];
    value_t *values = frame->value[side] + index * (uint64_t)shape->n_run_states;

    if (half->own->n_kings == 0) {
        for (int other_run = 0; other_run < n_other_runs; other_run++)
            values[(size_t)other_run * other_stride] =
                frame->seed[side][index * (uint64_t)n_other_runs + (uint64_t)other_run];
        return;
    }
    for (int other_run = 0; other_run < n_other_runs; other_run++) {
        const uint32_t chunk =
            half->other->config_of_run[other_set * (uint32_t)n_other_runs + (uint32_t)other_run];
        for (int run = 0; run < shape->n_runs[side]; run++) {
            int cell = 0;
            const size_t word = word_of_run(half, own_set, run, chunk, &cell);
            values[(size_t)run * own_stride + (size_t)other_run * other_stride] =
                value_at(solver, half, word, cell);
        }
    }
}

static void read_white_set(const struct solver *solver, struct frame *frame, uint32_t white)
{
    const uint32_t n_black = solver->context->shape.n_king_sets[BLACK];
    for (uint32_t black = 0; black < n_black; black++)
        for (int side = WHITE; side <= BLACK; side++)
            if (frame->class_of[side][(uint64_t)white * n_black + black] == CLASS_QUIET)
                read_placement(solver, frame, side, white, black);
}

/* Without kings nothing moves inside the frame: a placement is worth its seed. */
static void copy_seeds(struct frame *frame)
{
    const struct shape *shape = &frame->context->shape;
    for (int side = WHITE; side <= BLACK; side++)
        memcpy(frame->value[side], frame->seed[side], shape->frame_size);
}

static void fast_read(struct solver *solver, struct frame *frame)
{
    const struct shape *shape = &solver->context->shape;
    const uint32_t n_white = shape->n_king_sets[WHITE];
    if (!solver->has_kings) {
        copy_seeds(frame);
        return;
    }
    if (solver->n_threads == 1) {
        for (uint32_t white = 0; white < n_white; white++)
            read_white_set(solver, frame, white);
    } else {
#pragma omp parallel for num_threads(solver->n_threads)
        for (uint32_t white = 0; white < n_white; white++)
            read_white_set(solver, frame, white);
    }
    frame_copy_captures(frame);
}

static enum status fast_start(struct solver *solver, struct frame *frame, struct error *error)
{
    enum status status = STATUS_OK;
    for (int side = WHITE; side <= BLACK && solver->has_kings && status == STATUS_OK; side++) {
        half_start(solver, frame, side);
        if (solver->distances) {
            const struct walk walk = walk_start(solver, frame, side);
            status = events_create(&walk);
        }
    }
    if (status != STATUS_OK)
        return error_set(error, status, "not enough memory to solve a frame");
    if (solver->has_kings && !solver->distances)
        seeds_apply_all(solver, frame);
    return STATUS_OK;
}

static enum status fast_run(struct solver *solver, struct error *error)
{
    if (!solver->has_kings)
        return STATUS_OK;
    if (solver->distances)
        return solve_distances(solver, error);
    solve_outcomes(solver);
    return STATUS_OK;
}

const struct solver_type solver_fast = {
    .name = "fast",
    .seed = seed_fast,
    .create = fast_create,
    .destroy = fast_destroy,
    .bytes = fast_bytes,
    .start = fast_start,
    .run = fast_run,
    .read = fast_read,
};
