/* Counting tables. No table stores captures: they are seeded from the smaller materials they lead
 * to, which are loaded first and kept as long as they may be needed. A table of the most pieces is
 * then counted frame by frame as it is read (material_load.c), so that the table itself needs no memory.
 * The others are counted in memory, and so is a material whose table omits values, after it is
 * solved again. */
#include "gen/material/stats.h"

#include "core/program/flip.h"
#include "core/program/materials.h"
#include "gen/material/material_load.h"
#include "gen/material/material_solve.h"
#include "gen/solver/word_solver.h"
#include "probe/program_handle.h"
#include "table/table_open.h"

#include <stdlib.h>

struct stats_session {
    einspul *handle;
    int max_pieces;
    int n_threads;
    int n_longest; /* longest wins to list */
    struct store store;
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* of any size, in order of generation */
    einspul_metric held[MAX_MATERIALS];       /* metric of each in the store; 0: none */
};

/* --- materials in memory ---------------------------------------------------------------------- */

static void drop(struct stats_session *session, int index)
{
    solved_destroy(store_get(&session->store, &session->materials[index]));
    store_set(&session->store, &session->materials[index], NULL);
    session->held[index] = 0;
}

/* Frees large materials, except successors of marked ones; they were loaded only because tables
 * omit values. */
static void drop_large(struct stats_session *session, const bool marked[MAX_MATERIALS])
{
    bool keep[MAX_MATERIALS] = {false};
    for (int i = 0; i < session->n_materials; i++) {
        struct material list[MAX_MATERIALS];
        const int n =
            marked[i] ? material_successors(&session->materials[i], CAPTURES_AND_PROMOTIONS, list)
                      : 0;
        for (int j = 0; j < n; j++)
            keep[material_position_in(session->materials, session->n_materials, &list[j])] = true;
    }
    for (int i = 0; i < session->n_materials; i++)
        if (!keep[i] && material_pieces(&session->materials[i]) >= session->max_pieces)
            drop(session, i);
}

/* The metric needed of a material for the outcomes, or distances, of its predecessors. */
static einspul_metric needed_metric(const struct stats_session *session, int index,
                                    einspul_metric metric)
{
    return table_always_has_distances(session->store.rules, &session->materials[index])
               ? EINSPUL_DTW
               : metric;
}

/* Which successors loading a material requires: one whose table omits values is solved again, which
 * needs promotions too. */
static einspul_status find_move_kinds(const struct stats_session *session, int index,
                                      einspul_metric metric, enum move_kinds *kinds,
                                      einspul_error *error)
{
    const struct table *table = NULL;
    const einspul_status status = probe_table(session->handle, &session->materials[index],
                                              needed_metric(session, index, metric), &table, error);
    if (status == EINSPUL_OK)
        *kinds = table_is_complete(table) ? CAPTURES : CAPTURES_AND_PROMOTIONS;
    return status;
}

/* Marks a material and those that must be loaded before it. */
static einspul_status mark_needed(const struct stats_session *session, int index,
                                  einspul_metric metric, bool needed[MAX_MATERIALS],
                                  einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    for (int i = 0; i < session->n_materials; i++)
        needed[i] = i == index;
    for (int i = index; i >= 0; i--) {
        enum move_kinds kinds = CAPTURES;
        if (!needed[i])
            continue;
        const einspul_status status = find_move_kinds(session, i, metric, &kinds, error);
        if (status != EINSPUL_OK)
            return status;
        const int n = material_successors(&session->materials[i], kinds, list);
        for (int j = 0; j < n; j++) {
            const int successor =
                material_position_in(session->materials, session->n_materials, &list[j]);
            if (session->held[successor] < needed_metric(session, successor, metric))
                needed[successor] = true;
        }
    }
    return EINSPUL_OK;
}

/* Loads a material when those marked with it are in the store. If the table has distances but its
 * capture successors were loaded without, only its outcomes are valid. */
static einspul_status load(struct stats_session *session, int index, einspul_metric metric,
                           einspul_error *error)
{
    const struct table *table = NULL;
    einspul_status status =
        probe_table(session->handle, &session->materials[index], metric, &table, error);
    if (status != EINSPUL_OK)
        return status;
    const struct material_params params = {
        .store = &session->store,
        .material = session->materials[index],
        .metric = table->header.has_distances && table_is_complete(table) ? EINSPUL_DTW : metric,
        .solver = &word_solver,
        .n_threads = session->n_threads,
        .table = table,
    };
    drop(session, index);
    status =
        table_is_complete(table) ? material_load(&params, error) : material_solve(&params, error);
    if (status == EINSPUL_OK)
        session->held[index] = metric;
    return status;
}

/* Loads all that a material needs, after checking that the tables exist, and the material itself
 * unless it is `streamed`. */
