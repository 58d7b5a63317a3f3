#include "tests/support/synthetic_set.h"
#include "tests/support/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/random.h"
#include "table/write/pack_write.h"
#include "tests/support/files.h"
#include "tests/support/parse.h"
#include "tests/support/require.h"

void synthetic_set_path(const struct synthetic_set *synthetic, const struct material *material,
                        einspul_metric metric, char path[1024])
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    snprintf(path, 1024, "%s/%s/%s.%s", synthetic->root,
             table_rules_name(&synthetic->rules, material), name,
             metric == EINSPUL_DTW ? "dtw" : "wdl");
}

void synthetic_set_create(struct synthetic_set *synthetic, const char *rules, const char *root,
                          uint64_t seed)
{
    char path[1024];
    einspul_error error;
    synthetic->rules = rules_named(rules);
    snprintf(synthetic->root, sizeof synthetic->root, "%s", root);
    must(mkdtemp(synthetic->root) != NULL, "%s cannot be made", synthetic->root);
    const char *names[] = {rules, einspul_rules_list()[synthetic->rules.table_rules - 1]};
    for (int i = 0; i < (strcmp(names[0], names[1]) == 0 ? 1 : 2); i++) {
        snprintf(path, sizeof path, "%s/%s", synthetic->root, names[i]);
        must(mkdir(path, 0777) == 0, "%s cannot be made", path);
    }
    synthetic->n_materials = material_list(2, 3, synthetic->materials);
    for (int i = 0; i < synthetic->n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        struct synthetic *made = &synthetic->made[i];
        material_write(&synthetic->materials[i], name);
        synthetic_create(made, &synthetic->rules, name, 40 + 100 * (uint32_t)i, seed + (uint64_t)i);
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            synthetic_set_path(synthetic, &synthetic->materials[i], (einspul_metric)metric, path);
            const struct table_id id = {&synthetic->rules, made->shape.material,
                                        (einspul_metric)metric};
            must(table_write_sides(path, id, made->sides, 1, 1, &error) == EINSPUL_OK, "%s",
                 error.text);
        }
    }
}

void synthetic_set_free(struct synthetic_set *synthetic)
{
    for (int i = 0; i < synthetic->n_materials; i++)
        synthetic_free(&synthetic->made[i]);
    remove_folder(synthetic->root);
}

static const struct synthetic *world_made(const struct synthetic_set *synthetic,
                                          const struct material *material)
{
    for (int i = 0; i < synthetic->n_materials; i++)
        if (material_equal(&synthetic->materials[i], material))
            return &synthetic->made[i];
    abort();
}

struct state synthetic_set_random_state(const struct synthetic_set *synthetic, uint64_t *seed)
{
    const struct board *board = &synthetic->rules.board;
    for (;;) {
        const struct synthetic *made =
            &synthetic->made[random_next(seed) % (uint64_t)synthetic->n_materials];
        const enum side side = random_next(seed) % 2 == 0 ? WHITE : BLACK;
        struct state state = {0};
        if (!shape_unrank(&made->shape, random_next(seed) % made->shape.n_placements, side,
                          &state.at))
            continue;
        for (int s = WHITE; s <= BLACK; s++)
            state.run[s] = run_from_index(
                state.at.kings[s], (int)(random_next(seed) % (uint64_t)made->shape.n_runs[s]));
        /* A quiet-play limit leaves values undecided; other suites test it. */
        if (placement_limit(&synthetic->rules, &state.at) > 0 &&
            placement_limit(&synthetic->rules, &state.at) != synthetic->rules.quiet_limit)
            state.clock = (uint8_t)(random_next(seed) % 18);
        return random_next(seed) % 2 == 0 ? state : state_flip(board, &state);
    }
}

static void put(const struct rules *rules, int n, squares_t not_on, struct placement *at,
                squares_t *set, uint64_t *seed)
{
    while (n > 0) {
        const squares_t bit = square_bit(random_below(seed, rules->board.n_squares));
        if ((bit & (placement_occupied(at) | not_on)) == 0) {
            *set |= bit;
            n--;
        }
    }
}

