/* Positions that answer a query. */
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"

static struct {
    const char *conditions[N_FIND_PARTS]; /* their texts; NULL: none */
    struct rules other_rules;             /* name NULL: not given */
    uint64_t limit;
    uint64_t n_drawn; /* of --sample */
    uint64_t n_tries;
    bool count;
} own = {.limit = 1000};

#define CONDITION(part)                                                                            \
    .read = option_condition, INTO(const char *, &own.conditions[FIND_BY_##part]),                 \
    .least = FIND_BY_##part

static const struct option_row own_options[] = {
    {"outcome", NULL, "outcome for the side to move", CONDITION(OUTCOME)},
    {"distance", "RANGE", "plies to the end: N, N-M, N- or -M; no draws", CONDITION(DISTANCE)},
    {"side", NULL, "side to move; White is the side named first", CONDITION(SIDE)},
    {"moves", "RANGE", "number of legal moves", CONDITION(MOVES)},
    {"only-move", NULL, "exactly one move keeps the win, or the draw", CONDITION(ONLY_MOVE)},
    {"study", NULL, "one move wins at every step of the line, but the last", CONDITION(STUDY)},
    {"quiet", NULL, "neither side could capture, were it to move", CONDITION(QUIET)},
    {"zugzwang", NULL, "the side to move is in zugzwang", CONDITION(ZUGZWANG)},
    {"differs-from", "NAME", "a different outcome under this rule set", RULES(&own.other_rules)},
    {"instead-of", NULL, "the outcome under that rule set", CONDITION(INSTEAD_OF)},
    {"depends-on", NULL, "a different outcome with some king run, or clock", CONDITION(DEPENDS_ON)},
    {"on", "PIECES", "pieces on given squares, as W28,BK43 (others may be anywhere)",
     CONDITION(ON)},
    {"sample", "N", "N of them at random (see --seed)", COUNT(&own.n_drawn, 1, UINT64_MAX)},
    {"tries", "N", "look at N placements at most, at random (see --seed)",
     COUNT(&own.n_tries, 1, UINT64_MAX)},
    {"limit", "N", "print the first N; 0: all (default: 1000)", COUNT(&own.limit, 0, UINT64_MAX)},
    {"shortest", NULL, "short distances first", CONDITION(SHORTEST)},
    {"count", NULL, "print only their number", GROUP_OUTPUT, FLAG(&own.count)},
    {0},
};

/* --- the query -------------------------------------------------------------------------------- */

/* Reads the texts of the conditions; returns an exit status. */
static int read_conditions(const struct options *options, struct find_query *query)
{
    for (const struct option_row *row = own_options; row->name != NULL; row++) {
        einspul_error error;
        const char *text = row->read == option_condition ? own.conditions[row->least] : NULL;
        if (text == NULL)
            continue;
        if (find_read(query, (enum find_part)row->least, &options->rules, text, &error) !=
            EINSPUL_OK)
            return complain(options, "--%s %.200s: %s", row->name, text, error.text);
    }
    return EXIT_DONE;
}

/* All but the other tables; returns an exit status. */
static int make_query(const struct options *options, struct find_query *query)
{
    *query = find_all();
    query->distances = !own.count;
    query->most = own.count ? 0 : own.limit == 0 ? UINT64_MAX : own.limit;
    query->n_sample = own.n_drawn;
    query->n_tries = own.n_tries;
    query->seed = options->seed;
    query->n_threads = options->n_threads;
    const int status = read_conditions(options, query);
    if (status != EXIT_DONE)
        return status;
    if (own.conditions[FIND_BY_INSTEAD_OF] != NULL && own.other_rules.name == NULL)
        return complain(options, "--instead-of needs --differs-from");
    if (own.other_rules.name != NULL && own.other_rules.id == options->rules.id)
        return complain(options, "--differs-from %s: that is the rule set itself",
                        own.other_rules.name);
    if (own.count && own.n_drawn > 0)
        return complain(options, "--count and --sample exclude each other");
    return EXIT_DONE;
}

/* --- the answer ------------------------------------------------------------------------------- */

static void print_found(const struct options *options, const struct found_position *found)
{
    char fen[FEN_SIZE];
    fen_write(&options->rules, &found->state, fen);
    row_text("fen", fen);
    row_text("outcome", map_outcome_text(found->outcome));
    row_plies("plies", found->plies);
    if (own.other_rules.name != NULL)
        row_text("instead-of", map_outcome_text(found->other));
    row_end();
}

static void print_result(const struct options *options, const struct find_result *result)
{
    if (own.count) {
        row_count("count", result->n_found);
        row_end();
        return;
    }
    for (uint64_t i = 0; i < result->n_kept && output_works(); i++)
        print_found(options, &result->kept[i]);
    output_flush();
    if (result->n_kept < result->n_found)
        complain(options, "%llu of %llu positions found%s", (unsigned long long)result->n_kept,
                 (unsigned long long)result->n_found,
                 own.n_drawn > 0 ? "" : "; --limit 0 prints all");
}

static bool show_progress(const struct find_progress *progress, void *context)
{
    (void)context;
    fprintf(stderr, "\r\033[K%3.0f %%  %llu found",
            100.0 * (double)progress->n_done / (double)progress->n_all,
            (unsigned long long)progress->n_found);
    fflush(stderr);
    return true;
}

/* Leaves out the materials whose outcomes cannot depend on what is asked, and says why if none
 * remain. */
static int find(const struct options *options, einspul *handle, const struct find_query *query)
{
    struct table_request requests[MAX_MATERIALS];
    struct find_material materials[MAX_MATERIALS];
    struct find_result result;
    einspul_error error;
    const bool shows = system_is_terminal(stderr);
    const int n_requests = tables_requested(options, handle, TABLES_ALL, requests);
    int n = 0;
    if (n_requests < 0)
        return EXIT_WRONG;
    for (int i = 0; i < n_requests; i++)
        if (query->depends == DEPENDS_NOT_ASKED ||
            find_can_depend(&options->rules, query->depends, &requests[i].material))
            materials[n++] = (struct find_material){requests[i].material, requests[i].flipped};
    if (n == 0 && n_requests > 0)
        complain(options, "%s", find_why_independent(&options->rules, query->depends));
    const einspul_status status = find_positions(
        handle, query, materials, n, shows ? show_progress : NULL, NULL, &result, &error);
    if (shows)
        fputs("\r\033[K", stderr);
    if (status == EINSPUL_OK)
        print_result(options, &result);
    free(result.kept);
    return status == EINSPUL_OK ? EXIT_DONE : complain_of(options, NULL, &error);
}

static int run(const struct options *options)
{
    struct find_query query;
    einspul *handle = NULL;
    int status = make_query(options, &query);
    if (status == EXIT_DONE)
        status = tables_open(options, options->rules.name, LARGE_CACHE, &handle);
    if (status == EXIT_DONE && own.other_rules.name != NULL)
        status = tables_open(options, own.other_rules.name, LARGE_CACHE, &query.other);
    if (status == EXIT_DONE)
        status = find(options, handle, &query);
    einspul_close(query.other);
    einspul_close(handle);
    return status;
}

const struct command command_find = {
    .name = "find",
    .summary = "positions that answer a query",
    .synopsis = "MATERIAL… [OPTION…]",
    .help =
        "Searches all positions of the materials, captures included, with both sides to move,\n"
        "fresh: no king run, clock 0. Prints those that meet all conditions: FEN, win, draw or\n"
        "loss for the side to move, plies to the end (- for a draw, or without distances), and\n"
        "with --differs-from the outcome under that rule set. Long distances come first, draws\n"
        "last.\n"
        "Zugzwang: the side to move would do better if it could pass. full: the side to move\n"
        "loses, whichever it is. half: passing would turn a draw into a win, or a loss into a\n"
        "draw. any: either of these.\n"
        "--only-move includes positions with a single legal move; --moves 2- excludes them.\n"
        "--study: a win; in the line of best moves each of the winner is the only one that wins,\n"
        "but for the last, which may take in several ways.\n"
        "--depends-on run: some king run of either side changes the outcome; clock: some clock\n"
        "does, in material whose clock the tables or Article 18 know. A RANGE is N, N-M, N- or\n"
        "-M.",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_SEED,
    .own = own_options,
    .no_arguments = "a material is expected, as KMvK",
    .most_arguments = -1,
    .run = run,
};
