/* `einspul verify`: faults by table, and exit status 3 where there is one. */
#include <errno.h>

#include "cli/print.h"
#include "cli/progress.h"
#include "cli/published_hashes.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/fen.h"
#include "core/program/text.h"
#include "gen/run/limits.h"
#include "probe/program_handle.h"
#include "verify/proof_file.h"
#include "verify/verify.h"

static struct {
    unsigned depth; /* enum verify_depth */
    uint64_t n_samples;
    const char *proof;  /* file */
    const char *hashes; /* file */
} own = {.depth = VERIFY_VALUES};

static const char *const depths[] = {"header", "checksums", "values", NULL};
_Static_assert(VERIFY_HEADER == 0 && VERIFY_CHECKSUMS == 1 && VERIFY_VALUES == 2,
               "order of the words");

static const struct option_row own_options[] = {
    {"level", NULL,
     "how much to check. header: the parts of a table that are not blocks; checksums: also every "
     "block; values: also every value (default: values)",
     WORD(&own.depth, VERIFY_HEADER, depths)},
    {"samples", "N", "check about N random values of each table (see --seed)",
     COUNT(&own.n_samples, 1, UINT64_MAX)},
    {"hashes", "FILE",
     "also compare the hash stored in each table with the published one "
     "(data/hashes.tsv); with --level checksums or values, also recompute it, unless the table "
     "omits values",
     TEXT(&own.hashes)},
    {"proof", "FILE", "check the proofs written by 'einspul solve --proof'", TEXT(&own.proof)},
    {0},
};

static const char columns[] = "material\tmetric\tstates\tfaults\tfen\tstored\timplied";

/* "win 39", "draw"; without plies where the table has none. */
static struct short_text value_text(value_t value, bool distances)
{
    struct short_text written = {"no value"};
    if (value != VALUE_NONE)
        strcpy(written.text, outcome_text(value_outcome(value)));
    if (value != VALUE_NONE && value != VALUE_DRAW && distances)
        text_append(written.text, sizeof written.text, " %d", value_plies(value));
    return written;
}

static void print_report(const struct options *options, const struct material *material,
                         einspul_metric metric, const struct verify_report *report)
{
    const bool distances =
        metric == EINSPUL_DTW || table_always_has_distances(&options->rules, material);
    const bool faulty = report->n_faults > 0;
    char fen[FEN_SIZE];

    if (faulty)
        fen_write(&options->rules, &report->first_fault, fen);
    row_table(material, metric);
    row_count("states", report->n_states);
    row_count("faults", report->n_faults);
    row_text("fen", faulty ? fen : NULL);
    row_text("stored", faulty ? value_text(report->stored, distances).text : NULL);
    row_text("implied", faulty ? value_text(report->implied, distances).text : NULL);
    row_end();
}

/* Compares the value hash of a table with the published one; prints a row if it is another. */
static int check_hash(const struct options *options, einspul *handle,
                      const struct material *material, einspul_metric metric)
{
    const struct table_id id = {&options->rules, *material, metric};
    const struct table *table = NULL;
    einspul_error error;
    einspul_status status = probe_table(handle, material, metric, &table, &error);
    if (status != EINSPUL_OK)
        return tables_failed(options, material, metric, &error);
    status = published_hashes_check(own.hashes, id, table, &error);
    if (status == EINSPUL_IO)
        return command_error(options, NULL, &error);
    if (status == EINSPUL_OK)
        return EXIT_OK;
    row_table(material, metric);
    row_error(error.text);
    row_end();
    return EXIT_CHECK_FAILED;
}

static int verify_one(const struct options *options, einspul *handle,
                      const struct material *material, einspul_metric metric, struct watch *watch)
{
    const struct verify_options verify = {
        .depth = (enum verify_depth)own.depth,
        .n_threads = options->n_threads,
        .n_samples = own.n_samples,
        .random_seed = options->seed,
        .max_bytes = memory_limit_find(0, options->n_threads).n_bytes / 2,
        .watch = watch,
    };
    struct verify_report report;
    einspul_error error;

    const int hash = own.hashes != NULL ? check_hash(options, handle, material, metric) : EXIT_OK;
    if (hash != EXIT_OK)
        return hash;
    const einspul_status status = verify_table(handle, material, metric, &verify, &report, &error);
    progress_clear();
    if (status != EINSPUL_OK)
        return tables_failed(options, material, metric, &error);
    print_report(options, material, metric, &report);
    return report.n_faults > 0 ? EXIT_CHECK_FAILED : EXIT_OK;
}

