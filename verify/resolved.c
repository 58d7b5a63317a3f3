/* Materials are resolved in the order of generation: a capture leads to a material that is in memory
 * already, or to one that is too large and is probed.
 *
 * A capture ends the run of the side that makes it. The other side keeps its run unless its king, or its
 * last man, was captured, so a capture gives one value for each run of the other side. */
#include "verify/resolved.h"

#include <stdlib.h>
#include <string.h>

#include "core/captures.h"
#include "core/program/flip.h"
#include "probe/program_handle.h"
#include "table/block_cursor.h"
#include "table/block_values.h"
#include "verify/first_error.h"
#include "verify/placements.h"

static unsigned material_key_of(const struct placement *at)
{
    return (unsigned)bits_count(at->men[WHITE]) | (unsigned)bits_count(at->men[BLACK]) << 3 |
           (unsigned)bits_count(at->kings[WHITE]) << 6 |
           (unsigned)bits_count(at->kings[BLACK]) << 9;
}

static unsigned material_key(const struct material *material)
{
    return (unsigned)(material->men[WHITE] | material->men[BLACK] << 3 |
                      material->kings[WHITE] << 6 | material->kings[BLACK] << 9);
}

/* --- captures --------------------------------------------------------------------------------- */

/* Probes the state after a capture for every run of the side that is then to move. */
static einspul_status probe_captured(const struct resolved_set *set, const struct placement *at,
                                     const struct capture *capture, int n_other,
                                     value_t least[MAX_RUNS], einspul_error *error)
{
    const enum side other = side_other(at->side);
    for (int run = 0; run < n_other; run++) {
        struct state state = {.at = *at};
        struct state after;
        value_t value;
        state.run[other] = run_from_index(at->kings[other], run);
        state_after_capture(&state, capture, &after);
        const einspul_status status =
            probe_state(set->handle, &after, set->metric, 0, &value, error);
        if (status != EINSPUL_OK)
            return status;
        least[run] = value < least[run] ? value : least[run];
    }
    return EINSPUL_OK;
}

/* Reads the values of the placement after a capture, of which `before` are the kings of its side to move
 * before the capture, and lowers `least` to them. */
static void read_captured(const struct resolved_set *set, int number, struct placement after,
                          squares_t before, int n_other, value_t least[MAX_RUNS])
{
    const struct resolved *resolved = &set->list[abs(number) - 1];
    const struct shape *shape = &resolved->shape;
    const enum side mover = after.side;
    const squares_t kings = after.kings[mover];
    const bool has_men = after.men[mover] != 0;
    const int n_kings = bits_count(kings);
    const bool swapped = number < 0 || (shape->n_sides == 1 && mover == BLACK);
    if (swapped)
        after = placement_flip(&set->rules->board, &after);
    const uint64_t index =
        shape_frame(shape, &after) * shape->frame_size + shape_kings(shape, &after);
    const value_t *values = resolved->values[after.side] + index * (uint64_t)resolved->n_values;
    const int step = after.side == WHITE ? shape->n_runs[BLACK] : 1;
    for (int run = 0, king = -1; run < n_other; run++) {
        int after_run = 0;
        if (run_count(run) == 1) { /* the next king */
            king++;
            if (king > 0)
                before &= before - 1;
        }
        const squares_t bit = before & (0 - before);
        if (run > 0 && has_men && (kings & bit) != 0) {
            const int left = bits_count(kings & (bit - 1));
            after_run = run_index_of(swapped ? n_kings - 1 - left : left, run_count(run));
        }
        const value_t value = values[after_run * step];
        least[run] = value < least[run] ? value : least[run];
    }
}

/* Captures in more ways than the prober lists: probed whole. */
static einspul_status probe_many_captures(const struct resolved_set *set,
                                          const struct placement *at, int n_other,
                                          value_t values[MAX_RUNS], einspul_error *error)
{
    const enum side other = side_other(at->side);
    einspul_status status = EINSPUL_OK;
    for (int run = 0; run < n_other && status == EINSPUL_OK; run++) {
        struct state state = {.at = *at};
        state.run[other] = run_from_index(at->kings[other], run);
        status = probe_state(set->handle, &state, set->metric, 0, &values[run], error);
    }
    return status;
}

