/* A material is read into memory whole, its captures seeded from the smaller materials there. Its
 * placements are counted by pattern number; what the patterns hold is looked at once each. */
#include "gen/stats.h"

#include "gen/allocation.h"
#include "gen/material_solve.h"
#include "gen/sets.h"

#include <stdlib.h>

enum { CHUNK_PLACEMENTS = 65536 };

enum kind { FRESH, ALL, RAW, N_KINDS };

struct stats_run {
    einspul *handle;
    int most_pieces;
    int n_threads;
    int n_top; /* longest wins to list */
    struct store store;
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* of any size, in order of generation */
    enum metric held[MAX_MATERIALS];          /* what the store knows of each; 0: nothing */
};

/* --- materials in memory ------------------------------------------------------------------------
 */

static int number_of(const struct stats_run *run, const struct material *material)
{
    int i = 0;
    while (i < run->n_materials - 1 && !material_equal(&run->materials[i], material))
        i++;
    return i;
}

static void let_go(struct stats_run *run, int index)
{
    solved_destroy(store_get(&run->store, &run->materials[index]));
    store_set(&run->store, &run->materials[index], NULL);
    run->held[index] = 0;
}

/* Lets go of the large materials but those that one of the marked leads to: where tables leave
 * values out, they were brought in for others. */
static void let_go_of_large(struct stats_run *run, const bool marked[MAX_MATERIALS])
{
    bool keep[MAX_MATERIALS] = {false};
    for (int i = 0; i < run->n_materials; i++) {
        struct material list[MAX_MATERIALS];
        const int n =
            marked[i] ? material_successors(&run->materials[i], BY_CAPTURE_OR_PROMOTION, list) : 0;
        for (int j = 0; j < n; j++)
            keep[number_of(run, &list[j])] = true;
    }
    for (int i = 0; i < run->n_materials; i++)
        if (!keep[i] && material_pieces(&run->materials[i]) >= run->most_pieces)
            let_go(run, i);
}

/* What must be known of a material for the outcomes, or distances, of those that lead to it. */
static enum metric needed_metric(const struct stats_run *run, int index, enum metric metric)
{
    return table_keeps_distances(run->store.rules, &run->materials[index]) ? METRIC_DTW : metric;
}

/* How a material is brought in: a table that leaves values out is solved again, after what
 * promotions lead to as well. */
static enum status find_succession(const struct stats_run *run, int index, enum metric metric,
                                   enum succession *succession, struct error *error)
{
    const struct table *table = NULL;
    const enum status status = probe_table(run->handle, &run->materials[index],
                                           needed_metric(run, index, metric), &table, error);
    if (status == STATUS_OK)
        *succession = table_is_whole(table) ? BY_CAPTURE : BY_CAPTURE_OR_PROMOTION;
    return status;
}

/* Marks a material and those that must be brought in before it. */
static enum status mark_needed(const struct stats_run *run, int index, enum metric metric,
                               bool needed[MAX_MATERIALS], struct error *error)
{
    struct material list[MAX_MATERIALS];
    for (int i = 0; i < run->n_materials; i++)
        needed[i] = i == index;
    for (int i = index; i >= 0; i--) {
        enum succession succession = BY_CAPTURE;
        if (!needed[i])
            continue;
        const enum status status = find_succession(run, i, metric, &succession, error);
        if (status != STATUS_OK)
            return status;
        const int n = material_successors(&run->materials[i], succession, list);
        for (int j = 0; j < n; j++) {
            const int successor = number_of(run, &list[j]);
            if (run->held[successor] < needed_metric(run, successor, metric))
                needed[successor] = true;
        }
    }
    return STATUS_OK;
}

/* Loads a material when those marked with it are in the store. A table may have distances that are
 * not asked for, and the materials its captures lead to have none: its outcomes are right then. */
static enum status load(struct stats_run *run, int index, enum metric metric, struct error *error)
{
    const struct table *table = NULL;
    enum status status = probe_table(run->handle, &run->materials[index], metric, &table, error);
    if (status != STATUS_OK)
        return status;
    const struct material_job job = {
        .store = &run->store,
        .material = run->materials[index],
        .metric = table_has_distances(table) && table_is_whole(table) ? METRIC_DTW : metric,
        .solver = &solver_fast,
        .n_threads = run->n_threads,
    };
    let_go(run, index);
    status =
        table_is_whole(table) ? material_load(&job, table, error) : material_solve(&job, error);
    if (status == STATUS_OK)
        run->held[index] = metric;
    return status;
}

