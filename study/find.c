/* Threads take chunks of placement indices. Each legal placement is tested against the conditions
 * in turn, cheapest first. Placements go through the tables in the order of their indices, so that
 * most blocks are cached, and the prober resolves captures, omitted values and the limit on two
 * kings against one.
 *
 * Found positions are kept as numbers. If only the first `max_kept` are wanted, each chunk's entries
 * are sorted and truncated to that number, and so is the merged list. */
#include "study/find.h"
#include "study/find_conditions.h"

#include "core/program/array.h"
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/random.h"
#include "probe/program_handle.h"

#include <omp.h>
#include <stdlib.h>

enum { CHUNK_PLACEMENTS = 16384, MIN_KEPT = 4096 };

/* A position that was found. */
struct find_entry {
    uint64_t index;
    uint64_t chance; /* where a sample is drawn */
    int16_t plies;
    int8_t outcome;
    int8_t other;
    uint8_t material; /* in the order of the query; at most MAX_MATERIALS */
    uint8_t side;     /* to move, of the material as it was named */
};

struct entries {
    size_t n, room;
    struct find_entry *entry;
};

/* A run of indices of one material and side to move. */
struct index_range {
    struct shape shape;
    const struct find_material *wanted;
    int number;
    enum side side; /* to move, of the canonical material */
    bool distances;
    uint64_t step; /* one placement is examined out of each `step` */
    uint64_t n_chunks;
};

struct finder {
    einspul *handle;
    const struct find_query *query;
    const struct rules *rules;
    int (*order)(const void *first, const void *second); /* of entries */
    uint64_t max_kept;                                   /* entries to keep; UINT64_MAX: all */

    bool failed; /* fields from here on: written only in critical sections */
    einspul_error *error;
    find_progress_callback *callback;
    void *context;
    double reported; /* time of the last progress report */
    struct find_progress progress;
    struct find_result *result;
    struct entries kept;
};

struct finder_thread {
    struct finder *finder;
    const struct index_range *part;
    struct move_list moves;
    struct entries kept; /* from here on: of the current chunk */
    uint64_t n_done, n_examined, n_found;
};

/* --- entries ---------------------------------------------------------------------------------- */

/* Hash of position and seed that decides sample membership; independent of the thread count. */
static uint64_t entry_chance(uint64_t seed, int material, enum side side, uint64_t index)
{
    return random_mix(random_mix(random_mix(seed) + 2 * (uint64_t)material + (uint64_t)side) +
                      index);
}