einspul_status resolved_captures(const struct resolved_set *set, const struct placement *at,
                                 int n_other, value_t values[MAX_RUNS], einspul_error *error)
{
    const enum side other = side_other(at->side);
    const struct state state = {.at = *at};
    struct capture list[CAPTURES_ROOM];
    const int n = captures_list(set->rules, at, list);
    if (n == CAPTURES_MANY)
        return probe_many_captures(set, at, n_other, values, error);
    memset(values, VALUE_NONE, (size_t)n_other);
    for (int i = 0; i < n; i++) {
        struct state after;
        state_after_capture(&state, &list[i], &after);
        if (placement_own(&after.at, other) == 0) {
            memset(values, VALUE_LOST, (size_t)n_other);
            break;
        }
        const int number = set->number[material_key_of(&after.at)];
        if (number != 0) {
            read_captured(set, number, after.at, at->kings[other], n_other, values);
            continue;
        }
        const einspul_status status = probe_captured(set, at, &list[i], n_other, values, error);
        if (status != EINSPUL_OK)
            return status;
    }
    for (int run = 0; run < n_other; run++)
        values[run] = set->before[values[run]];
    return EINSPUL_OK;
}

/* --- resolving a material --------------------------------------------------------------------- */

/* Values of a placement without a capture that are not stored as they are needed: under a limit, or
 * omitted. */
static einspul_status probe_quiet(const struct resolved_set *set, const struct resolved *resolved,
                                  const struct placement *at, value_t *values, einspul_error *error)
{
    const struct shape *shape = &resolved->shape;
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < resolved->n_values && status == EINSPUL_OK; i++) {
        struct state state = {.at = *at};
        for (int side = WHITE; side <= BLACK; side++)
            state.run[side] = run_from_index(at->kings[side], shape_run(shape, (enum side)side, i));
        status = probe_state(set->handle, &state, set->metric, 0, &values[i], error);
    }
    return status;
}

/* Gives each run of the side to move, whose run a capture ends, the values by run of the other. */
static void spread_captures(const struct shape *shape, enum side side,
                            const value_t by_other[MAX_RUNS], value_t *values)
{
    for (int white = 0; white < shape->n_runs[WHITE]; white++)
        for (int black = 0; black < shape->n_runs[BLACK]; black++)
            values[shape_rule_state(shape, white, black)] = by_other[side == WHITE ? black : white];
}

/* Resolves the placements of one block of the table. */
static einspul_status resolve_block(const struct resolved_set *set, struct resolved *resolved,
                                    const struct table *table, bool reads, enum side side,
                                    uint64_t number, einspul_error *error)
{
    const struct shape *shape = &resolved->shape;
    const uint64_t per_block = table->header.block_placements;
    const int n_other = shape->n_runs[side_other(side)];
    struct block_cursor cursor = {0};
    einspul_status status =
        reads ? block_cursor_go(&cursor, table, table_first_block(table, side) + number, error)
              : EINSPUL_OK;
    const uint64_t first = number * per_block;
    const uint64_t last =
        shape->n_placements - first < per_block ? shape->n_placements - 1 : first + per_block - 1;
    struct placements all;
    placements_go(&all, shape, first, side);
    for (uint64_t i = first; status == EINSPUL_OK && i <= last; i++) {
        const struct placement *at = &all.at;
        value_t *values = resolved->values[side] + i * (uint64_t)resolved->n_values;
        value_t by_other[MAX_RUNS];
        if (!placements_possible(&all)) {
            ;
        } else if (placement_has_capture(set->rules, at)) {
            status = resolved_captures(set, at, n_other, by_other, error);
            if (status == EINSPUL_OK)
                spread_captures(shape, side, by_other, values);
        } else if (reads) {
            value_t stored[MAX_RULE_STATES];
            block_values(cursor.block, (uint32_t)(i - first), shape->n_rule_states, stored);
            memcpy(values, stored, (size_t)resolved->n_values);
        } else {
            status = probe_quiet(set, resolved, at, values, error);
        }
        if (i < last)
            placements_next(&all);
    }
    block_cursor_free(&cursor);
    return status;
}

/* True if the stored values of a side to move are those that a probe gives. */
static bool values_are_stored(const struct resolved_set *set, const struct table *table,
                              enum side side)
{
    return table_stores(table, side) && table_max_run(table, side) == ANY_RUN &&
           table->shape.n_clocks == 1 &&
           !material_has_two_kings_limit(set->rules, &table->shape.material);
}

