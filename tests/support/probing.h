/* A handle on made-up tables, for the suites that look at the library from outside. */
#ifndef EINSPUL_TESTS_SUPPORT_PROBING_H
#define EINSPUL_TESTS_SUPPORT_PROBING_H

#include "tests/support/synthetic.h"

#include "probe/probe.h"
#include "tests/support/support.h"

static struct world world;

static inline void create_world(void)
{
    world_create(&world, "frisian", EINSPUL_BINARY_DIR "/probe-XXXXXX", 1);
}

static inline void drop_world(void)
{
    world_free(&world);
}

static inline einspul *open_world(size_t cache_bytes, einspul_io io)
{
    const char *const folders[] = {world.root};
    einspul_options options;
    einspul_error error = {0};
    einspul *handle = NULL;
    einspul_options_init(&options);
    options.folders = folders;
    options.n_folders = 1;
    options.rules = world.rules.name;
    options.cache_bytes = cache_bytes;
    options.io = io;
    cr_assert_eq(einspul_open(&options, &handle, &error), EINSPUL_OK, "%s", error.text);
    return handle;
}

static inline void remove_table(const char *name, enum metric metric)
{
    struct material material;
    char path[1024];
    cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
    world_path(&world, &material, metric, path);
    cr_assert_eq(unlink(path), 0);
}

/* Changes a byte of a table, counted from its start or (negative) its end. */
static inline void damage_table(const char *name, enum metric metric, long at)
{
    struct material material;
    char path[1024];
    cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
    world_path(&world, &material, metric, path);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    fputc(byte ^ 0x5a, file);
    fclose(file);
}

static inline einspul_position position_of(const einspul *handle, const char *fen)
{
    einspul_position position;
    einspul_error error = {0};
    cr_assert_eq(einspul_position_from_fen(handle, fen, &position, &error), EINSPUL_OK, "%s",
                 error.text);
    return position;
}

/* Probes random states of all materials and compares. */
static inline void expect_answers(einspul *handle, int n, bool distances)
{
    uint64_t seed = 5;
    for (int i = 0; i < n; i++) {
        const struct state state = world_random_state(&world, &seed);
        const value_t expected = world_value(&world, &state, false);
        einspul_position position;
        einspul_outcome outcome = EINSPUL_DRAW;
        einspul_error error = {0};
        int plies = 0;
        char fen[FEN_SIZE];
        fen_write(&world.rules, &state, fen);
        probe_position_from_state(&state, &position);
        cr_assert_eq(einspul_probe_wdl(handle, &position, 0, &outcome, &error), EINSPUL_OK,
                     "%s: %s", fen, error.text);
        cr_assert_eq((int)outcome, (int)value_outcome(expected), "%s", fen);
        if (!distances)
            continue;
        cr_assert_eq(einspul_probe_dtw(handle, &position, 0, &outcome, &plies, &error), EINSPUL_OK,
                     "%s: %s", fen, error.text);
        cr_assert_eq((int)outcome, (int)value_outcome(expected), "%s", fen);
        cr_assert_eq(plies, value_plies(expected), "%s: %d", fen, plies);
    }
}

#endif