/* Brings a material and all it needs into the store, once it is clear that all tables are there. */
static enum status bring_in(struct stats_run *run, int index, enum metric metric,
                            struct error *error)
{
    bool needed[MAX_MATERIALS];
    enum status status = STATUS_OK;

    if (run->held[index] == metric)
        return STATUS_OK;
    status = mark_needed(run, index, metric, needed, error);
    for (int i = 0; i <= index && status == STATUS_OK; i++) {
        if (!needed[i])
            continue;
        status = load(run, i, needed_metric(run, i, metric), error);
        needed[i] = i == index;
        if (i < index)
            let_go_of_large(run, needed);
    }
    return status;
}

enum status stats_begin(einspul *handle, int most_pieces, int n_threads, struct stats_run **result,
                        struct error *error)
{
    struct stats_run *run = calloc(1, sizeof *run);
    *result = run;
    if (run == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory to count");
    run->handle = handle;
    run->most_pieces = most_pieces;
    run->n_threads = n_threads;
    run->store.rules = probe_rules(handle);
    run->n_materials = material_list(2, MAX_PIECES, run->materials);
    return STATUS_OK;
}

void stats_list_top(struct stats_run *run, int n_top)
{
    run->n_top = n_top < STATS_MOST_TOP ? n_top : STATS_MOST_TOP;
}

void stats_end(struct stats_run *run)
{
    if (run == NULL)
        return;
    for (int i = 0; i < run->n_materials; i++)
        let_go(run, i);
    free(run);
}

/* --- walking over placements --------------------------------------------------------------------
 */

/* The placements of a material in rows: those of a row differ in Black's kings only, so that their
 * indices follow each other. */
struct rows {
    const struct shape *shape;
    squares_t *men[2]; /* by side, rank */
    squares_t *kings[2];
    uint64_t n_rows;
    uint64_t per_chunk;
    int64_t n_chunks;
};

static void rows_free(struct rows *rows)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(rows->men[side]);
        free(rows->kings[side]);
    }
}

static enum status rows_init(struct rows *rows, const struct shape *shape)
{
    const struct material *material = &shape->material;
    struct allocation allocation = {0};

    rows->shape = shape;
    for (int side = WHITE; side <= BLACK; side++) {
        const uint32_t n_men = shape->n_men_sets[side];
        const uint32_t n_kings = shape->n_king_sets[side];
        rows->men[side] = allocation_take(&allocation, n_men, sizeof(squares_t));
        rows->kings[side] = allocation_take(&allocation, n_kings, sizeof(squares_t));
    }
    if (allocation.failed) {
        rows_free(rows);
        return STATUS_NO_MEMORY;
    }
    for (int side = WHITE; side <= BLACK; side++) {
        sets_list(rows->men[side], shape->n_men_sets[side], material->men[side],
                  shape->man_offset[side]);
        sets_list(rows->kings[side], shape->n_king_sets[side], material->kings[side], 0);
    }
    rows->n_rows = shape->n_frames * shape->n_king_sets[WHITE];
    rows->per_chunk = CHUNK_PLACEMENTS / shape->n_king_sets[BLACK] + 1;
    rows->n_chunks = (int64_t)((rows->n_rows + rows->per_chunk - 1) / rows->per_chunk);
    return STATUS_OK;
}

struct row {
    uint64_t first; /* placement index */
    uint32_t men[2];
    uint32_t white_kings;
    uint64_t n_left; /* rows of the chunk, this one included */
};

static struct row chunk_start(const struct rows *rows, int64_t chunk)
{
    const struct shape *shape = rows->shape;
    const uint64_t number = (uint64_t)chunk * rows->per_chunk;
    const uint64_t frame = number / shape->n_king_sets[WHITE];
    const uint64_t n_behind = rows->n_rows - number;
    const struct row row = {
        .first = number * shape->n_king_sets[BLACK],
        .men = {(uint32_t)(frame / shape->n_men_sets[BLACK]),
                (uint32_t)(frame % shape->n_men_sets[BLACK])},
        .white_kings = (uint32_t)(number % shape->n_king_sets[WHITE]),
        .n_left = n_behind < rows->per_chunk ? n_behind : rows->per_chunk,
    };
    return row;
}