static einspul_status resolve(struct resolved_set *set, struct resolved *resolved,
                              const struct table *table, int n_threads, einspul_error *error)
{
    const uint64_t n_blocks = table->blocks_per_side;
    const uint64_t n_sides = (uint64_t)resolved->shape.n_sides;
    struct first_error failed;
    first_error_init(&failed, set->watch, n_blocks * n_sides);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (uint64_t part = 0; part < n_blocks * n_sides; part++) {
        const enum side side = part < n_blocks ? WHITE : BLACK;
        const bool reads = values_are_stored(set, table, side);
        einspul_error own = {EINSPUL_OK, ""};
        if (!first_error_precedes(&failed, part))
            first_error_keep(
                &failed, part,
                resolve_block(set, resolved, table, reads, side, part % n_blocks, &own), &own);
    }
    return first_error_give(&failed, error);
}

/* --- the set ---------------------------------------------------------------------------------- */

/* Adds a material unless it needs more than `*bytes_left`. */
static einspul_status add(struct resolved_set *set, const struct material *material,
                          uint64_t *bytes_left, int n_threads, einspul_error *error)
{
    struct resolved *resolved = &set->list[set->n];
    const struct table *table = NULL;
    einspul_status status = probe_table(set->handle, material, set->metric, &table, error);
    if (status == EINSPUL_NO_TABLE || status == EINSPUL_NO_METRIC)
        return EINSPUL_OK; /* a probe may have another answer */
    if (status != EINSPUL_OK)
        return status;
    const struct shape *shape = &table->shape;
    const int n_values = shape->n_runs[WHITE] * shape->n_runs[BLACK];
    const uint64_t n_bytes = shape->n_placements * (uint64_t)n_values;
    if (n_bytes > *bytes_left / 2)
        return EINSPUL_OK;
    *resolved = (struct resolved){.shape = *shape, .n_values = n_values};
    set->n++;
    for (int side = WHITE; side < shape->n_sides; side++) {
        resolved->values[side] = malloc((size_t)n_bytes);
        if (resolved->values[side] == NULL)
            return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for the values of %s",
                             material_name(material).text);
        *bytes_left -= n_bytes;
    }
    status = resolve(set, resolved, table, n_threads, error);
    const struct material swapped = material_flip(material);
    set->number[material_key(&swapped)] = (int16_t)-set->n;
    set->number[material_key(material)] = (int16_t)set->n;
    return status;
}

/* Lists the materials that captures lead to, one after the other, in generation order. */
static int capture_closure(const struct material *material, struct material list[MAX_MATERIALS])
{
    struct material all[MAX_MATERIALS];
    bool reached[MAX_MATERIALS] = {false};
    const int n_all = material_closure(material, all);
    int n = 0;
    reached[n_all - 1] = true;
    for (int i = n_all - 1; i >= 0; i--) {
        struct material next[MAX_MATERIALS];
        const int n_next = reached[i] ? material_successors(&all[i], CAPTURES, next) : 0;
        for (int j = 0; j < n_next; j++)
            reached[material_position_in(all, n_all, &next[j])] = true;
    }
    for (int i = 0; i < n_all - 1; i++)
        if (reached[i])
            list[n++] = all[i];
    return n;
}

einspul_status resolved_init(struct resolved_set *set, einspul *handle,
                             const struct material *material, einspul_metric metric,
                             uint64_t max_bytes, int n_threads, struct watch *watch,
                             einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    const int n = capture_closure(material, list);
    einspul_status status = EINSPUL_OK;
    *set = (struct resolved_set){
        .handle = handle, .rules = probe_rules(handle), .metric = metric, .watch = watch};
    for (int value = 0; value <= VALUE_NONE; value++) {
        const value_t before = value_before((value_t)value);
        set->before[value] = metric == EINSPUL_DTW ? before : value_without_distance(before);
    }
    for (int i = 0; i < n && status == EINSPUL_OK; i++) {
        watch_phase(watch, RESOLVING_SHARE / n);
        status = add(set, &list[i], &max_bytes, n_threads, error);
    }
    return status;
}

void resolved_free(struct resolved_set *set)
{
    for (int i = 0; i < set->n; i++)
        for (int side = WHITE; side <= BLACK; side++)
            free(set->list[i].values[side]);
    set->n = 0;
}
