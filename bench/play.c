/* How long the game without tables takes: the calls of a program that moves by the library
 * alone, on random positions, in time on a processor. */
#include "bench/arguments.h"
#include "bench/measure.h"

#include "core/placement.h"
#include "core/random.h"
#include "probe/probe.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "bench_play [OPTION…]\n"
    "\n"
    "Measures the calls that need no tables and prints a table of figures. README.md tells what\n"
    "each column is.\n"
    "\n"
    "  --rules NAME      default: frisian\n"
    "  --pieces N        random positions of N pieces (default: 4)\n"
    "  --positions N     default: 10000\n"
    "  --seed S          of the random choice (default: 1)\n"
    "  --repeat N        of every measurement, the quickest counts (default: 9)\n"
    "  --json            a JSON object a row\n";

enum { MOST_MOVES = 256 };

struct options {
    struct rules rules;
    int pieces;
    uint64_t n_positions;
    uint64_t seed;
    int n_repeats;
    bool json;
};

/* A position with what the calls want of it. */
struct sample {
    einspul_position position;
    char fen[EINSPUL_FEN_SIZE];
    int from, to; /* of its first move; 0 where it has none */
    uint64_t captured;
    size_t n_moves;
};

/* Pieces on random squares, every second one a king. */
static struct state random_state(const struct options *options, uint64_t *random)
{
    struct state state;
    do {
        memset(&state, 0, sizeof state);
        state.at.side = (enum side)random_below(random, 2);
        for (int n = 0; n < options->pieces;) {
            const squares_t bit = square_bit(random_below(random, options->rules.board.n_squares));
            squares_t *set = random_below(random, 2) == 0 ? state.at.men : state.at.kings;
            if ((placement_occupied(&state.at) & bit) != 0)
                continue;
            set[random_below(random, 2)] |= bit;
            n++;
        }
    } while (state_check(&options->rules, &state, false, NULL) != EINSPUL_OK);
    return state;
}

static void must_public(einspul_status status)
{
    if (status != EINSPUL_OK)
        give_up_text(einspul_status_name(status));
}

static void sample_fill(struct sample *sample, const struct options *options, uint64_t *random)
{
    static einspul_move moves[MOST_MOVES];
    const char *rules = options->rules.name;
    const struct state state = random_state(options, random);
    probe_position_from_state(&state, &sample->position);
    must_public(einspul_fen_write(rules, &sample->position, sample->fen, NULL));
    must_public(einspul_moves(rules, &sample->position, moves, MOST_MOVES, &sample->n_moves, NULL));
    sample->from = sample->n_moves > 0 ? moves[0].from : 0;
    sample->to = moves[0].to;
    sample->captured = moves[0].captured;
}

/* --- the calls -------------------------------------------------------------------------------- */

static einspul_status call_moves(const char *rules, const struct sample *sample)
{
    static einspul_move moves[MOST_MOVES];
    size_t n = 0;
    return einspul_moves(rules, &sample->position, moves, MOST_MOVES, &n, NULL);
}

static einspul_status call_play_squares(const char *rules, const struct sample *sample)
{
    einspul_position after;
    return sample->from == 0 ? EINSPUL_OK
                             : einspul_play_squares(rules, &sample->position, sample->from,
                                                    sample->to, sample->captured, &after, NULL);
}

static einspul_status call_fen_read(const char *rules, const struct sample *sample)
{
    einspul_position position;
    return einspul_fen_read(rules, sample->fen, &position, NULL);
}

static einspul_status call_fen_write(const char *rules, const struct sample *sample)
{
    char fen[EINSPUL_FEN_SIZE];
    return einspul_fen_write(rules, &sample->position, fen, NULL);
}

static const struct {
    const char *name;
    einspul_status (*call)(const char *rules, const struct sample *sample);
} calls[] = {{"moves", call_moves},
             {"play_squares", call_play_squares},
             {"fen_read", call_fen_read},
             {"fen_write", call_fen_write}};

static void measure(const struct options *options, const struct sample *samples)
{
    struct rows rows = {.title = "play", .json = options->json};
    uint64_t n_moves = 0;
    for (uint64_t i = 0; i < options->n_positions; i++)
        n_moves += samples[i].n_moves;
    for (size_t which = 0; which < sizeof calls / sizeof calls[0]; which++) {
        double least = 1e9;
        for (int repeat = 0; repeat < options->n_repeats; repeat++) {
            const double begin = seconds_thread();
            for (uint64_t i = 0; i < options->n_positions; i++)
                must_public(calls[which].call(options->rules.name, &samples[i]));
            const double seconds = seconds_thread() - begin;
            least = seconds < least ? seconds : least;
        }
        rows_text(&rows, "rules", options->rules.name);
        rows_count(&rows, "pieces", (uint64_t)options->pieces);
        rows_real(&rows, "moves", (double)n_moves / (double)options->n_positions, 1);
        rows_text(&rows, "call", calls[which].name);
        rows_real(&rows, "ns", 1e9 * least / (double)options->n_positions, 0);
        rows_end(&rows);
    }
}

/* --- the program ------------------------------------------------------------------------------ */

/* False when the program is done after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_INT, &options->pieces, 2, 24, NULL},
        {"--positions", ARGUMENT_COUNT, &options->n_positions, 1, 10000000, NULL},
        {"--seed", ARGUMENT_COUNT, &options->seed, 0, UINT64_MAX, NULL},
        {"--repeat", ARGUMENT_INT, &options->n_repeats, 1, 1000, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){.pieces = 4, .n_positions = 10000, .seed = 1, .n_repeats = 9};
    must(rules_by_name(&options->rules, "frisian", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

int main(int argc, char **argv)
{
    struct options options;
    if (!read_options(&options, argc, argv))
        return 0;
    struct sample *samples = calloc((size_t)options.n_positions, sizeof *samples);
    if (samples == NULL)
        give_up_text("not enough memory for the positions");
    for (uint64_t i = 0; i < options.n_positions; i++)
        sample_fill(&samples[i], &options, &options.seed);
    measure(&options, samples);
    free(samples);
    return 0;
}