static inline void row_next(const struct rows *rows, struct row *row)
{
    row->n_left--;
    row->first += rows->shape->n_king_sets[BLACK];
    if (++row->white_kings < rows->shape->n_king_sets[WHITE])
        return;
    row->white_kings = 0;
    if (++row->men[BLACK] < rows->shape->n_men_sets[BLACK])
        return;
    row->men[BLACK] = 0;
    row->men[WHITE]++;
}

/* The squares taken before Black's kings come; false when two pieces share one. */
static inline bool row_taken(const struct rows *rows, const struct row *row, squares_t *taken)
{
    const squares_t white = rows->men[WHITE][row->men[WHITE]];
    const squares_t black = rows->men[BLACK][row->men[BLACK]];
    const squares_t kings = rows->kings[WHITE][row->white_kings];
    *taken = white | black | kings;
    return ((white & black) | ((white | black) & kings)) == 0;
}

/* --- counting -----------------------------------------------------------------------------------
 */

/* One side to move of a solved material. */
struct counter {
    const struct solved *solved;
    const struct rows *rows;
    int side;
    int n_threads;
    int n_kinds;
    int length; /* of a pattern */
    uint64_t tally[N_KINDS][STATS_VALUES];
    value_t longest[N_KINDS]; /* the winning value of most plies; VALUE_DRAW: there is none */
    uint64_t found[N_KINDS];  /* index of the first placement that has it */
};

/* The address of a row's first placement. */
static uint64_t row_address(const struct counter *counter, const struct row *row)
{
    return solved_frame_address(counter->solved, counter->side, row->men[WHITE], row->men[BLACK]) +
           (uint64_t)row->white_kings * counter->rows->shape->n_king_sets[BLACK];
}

static const value_t *pattern_of(const struct counter *counter, const struct chunk *chunk, int kind,
                                 uint32_t number)
{
    return (kind == RAW ? chunk->values : chunk->entry) + (size_t)number * (size_t)counter->length;
}

static const value_t *values_at(const struct counter *counter, int kind, uint64_t address)
{
    const struct chunk *chunk = solved_chunk(counter->solved, address);
    return pattern_of(counter, chunk, kind, chunk_number(chunk, address % PAGE_ROOM));
}

/* How many values of a pattern a kind looks at. */
static int kind_length(const struct counter *counter, int kind)
{
    return kind == FRESH ? 1 : counter->length;
}

/* What a thread has counted: placements by pattern of the chunk it is in, and values. */
struct count {
    const struct chunk *chunk;
    uint32_t of_pattern[PAGE_ROOM];
    uint64_t of_value[N_KINDS][STATS_VALUES];
};

/* From patterns to values, before another chunk. */
static void count_values(const struct counter *counter, struct count *count)
{
    for (uint32_t i = 0; count->chunk != NULL && i < count->chunk->n_patterns; i++) {
        const uint64_t n = count->of_pattern[i];
        count->of_pattern[i] = 0;
        for (int kind = 0; n > 0 && kind < counter->n_kinds; kind++) {
            const value_t *pattern = pattern_of(counter, count->chunk, kind, i);
            for (int run = 0; run < kind_length(counter, kind); run++)
                count->of_value[kind][pattern[run]] += n;
        }
    }
}

static void count_chunk(const struct counter *counter, int64_t number, struct count *count)
{
    const struct rows *rows = counter->rows;
    const squares_t *kings = rows->kings[BLACK];
    const uint32_t n = rows->shape->n_king_sets[BLACK];
    squares_t taken = 0;

    for (struct row row = chunk_start(rows, number); row.n_left > 0; row_next(rows, &row)) {
        if (!row_taken(rows, &row, &taken))
            continue;
        const uint64_t address = row_address(counter, &row);
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const struct chunk *chunk = solved_chunk(counter->solved, address + black);
            if (chunk != count->chunk) {
                count_values(counter, count);
                count->chunk = chunk;
            }
            count->of_pattern[chunk_number(chunk, (address + black) % PAGE_ROOM)]++;
        }
    }
}

