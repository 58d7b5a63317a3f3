/* Tables of made-up values: what a table holds is known here without any solver. Which placements
 * are stored is real, so the prober takes them for tables of the rules. */
#ifndef EINSPUL_TESTS_SUPPORT_SYNTHETIC_H
#define EINSPUL_TESTS_SUPPORT_SYNTHETIC_H

#include "core/moves.h"
#include "table/table_read.h"
#include "table/table_write.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct synthetic {
    struct shape shape;
    struct table_side sides[2];
    value_t *patterns[2];
    uint16_t *low[2];
    uint8_t *high[2];
    uint64_t *stored[2];
};

static inline uint64_t synthetic_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline void *synthetic_alloc(size_t n_bytes)
{
    void *bytes = calloc(n_bytes + 1, 1);
    if (bytes == NULL)
        abort();
    return bytes;
}

/* A draw, or a win or loss that is not so long that a few plies more could not be held. */
static inline value_t synthetic_any_value(uint64_t *seed)
{
    const unsigned random = (unsigned)(synthetic_random(seed) % 255);
    return (value_t)(random > 100 && random < 154 ? VALUE_DRAW : random);
}

/* `n_patterns` random patterns a side, spread over the placements in runs; 0: one for each
 * placement. Everything that is possible and has no capture is stored. */
static inline void synthetic_create(struct synthetic *made, const struct rules *rules,
                                    const char *name, uint32_t n_patterns, uint64_t seed)
{
    struct material material;
    if (material_read(name, &material, NULL) != STATUS_OK)
        abort();
    memset(made, 0, sizeof *made);
    shape_init(&made->shape, rules, &material);
    const uint64_t n = made->shape.n_placements;
    const size_t length = (size_t)made->shape.n_run_states;
    const bool each = n_patterns == 0;
    if (each)
        n_patterns = (uint32_t)n;
    for (int side = 0; side < made->shape.n_sides; side++) {
        uint32_t pattern = 0;
        made->patterns[side] = synthetic_alloc(n_patterns * length);
        made->low[side] = synthetic_alloc((size_t)n * sizeof *made->low[side]);
        made->stored[side] = synthetic_alloc(((size_t)n + 63) / 64 * 8);
        if (n_patterns > 65536)
            made->high[side] = synthetic_alloc((size_t)n);
        for (size_t i = 0; i < n_patterns * length; i++)
            made->patterns[side][i] = synthetic_any_value(&seed);
        for (uint64_t index = 0; index < n; index++) {
            struct placement at;
            const uint64_t random = synthetic_random(&seed);
            if (each)
                pattern = (uint32_t)index;
            else if (random % 8 == 0)
                pattern = (uint32_t)((random >> 32) % n_patterns);
            made->low[side][index] = (uint16_t)(pattern & 0xffff);
            if (made->high[side] != NULL)
                made->high[side][index] = (uint8_t)(pattern >> 16);
            if (shape_unrank(&made->shape, index, (enum side)side, &at) &&
                !placement_has_capture(rules, &at))
                made->stored[side][index / 64] |= (uint64_t)1 << (index % 64);
        }
        made->sides[side] = (struct table_side){n_patterns, made->patterns[side], made->low[side],
                                                made->high[side], made->stored[side]};
    }
}

static inline void synthetic_free(struct synthetic *made)
{
    for (int side = 0; side < 2; side++) {
        free(made->patterns[side]);
        free(made->low[side]);
        free(made->high[side]);
        free(made->stored[side]);
    }
}

static inline bool synthetic_stored(const struct synthetic *made, int side, uint64_t index)
{
    return (made->stored[side][index / 64] >> (index % 64) & 1) != 0;
}

static inline value_t synthetic_value(const struct synthetic *made, int side, uint64_t index,
                                      int run_state)
{
    const uint32_t high = made->high[side] == NULL ? 0 : made->high[side][index];
    const size_t pattern = made->low[side][index] | high << 16;
    return made->patterns[side][pattern * (size_t)made->shape.n_run_states + (size_t)run_state];
}

/* Removes a folder and what is in it, two levels deep. */
static inline void remove_folder(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char name[4096];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name)
            continue;
        if (unlink(name) != 0)
            remove_folder(name);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(path);
}

/* Made-up tables of all materials of two and three pieces, in <root>/<rules>/. */
struct world {
    struct rules rules;
    char root[512];
    int n_materials;
    struct material materials[MAX_MATERIALS];
    struct synthetic made[16];
};