/* --- proofs ----------------------------------------------------------------------------------- */

/* Checks the proofs of a position; prints its row. */
static int check_set(const struct options *options, einspul *handle, const struct proof_set *set)
{
    struct proof_fault fault = {0};
    einspul_error error;
    char fen[FEN_SIZE];
    for (int i = 0; i < set->n_proofs && fault.what == NULL; i++)
        if (proof_check(handle, &set->proofs[i], &set->root, &fault, &error) != EINSPUL_OK)
            return command_error(options, NULL, &error);
    fen_write(&options->rules, &set->root, fen);
    row_text("fen", fen);
    row_text("outcome", proof_set_outcome(set));
    row_count("positions", proof_set_positions(set));
    row_text("fault", fault.what);
    if (fault.what != NULL)
        fen_write(&options->rules, &fault.state, fen);
    row_text("at", fault.what != NULL ? fen : NULL);
    row_end();
    return fault.what != NULL ? EXIT_CHECK_FAILED : EXIT_OK;
}

static int check_file(const struct options *options, einspul *handle, FILE *file, const char *path)
{
    struct proof_reader reader;
    einspul_error error;
    bool ended = false;
    int worst = EXIT_OK;
    einspul_status status = proof_reader_begin(&reader, file, handle, &error);
    if (status == EINSPUL_OK && reader.note[0] != '\0')
        command_message(options, "%.400s: %s", path, reader.note);
    if (status == EINSPUL_OK)
        row_header("fen\toutcome\tpositions\tfault\tat");
    while (status == EINSPUL_OK && !ended && worst != EXIT_USAGE && worst != EXIT_FAILED) {
        struct proof_set set;
        status = proof_reader_next(&reader, &set, &ended, &error);
        if (status == EINSPUL_OK && !ended) {
            const int result = check_set(options, handle, &set);
            worst = result != EXIT_OK ? result : worst;
        }
        proof_set_free(&set);
    }
    if (status == EINSPUL_OK)
        return worst;
    command_message(options, "%.400s: %s", path, error.text);
    return status == EINSPUL_BAD_ARGUMENT  ? EXIT_CHECK_FAILED
           : status == EINSPUL_WRONG_RULES ? EXIT_USAGE
                                           : exit_status_of(status);
}

/* Checks every proof of a file and prints a row for each; returns an exit status, EXIT_CHECK_FAILED if one does
 * not prove its claim, or the file is damaged. */
static int check_proofs(const struct options *options, einspul *handle, const char *path)
{
    FILE *file = system_open_text(path);
    if (file == NULL)
        return command_message(options, "%.400s: %s", path, strerror(errno));
    const int status = check_file(options, handle, file, path);
    fclose(file);
    return status;
}

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct options *options, einspul *handle)
{
    return own.proof != NULL
               ? check_proofs(options, handle, own.proof)
               : tables_each(options, handle, TABLES_OWN, columns, "verifying", 1, verify_one);
}

const struct command command_verify = {
    .name = "verify",
    .group = COMMAND_BUILDS,
    .summary = "check tables against the rules",
    .synopsis = "[MATERIAL…] [OPTION…]\n--proof FILE [OPTION…]",
    .about = "Check tables: first their checksums, then whether each stored value follows from\n"
             "the legal moves. Without MATERIAL, check all tables of the rule set.",
    .details = "Output: a header, then the columns\n"
               "  (default)  material, metric, states, faults; for the first fault its FEN, the\n"
               "             stored value, and the value that follows from the moves\n"
               "  --proof    FEN, proved outcome, positions in the proof, fault ('-': none), and\n"
               "             where it is\n"
               "For a damaged table, the default output has 'error: …' after the metric.\n"
               "\n"
               "Progress is printed on standard error. Ctrl-C (SIGINT) or SIGTERM stops the\n"
               "command within two seconds.\n"
               "\n"
               "Exit status: 0 without a fault, 3 if a fault or a damaged file was found, 1 or\n"
               "2 if the check could not be completed.",
    .examples = "  einspul verify KMvK\n"
                "  einspul verify --level checksums --hashes data/hashes.tsv",
    .takes = TAKES_TABLES | TAKES_THREADS | TAKES_JSON | TAKES_SEED,
    .own = own_options,
    .max_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = LARGE_CACHE,
};