static enum status count_placements(struct counter *counter)
{
    bool complete = true;
#pragma omp parallel num_threads(counter->n_threads) reduction(&& : complete)
    {
        struct count *own = calloc(1, sizeof *own);
        complete = own != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int64_t chunk = 0; chunk < counter->rows->n_chunks; chunk++)
            if (own != NULL)
                count_chunk(counter, chunk, own);
        if (own != NULL)
            count_values(counter, own);
#pragma omp critical(stats_count)
        for (int kind = 0; own != NULL && kind < counter->n_kinds; kind++)
            for (int value = 0; value < STATS_VALUES; value++)
                counter->tally[kind][value] += own->of_value[kind][value];
        free(own);
    }
    for (int kind = 0; kind < counter->n_kinds; kind++) {
        counter->longest[kind] = VALUE_DRAW;
        for (int value = VALUE_WIN_IN_1; value > VALUE_DRAW; value--)
            if (counter->tally[kind][value] > 0) /* values of longer wins are smaller */
                counter->longest[kind] = (value_t)value;
    }
    return complete ? STATUS_OK : STATUS_NO_MEMORY;
}

/* The first of a pattern's run states whose value is the kind's longest win; -1: none. */
static int longest_in(const struct counter *counter, int kind, const value_t *pattern)
{
    for (int run = 0; run < kind_length(counter, kind); run++)
        if (pattern[run] == counter->longest[kind])
            return run;
    return -1;
}

/* Which patterns of a chunk have a longest win: a bit per kind. */
struct marks {
    const struct chunk *chunk;
    uint8_t of_pattern[PAGE_ROOM];
};

static void mark_patterns(const struct counter *counter, const struct chunk *chunk,
                          struct marks *marks)
{
    marks->chunk = chunk;
    for (uint32_t i = 0; i < chunk->n_patterns; i++) {
        marks->of_pattern[i] = 0;
        for (int kind = 0; kind < counter->n_kinds; kind++)
            if (counter->longest[kind] != VALUE_DRAW &&
                longest_in(counter, kind, pattern_of(counter, chunk, kind, i)) >= 0)
                marks->of_pattern[i] |= (uint8_t)(1u << kind);
    }
}

/* Looks for the first placements of the kinds in `wanted`; returns those that were found. */
static unsigned search_chunk(const struct counter *counter, int64_t number, unsigned wanted,
                             struct marks *marks, uint64_t found[N_KINDS])
{
    const struct rows *rows = counter->rows;
    const squares_t *kings = rows->kings[BLACK];
    const uint32_t n = rows->shape->n_king_sets[BLACK];
    unsigned left = wanted;
    squares_t taken = 0;

    for (struct row row = chunk_start(rows, number); row.n_left > 0; row_next(rows, &row)) {
        if (!row_taken(rows, &row, &taken))
            continue;
        const uint64_t address = row_address(counter, &row);
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const struct chunk *chunk = solved_chunk(counter->solved, address + black);
            if (chunk != marks->chunk)
                mark_patterns(counter, chunk, marks);
            const unsigned mark =
                marks->of_pattern[chunk_number(chunk, (address + black) % PAGE_ROOM)] & left;
            if (mark == 0)
                continue;
            for (int kind = 0; kind < N_KINDS; kind++)
                if ((mark >> kind & 1) != 0)
                    found[kind] = row.first + black;
            left &= ~mark;
            if (left == 0)
                return wanted;
        }
    }
    return wanted & ~left;
}

/* Takes over what a thread has found if it comes before what is known. */
static void take_found(struct counter *counter, unsigned hits, const uint64_t found[N_KINDS])
{
#pragma omp critical(stats_find)
    for (int kind = 0; kind < counter->n_kinds; kind++) {
        if ((hits >> kind & 1) != 0 && found[kind] < counter->found[kind]) {
#pragma omp atomic write
            counter->found[kind] = found[kind];
        }
    }
}

/* Finds the first placements with the longest wins. Chunks start in order, so most of what is
 * behind them is not looked at. */