/* The order of the tables. */
static int compare_places(const struct find_entry *a, const struct find_entry *b)
{
    if (a->material != b->material)
        return a->material < b->material ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int by_chance(const void *first, const void *second)
{
    const struct find_entry *a = first;
    const struct find_entry *b = second;
    if (a->chance != b->chance)
        return a->chance < b->chance ? -1 : 1;
    return compare_places(a, b);
}

static int by_distance(const struct find_entry *a, const struct find_entry *b, int sign)
{
    if ((a->plies < 0) != (b->plies < 0))
        return a->plies < 0 ? 1 : -1;
    if (a->plies != b->plies)
        return a->plies < b->plies ? sign : -sign;
    return compare_places(a, b);
}

static int longest_first(const void *a, const void *b)
{
    return by_distance(a, b, 1);
}

static int shortest_first(const void *a, const void *b)
{
    return by_distance(a, b, -1);
}

/* Sorts entries, and drops those beyond a number. */
static void entries_prune(struct entries *entries, int (*order)(const void *, const void *),
                          uint64_t max)
{
    if (entries->n > 0)
        qsort(entries->entry, entries->n, sizeof *entries->entry, order);
    if (entries->n > max)
        entries->n = (size_t)max;
}

/* False if out of memory. */
static bool entries_add(struct entries *entries, const struct find_entry *entry)
{
    struct find_entry *list =
        array_reserve(entries->entry, entries->n, &entries->room, MIN_KEPT, sizeof *list);
    if (list == NULL)
        return false;
    entries->entry = list;
    entries->entry[entries->n++] = *entry;
    return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

static bool has_pieces(const struct find_query *query, const struct placement *at)
{
    for (int side = WHITE; side <= BLACK; side++)
        if ((query->men[side] & ~at->men[side]) != 0 ||
            (query->kings[side] & ~at->kings[side]) != 0 ||
            (query->empty & (at->men[side] | at->kings[side])) != 0)
            return false;
    return true;
}

static bool is_zugzwang(enum find_zugzwang kind, int outcome, int after_passing)
{
    const bool full = outcome == EINSPUL_LOSS && after_passing == EINSPUL_WIN;
    return after_passing > outcome && (kind == ZUGZWANG_EITHER || (kind == ZUGZWANG_FULL) == full);
}

/* Finds outcome and, if wanted, distance of a state; tests them. */
static einspul_status test_value(const struct finder_thread *worker, const struct state *state,
                                 struct find_entry *entry, bool *holds, einspul_error *error)
{
    const struct find_query *query = worker->finder->query;
    const struct find_range *range = &query->plies;
    const bool distances = worker->part->distances;
    value_t value = VALUE_NONE;
    const einspul_status status = probe_state(
        worker->finder->handle, state, distances ? EINSPUL_DTW : EINSPUL_WDL, 0, &value, error);
    if (status != EINSPUL_OK)
        return status;
    entry->outcome = (int8_t)value_outcome(value);
    entry->plies = (int16_t)(distances ? value_plies(value) : -1);
    *holds = (query->outcomes & find_outcome_bit(entry->outcome)) != 0 &&
             (!range->given ||
              (entry->plies >= 0 && entry->plies >= range->min && entry->plies <= range->max));
    return EINSPUL_OK;
}

static einspul_status test_other(const struct finder_thread *worker, const struct state *state,
                                 struct find_entry *entry, bool *holds, einspul_error *error)
{
    const struct find_query *query = worker->finder->query;
    value_t value = VALUE_NONE;
    const einspul_status status = probe_state(query->other, state, EINSPUL_WDL, 0, &value, error);
    entry->other = status == EINSPUL_OK ? (int8_t)value_outcome(value) : 0;
    *holds = entry->other != entry->outcome &&
             (query->other_outcomes & find_outcome_bit(entry->other)) != 0;
    return status;
}

static einspul_status test_zugzwang(const struct finder_thread *worker, const struct state *state,
                                    const struct find_entry *entry, bool *holds,
                                    einspul_error *error)
{
    struct state passed = *state;
    value_t value = VALUE_NONE;
    passed.at.side = side_other(state->at.side);
    const einspul_status status =
        probe_state(worker->finder->handle, &passed, EINSPUL_WDL, 0, &value, error);
    *holds = status == EINSPUL_OK &&
             is_zugzwang(worker->finder->query->zugzwang, entry->outcome, -value_outcome(value));
    return status;
}

/* Tests a state against all conditions and keeps it if it passes. */
static einspul_status examine(struct finder_thread *worker, const struct state *state,
                              uint64_t index, einspul_error *error)
{
    const struct find_query *query = worker->finder->query;
    const struct index_range *part = worker->part;
    struct find_entry entry = {
        .index = index,
        .chance = entry_chance(query->seed, part->number, part->side, index),
        .material = (uint8_t)part->number,
        .side = (uint8_t)state->at.side,
    };
    bool holds = has_pieces(query, &state->at);
    einspul_status status = holds ? test_value(worker, state, &entry, &holds, error) : EINSPUL_OK;
    if (status == EINSPUL_OK && holds && query->other != NULL)
        status = test_other(worker, state, &entry, &holds, error);
    if (status == EINSPUL_OK && holds && query->zugzwang != ZUGZWANG_ANY_STATE)
        status = test_zugzwang(worker, state, &entry, &holds, error);
    if (status == EINSPUL_OK && holds)
        status = find_conditions(worker->finder->handle, query, state,
                                 (einspul_outcome)entry.outcome, &worker->moves, &holds, error);
    if (status != EINSPUL_OK || !holds)
        return status;
    worker->n_found++;
    return query->max_results == 0 || entries_add(&worker->kept, &entry)
               ? EINSPUL_OK
               : error_set(error, EINSPUL_NO_MEMORY, "not enough memory for what is found");
}

/* --- enumerating ------------------------------------------------------------------------------ */

/* The placement to examine in step `number`: the only one, or one chosen by the seed. */
static uint64_t chosen_index(const struct finder_thread *worker, uint64_t number)
{
    const struct index_range *part = worker->part;
    const uint64_t begin = number * part->step;
    return part->step == 1 ? begin
                           : begin + entry_chance(worker->finder->query->seed, part->number,
                                                  part->side, number) %
                                         part->step;
}

static einspul_status visit_chunk(struct finder_thread *worker, uint64_t chunk,
                                  einspul_error *error)
{
    const struct index_range *part = worker->part;
    const struct finder *finder = worker->finder;
    const uint64_t first = chunk * CHUNK_PLACEMENTS;
    einspul_status status = EINSPUL_OK;

    for (uint64_t i = 0; i < CHUNK_PLACEMENTS && status == EINSPUL_OK; i++) {
        struct state state = {.clock = 0};
        const uint64_t index = chosen_index(worker, first + i);
        if (index >= part->shape.n_placements)
            continue;
        worker->n_done++;
        if (!shape_unrank(&part->shape, index, part->side, &state.at))
            continue;
        worker->n_examined++;
        if (part->wanted->flipped)
            state = state_flip(&finder->rules->board, &state);
        status = examine(worker, &state, index, error);
    }
    return status;
}

/* Ends the search, with its first error; in a critical section. */
static void stop_search(struct finder *finder, einspul_status status, const char *text)
{
    if (finder->failed)
        return;
    error_set(finder->error, status, "%s", text);
#pragma omp atomic write
    finder->failed = true;
}

/* Merges the results of a chunk, or records an error; reports progress. In a critical section. */
static void merge_chunk(struct finder_thread *worker, einspul_status status,
                        const einspul_error *error)
{
    enum { REPORTS_PER_SECOND = 4 };
    struct finder *finder = worker->finder;
    const double now = omp_get_wtime();
    if (status != EINSPUL_OK)
        stop_search(finder, status, error->text);
    for (size_t i = 0; i < worker->kept.n && !finder->failed; i++)
        if (!entries_add(&finder->kept, &worker->kept.entry[i]))
            stop_search(finder, EINSPUL_NO_MEMORY, "not enough memory for what is found");
    if (finder->kept.n >= MIN_KEPT && finder->kept.n / 2 >= finder->max_kept)
        entries_prune(&finder->kept, finder->order, finder->max_kept);
    finder->result->n_found += worker->n_found;
    finder->result->n_examined += worker->n_examined;
    finder->progress.n_done += worker->n_done;
    finder->progress.n_found = finder->result->n_found;
    if (finder->callback != NULL && now > finder->reported + 1.0 / REPORTS_PER_SECOND) {
        finder->reported = now;
        if (!finder->callback(&finder->progress, finder->context))
            stop_search(finder, EINSPUL_STOPPED, "search stopped");
    }
    worker->kept.n = 0;
    worker->n_done = worker->n_found = worker->n_examined = 0;
}

static void work(struct finder *finder, const struct index_range *part)
{
#pragma omp parallel num_threads(finder->query->n_threads)
    {
        struct finder_thread worker = {.finder = finder, .part = part};
        einspul_error error = {EINSPUL_OK, ""};
        move_list_init(&worker.moves);
#pragma omp for schedule(dynamic, 1)
        for (uint64_t chunk = 0; chunk < part->n_chunks; chunk++) {
            bool failed;
#pragma omp atomic read
            failed = finder->failed;
            if (failed)
                continue;
            const einspul_status status = visit_chunk(&worker, chunk, &error);
            if (finder->max_kept != UINT64_MAX)
                entries_prune(&worker.kept, finder->order, finder->max_kept);
#pragma omp critical(find)
            merge_chunk(&worker, status, &error);
        }
        move_list_free(&worker.moves);
        free(worker.kept.entry);
    }
}

/* --- the whole query -------------------------------------------------------------------------- */

/* Checks that all tables exist; *distances is true if all have distances. */
static einspul_status check_tables(einspul *handle, const struct material *material,
                                   bool *distances, einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    const int n = material_closure(material, list);
    *distances = true;
    for (int i = 0; i < n; i++) {
        const struct table *table = NULL;
        einspul_error own;
        einspul_status status = probe_table(handle, &list[i], EINSPUL_DTW, &table, &own);
        if (status == EINSPUL_NO_METRIC) {
            *distances = false;
            status = probe_table(handle, &list[i], EINSPUL_WDL, &table, &own);
        }
        if (status != EINSPUL_OK)
            return error_set(error, status, "rule set %s: %.240s", probe_rules(handle)->name,
                             own.text);
    }
    return EINSPUL_OK;
}

static einspul_status check_material(const struct finder *finder,
                                     const struct find_material *material, bool *distances,
                                     einspul_error *error)
{
    const struct find_query *query = finder->query;
    bool other_distances = false;
    einspul_status status = check_tables(finder->handle, &material->material, distances, error);
    if (status == EINSPUL_OK && query->other != NULL)
        status = check_tables(query->other, &material->material, &other_distances, error);
    if (status != EINSPUL_OK)
        return status;
    if ((query->plies.given || query->study) && !*distances)
        return error_set(error, EINSPUL_NO_METRIC,
                         "%s: distances are needed, but its tables have none",
                         material_name(&material->material).text);
    *distances = *distances && (query->distances || query->plies.given);
    return EINSPUL_OK;
}

static einspul_status make_kept(struct finder *finder, const struct find_material *materials,
                                einspul_error *error)
{
    const struct find_query *query = finder->query;
    struct find_result *result = finder->result;
    entries_prune(&finder->kept, finder->order, finder->max_kept);
    entries_prune(&finder->kept, query->shortest_first ? shortest_first : longest_first,
                  query->max_results);
    result->kept = calloc(finder->kept.n + 1, sizeof *result->kept);
    if (result->kept == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for what is found");
    for (size_t i = 0; i < finder->kept.n; i++) {
        const struct find_entry *entry = &finder->kept.entry[i];
        const struct find_material *material = &materials[entry->material];
        struct shape shape;
        struct state state = {.clock = 0};
        shape_init(&shape, finder->rules, &material->material);
        const enum side side = (enum side)entry->side;
        shape_unrank(&shape, entry->index, material->flipped ? side_other(side) : side, &state.at);
        result->kept[i] = (struct found_position){
            .state = material->flipped ? state_flip(&finder->rules->board, &state) : state,
            .plies = entry->plies,
            .outcome = entry->outcome,
            .other = entry->other,
        };
    }
    result->n_kept = finder->kept.n;
    return EINSPUL_OK;
}

/* Searches a material, for the sides to move that the query names. */
static void search_material(struct finder *finder, const struct find_material *material, int number,
                            bool distances, uint64_t step)
{
    struct index_range part = {
        .wanted = material, .number = number, .distances = distances, .step = step};
    shape_init(&part.shape, finder->rules, &material->material);
    part.n_chunks =
        (part.shape.n_placements + CHUNK_PLACEMENTS * step - 1) / (CHUNK_PLACEMENTS * step);
    for (int side = WHITE; side <= BLACK && !finder->failed; side++) {
        part.side = material->flipped ? side_other((enum side)side) : (enum side)side;
        if ((finder->query->sides >> side & 1) != 0)
            work(finder, &part);
    }
}

/* Searches all materials; `max_placements` is spread evenly over all placements. */
static einspul_status search_materials(struct finder *finder, const struct find_material *materials,
                                       int n_materials)
{
    const struct find_query *query = finder->query;
    einspul_status status = EINSPUL_OK;
    uint64_t n = 0;
    bool distances[MAX_MATERIALS];
    for (int i = 0; i < n_materials && status == EINSPUL_OK; i++) {
        struct shape shape;
        shape_init(&shape, finder->rules, &materials[i].material);
        n += shape.n_placements * (query->sides == 3 ? 2 : 1);
        status = check_material(finder, &materials[i], &distances[i], finder->error);
    }
    const uint64_t step =
        query->max_placements == 0 ? 1 : (n + query->max_placements - 1) / query->max_placements;
    finder->progress.n_all = n / step + 2 * (uint64_t)n_materials;
    for (int i = 0; i < n_materials && finder->error->status == EINSPUL_OK; i++)
        search_material(finder, &materials[i], i, distances[i], step);
    return finder->error->status;
}

einspul_status find_positions(einspul *handle, const struct find_query *query,
                              const struct find_material *materials, int n_materials,
                              find_progress_callback *callback, void *context,
                              struct find_result *result, einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct finder finder = {
        .handle = handle,
        .query = query,
        .rules = probe_rules(handle),
        .order = query->n_sample > 0     ? by_chance
                 : query->shortest_first ? shortest_first
                                         : longest_first,
        .max_kept = query->n_sample > 0 ? query->n_sample : query->max_results,
        .error = &own,
        .callback = callback,
        .context = context,
        .reported = omp_get_wtime(),
        .result = result,
    };
    *result = (struct find_result){.n_found = 0};
    if (query->other != NULL &&
        probe_rules(query->other)->board.n_squares != finder.rules->board.n_squares)
        error_set(&own, EINSPUL_BAD_RULES, "%s and %s use different boards",
                  probe_rules(query->other)->name, finder.rules->name);
    if (own.status == EINSPUL_OK && search_materials(&finder, materials, n_materials) == EINSPUL_OK)
        make_kept(&finder, materials, &own);
    free(finder.kept.entry);
    if (own.status != EINSPUL_OK && error != NULL)
        *error = own;
    return own.status;
}
