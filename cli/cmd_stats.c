#include "cli/print.h"
#include "cli/tables.h"
#include "gen/stats.h"

static const char columns[] = "material\tside\tstates\twins\tdraws\tlosses\tmax-win\tmax-loss\tfen";

/* One line: `side` to move of the material as it was named. */
static void print_counts(const struct options *options, const struct request *request,
                         const char *states, enum side side, const struct stats_counts counts[2])
{
    const struct material named =
        request->turned ? material_turn(&request->material) : request->material;
    const struct stats_counts *of = &counts[request->turned ? side_other(side) : side];
    struct row row;
    char name[MATERIAL_NAME_SIZE];
    char fen[FEN_SIZE];

    if (of->max_win > 0) {
        const struct state longest =
            request->turned ? state_turn(&options->rules.board, &of->longest_win) : of->longest_win;
        fen_write(&options->rules, &longest, fen);
    }
    material_write(&named, name);
    row_begin(&row, options->json);
    row_text(&row, "material", name);
    row_text(&row, "side", side == WHITE ? "white" : "black");
    row_text(&row, "states", states);
    row_count(&row, "wins", of->wins);
    row_count(&row, "draws", of->draws);
    row_count(&row, "losses", of->losses);
    row_plies(&row, "max-win", of->max_win);
    row_plies(&row, "max-loss", of->max_loss);
    row_text(&row, "fen", of->max_win > 0 ? fen : NULL);
    row_end(&row);
}

/* Distances where the tables have them. */
static enum status count(struct stats_session *session, const struct request *request,
                         struct stats *stats, struct error *error)
{
    enum status status = STATUS_NO_METRIC;
    if (request->has_dtw)
        status = stats_table(session, &request->material, METRIC_DTW, stats, error);
    if (request->has_wdl && status == STATUS_NO_METRIC)
        status = stats_table(session, &request->material, METRIC_WDL, stats, error);
    return status;
}

static int count_all(const struct options *options, struct stats_session *session,
                     const struct request *requests, int n_requests)
{
    row_header(options->json, columns);
    for (int i = 0; i < n_requests && output_works(); i++) {
        const struct request *request = &requests[i];
        struct stats stats;
        struct error error;
        if (count(session, request, &stats, &error) != STATUS_OK)
            return complain(options, "%s", error.text);
        for (int side = WHITE; side <= BLACK; side++)
            print_counts(options, request, "fresh", (enum side)side, stats.fresh);
        for (int side = WHITE; side <= BLACK; side++)
            print_counts(options, request, "all", (enum side)side, stats.all);
        for (int side = WHITE; side <= BLACK && stats.limited; side++)
            print_counts(options, request, "raw", (enum side)side, stats.raw);
        output_flush();
    }
    return EXIT_DONE;
}

static int run(const struct options *options)
{
    struct request requests[MAX_MATERIALS];
    struct stats_session *session = NULL;
    struct error error;
    int status = EXIT_WRONG;
    int most_pieces = 0;
    einspul *handle = tables_open(options, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;

    const int n_requests = tables_requested(options, handle, requests);
    for (int i = 0; i < n_requests; i++)
        if (material_pieces(&requests[i].material) > most_pieces)
            most_pieces = material_pieces(&requests[i].material);
    if (n_requests >= 0) {
        if (stats_begin(handle, most_pieces, options->n_threads, &session, &error) == STATUS_OK)
            status = count_all(options, session, requests, n_requests);
        else
            status = complain(options, "%s", error.text);
    }
    stats_end(session);
    einspul_close(handle);
    return status;
}

const struct command command_stats = {
    .name = "stats",
    .summary = "wins, draws and losses of whole tables",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .help =
        "Counts every position of the materials named, of all tables without. A header, then per\n"
        "material and side to move: material, side, states, wins, draws, losses, longest win and\n"
        "longest loss in plies, FEN of a longest win (- where there is none, or no distances).\n"
        "states: fresh (no king run, clock 0), all (every king run), raw (two kings against one,\n"
        "without the limit of seven moves). White is the side named first.",
    .takes = TAKES_TABLES | TAKES(JSON),
    .arguments = ARGUMENTS_MATERIALS,
    .most_arguments = -1,
    .run = run,
    .threads = command_one_team,
};