static void find_longest(struct counter *counter)
{
    for (int kind = 0; kind < counter->n_kinds; kind++)
        counter->found[kind] = UINT64_MAX;
#pragma omp parallel num_threads(counter->n_threads)
    {
        struct marks marks = {.chunk = NULL};
#pragma omp for schedule(dynamic, 1)
        for (int64_t chunk = 0; chunk < counter->rows->n_chunks; chunk++) {
            const uint64_t first = chunk_start(counter->rows, chunk).first;
            uint64_t found[N_KINDS] = {0};
            unsigned wanted = 0;
            for (int kind = 0; kind < counter->n_kinds; kind++) {
                uint64_t best;
#pragma omp atomic read
                best = counter->found[kind];
                if (counter->longest[kind] != VALUE_DRAW && first < best)
                    wanted |= 1u << kind;
            }
            if (wanted != 0)
                take_found(counter, search_chunk(counter, chunk, wanted, &marks, found), found);
        }
    }
}

static struct state longest_state(const struct counter *counter, int kind)
{
    const struct shape *shape = counter->rows->shape;
    const uint64_t index = counter->found[kind];
    struct state state = {0};
    shape_unrank(shape, index, (enum side)counter->side, &state.at);
    const uint64_t address =
        solved_address(counter->solved, counter->side, state.at.men) + index % shape->frame_size;
    const int run_state = longest_in(counter, kind, values_at(counter, kind, address));
    state.run[WHITE] = run_from_index(state.at.kings[WHITE], shape_run(shape, WHITE, run_state));
    state.run[BLACK] = run_from_index(state.at.kings[BLACK], shape_run(shape, BLACK, run_state));
    return state;
}

static struct stats_counts summarise(const struct counter *counter, int kind, bool distances)
{
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    for (int value = VALUE_LOST; value <= VALUE_WIN_IN_1; value++) {
        const uint64_t n = counter->tally[kind][value];
        if (n == 0)
            continue;
        counts.of_value[value] = n;
        if (value > VALUE_DRAW) {
            counts.wins += n;
        } else if (value == VALUE_DRAW) {
            counts.draws += n;
        } else {
            counts.losses += n;
            if (distances) /* values of longer losses come later */
                counts.max_loss = value_plies((value_t)value);
        }
    }
    if (distances && counter->longest[kind] != VALUE_DRAW) {
        counts.max_win = value_plies(counter->longest[kind]);
        counts.longest_win = longest_state(counter, kind);
    }
    return counts;
}

/* --- the longest wins ---------------------------------------------------------------------------
 *
 * The histogram says which distances the longest wins have. Only placements of such values are
 * looked at, and of those of the least distance the first ones count, so the list does not depend on
 * the order in which threads come to them. */

/* A fresh state by its value and placement. */
struct found {
    uint64_t index;
    value_t value;
};

struct found_list {
    int n;
    int most;
    struct found found[STATS_MOST_TOP];
};

static bool found_before(const struct found *a, const struct found *b)
{
    return a->value != b->value ? a->value < b->value : a->index < b->index;
}

static void found_add(struct found_list *list, struct found found)
{
    if (list->n == list->most && !found_before(&found, &list->found[list->n - 1]))
        return;
    int place = list->n < list->most ? list->n++ : list->n - 1;
    for (; place > 0 && found_before(&found, &list->found[place - 1]); place--)
        list->found[place] = list->found[place - 1];
    list->found[place] = found;
}

/* The largest winning value that may be in the list: values of longer wins are smaller. */
static int top_limit(const struct counter *counter, int n_top)
{
    uint64_t n = 0;
    int value = VALUE_DRAW;
    while (value < VALUE_WIN_IN_1 && n < (uint64_t)n_top)
        n += counter->tally[FRESH][++value];
    return value;
}

static void top_of_chunk(const struct counter *counter, int64_t chunk, int limit,
                         struct found_list *list)
{
    const struct rows *rows = counter->rows;
    const squares_t *kings = rows->kings[BLACK];
    const uint32_t n = rows->shape->n_king_sets[BLACK];
    squares_t taken = 0;

    for (struct row row = chunk_start(rows, chunk); row.n_left > 0; row_next(rows, &row)) {
        if (!row_taken(rows, &row, &taken))
            continue;
        const uint64_t address = row_address(counter, &row);
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const uint64_t index = row.first + black;
            const value_t value = *values_at(counter, FRESH, address + black);
            if (value > VALUE_DRAW && value <= limit)
                found_add(list, (struct found){.index = index, .value = value});
        }
    }
}

