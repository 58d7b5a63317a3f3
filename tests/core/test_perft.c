/* Lines of play counted against other programs' counts, in data/perft.tsv. */
#include "core/program/game.h"
#include "tests/support/moves_text.h"

/* Depths with at most this many lines are counted: about three seconds per position in an optimized
 * build. The last depths of the start positions take minutes. */
static const uint64_t node_budget = UINT64_C(20000000);

/* Fails if the move generator misses, invents or repeats a move, or if a move leads to a wrong
 * state; every table generated with it would be wrong. */
Test(perft, counts_of_other_programs)
{
    FILE *file = fopen(EINSPUL_SOURCE_DIR "/data/perft.tsv", "r");
    char line[1024];
    int n_positions = 0;

    cr_assert_not_null(file, "data/perft.tsv cannot be opened");
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        const char *name = strtok(line, "\t\n");
        const char *fen = strtok(NULL, "\t\n");
        char *counts = strtok(NULL, "\t\n");
        cr_assert(name != NULL && fen != NULL && counts != NULL, "three columns are expected");
        const struct rules rules = rules_named(name);
        const struct state state =
            strcmp(fen, "start") == 0 ? state_start(&rules) : state_named(&rules, fen);
        int depth = 0;
        for (char *end = counts; *counts != '\0'; counts = end) {
            const uint64_t expected = strtoull(counts, &end, 10);
            uint64_t n_lines = 0;
            if (end == counts || expected > node_budget)
                break;
            depth++;
            cr_assert_eq(moves_perft(&rules, &state, depth, &n_lines), EINSPUL_OK);
            cr_assert_eq(n_lines, expected, "%s %s depth %d: %llu, expected %llu", name, fen, depth,
                         (unsigned long long)n_lines, (unsigned long long)expected);
        }
        cr_assert_geq(depth, 5, "%s %s: only %d depths counted", name, fen, depth);
        n_positions++;
    }
    fclose(file);
    cr_assert_geq(n_positions, 10, "data/perft.tsv has lost positions");
}

/* Depth 0 is the position itself. Fails if a caller that adds up counts would be off by a
 * factor. */
Test(perft, depth_zero_is_one_line)
{
    const struct rules rules = rules_named("frisian");
    const struct state state = state_start(&rules);
    uint64_t n_lines = 0;
    cr_assert_eq(moves_perft(&rules, &state, 0, &n_lines), EINSPUL_OK);
    cr_assert_eq(n_lines, 1);
}
