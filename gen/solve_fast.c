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

enum { N_PLIES = VALUE_MAX_PLIES + 1, GROUP_SHIFT = 4, MIN_SHARED_GROUPS = 64, FEW_WORDS = 16 };

/* Seeds in the order of their plies: the value, the king set of the side to move, what it is, and
 * the config of the other side, or its king set where the seed is the same for all its runs. */
enum event_kind { EVENT_FINAL, EVENT_MOVE };

enum { EVENT_SET_SHIFT = 2, EVENT_VALUE_SHIFT = 26, EVENT_CONFIG_SHIFT = 34 };

static inline uint64_t event_pack(uint32_t config, bool all_runs, uint32_t set,
                                  enum event_kind kind, value_t value)
{
    return (uint64_t)config << EVENT_CONFIG_SHIFT | (uint64_t)value << EVENT_VALUE_SHIFT |
           (uint64_t)set << EVENT_SET_SHIFT | (uint64_t)all_runs << 1 | (uint64_t)kind;
}

static inline value_t event_value(uint64_t event)
{
    return (value_t)(event >> EVENT_VALUE_SHIFT);
}

/* One side to move, in its own layout. Arrays by plane have n_words entries a plane. */
struct half {
    const struct layout *own;
    const struct layout *other;
    uint32_t n_chunks; /* configs of the other side */
    size_t n_words;    /* n_chunks * own->n_others; 0 for a side without kings */
    size_t n_final;    /* other->n_sets * own->n_others; 0 for a side without kings */
    int group_shift;   /* a group is 2^group_shift chunks: several where they are one word */
    size_t n_groups;
    cells_t *empty;        /* by word: cells without another piece */
    cells_t *open;         /* by plane, word: quiet and not decided */
    cells_t *lossable;     /* by word: the seed has lost by now */
    cells_t *won;          /* by plane, word: without distances, quiet and won */
    cells_t *lost_after;   /* by after-plane, word */
    cells_t *won_after;    /* by after-plane, word */
    value_t *value;        /* by plane, word, cell: with distances */
    uint8_t *lost_touched; /* by group: lost_after is not empty; behind the last: any of them, or
                              of lost_final */
    uint8_t *won_touched;  /* the same: won_after, won_final or lossable has grown */
    /* What is decided whatever the other side's run, once for all its configs: by after-plane, and
     * with runs a plane behind them that stands for all of them, the other side's set rank, others.
     * Without any runs there is nothing to share: these are NULL. */
    cells_t *lost_final;
    cells_t *won_final;
    uint8_t *lost_final_touched; /* by the other side's set rank */
    uint8_t *won_final_touched;
    cells_t *quiet; /* by other side's set rank, others */
    /* Where a state stands in `value`, or as a bit of the planes: the sum of these. */
    size_t *own_at;   /* by own set rank, own run: plane, others and cell */
    size_t *other_at; /* by the other side's set rank and run: chunk */
    uint64_t *events;
    uint64_t *unsorted; /* of the same capacity */
    size_t n_events, event_capacity;
    int n_event_plies;               /* no event is of this ply or a later one */
    size_t event_start[N_PLIES + 1]; /* by ply, up to n_event_plies */
};

/* What one thread needs for a group. */
struct scratch {
    cells_t *source;  /* n_after planes of a group */
    cells_t *empty;   /* n_after times the same, where a group is few words */
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
    free(half->lost_final);
    free(half->won_final);
    free(half->lost_final_touched);
    free(half->won_final_touched);
    free(half->quiet);
    free(half->own_at);
    free(half->other_at);
    free(half->events);
    free(half->unsorted);
}

static void *words_new(size_t n)
{
    return malloc((n + 1) * sizeof(cells_t));
}

static void fill_places(struct half *half)
{
    const struct layout *own = half->own;
    const struct layout *other = half->other;
    for (uint32_t set = 0; set < own->n_sets && own->n_kings > 0; set++) {
        for (int run = 0; run < own->n_runs; run++) {
            const size_t king = (size_t)run_king(run);
            const size_t plane = (size_t)run_count(run);
            const size_t at = set * (size_t)own->n_kings + king;
            half->own_at[set * (size_t)own->n_runs + (size_t)run] =
                (plane * half->n_words + own->set_others[at]) * WORD_CELLS + own->set_cell[at];
        }
    }
    for (size_t i = 0; i < other->n_sets * (size_t)other->n_runs; i++)
        half->other_at[i] = (size_t)other->config_of_run[i] * own->n_others * WORD_CELLS;
}