static inline void world_path(const struct world *world, const struct material *material,
                              enum metric metric, char path[1024])
{
    char name[MATERIAL_NAME_SIZE];
    material_write(material, name);
    snprintf(path, 1024, "%s/%s/%s.%s", world->root, world->rules.name, name,
             metric == METRIC_DTW ? "dtw" : "wdl");
}

/* `root` is a template of mkdtemp. */
static inline void world_create(struct world *world, const char *rules, const char *root,
                                uint64_t seed)
{
    char path[1024];
    struct error error;
    if (rules_by_name(&world->rules, rules, NULL) != STATUS_OK)
        abort();
    snprintf(world->root, sizeof world->root, "%s", root);
    if (mkdtemp(world->root) == NULL)
        abort();
    snprintf(path, sizeof path, "%s/%s", world->root, rules);
    if (mkdir(path, 0777) != 0)
        abort();
    world->n_materials = material_list(2, 3, world->materials);
    for (int i = 0; i < world->n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        struct synthetic *made = &world->made[i];
        material_write(&world->materials[i], name);
        synthetic_create(made, &world->rules, name, 40 + 100 * (uint32_t)i, seed + (uint64_t)i);
        for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++) {
            world_path(world, &world->materials[i], (enum metric)metric, path);
            if (table_write(path, &world->rules, &made->shape, (enum metric)metric, made->sides, 1,
                            1, &error) != STATUS_OK) {
                fprintf(stderr, "%s\n", error.text);
                abort();
            }
        }
    }
}

static inline void world_free(struct world *world)
{
    for (int i = 0; i < world->n_materials; i++)
        synthetic_free(&world->made[i]);
    remove_folder(world->root);
}

static inline const struct synthetic *world_made(const struct world *world,
                                                 const struct material *material)
{
    for (int i = 0; i < world->n_materials; i++)
        if (material_equal(&world->materials[i], material))
            return &world->made[i];
    abort();
}

/* A legal state of a known material, either colour, with random runs and clock. */
static inline struct state world_random_state(const struct world *world, uint64_t *seed)
{
    const struct board *board = &world->rules.board;
    for (;;) {
        const struct synthetic *made =
            &world->made[synthetic_random(seed) % (uint64_t)world->n_materials];
        const enum side side = synthetic_random(seed) % 2 == 0 ? WHITE : BLACK;
        struct state state = {0};
        if (!shape_unrank(&made->shape, synthetic_random(seed) % made->shape.n_placements, side,
                          &state.at))
            continue;
        for (int s = WHITE; s <= BLACK; s++)
            state.run[s] = run_from_index(
                state.at.kings[s], (int)(synthetic_random(seed) % (uint64_t)made->shape.n_runs[s]));
        if (placement_has_clock(&world->rules, &state.at))
            state.clock = (uint8_t)(synthetic_random(seed) % 18);
        return synthetic_random(seed) % 2 == 0 ? state : state_turn(board, &state);
    }
}

/* What the tables say of a state, worked out without them. `raw`: without the limit of 2K v 1K. */
static inline value_t world_value(const struct world *world, const struct state *state, bool raw)
{
    const struct rules *rules = &world->rules;
    const bool limited = placement_has_clock(rules, &state->at);
    value_t value = VALUE_LOST;

    if (placement_own(&state->at, state->at.side) == 0)
        return VALUE_LOST;
    if (placement_has_capture(rules, &state->at)) {
        struct move_list list;
        move_list_init(&list);
        if (moves_captures(rules, &state->at, &list) != STATUS_OK)
            abort();
        for (int i = 0; i < list.n_moves; i++) {
            const struct state after = state_after(rules, state, &list.moves[i]);
            const value_t before = value_before(world_value(world, &after, raw || limited));
            value = before > value ? before : value;
        }
        move_list_free(&list);
    } else {
        struct material material = material_of(&state->at);
        struct state seen = *state;
        if (!material_is_canonical(&material) ||
            (material_is_symmetric(&material) && state->at.side == BLACK)) {
            seen = state_turn(&rules->board, state);
            material = material_turn(&material);
        }
        const struct synthetic *made = world_made(world, &material);
        value = synthetic_value(made, (int)seen.at.side, shape_rank(&made->shape, &seen.at),
                                shape_run_index(&made->shape, &seen));
    }
    if (limited && !raw)
        value = value_limited(value, rules->two_kings_limit, state->clock,
                              squares_count(state->at.kings[state->at.side]) == 2);
    return value;
}

#endif