static einspul_status load_needed(struct stats_session *session, int index, einspul_metric metric,
                                  bool streamed, einspul_error *error)
{
    bool needed[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;

    if (session->held[index] == metric && !streamed)
        return EINSPUL_OK;
    status = mark_needed(session, index, metric, needed, error);
    needed[index] = !streamed;
    for (int i = 0; i <= index && status == EINSPUL_OK; i++) {
        if (!needed[i])
            continue;
        status = load(session, i, needed_metric(session, i, metric), error);
        needed[i] = i == index;
        if (i < index)
            drop_large(session, needed);
    }
    return status;
}

einspul_status stats_begin(einspul *handle, int max_pieces, int n_threads, int n_longest,
                           struct stats_session **result, einspul_error *error)
{
    struct stats_session *session = calloc(1, sizeof *session);
    *result = session;
    if (session == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory to count");
    session->handle = handle;
    session->max_pieces = max_pieces;
    session->n_threads = n_threads;
    session->n_longest = n_longest < MAX_LONGEST_WINS ? n_longest : MAX_LONGEST_WINS;
    session->store.rules = probe_rules(handle);
    session->n_materials = material_list(2, MAX_PIECES, session->materials);
    return EINSPUL_OK;
}

void stats_end(struct stats_session *session)
{
    if (session == NULL)
        return;
    for (int i = 0; i < session->n_materials; i++)
        drop(session, i);
    free(session);
}

/* --- counting --------------------------------------------------------------------------------- */

static struct stats_counts counts_flip(const struct board *board, const struct stats_counts *counts)
{
    struct stats_counts flipped = *counts;
    if (counts->max_win > 0)
        flipped.longest_win = state_flip(board, &counts->longest_win);
    return flipped;
}

static struct stats_top top_flip(const struct board *board, const struct stats_top *top)
{
    struct stats_top flipped = *top;
    for (int i = 0; i < top->n; i++)
        flipped.win[i].state = state_flip(board, &top->win[i].state);
    return flipped;
}

/* Sums up the counters, for both sides to move. */
static void sum_up(const struct rules *rules, struct counters *counters, struct stats *stats)
{
    for (int side = WHITE; side < counters->n_sides; side++) {
        counters_merge(counters, side);
        stats->fresh[side] = counters_result(counters, side, FRESH);
        stats->all[side] = counters_result(counters, side, ALL);
        if (stats->limited)
            stats->raw[side] = counters_result(counters, side, RAW);
        counters_top(counters, side, &stats->top[side]);
    }
    if (counters->n_sides == 1) {
        stats->fresh[BLACK] = counts_flip(&rules->board, &stats->fresh[WHITE]);
        stats->all[BLACK] = counts_flip(&rules->board, &stats->all[WHITE]);
        stats->top[BLACK] = top_flip(&rules->board, &stats->top[WHITE]);
    }
}

/* Counts a table whose material is in the store or is streamed. */
static einspul_status count_table(struct stats_session *session, const struct table *table,
                                  bool streamed, struct stats *stats, einspul_error *error)
{
    const struct shape *shape = &table->shape;
    const bool distances = table->header.has_distances; /* also where a .wdl has them */
    const struct material_params params = {
        .store = &session->store,
        .material = shape->material,
        .metric = distances ? EINSPUL_DTW : EINSPUL_WDL,
        .solver = &word_solver,
        .n_threads = session->n_threads,
        .table = table,
    };
    struct counters counters;
    einspul_status status = counters_create(
        &counters, shape, stats->limited ? session->store.rules->two_kings_limit : 0, distances,
        session->n_longest, session->n_threads);
    if (status != EINSPUL_OK)
        return error_set(error, status, "not enough memory to count %s",
                         material_name(&shape->material).text);
    if (streamed)
        status = material_count(&params, &counters, error);
    else
        counters_add_solved(&counters, store_get(&session->store, &shape->material));
    if (status == EINSPUL_OK)
        sum_up(session->store.rules, &counters, stats);
    counters_free(&counters);
    return status;
}

einspul_status stats_table(struct stats_session *session, const struct material *material,
                           einspul_metric metric, struct stats *stats, einspul_error *error)
{
    const int index = material_position_in(session->materials, session->n_materials, material);
    bool counted[MAX_MATERIALS] = {false};
    const struct table *table = NULL;
    einspul_status status = probe_table(session->handle, material, metric, &table, error);

    *stats =
        (struct stats){.limited = material_has_two_kings_limit(session->store.rules, material)};
    if (status != EINSPUL_OK)
        return status;
    const bool streamed = material_pieces(material) >= session->max_pieces &&
                          table_is_complete(table) && !stats->limited;
    const einspul_metric known = table->header.has_distances ? EINSPUL_DTW : EINSPUL_WDL;
    counted[index] = true;
    status = load_needed(session, index, known, streamed, error);
    if (status == EINSPUL_OK)
        status = count_table(session, table, streamed, stats, error);
    drop_large(session, counted);
    return status;
}