static enum status half_create(struct half *half, const struct layout *own,
                               const struct layout *other, bool distances)
{
    const size_t n_planes = (size_t)own->n_planes;
    const size_t n_after = (size_t)own->n_after;
    half->own = own;
    half->other = other;
    half->n_chunks = other->n_configs;
    half->n_words = own->n_kings > 0 ? (size_t)half->n_chunks * own->n_others : 0;
    half->n_final = own->n_kings > 0 ? (size_t)other->n_sets * own->n_others : 0;
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
    half->quiet = words_new(half->n_final);
    half->own_at = malloc(own->n_sets * (size_t)own->n_runs * sizeof *half->own_at);
    half->other_at = malloc(other->n_sets * (size_t)other->n_runs * sizeof *half->other_at);
    if (distances)
        half->value = malloc(n_planes * half->n_words * WORD_CELLS + 1);
    else
        half->won = words_new(n_planes * half->n_words);
    bool complete = half->empty != NULL && half->open != NULL && half->lossable != NULL &&
                    half->lost_after != NULL && half->won_after != NULL &&
                    half->lost_touched != NULL && half->won_touched != NULL &&
                    half->quiet != NULL && half->own_at != NULL && half->other_at != NULL &&
                    (half->value != NULL || half->won != NULL);
    if (own->has_runs || other->has_runs) {
        half->lost_final = words_new((n_after + 1) * half->n_final);
        half->won_final = words_new((n_after + 1) * half->n_final);
        half->lost_final_touched = malloc(other->n_sets);
        half->won_final_touched = malloc(other->n_sets);
        complete = complete && half->lost_final != NULL && half->won_final != NULL &&
                   half->lost_final_touched != NULL && half->won_final_touched != NULL;
    }
    if (!complete)
        return STATUS_NO_MEMORY;
    fill_places(half);
    return STATUS_OK;
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
        free(solver->scratch[i].empty);
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
        solver->scratch[i].empty = words_new(3 * FEW_WORDS);
        solver->scratch[i].slid = words_new(3 * n);
        solver->scratch[i].crossed = words_new(n);
        solver->scratch[i].decided = words_new(n);
        if (solver->scratch[i].source == NULL || solver->scratch[i].empty == NULL ||
            solver->scratch[i].slid == NULL || solver->scratch[i].crossed == NULL ||
            solver->scratch[i].decided == NULL)
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

static uint64_t fast_bytes(const struct shape *shape, enum metric metric)
{
    const bool distances = metric == METRIC_DTW;
    uint64_t n_bytes = 0;
    for (int side = WHITE; side <= BLACK; side++) {
        const int n_kings[2] = {shape->material.kings[side], shape->material.kings[!side]};
        const bool runs[2] = {shape->n_runs[side] > 1, shape->n_runs[!side] > 1};
        const uint64_t n_others = n_kings[0] > 0 ? choose(shape->n_squares, n_kings[0] - 1) : 1;
        uint64_t n_configs = shape->n_king_sets[!side];
        if (runs[1])
            n_configs +=
                3 * (uint64_t)choose(shape->n_squares, n_kings[1] - 1) * (uint64_t)shape->n_squares;
        const uint64_t n_words = n_kings[0] > 0 ? n_configs * n_others : 0;
        const uint64_t n_final = n_kings[0] > 0 ? shape->n_king_sets[!side] * n_others : 0;
        const uint64_t n_planes = runs[0] ? 4 : 1;
        const uint64_t n_after = runs[0] ? 3 : 1;
        n_bytes += layout_bytes(shape, (enum side)side);
        n_bytes += n_words * (8 * (2 + n_planes + 2 * n_after) +
                              n_planes * (distances ? WORD_CELLS : sizeof(cells_t)));
        n_bytes += 8 * n_final * (1 + (runs[0] || runs[1] ? 2 * (n_after + 1) : 0));
        n_bytes += 16 * (uint64_t)shape->n_king_sets[side] * (uint64_t)shape->n_runs[side];
        /* Events, and unsorted: about half of the placements are captures that are no draws. */
        if (distances)
            n_bytes += 8 * shape->frame_size * (uint64_t)shape->n_runs[!side];
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
    const size_t n_after = (size_t)own->n_after;
    if (n <= FEW_WORDS && n_after > 1) {
        for (size_t at = 0; at < n_after * n; at += n)
            memcpy(scratch->empty + at, half->empty + first, n * sizeof(cells_t));
        words_slide_back(&rules->board, rules->flying_kings, n_after * n, scratch->empty,
                         scratch->source, scratch->slid);
    } else {
        for (size_t at = 0; at < n_after * n; at += n)
            words_slide_back(&rules->board, rules->flying_kings, n, half->empty + first,
                             scratch->source + at, scratch->slid + at);
    }
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

/* What a king of the side to move must come to, or (losses) must not be able to: the words of a
 * group in one after-plane. */
static void group_source(struct half *half, bool win, int after, uint32_t first_chunk,
                         uint32_t n_chunks, cells_t *source)
{
    const size_t n_others = half->own->n_others;
    const size_t first = first_chunk * n_others;
    const size_t n = n_chunks * n_others;
    const size_t at = (size_t)after * half->n_words + first;
    const cells_t *final = win ? half->lost_final : half->won_final;

    memcpy(source, (win ? half->lost_after : half->won_after) + at, n * sizeof *source);
    for (uint32_t chunk = 0; final != NULL && chunk < n_chunks; chunk++) {
        const uint32_t set = half->other->config_set[first_chunk + chunk];
        if (set == NO_CONFIG)
            continue;
        const cells_t *from = final + set * n_others;
        const cells_t *one = from + (size_t)after * half->n_final;
        const cells_t *all = from + (size_t)half->own->n_after * half->n_final;
        for (size_t others = 0; others < n_others; others++)
            source[chunk * n_others + others] |= one[others] | all[others];
    }
    if (win)
        memset(half->lost_after + at, 0, n * sizeof *source);
    else
        for (size_t i = 0; i < n; i++)
            source[i] = half->empty[first + i] & ~source[i];
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
    cells_t any_open = 0; /* and able to be lost, if that is asked */

    for (int plane = 0; plane < own->n_planes; plane++) {
        const cells_t *open = half->open + (size_t)plane * half->n_words + first;
        for (size_t i = 0; i < n; i++)
            any_open |= win ? open[i] : open[i] & half->lossable[first + i];
    }
    if (any_open == 0 && !win)
        return;
    for (int after = 0; after < own->n_after; after++)
        group_source(half, win, after, first_chunk, n_chunks, scratch->source + (size_t)after * n);
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

/* Touches the groups of all configs of a king set with new finals. */
static void finals_touch(const struct half *half, uint8_t *final_touched, uint8_t *touched)
{
    const struct layout *other = half->other;
    for (uint32_t set = 0; set < other->n_sets; set++) {
        const uint32_t *configs = other->config_of_run + set * (size_t)other->n_runs;
        for (int run = 0; final_touched[set] != 0 && run < other->n_runs; run++)
            touched[configs[run] >> half->group_shift] = 1;
    }
}

/* Lost finals are of one ply only. */
static void finals_clear(struct half *half)
{
    const size_t n_others = half->own->n_others;
    for (uint32_t set = 0; set < half->other->n_sets; set++)
        for (int after = 0; half->lost_final_touched[set] != 0 && after <= half->own->n_after;
             after++)
            memset(half->lost_final + (size_t)after * half->n_final + set * n_others, 0,
                   n_others * sizeof(cells_t));
}

/* A wave over all groups that were touched. */
static void groups_wave(struct solver *solver, int side, value_t value, uint8_t *touched)
{
    const struct half *half = &solver->half[side];
    size_t n_touched = 0;

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

/* A wave of one side. */
static void wave(struct solver *solver, int side, value_t value)
{
    struct half *half = &solver->half[side];
    const bool win = value > VALUE_DRAW;
    uint8_t *touched = win ? half->lost_touched : half->won_touched;
    uint8_t *final_touched = win ? half->lost_final_touched : half->won_final_touched;

    if (touched[half->n_groups] == 0)
        return;
    touched[half->n_groups] = 0;
    if (final_touched != NULL)
        finals_touch(half, final_touched, touched);
    groups_wave(solver, side, value, touched);
    if (final_touched == NULL)
        return;
    if (win)
        finals_clear(half);
    memset(final_touched, 0, half->other->n_sets);
}

/* --- seeds --------------------------------------------------------------------------------------
 */

/* States whose seed is their value, whatever the side's own run: nothing to decide, only to carry.
 * `config` is the other side's, or its king set where this holds for all its runs. */
static void event_final(const struct solver *solver, int side, uint32_t config, bool all_runs,
                        uint32_t set, value_t value, bool shared)
{
    const struct half *to = &solver->half[!side];
    const struct layout *other = to->own;
    const bool win = value > VALUE_DRAW;
    uint8_t *touched = win ? to->won_touched : to->lost_touched;
    uint8_t *final_touched = win ? to->won_final_touched : to->lost_final_touched;
    cells_t *target = win ? to->won_final : to->lost_final;
    size_t n_words = to->n_final;

    if (target == NULL) { /* no runs: the king set is the config */
        target = win ? to->won_after : to->lost_after;
        n_words = to->n_words;
        touch(to, touched, set);
    } else {
        __atomic_store_n(&final_touched[set], 1, __ATOMIC_RELAXED);
        __atomic_store_n(&touched[to->n_groups], 1, __ATOMIC_RELAXED);
    }
    target += (size_t)set * other->n_others;
    if (!all_runs || !other->has_runs) {
        const struct layout_place *places =
            other->places + (size_t)config * (size_t)other->n_places;
        for (int i = 0; i < other->n_places; i++)
            or_word(&target[places[i].plane * n_words + places[i].others],
                    (cells_t)1 << places[i].cell, shared);
        return;
    }
    target += (size_t)other->n_after * n_words;
    for (int king = 0; king < other->n_kings; king++) {
        const size_t at = (size_t)config * (size_t)other->n_kings + (size_t)king;
        or_word(&target[other->set_others[at]], (cells_t)1 << other->set_cell[at], shared);
    }
}

/* States whose seed is one of their moves. */
static void event_move(struct solver *solver, int side, uint32_t chunk, uint32_t set, value_t value,
                       bool shared)
{
    struct half *half = &solver->half[side];
    const struct layout *own = half->own;

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

static void event_apply(struct solver *solver, int side, uint64_t event, bool shared)
{
    const struct layout *other = solver->half[side].other;
    const uint32_t config = (uint32_t)(event >> EVENT_CONFIG_SHIFT);
    const uint32_t set = ((uint32_t)event & ((1u << EVENT_VALUE_SHIFT) - 1)) >> EVENT_SET_SHIFT;
    const bool all_runs = (event >> 1 & 1) != 0;
    const value_t value = event_value(event);

    if ((event & 1) == EVENT_FINAL) {
        event_final(solver, side, config, all_runs, set, value, shared);
    } else if (!all_runs) {
        event_move(solver, side, config, set, value, shared);
    } else {
        const uint32_t *configs = other->config_of_run + config * (size_t)other->n_runs;
        for (int run = 0; run < other->n_runs; run++)
            event_move(solver, side, configs[run], set, value, shared);
    }
}

/* Applies events of one side, [first, last). */
static void events_apply(struct solver *solver, int side, size_t first, size_t last)
{
    const uint64_t *events = solver->half[side].events;
    if (solver->n_threads == 1 || last - first < 1024) {
        for (size_t i = first; i < last; i++)
            event_apply(solver, side, events[i], false);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (size_t i = first; i < last; i++)
        event_apply(solver, side, events[i], true);
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

/* A walk over the seeds of one side, which puts them into half->unsorted, or applies them at once.
 */
struct walk {
    struct solver *solver;
    const struct frame *frame;
    int side;
    bool apply;
    bool shared; /* several threads walk */
};

static inline void walk_visit(const struct walk *walk, uint64_t event)
{
    struct half *half = &walk->solver->half[walk->side];
    if (walk->apply)
        event_apply(walk->solver, walk->side, event, walk->shared);
    else
        half->unsorted[half->n_events++] = event;
}

static inline bool all_equal(const value_t *values, int first, int n)
{
    for (int i = first + 1; i < n; i++)
        if (values[i] != values[first])
            return false;
    return true;
}

/* White king sets of ranks first .. last - 1. */
static inline void walk_seeds(const struct walk *walk, uint32_t first, uint32_t last)
{
    const struct shape *shape = &walk->solver->context->shape;
    const struct half *half = &walk->solver->half[walk->side];
    const struct layout *other = half->other;
    const bool has_men = shape->material.men[walk->side] > 0;
    const uint32_t n_black = shape->n_king_sets[BLACK];
    const int n_runs = other->n_runs;

    for (uint32_t white = first; white < last; white++) {
        for (uint32_t black = 0; black < n_black; black++) {
            const size_t index = (size_t)white * n_black + black;
            const value_t *seed = walk->frame->seed[walk->side] + index * (size_t)n_runs;
            const uint32_t own_set = walk->side == WHITE ? white : black;
            const uint32_t other_set = walk->side == WHITE ? black : white;
            enum event_kind kind = EVENT_FINAL;
            int run = 0;
            if (!seeds_told(half, walk->frame->class_of[walk->side][index], has_men, n_runs, &run,
                            &kind))
                continue;
            if (run < n_runs && all_equal(seed, run, n_runs)) {
                if (seed[run] != VALUE_DRAW)
                    walk_visit(walk, event_pack(other_set, true, own_set, kind, seed[run]));
                continue;
            }
            const uint32_t *configs = other->config_of_run + other_set * (size_t)n_runs;
            for (; run < n_runs; run++)
                if (seed[run] != VALUE_DRAW)
                    walk_visit(walk, event_pack(configs[run], false, own_set, kind, seed[run]));
        }
    }
}

/* Without distances seeds need no order. */
static void seeds_apply_all(struct solver *solver, const struct frame *frame)
{
    const uint32_t n_white = solver->context->shape.n_king_sets[WHITE];
    const bool shared = solver->n_threads > 1;
    for (int side = WHITE; side <= BLACK; side++) {
        const struct walk walk = {
            .solver = solver, .frame = frame, .side = side, .apply = true, .shared = shared};
        if (!shared) {
            walk_seeds(&walk, 0, n_white);
            continue;
        }
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
        for (uint32_t white = 0; white < n_white; white++)
            walk_seeds(&walk, white, white + 1);
    }
}

/* Makes room for `n` events more. */
static enum status events_room(struct half *half, size_t n)
{
    if (half->n_events + n <= half->event_capacity)
        return STATUS_OK;
    const size_t capacity = half->n_events + n + half->event_capacity / 2;
    uint64_t *unsorted = realloc(half->unsorted, capacity * sizeof *unsorted);
    if (unsorted == NULL)
        return STATUS_NO_MEMORY;
    half->unsorted = unsorted;
    free(half->events);
    half->events = malloc(capacity * sizeof *half->events);
    half->event_capacity = half->events != NULL ? capacity : 0;
    return half->events != NULL ? STATUS_OK : STATUS_NO_MEMORY;
}

/* The seeds of one side as events, sorted by ply. */
static enum status events_create(struct solver *solver, const struct frame *frame, int side)
{
    const struct shape *shape = &solver->context->shape;
    struct half *half = &solver->half[side];
    const struct walk walk = {.solver = solver, .frame = frame, .side = side};
    size_t next[256] = {0};

    half->n_events = 0;
    for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++) {
        if (events_room(half, shape->n_king_sets[BLACK] * (size_t)shape->n_runs[!side]) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
        walk_seeds(&walk, white, white + 1);
    }
    for (size_t i = 0; i < half->n_events; i++)
        next[event_value(half->unsorted[i])]++;
    size_t n = 0;
    int ply = 0;
    for (; n < half->n_events; ply++) {
        const value_t value = value_from_plies(ply);
        half->event_start[ply] = n;
        n += next[value];
        next[value] = half->event_start[ply];
    }
    half->event_start[ply] = n;
    half->n_event_plies = ply;
    for (size_t i = 0; i < half->n_events; i++)
        half->events[next[event_value(half->unsorted[i])]++] = half->unsorted[i];
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

    memset(half->lost_touched, 0, half->n_groups + 1);
    memset(half->won_touched, own->n_kings > 0, half->n_groups + 1);
    if (own->n_kings == 0)
        return; /* nothing to solve: the seeds are the values */
    memset(half->quiet, 0, half->n_final * sizeof *half->quiet);
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
            empty[others] = solver->all_cells & ~(taken | own->others_cells[others]);
        for (int plane = 0; plane < own->n_planes; plane++)
            memcpy(open + (size_t)plane * n_words, half->quiet + (size_t)set * own->n_others,
                   own->n_others * sizeof *open);
    }
    memset(half->lossable, shape->material.men[side] > 0 ? 0 : 0xff,
           n_words * sizeof *half->lossable);
    memset(half->lost_after, 0, (size_t)own->n_after * n_words * sizeof *half->lost_after);
    memset(half->won_after, 0, (size_t)own->n_after * n_words * sizeof *half->won_after);
    if (half->lost_final != NULL) {
        const size_t n_final = ((size_t)own->n_after + 1) * half->n_final;
        memset(half->lost_final, 0, n_final * sizeof(cells_t));
        memset(half->won_final, 0, n_final * sizeof(cells_t));
        memset(half->lost_final_touched, 0, other->n_sets);
        memset(half->won_final_touched, 0, other->n_sets);
    }
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
            if (ply < half->n_event_plies)
                events_apply(solver, side, half->event_start[ply], half->event_start[ply + 1]);
            left = left || ply + 1 < half->n_event_plies;
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

static inline value_t outcome_at(const struct half *half, size_t at)
{
    if ((half->won[at / WORD_CELLS] >> (at % WORD_CELLS) & 1) != 0)
        return VALUE_WIN_IN_1;
    return (half->open[at / WORD_CELLS] >> (at % WORD_CELLS) & 1) != 0 ? VALUE_DRAW : VALUE_LOST;
}

static void read_placement(const struct solver *solver, struct frame *frame, int side,
                           uint32_t white, uint32_t black)
{
    const struct shape *shape = &solver->context->shape;
    const struct half *half = &solver->half[side];
    const uint64_t index = (uint64_t)white * shape->n_king_sets[BLACK] + black;
    const size_t n_runs[2] = {(size_t)shape->n_runs[WHITE], (size_t)shape->n_runs[BLACK]};
    value_t *value = frame->value[side] + index * n_runs[WHITE] * n_runs[BLACK];

    if (frame->class_of[side][index] == CLASS_CAPTURE || half->own->n_kings == 0) {
        const value_t *seed = frame->seed[side] + index * n_runs[!side];
        for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
            for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
                *value++ = seed[side == WHITE ? black_run : white_run];
        return;
    }
    const size_t *white_at =
        (side == WHITE ? half->own_at : half->other_at) + white * n_runs[WHITE];
    const size_t *black_at =
        (side == WHITE ? half->other_at : half->own_at) + black * n_runs[BLACK];
    const value_t *from = half->value;
    if (from == NULL) {
        for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
            for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
                *value++ = outcome_at(half, white_at[white_run] + black_at[black_run]);
        return;
    }
    for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = from[white_at[white_run] + black_at[black_run]];
}

static void read_white_set(const struct solver *solver, struct frame *frame, uint32_t white)
{
    const uint32_t n_black = solver->context->shape.n_king_sets[BLACK];
    for (uint32_t black = 0; black < n_black; black++)
        for (int side = WHITE; side <= BLACK; side++)
            if (frame->class_of[side][(uint64_t)white * n_black + black] != CLASS_IMPOSSIBLE)
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
}

static enum status side_start(struct solver *solver, const struct frame *frame, int side)
{
    half_start(solver, frame, side);
    return solver->distances ? events_create(solver, frame, side) : STATUS_OK;
}

static enum status fast_start(struct solver *solver, struct frame *frame, struct error *error)
{
    enum status status[2] = {STATUS_OK, STATUS_OK};
    if (!solver->has_kings)
        return STATUS_OK;
    if (solver->n_threads == 1) {
        for (int side = WHITE; side <= BLACK; side++)
            status[side] = side_start(solver, frame, side);
    } else {
#pragma omp parallel for num_threads(2)
        for (int side = WHITE; side <= BLACK; side++)
            status[side] = side_start(solver, frame, side);
    }
    if (status[WHITE] != STATUS_OK || status[BLACK] != STATUS_OK)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory to solve a frame");
    if (!solver->distances)
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
