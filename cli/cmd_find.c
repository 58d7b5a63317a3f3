/* `einspul find`: positions that answer a query. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/fen.h"
#include "study/find_conditions.h"

/* Positions that are printed without --limit: as lines, or on a terminal as boards. */
enum { DEFAULT_LINES = 1000, DEFAULT_BOARDS = 3 };

#define NO_LIMIT UINT64_MAX /* --limit was not given */

static struct {
    const char *conditions[N_FIND_PARTS]; /* their texts; NULL: none */
    struct rules other_rules;             /* name NULL: not given */
    uint64_t limit;
    uint64_t n_sample; /* of --sample */
    uint64_t n_tries;
    bool count;
} own = {.limit = NO_LIMIT};

#define CONDITION(part)                                                                            \
    .read = option_condition, INTO(const char *, &own.conditions[FIND_BY_##part]),                 \
    .min = FIND_BY_##part

static const struct option_row own_options[] = {
    {"outcome", NULL, "outcome for the side to move", GROUP_CONDITION, CONDITION(OUTCOME)},
    {"distance", "RANGE", "plies to the end of the game (excludes draws)", GROUP_CONDITION,
     CONDITION(DISTANCE)},
    {"side", NULL, "side to move (white: the side named first in MATERIAL)", GROUP_CONDITION,
     CONDITION(SIDE)},
    {"moves", "RANGE", "number of legal moves", GROUP_CONDITION, CONDITION(MOVES)},
    {"only-move", NULL, "exactly one move keeps the win, or exactly one keeps the draw",
     GROUP_CONDITION, CONDITION(ONLY_MOVE)},
    {"study", NULL,
     "a win with exactly one winning move at each of the winner's turns in the line of best play, "
     "except the last",
     GROUP_CONDITION, CONDITION(STUDY)},
    {"quiet", NULL, "neither side could capture if it were to move", GROUP_CONDITION,
     CONDITION(QUIET)},
    {"zugzwang", NULL, "the side to move is in zugzwang", GROUP_CONDITION, CONDITION(ZUGZWANG)},
    {"on", "PIECES",
     "pieces on these squares, e.g. W28,BK43; E12: none on 12; others may be anywhere",
     GROUP_CONDITION, CONDITION(ON)},
    {"differs-from", "NAME", "the outcome differs under this rule set", GROUP_CONDITION,
     RULES(&own.other_rules)},
    {"instead-of", NULL, "outcome under that rule set", GROUP_CONDITION, CONDITION(INSTEAD_OF)},
    {"depends-on", NULL, "the outcome depends on a king run, or on the clock", GROUP_CONDITION,
     CONDITION(DEPENDS_ON)},
    {"limit", "N", "print the first N; 0: all (default: 1000, on a terminal 3)",
     COUNT(&own.limit, 0, NO_LIMIT - 1)},
    {"shortest", NULL, "shortest distances first", CONDITION(SHORTEST)},
    {"sample", "N", "print N matching positions, chosen at random (see --seed)",
     COUNT(&own.n_sample, 1, UINT64_MAX)},
    {"tries", "N", "examine at most N random positions (see --seed)",
     COUNT(&own.n_tries, 1, UINT64_MAX)},
    {"count", NULL, "print only the number of matches", GROUP_OUTPUT, FLAG(&own.count)},
    {0},
};

/* --- the query -------------------------------------------------------------------------------- */

/* Reads the texts of the conditions; returns an exit status. */
static int read_conditions(const struct options *options, struct find_query *query)
{
    for (const struct option_row *row = own_options; row->name != NULL; row++) {
        einspul_error error;
        const char *text = row->read == option_condition ? own.conditions[row->min] : NULL;
        if (text == NULL)
            continue;
        if (find_read(query, (enum find_part)row->min, &options->rules, text, &error) != EINSPUL_OK)
            return command_message(options, "--%s %.200s: %s", row->name, text, error.text);
    }
    return EXIT_OK;
}

/* Builds the query except `other`; returns an exit status. */
static int make_query(const struct options *options, struct find_query *query)
{
    *query = find_all();
    query->distances = !own.count;
    query->max_results = own.limit == 0 ? UINT64_MAX : own.limit;
    if (own.count)
        query->max_results = 0;
    else if (own.limit == NO_LIMIT)
        query->max_results = board_is_wanted(options) ? DEFAULT_BOARDS : DEFAULT_LINES;
    query->n_sample = own.n_sample;
    query->max_placements = own.n_tries;
    query->seed = options->seed;
    query->n_threads = options->n_threads;
    const int status = read_conditions(options, query);
    if (status != EXIT_OK)
        return status;
    if (own.conditions[FIND_BY_INSTEAD_OF] != NULL && own.other_rules.name == NULL)
        return command_message(options, "--instead-of requires --differs-from");
    if (own.other_rules.name != NULL && own.other_rules.id == options->rules.id)
        return command_message(options, "--differs-from %s: already the rule set of the search",
                               own.other_rules.name);
    if (own.count && own.n_sample > 0)
        return command_message(options, "--count and --sample cannot be used together");
    return EXIT_OK;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void print_found(const struct options *options, const struct found_position *found)
{
    char fen[FEN_SIZE];
    fen_write(&options->rules, &found->state, fen);
    row_text("fen", fen);
    row_text("outcome", outcome_text(found->outcome));
    row_plies("plies", found->plies);
    if (own.other_rules.name != NULL)
        row_text("instead-of", outcome_text(found->other));
    row_end();
}

/* Like print_found, but as a board. */
static void show_found(const struct options *options, const struct found_position *found)
{
    char fen[FEN_SIZE];
    fen_write(&options->rules, &found->state, fen);
    board_show(&options->rules, &found->state);
    printf("%s\n", fen);
    if (own.other_rules.name != NULL)
        printf("Under %s: %s.\n", own.other_rules.name, outcome_text(found->other));
    board_show_verdict(found->state.at.side, found->outcome, found->plies);
}

static void print_result(const struct options *options, const struct find_result *result)
{
    if (own.count) {
        row_count("count", result->n_found);
        row_end();
        return;
    }
    const bool terminal = board_is_wanted(options);
    const bool boards = terminal && own.limit == NO_LIMIT && own.n_sample == 0;
    if (terminal && !boards) {
        rows_aligned();
        row_header(own.other_rules.name != NULL ? "fen\toutcome\tplies\tinstead-of"
                                                : "fen\toutcome\tplies");
    }
    for (uint64_t i = 0; i < result->n_kept && output_ok(); i++)
        (boards ? show_found : print_found)(options, &result->kept[i]);
    output_flush();
    if (result->n_found == 0 && system_is_terminal(stdout))
        command_message(options, "no positions found");
    if (result->n_kept < result->n_found)
        command_message(options, "showing %llu of %llu positions%s",
                        (unsigned long long)result->n_kept, (unsigned long long)result->n_found,
                        own.n_sample > 0 ? ""
                        : boards         ? "; use --limit N to list N of them, or --limit 0 for all"
                                         : "; use --limit 0 for all");
}

static atomic_bool is_stopped;

static void stop(int signal)
{
    (void)signal;
    atomic_store(&is_stopped, true);
}

/* Shows the progress if `context` is not NULL; false ends the search. */
static bool progressed(const struct find_progress *progress, void *context)
{
    if (context == NULL)
        return !atomic_load(&is_stopped);
    fprintf(stderr, "\r\033[K%3.0f %%  %llu found",
            100.0 * (double)progress->n_done / (double)progress->n_all,
            (unsigned long long)progress->n_found);
    fflush(stderr);
    return !atomic_load(&is_stopped);
}

/* Skips materials whose outcomes cannot depend on the queried rule; explains if none is left. */
static int find(const struct options *options, einspul *handle, const struct find_query *query)
{
    struct table_request requests[MAX_MATERIALS];
    struct find_material materials[MAX_MATERIALS];
    struct find_result result;
    einspul_error error;
    bool shows = system_is_terminal(stderr);
    const int n_requests = tables_requested(options, handle, TABLES_ALL, requests);
    int n = 0;
    if (n_requests < 0)
        return EXIT_USAGE;
    for (int i = 0; i < n_requests; i++)
        if (query->depends == DEPENDS_NOT_ASKED ||
            find_may_depend(&options->rules, query->depends, &requests[i].material))
            materials[n++] = (struct find_material){requests[i].material, requests[i].flipped};
    if (n == 0 && n_requests > 0)
        command_message(options, "%s", find_independence_reason(&options->rules, query->depends));
    const einspul_status status = find_positions(handle, query, materials, n, progressed,
                                                 shows ? &shows : NULL, &result, &error);
    if (shows)
        fputs("\r\033[K", stderr);
    if (status == EINSPUL_OK)
        print_result(options, &result);
    free(result.kept);
    return status == EINSPUL_OK ? EXIT_OK : command_error(options, NULL, &error);
}

static int run(const struct options *options)
{
    struct find_query query;
    einspul *handle = NULL;
    int status = make_query(options, &query);
    system_on_stop(stop);
    if (status == EXIT_OK)
        status = tables_open(options, options->rules.name, LARGE_CACHE, &handle);
    if (status == EXIT_OK && own.other_rules.name != NULL)
        status = tables_open(options, own.other_rules.name, LARGE_CACHE, &query.other);
    if (status == EXIT_OK)
        status = find(options, handle, &query);
    einspul_close(query.other);
    einspul_close(handle);
    return status;
}

const struct command command_find = {
    .name = "find",
    .group = COMMAND_STUDIES,
    .summary = "find positions by their properties",
    .synopsis = "MATERIAL… [OPTION…]",
    .about = "Print the positions of one or more materials that meet all conditions.",
    .details = "A material is a combination of pieces, such as KMvK: king and man against king.\n"
               "The command examines every position of a material with either side to move,\n"
               "without king runs and with the clock at 0. A RANGE is N, N-M, N- or -M.\n"
               "\n"
               "Zugzwang: the side to move would do better if it could pass.\n"
               "  full  whichever side is to move loses\n"
               "  half  passing would turn a draw into a win, or a loss into a draw\n"
               "  any   full or half\n"
               "--only-move also finds positions with a single legal move; --moves 2- excludes\n"
               "these. With --study, several moves may win at the last turn.\n"
               "--depends-on run: a king run of either side would change the outcome.\n"
               "--depends-on clock: a clock above 0 would change the outcome. This is possible\n"
               "only for materials with a draw rule that counts plies, such as two kings against\n"
               "one.\n"
               "\n"
               "Output: FEN, outcome for the side to move, plies to the end of the game ('-' for\n"
               "a draw, or without distances), and with --differs-from the outcome under the\n"
               "other rule set. The longest distances come first, draws last. On a terminal, the\n"
               "command shows the first three positions as boards; with --limit or --sample, it\n"
               "prints lines instead.",
    .examples = "  einspul find KMvK --outcome win --only-move --limit 10\n"
                "  einspul find KMvK KKvK --zugzwang full --count\n"
                "  einspul find KMvK --outcome draw --differs-from frisian-free --instead-of win",
    .takes = TAKES_TABLES | TAKES_THREADS | TAKES_JSON | TAKES_TSV | TAKES_SEED,
    .own = own_options,
    .missing_argument = "missing MATERIAL, e.g. KMvK",
    .max_arguments = -1,
    .run = run,
};