static void list_top(const struct counter *counter, int n_top, struct stats_top *top)
{
    struct found_list all = {.n = 0, .most = n_top};
    const int limit = top_limit(counter, n_top);

#pragma omp parallel num_threads(counter->n_threads)
    {
        struct found_list own = {.n = 0, .most = n_top};
#pragma omp for schedule(dynamic, 1)
        for (int64_t chunk = 0; chunk < counter->rows->n_chunks; chunk++)
            top_of_chunk(counter, chunk, limit, &own);
#pragma omp critical(stats_top)
        for (int i = 0; i < own.n; i++)
            found_add(&all, own.found[i]);
    }
    top->n = all.n;
    for (int i = 0; i < all.n; i++) {
        top->win[i] = (struct stats_win){.plies = value_plies(all.found[i].value)};
        shape_unrank(counter->rows->shape, all.found[i].index, (enum side)counter->side,
                     &top->win[i].state.at);
    }
}

/* Counts one side to move into stats. */
static enum status count_side(const struct stats_run *run, const struct solved *solved,
                              const struct rows *rows, int side, bool distances,
                              struct stats *stats)
{
    struct stats_counts *results[N_KINDS] = {stats->fresh, stats->all, stats->raw};
    struct counter counter = {
        .solved = solved,
        .rows = rows,
        .side = side,
        .n_threads = run->n_threads,
        .n_kinds = stats->limited ? N_KINDS : RAW,
        .length = solved->shape.n_run_states,
    };
    const enum status status = count_placements(&counter);
    if (status != STATUS_OK)
        return status;
    if (distances)
        find_longest(&counter);
    for (int kind = 0; kind < counter.n_kinds; kind++)
        results[kind][side] = summarise(&counter, kind, distances);
    if (distances && run->n_top > 0)
        list_top(&counter, run->n_top, &stats->top[side]);
    return STATUS_OK;
}

static struct stats_counts counts_turn(const struct board *board, const struct stats_counts *counts)
{
    struct stats_counts turned = *counts;
    if (counts->max_win > 0)
        turned.longest_win = state_turn(board, &counts->longest_win);
    return turned;
}

static struct stats_top top_turn(const struct board *board, const struct stats_top *top)
{
    struct stats_top turned = *top;
    for (int i = 0; i < top->n; i++)
        turned.win[i].state = state_turn(board, &top->win[i].state);
    return turned;
}

static enum status count_solved(const struct stats_run *run, const struct solved *solved,
                                bool distances, struct stats *stats)
{
    const struct rules *rules = run->store.rules;
    const int n_sides = solved->shape.n_sides;
    struct rows rows;
    enum status status = rows_init(&rows, &solved->shape);
    if (status != STATUS_OK)
        return status;
    stats->limited = material_is_limited(rules, &solved->shape.material);
    for (int side = WHITE; side < n_sides && status == STATUS_OK; side++)
        status = count_side(run, solved, &rows, side, distances, stats);
    rows_free(&rows);
    if (n_sides == 1) {
        stats->fresh[BLACK] = counts_turn(&rules->board, &stats->fresh[WHITE]);
        stats->all[BLACK] = counts_turn(&rules->board, &stats->all[WHITE]);
        stats->top[BLACK] = top_turn(&rules->board, &stats->top[WHITE]);
    }
    return status;
}

enum status stats_table(struct stats_run *run, const struct material *material, enum metric metric,
                        struct stats *stats, struct error *error)
{
    const int index = number_of(run, material);
    bool counted[MAX_MATERIALS] = {false};
    const struct table *table = NULL;
    enum status status = probe_table(run->handle, material, metric, &table, error);

    *stats = (struct stats){0};
    if (status != STATUS_OK)
        return status;
    const bool distances = table_has_distances(table); /* also where a .wdl has them */
    counted[index] = true;
    status = bring_in(run, index, distances ? METRIC_DTW : METRIC_WDL, error);
    if (status == STATUS_OK) {
        status = count_solved(run, store_get(&run->store, material), distances, stats);
        if (status != STATUS_OK) {
            char name[MATERIAL_NAME_SIZE];
            material_write(material, name);
            error_set(error, status, "not enough memory to count %s", name);
        }
    }
    let_go_of_large(run, counted);
    return status;
}