struct state synthetic_set_random_crowd(const struct synthetic_set *synthetic, int most,
                                        uint64_t *seed)
{
    const struct rules *rules = &synthetic->rules;
    for (;;) {
        struct state state = {.at.side = WHITE};
        struct placement *at = &state.at;
        put(rules, 1 + random_below(seed, 2), 0, at, &at->kings[WHITE], seed);
        put(rules, random_below(seed, 3), 0, at, &at->kings[BLACK], seed);
        put(rules, 3 + random_below(seed, most - 4), rules->board.promotion[BLACK], at,
            &at->men[BLACK], seed);
        if (placement_has_capture(rules, at))
            return random_below(seed, 2) == 0 ? state : state_flip(&rules->board, &state);
    }
}

static bool is_over(const struct rules *rules, const struct state *state)
{
    struct move_list list;
    move_list_init(&list);
    must(moves_generate(rules, state, &list) == EINSPUL_OK, "no memory");
    const bool over = list.n_moves == 0;
    move_list_free(&list);
    return over;
}

enum { LIMIT_18 = 14 }; /* plies; Article 18 */

value_t synthetic_set_value(const struct synthetic_set *synthetic, const struct state *state,
                            bool raw)
{
    const struct rules *rules = &synthetic->rules;
    const bool limited = rules->two_kings_limit > 0 && placement_limit(rules, &state->at) > 0;
    const int limit = limited ? 0 : placement_limit(rules, &state->at);
    value_t value = VALUE_LOST;

    if (placement_own(&state->at, state->at.side) == 0)
        return VALUE_LOST;
    if (limit > 0 && state->clock >= limit)
        return is_over(rules, state) && state->clock == limit ? VALUE_LOST : VALUE_DRAW;
    if (limited && !raw && state->clock >= LIMIT_18)
        return is_over(rules, state) && state->clock == LIMIT_18 ? VALUE_LOST : VALUE_DRAW;
    if (placement_has_capture(rules, &state->at)) {
        struct move_list list;
        move_list_init(&list);
        must(moves_captures(rules, &state->at, &list) == EINSPUL_OK, "no memory");
        for (int i = 0; i < list.n_moves; i++) {
            const struct state after = state_after(rules, state, &list.moves[i]);
            const value_t before =
                value_before(synthetic_set_value(synthetic, &after, raw || limited));
            value = before > value ? before : value;
        }
        move_list_free(&list);
    } else {
        struct material material = material_of(&state->at);
        struct state seen = *state;
        if (!material_is_canonical(&material) ||
            (material_is_symmetric(&material) && state->at.side == BLACK)) {
            seen = state_flip(&rules->board, state);
            material = material_flip(&material);
        }
        const struct synthetic *made = world_made(synthetic, &material);
        value = synthetic_value(made, (int)seen.at.side, shape_rank(&made->shape, &seen.at),
                                shape_run_index(&made->shape, &seen));
    }
    const bool too_late = value != VALUE_DRAW && state->clock + value_plies(value) > LIMIT_18;
    return limited && !raw && too_late ? VALUE_DRAW : value;
}

void synthetic_set_pack(const struct synthetic_set *synthetic, int step, const char *path)
{
    static struct pack_item items[2 * MAX_MATERIALS];
    struct file *files[2 * MAX_MATERIALS];
    einspul_error error = {EINSPUL_OK, ""};
    uint64_t n_bytes = 0;
    size_t n = 0;
    for (int i = 0; i < 2 * synthetic->n_materials; i += step) {
        char from[1024];
        synthetic_set_path(synthetic, &synthetic->materials[i / 2],
                           i % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW, from);
        must(file_open(from, NULL, &files[n], &error) == EINSPUL_OK, "%s", error.text);
        snprintf(items[n].name, PACK_NAME_SIZE, "%s", from + strlen(synthetic->root) + 1);
        items[n].file = files[n];
        n++;
    }
    must(pack_write(path, items, n, &n_bytes, &error) == EINSPUL_OK, "%s", error.text);
    while (n > 0)
        file_close(files[--n]);
}
