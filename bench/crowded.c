/* What the worst probe costs: positions with many pieces of which captures leave few.
 *
 * A probe makes all captures, and a king that can take twenty pieces may do so in millions of ways.
 * So random positions are taken in which the side to move has a few pieces, kings first, and the
 * other side many: whatever is slow in the library shows in the slowest of a million of them. Only
 * positions with a capture count; the others are answered, or are not, at once. */
#include "bench/arguments.h"
#include "bench/measure.h"

#include "core/moves.h"
#include "core/random.h"
#include "probe/probe.h"

#include <stdlib.h>

static const char help[] =
    "bench_crowded [OPTION…]\n"
    "\n"
    "Probes random positions with many pieces and captures, prints how long they took and what\n"
    "became of them, and on standard error the slowest ones. README.md tells what each column is.\n"
    "\n"
    "  --tables DIR      default: data/tables\n"
    "  --rules NAME      default: frisian\n"
    "  --positions N     default: 1000000\n"
    "  --seed S          of the random choice (default: 1)\n"
    "  --json            a JSON object a row\n";

struct options {
    struct rules rules;
    const char *folder;
    uint64_t n_positions;
    uint64_t seed;
    bool json;
};

/* The calls that are measured. */
enum { PROBE_WDL, PROBE_DTW, PROBE_MOVES, N_CALLS };
static const char *const call_names[N_CALLS] = {"probe_wdl", "probe_dtw", "probe_moves"};

struct result {
    double *microseconds; /* by position */
    uint64_t n_answered, n_without_table, n_too_complex;
    double worst;
    einspul_position slowest;
};

/* --- positions -------------------------------------------------------------------------------- */

/* Puts `n` pieces on free squares, none of them one of `not_on`. */
static void put(const struct rules *rules, int n, squares_t not_on, squares_t *occupied,
                squares_t *set, uint64_t *random)
{
    while (n > 0) {
        const squares_t bit = square_bit(random_below(random, rules->board.n_squares));
        if ((bit & (*occupied | not_on)) != 0)
            continue;
        *occupied |= bit;
        *set |= bit;
        n--;
    }
}

/* A position with a capture: one to three kings and up to two men to move, against up to three
 * kings and six to twenty-five men, or half as many on the smaller board. */
static struct state random_state(const struct rules *rules, uint64_t *random)
{
    const int most_men = rules->board.n_squares / 2;
    for (;;) {
        struct state state = {.at.side = WHITE};
        squares_t occupied = 0;
        struct placement *at = &state.at;
        put(rules, 1 + random_below(random, 3), 0, &occupied, &at->kings[WHITE], random);
        put(rules, random_below(random, 3), rules->board.promotion[WHITE], &occupied,
            &at->men[WHITE], random);
        put(rules, random_below(random, 4), 0, &occupied, &at->kings[BLACK], random);
        put(rules, 6 + random_below(random, most_men - 5), rules->board.promotion[BLACK], &occupied,
            &at->men[BLACK], random);
        if (placement_has_capture(rules, at))
            return random_below(random, 2) == 0 ? state : state_turn(&rules->board, &state);
    }
}

/* --- measuring -------------------------------------------------------------------------------- */

static einspul_status call(einspul *handle, int which, const einspul_position *position)
{
    einspul_outcome outcome;
    einspul_move move;
    size_t n_moves = 0;
    int plies = 0;
    switch (which) {
    case PROBE_WDL:
        return einspul_probe_wdl(handle, position, 0, &outcome, NULL);
    case PROBE_DTW:
        return einspul_probe_dtw(handle, position, 0, &outcome, &plies, NULL);
    default:
        return einspul_probe_moves(handle, position, &move, 1, &n_moves, NULL);
    }
}

static void measure(einspul *handle, int which, uint64_t number, const einspul_position *position,
                    struct result *result)
{
    const double begin = seconds_thread();
    const einspul_status status = call(handle, which, position);
    const double microseconds = 1e6 * (seconds_thread() - begin);

    result->microseconds[number] = microseconds;
    if (microseconds > result->worst) {
        result->worst = microseconds;
        result->slowest = *position;
    }
    if (status == EINSPUL_OK)
        result->n_answered++;
    else if (status == EINSPUL_NO_TABLE || status == EINSPUL_NO_METRIC)
        result->n_without_table++;
    else if (status == EINSPUL_TOO_COMPLEX)
        result->n_too_complex++;
    else
        give_up_text(einspul_status_name(status));
}

static void print(const struct options *options, einspul *handle, int which, struct result *result,
                  struct rows *rows)
{
    const size_t n = (size_t)options->n_positions;
    char fen[EINSPUL_FEN_SIZE];
    einspul_error error;
    rows_text(rows, "rules", options->rules.name);
    rows_text(rows, "call", call_names[which]);
    rows_count(rows, "positions", options->n_positions);
    rows_count(rows, "answered", result->n_answered);
    rows_count(rows, "no-table", result->n_without_table);
    rows_count(rows, "too-complex", result->n_too_complex);
    rows_real(rows, "median-us", at_fraction(result->microseconds, n, 0.5), 1);
    rows_real(rows, "99.9%-us", at_fraction(result->microseconds, n, 0.999), 1);
    rows_real(rows, "most-ms", result->worst / 1e3, 2);
    rows_end(rows);
    if (einspul_position_to_fen(handle, &result->slowest, fen, &error) != EINSPUL_OK)
        give_up_text(error.text);
    fprintf(stderr, "slowest %s: %s\n", call_names[which], fen);
}

static void measure_all(const struct options *options, einspul *handle)
{
    struct rows rows = {.title = "crowded", .json = options->json};
    struct result results[N_CALLS] = {0};
    uint64_t random = options->seed;

    for (int which = 0; which < N_CALLS; which++) {
        results[which].microseconds =
            calloc((size_t)options->n_positions, sizeof *results[which].microseconds);
        if (results[which].microseconds == NULL)
            give_up_text("not enough memory for the times");
    }
    for (uint64_t i = 0; i < options->n_positions; i++) {
        const struct state state = random_state(&options->rules, &random);
        einspul_position position;
        probe_position_from_state(&state, &position);
        for (int which = 0; which < N_CALLS; which++)
            measure(handle, which, i, &position, &results[which]);
    }
    for (int which = 0; which < N_CALLS; which++) {
        print(options, handle, which, &results[which], &rows);
        free(results[which].microseconds);
    }
}

/* --- the program ------------------------------------------------------------------------------ */

/* False when the program is done after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--tables", ARGUMENT_TEXT, &options->folder, 0, 0, NULL},
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--positions", ARGUMENT_COUNT, &options->n_positions, 1, 1000000000, NULL},
        {"--seed", ARGUMENT_COUNT, &options->seed, 0, UINT64_MAX, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){.folder = "data/tables", .n_positions = 1000000, .seed = 1};
    must(rules_by_name(&options->rules, "frisian", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

int main(int argc, char **argv)
{
    struct options options;
    einspul_options handle_options;
    einspul_error error;
    einspul *handle = NULL;

    if (!read_options(&options, argc, argv))
        return 0;
    einspul_options_init(&handle_options);
    handle_options.folders = &options.folder;
    handle_options.n_folders = 1;
    handle_options.rules = options.rules.name;
    if (einspul_open(&handle_options, &handle, &error) != EINSPUL_OK)
        give_up_text(error.text);
    measure_all(&options, handle);
    einspul_close(handle);
    return 0;
}
