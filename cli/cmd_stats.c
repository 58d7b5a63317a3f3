/* `einspul stats`: counts per material, side to move and set of states; histograms of distances; longest
 * wins. */
#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/fen.h"
#include "core/program/flip.h"
#include "gen/material/stats.h"

static struct {
    bool histogram;
    int n_top;
} own;

static const struct option_row own_options[] = {
    {"histogram", NULL, "print the number of states at each distance instead",
     FLAG(&own.histogram)},
    {"top", "N", "print the N longest wins of each side instead",
     INT(&own.n_top, 1, MAX_LONGEST_WINS)},
    {0},
};

/* Column names of the forms. */
static const char counts_columns[] =
    "material\tside\tstates\twins\tdraws\tlosses\tmax-win\tmax-loss\tfen";
static const char histogram_columns[] = "material\tside\tstates\toutcome\tplies\tcount";
static const char top_columns[] = "material\tside\tplies\tfen";

static const char *columns_wanted(void)
{
    return own.histogram ? histogram_columns : own.n_top > 0 ? top_columns : counts_columns;
}

/* Begins a line: the material as it was named, and the side to move. */
static void begin_line(const struct table_request *request, enum side side)
{
    const struct material named =
        request->flipped ? material_flip(&request->material) : request->material;
    row_text("material", material_name(&named).text);
    row_text("side", side_word(side));
}

static void write_state(const struct options *options, const struct table_request *request,
                        const struct state *state, char fen[FEN_SIZE])
{
    const struct state shown = request->flipped ? state_flip(&options->rules.board, state) : *state;
    fen_write(&options->rules, &shown, fen);
}

static void print_counts(const struct options *options, const struct table_request *request,
                         const char *states, enum side side, const struct stats_counts *of)
{
    char fen[FEN_SIZE];

    if (of->max_win > 0)
        write_state(options, request, &of->longest_win, fen);
    begin_line(request, side);
    row_text("states", states);
    row_count("wins", of->wins);
    row_count("draws", of->draws);
    row_count("losses", of->losses);
    row_plies("max-win", of->max_win);
    row_plies("max-loss", of->max_loss);
    row_text("fen", of->max_win > 0 ? fen : NULL);
    row_end();
}

/* A line for each value that occurs, wins before draws before losses, short ones first. */
static void print_histogram(const struct table_request *request, const char *states, enum side side,
                            const struct stats_counts *of)
{
    const bool distances = of->max_win >= 0 || of->max_loss >= 0;
    for (int i = 0; i < VALUE_NONE; i++) {
        const value_t value =
            (value_t)(i <= VALUE_DRAW ? VALUE_DRAW + (VALUE_DRAW - i) : i - VALUE_DRAW - 1);
        if (of->n_by_value[value] == 0)
            continue;
        begin_line(request, side);
        row_text("states", states);
        row_text("outcome", outcome_text(value_outcome(value)));
        row_plies("plies", distances ? value_plies(value) : -1);
        row_count("count", of->n_by_value[value]);
        row_end();
    }
}

static void print_top(const struct options *options, const struct table_request *request,
                      enum side side, const struct stats_top *top)
{
    for (int i = 0; i < top->n; i++) {
        char fen[FEN_SIZE];
        write_state(options, request, &top->win[i].state, fen);
        begin_line(request, side);
        row_plies("plies", top->win[i].plies);
        row_text("fen", fen);
        row_end();
    }
}

/* Counts with distances if the tables have them. */
static einspul_status count(struct stats_session *session, const struct table_request *request,
                            struct stats *stats, einspul_error *error)
{
    const einspul_status status =
        stats_table(session, &request->material, EINSPUL_DTW, stats, error);
    return status == EINSPUL_NO_METRIC
               ? stats_table(session, &request->material, EINSPUL_WDL, stats, error)
               : status;
}

static void print_material(const struct options *options, const struct table_request *request,
                           const struct stats *stats)
{
    static const char *const names[] = {"fresh", "all", "raw"};
    const struct stats_counts *const sets[] = {stats->fresh, stats->all, stats->raw};
    const int n_sets = own.n_top > 0 ? 1 : stats->limited ? 3 : 2;
    for (int set = 0; set < n_sets; set++) {
        for (int side = WHITE; side <= BLACK; side++) {
            const int i = request->flipped ? !side : side; /* in the table */
            if (own.n_top > 0)
                print_top(options, request, (enum side)side, &stats->top[i]);
            else if (own.histogram)
                print_histogram(request, names[set], (enum side)side, &sets[set][i]);
            else
                print_counts(options, request, names[set], (enum side)side, &sets[set][i]);
        }
    }
}

static einspul_status count_all(const struct options *options, struct stats_session *session,
                                const struct table_request *requests, int n_requests,
                                einspul_error *error)
{
    if (board_is_wanted(options))
        rows_aligned();
    row_header(columns_wanted());
    for (int i = 0; i < n_requests && output_ok(); i++) {
        static struct stats stats; /* static: too large for the stack */
        const einspul_status status = count(session, &requests[i], &stats, error);
        if (status != EINSPUL_OK)
            return status;
        print_material(options, &requests[i], &stats);
        output_flush();
    }
    if (board_is_wanted(options) && own.n_top == 0)
        puts("\nfresh: no king run, clock 0; all: every king run and clock; raw: two kings against "
             "one, without the limit of seven moves");
    return EINSPUL_OK;
}

static int run(const struct options *options, einspul *handle)
{
    struct table_request requests[MAX_MATERIALS];
    struct stats_session *session = NULL;
    einspul_error error;
    int max_pieces = 0;
    if (own.histogram && own.n_top > 0)
        return command_message(options, "--histogram and --top cannot be used together");

    const int n_requests = tables_requested(options, handle, TABLES_ALL, requests);
    if (n_requests < 0)
        return EXIT_USAGE;
    for (int i = 0; i < n_requests; i++)
        if (material_pieces(&requests[i].material) > max_pieces)
            max_pieces = material_pieces(&requests[i].material);
    einspul_status status =
        stats_begin(handle, max_pieces, options->n_threads, own.n_top, &session, &error);
    if (status == EINSPUL_OK)
        status = count_all(options, session, requests, n_requests, &error);
    stats_end(session);
    return status == EINSPUL_OK ? EXIT_OK : command_error(options, NULL, &error);
}

const struct command command_stats = {
    .name = "stats",
    .group = COMMAND_STUDIES,
    .summary = "count the wins, draws and losses of whole tables",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .about = "Count the wins, draws and losses of the named materials, by default of all\n"
             "tables. White is the side named first.",
    .details = "Output: a header, then one line per material, side to move and set of states. A\n"
               "material is a combination of pieces, such as KMvK: king and man against king. A\n"
               "state is a position with its king runs and, if the table stores it, its clock.\n"
               "The columns are material, side to move, set of states, wins, draws, losses, the\n"
               "plies of the longest win and of the longest loss, and the FEN of a longest win.\n"
               "A value is '-' if there is none, or if the table has no distances. The sets are:\n"
               "  fresh  states without king runs and with the clock at 0\n"
               "  all    all states of the table\n"
               "  raw    only for two kings against one: the stored values, which ignore the\n"
               "         limit of seven moves\n"
               "--top counts fresh states only.",
    .examples = "  einspul stats KMvK\n"
                "  einspul stats --top 5 KKvK KMvK",
    .takes = TAKES_TABLES | TAKES_THREADS | TAKES_JSON | TAKES_TSV,
    .own = own_options,
    .max_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
