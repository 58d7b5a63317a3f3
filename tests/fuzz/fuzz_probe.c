/* Probes a handle whose folder contains one arbitrary table. Input: a byte that selects the table
 * and how it is read, then the file. Each call gives an answer or an error, and the same one
 * again. */
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/plies.h"
#include "core/program/random.h"
#include "tests/fuzz/hostile.h"
#include "tests/support/handle.h"

#include "probe/list_moves.h"
#include "probe/position.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The tables under attack, then the others that their moves lead to. */
static const struct hostile_table kinds[] = {
    {"frisian", "KvK", EINSPUL_WDL, 20},        {"frisian", "KvM", EINSPUL_DTW, 30},
    {"frisian", "MvM", EINSPUL_WDL, 3},         {"frisian", "KKvK", EINSPUL_WDL, 1},
    {"frisian", "KMvK", EINSPUL_WDL, 2},        {"frisian", "KMvK", EINSPUL_DTW, 1},
    {"frisian", "KMvM", EINSPUL_DTW, MODELLED}, {"frisian", "MMvK", EINSPUL_WDL, MODELLED},
    {"frisian", "KKvM", EINSPUL_DTW, OMITTED},  {"frisian", "MMvM", EINSPUL_DTW, OMITTED},
    {"frisian", "KMvM", EINSPUL_WDL, OMITTED},  {"frisian", "MMvK", EINSPUL_DTW, 2},
    {"frisian", "KKvM", EINSPUL_WDL, SMALLEST}, {"frisian", "KvM", EINSPUL_WDL, 300},
    {"frisian", "MvM", EINSPUL_DTW, 300},
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0], N_ATTACKED = 13, N_STATES = 10 };

static struct {
    struct rules rules;
    struct shape shapes[N_KINDS];
    char paths[N_KINDS][1024];
    uint8_t *bytes[N_KINDS]; /* of the good tables */
    size_t n_bytes[N_KINDS];
} target;

static void free_world(void)
{
    for (int i = 0; i < N_KINDS; i++)
        free(target.bytes[i]);
}

static void make_world(void)
{
    if (target.n_bytes[0] > 0)
        return;
    if (rules_by_name(&target.rules, "frisian", NULL) != EINSPUL_OK)
        abort();
    for (int i = 0; i < N_KINDS; i++) {
        struct material material;
        hostile_make(&kinds[i], target.paths[i]);
        if (material_read(kinds[i].material, &material, NULL) != EINSPUL_OK)
            abort();
        shape_init(&target.shapes[i], &target.rules, &material);
        target.bytes[i] = synthetic_alloc(FUZZ_MAX_BYTES);
        target.n_bytes[i] = hostile_read(target.paths[i], target.bytes[i]);
    }
    atexit(free_world);
}

static einspul_position random_position(const struct shape *shape, uint64_t *seed)
{
    struct state state = {0};
    einspul_position position;
    while (!shape_unrank(shape, random_next(seed) % shape->n_placements,
                         random_next(seed) % 2 == 0 ? WHITE : BLACK, &state.at))
        continue;
    for (int side = WHITE; side <= BLACK; side++)
        state.run[side] = run_from_index(state.at.kings[side],
                                         (int)(random_next(seed) % (uint64_t)shape->n_runs[side]));
    if (placement_limit(&target.rules, &state.at) > 0)
        state.clock = (uint8_t)(random_next(seed) % 20);
    if (random_next(seed) % 2 == 0)
        state = state_flip(&target.rules.board, &state);
    probe_position_from_state(&state, &position);
    return position;
}

static void expect_answer(einspul_status status, const einspul_error *error, int outcome)
{
    if (status == EINSPUL_OK) {
        fuzz_expect(outcome >= EINSPUL_LOSS && outcome <= EINSPUL_WIN, "an outcome");
        return;
    }
    fuzz_expect(error->status == status && error->text[0] != '\0', "an error has a text");
    fuzz_expect(status >= EINSPUL_NO_TABLE && status <= EINSPUL_OLD_VERSION, "an error of a file");
}

static void probe(einspul *handle, const einspul_position *position)
{
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_outcome again = EINSPUL_DRAW;
    struct probed_move moves[64];
    size_t n_moves = 0;
    int plies = 0;

    einspul_status status = einspul_probe(handle, position, 0, &outcome, NULL, &error);
    expect_answer(status, &error, outcome);
    if (einspul_probe(handle, position, EINSPUL_CACHE_ONLY, &again, NULL, &error) == EINSPUL_OK)
        fuzz_expect(status == EINSPUL_OK && outcome == again, "the cache does not change answers");
    status = einspul_probe(handle, position, 0, &outcome, &plies, &error);
    expect_answer(status, &error, outcome);
    if (status == EINSPUL_OK)
        fuzz_expect(plies <= MAX_WIN_PLIES &&
                        (outcome == EINSPUL_DRAW  ? plies == -1
                         : outcome == EINSPUL_WIN ? plies > 0 && plies % 2 == 1
                                                  : plies >= 0 && plies % 2 == 0),
                    "plies of the outcome");
    status = probe_moves(handle, position, moves, 64, &n_moves, &error);
    expect_answer(status, &error, EINSPUL_DRAW);
    for (size_t i = 0; i < n_moves && i < 64; i++)
        expect_answer(EINSPUL_OK, NULL, moves[i].outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    uint64_t seed = n_bytes;

    make_world();
    const uint8_t choice = fuzz_byte(&input);
    const int kind = (choice & 0x3f) % N_ATTACKED;
    for (size_t i = 0; i < n_bytes; i++)
        seed = seed * 31 + bytes[i];
    hostile_write(target.paths[kind], input.bytes, input.n_bytes);
    /* Mostly room for all blocks; with 40 kB blocks are soon evicted. */
    einspul *handle = open_tables(hostile_folder(), "frisian", choice & 0x40 ? 40000 : 1 << 20);
    for (int i = 0; i < N_STATES; i++) {
        const einspul_position position = random_position(&target.shapes[kind], &seed);
        probe(handle, &position);
    }
    einspul_close(handle);
    hostile_write(target.paths[kind], target.bytes[kind], target.n_bytes[kind]);
    return 0;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    if (number >= 3 * N_ATTACKED)
        return 0;
    make_world();
    const int kind = number / 3;
    bytes[0] = (uint8_t)(kind + (number % 3 == 1 ? 0x80 : number % 3 == 2 ? 0x40 : 0));
    memcpy(bytes + 1, target.bytes[kind], target.n_bytes[kind]);
    return target.n_bytes[kind] + 1;
}
