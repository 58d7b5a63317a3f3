#include "tests/support/synthetic_fixture.h"

#include "probe/program_handle.h"
#include "table/bytes.h"

#include <unistd.h>

struct synthetic_set synthetic;

void create_synthetic_set(void)
{
    synthetic_set_create(&synthetic, "frisian", EINSPUL_BINARY_DIR "/probe-XXXXXX", 1);
}

void drop_synthetic_set(void)
{
    synthetic_set_free(&synthetic);
}

einspul *open_synthetic(size_t cache_bytes)
{
    return open_tables(synthetic.root, synthetic.rules.name, cache_bytes);
}

void remove_table(const char *name, einspul_metric metric)
{
    const struct material material = material_named(name);
    char path[1024];
    synthetic_set_path(&synthetic, &material, metric, path);
    cr_assert_eq(unlink(path), 0);
}

void damage_table(const char *name, einspul_metric metric, long at)
{
    const struct material material = material_named(name);
    char path[1024];
    synthetic_set_path(&synthetic, &material, metric, path);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    if (at < 0) {
        uint8_t offset[8];
        cr_assert(fseek(file, 96, SEEK_SET) == 0 && fread(offset, 1, 8, file) == 8);
        at += (long)load_u64(offset);
    }
    fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 0x5a, file);
    fclose(file);
}

einspul_position position_of(const einspul *handle, const char *fen)
{
    einspul_position position;
    einspul_error error = {0};
    cr_assert_eq(einspul_fen_read(probe_rules(handle)->name, fen, &position, &error), EINSPUL_OK,
                 "%s", error.text);
    return position;
}

void expect_answers(einspul *handle, int n, bool distances)
{
    uint64_t seed = 5;
    for (int i = 0; i < n; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        const value_t expected = synthetic_set_value(&synthetic, &state, false);
        einspul_position position;
        einspul_outcome outcome = EINSPUL_DRAW;
        einspul_error error = {0};
        int plies = 0;
        char fen[FEN_SIZE];
        fen_write(&synthetic.rules, &state, fen);
        probe_position_from_state(&state, &position);
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_OK,
                     "%s: %s", fen, error.text);
        cr_assert_eq((int)outcome, (int)value_outcome(expected), "%s", fen);
        if (!distances)
            continue;
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, &plies, &error), EINSPUL_OK,
                     "%s: %s", fen, error.text);
        cr_assert_eq((int)outcome, (int)value_outcome(expected), "%s", fen);
        cr_assert_eq(plies, value_plies(expected), "%s: %d", fen, plies);
    }
}
