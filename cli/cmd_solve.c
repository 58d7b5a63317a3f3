/* `einspul solve`: positions beyond the tables, proved by a search that ends in them. An outcome is
 * printed only if its proof passed the checker. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"
#include "cli/lines.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/os.h"
#include "core/program/materials.h"
#include "gen/run/budget.h"
#include "probe/program_handle.h"
#include "prove/keep.h"
#include "prove/prove.h"
#include "table/table_open.h"
#include "table/write/output.h"

enum {
    MAX_SEARCH_THREADS = 64,
    MIN_MEMORY = 1 << 20,
    DEFAULT_SECONDS = 10,
    PROOF_SECONDS = 60, /* for a proof, at least, before a stop */
    LAST_SECONDS = 10,  /* for a proof, at most, after a stop */
    MIN_PROOF_NODES = 10000000,
    MAX_HINT_SECONDS = 3600
};

static struct {
    int seconds; /* -1: not given */
    uint64_t nodes;
    uint64_t memory_bytes;
    int n_threads;
    const char *proof, *keep;
} own = {.seconds = -1, .memory_bytes = (uint64_t)1 << 29, .n_threads = 1};

static const struct option_row own_options[] = {
    {"seconds", "N",
     "time limit per FEN, in seconds; 0: no limit (default: 10, with --nodes no limit)",
     INT(&own.seconds, 0, 1000000)},
    {"nodes", "N",
     "limit on the positions searched for each FEN; with one thread, the result is reproducible",
     COUNT(&own.nodes, 1, UINT64_MAX)},
    {"memory", "GIB", "memory for the search, in GiB (default: 0.5)", GIB(&own.memory_bytes)},
    {"threads", "N", "threads that search one position (default: 1, unlike other commands)",
     INT(&own.n_threads, 1, MAX_SEARCH_THREADS)},
    {"proof", "FILE", "write the proofs to FILE, for 'einspul verify --proof'", TEXT(&own.proof)},
    {"keep", "FILE", "continue the search saved in FILE, if it exists, and save this search there",
     TEXT(&own.keep)},
    {0},
};

static atomic_bool is_stopped;

static void stop(int signal)
{
    (void)signal;
    atomic_store(&is_stopped, true);
}

/* A file that is written aside and renamed at the end. */
struct aside {
    struct output output;
    uint64_t n_bytes;
};

static einspul_status put_aside(void *context, const void *bytes, size_t n_bytes,
                                einspul_error *error)
{
    struct aside *aside = context;
    const uint64_t offset = aside->n_bytes;
    aside->n_bytes += n_bytes;
    return output_write(&aside->output, offset, bytes, n_bytes, error);
}

/* State of one run. */
struct solve_run {
    const struct options *options;
    einspul *handle;
    struct prover *prover;
    struct aside proofs;
    struct proof_writer writer;
    char *buffer; /* lines of proofs before they are written */
    size_t n_buffered;
    int n_given; /* positions */
    int status;  /* to exit with */

    /* Of the position that is searched: */
    bool was_proving, stopped_before; /* before its proofs were begun */
    double proving_since;
    double reported; /* seconds, at the last line of progress */
};

/* --- progress and limits ---------------------------------------------------------------------- */

/* A line every second on a terminal, every minute in a log. */
static void show_progress(struct solve_run *run, const struct prove_result *partial)
{
    const bool terminal = system_is_terminal(stderr);
    const double every = terminal ? 1 : 60;
    if (partial->seconds < run->reported + every)
        return;
    run->reported = partial->seconds;
    fprintf(stderr,
            "%s%.0f s, %.1f million positions; proof numbers for White's win %u and %u, for "
            "Black's %u and %u%s",
            terminal ? "\r" : "", partial->seconds, (double)partial->n_positions / 1e6,
            partial->numbers[WHITE][0], partial->numbers[WHITE][1], partial->numbers[BLACK][0],
            partial->numbers[BLACK][1], terminal ? "\033[K" : "\n");
}

/* Results found before a stop are still proved, for a short time. */
static bool progress(const struct prove_result *partial, bool proving, void *context)
{
    struct solve_run *run = context;
    const bool stopped = atomic_load(&is_stopped);
    if (!proving) {
        show_progress(run, partial);
        return !stopped;
    }
    if (!run->was_proving) {
        run->was_proving = true;
        run->stopped_before = stopped;
        run->proving_since = seconds_now();
    }
    return !stopped || (run->stopped_before && seconds_now() < run->proving_since + LAST_SECONDS);
}

static struct prove_limits limits_of(struct solve_run *run)
{
    const bool by_nodes = own.nodes > 0;
    const int seconds = own.seconds >= 0 ? own.seconds : by_nodes ? 0 : DEFAULT_SECONDS;
    return (struct prove_limits){
        .seconds = seconds,
        .proof_seconds = by_nodes && seconds == 0  ? 0
                         : seconds > PROOF_SECONDS ? seconds
                                                   : PROOF_SECONDS,
        .n_positions = own.nodes,
        .n_proof_positions = !by_nodes                         ? 0
                             : own.nodes > MIN_PROOF_NODES / 4 ? 4 * own.nodes
                                                               : MIN_PROOF_NODES,
        .progress = progress,
        .context = run,
    };
}

/* --- printing --------------------------------------------------------------------------------- */

/* Prints the proved outcome for a terminal. */
static void show(const struct options *options, const struct state *state,
                 const struct prove_result *result)
{
    board_show(&options->rules, state);
    board_show_known(state->at.side, &result->known);
    if (!result->known.decided[WHITE] && !result->known.decided[BLACK])
        puts("A longer search (--seconds N) or more tables may decide it.\n");
    if (result->proofs.n_proofs > 0)
        printf("Proved and checked: proof of %llu positions.\n",
               (unsigned long long)proof_set_positions(&result->proofs));
    printf("%llu positions searched in %.1f s\n", (unsigned long long)result->n_positions,
           result->seconds);
}

static void print_row(const char *text, size_t n_bytes, const struct state *state,
                      const struct prove_result *result)
{
    row_bytes("fen", text, n_bytes);
    row_text("outcome", known_text(&result->known, state->at.side));
    row_count("nodes", result->n_positions);
    row_real("seconds", result->seconds);
    if (result->proofs.n_proofs > 0)
        row_count("proof", proof_set_positions(&result->proofs));
    else
        row_text("proof", NULL);
    row_end();
}

/* Adds the processor seconds to generate a material and those it needs that are missing; false if
 * they are not worth it, or one cannot be generated. */
static bool seconds_to_generate(const struct solve_run *run, const struct state *state,
                                struct material *material, double *seconds)
{
    struct material needed[MAX_MATERIALS];
    *material = material_of(&state->at);
    if (material_pieces(material) > MAX_PIECES)
        return false;
    if (!material_is_canonical(material))
        *material = material_flip(material);
    const int n = material_closure(material, needed);
    *seconds = 0;
    for (int i = 0; i < n; i++) {
        const struct table *table = NULL;
        einspul_error error;
        const einspul_status status =
            probe_table(run->handle, &needed[i], EINSPUL_WDL, &table, &error);
        if (status == EINSPUL_NO_TABLE)
            *seconds += estimate_core_seconds(&run->options->rules, &needed[i], METRICS_WDL);
    }
    return *seconds <= MAX_HINT_SECONDS;
}

/* Prints which tables would answer a position that stayed open, and what they cost. */
static void hint(const struct solve_run *run, const struct state *state, const char *text)
{
    struct material material;
    double seconds = 0;
    if (seconds_to_generate(run, state, &material, &seconds))
        command_message(
            run->options,
            "%.400s: not decided; generating %s and the tables it needs takes about %s of "
            "processor time, then the tables answer",
            text, material_name(&material).text, seconds_text(seconds).text);
}

static void print_result(struct solve_run *run, const char *text, size_t n_bytes,
                         const struct state *state, const struct prove_result *result)
{
    const struct options *options = run->options;
    einspul_outcome outcome;
    if (run->reported > 0 && system_is_terminal(stderr))
        fputs("\r\033[K", stderr);
    if (result->rejection[0] != '\0') {
        command_message(options, "%.400s: found: %s, not certified: %s", text,
                        known_text(&result->found, state->at.side), result->rejection);
        run->status = EXIT_FAILED;
    } else if (!known_outcome(&result->known, state->at.side, &outcome)) {
        hint(run, state, text);
    }
    if (board_is_wanted(options))
        show(options, state, result);
    else
        print_row(text, n_bytes, state, result);
    output_flush();
}

/* --- solving ---------------------------------------------------------------------------------- */

static void print_error(struct solve_run *run, const char *text, size_t n_bytes,
                        const einspul_error *error)
{
    row_bytes("fen", text, n_bytes);
    row_error(error->text);
    row_end();
    run->status = exit_status_of(error->status);
}

static void solve(struct solve_run *run, const char *text, size_t n_bytes)
{
    const struct prove_limits limits = limits_of(run);
    struct prove_result result = {.proofs.n_proofs = 0};
    struct state state;
    enum notation notation;
    char note[FEN_NOTE_SIZE];
    einspul_error error;
    run->was_proving = false;
    run->reported = 0;
    if (fen_given_read(run->options, text, n_bytes, &state, note, &notation, &error) !=
            EINSPUL_OK ||
        prove_position(run->prover, &state, &limits, &result, &error) != EINSPUL_OK) {
        print_error(run, text, n_bytes, &error);
    } else {
        if (note[0] != '\0')
            command_message(run->options, "%.400s: %s", text, note);
        if (own.proof != NULL && result.proofs.n_proofs > 0)
            proof_writer_add(&run->writer, &result.proofs);
        print_result(run, text, n_bytes, &state, &result);
    }
    proof_set_free(&result.proofs);
}

/* Solves a position; false if out of memory, and after a stop. */
static bool take(void *context, const char *text, size_t n_bytes, bool cut)
{
    struct solve_run *run = context;
    run->n_given++;
    if (cut) {
        command_message(run->options, "line longer than %d bytes, skipped", MAX_LINE);
        run->status = EXIT_USAGE;
        return true;
    }
    char *copy = malloc(n_bytes + 1);
    if (copy == NULL) {
        run->status = command_message(run->options, "not enough memory");
        return false;
    }
    memcpy(copy, text, n_bytes);
    copy[n_bytes] = '\0';
    solve(run, copy, n_bytes);
    free(copy);
    return !atomic_load(&is_stopped);
}

/* Reports which positions were not searched because of a stop. */
static void report_stop(struct solve_run *run)
{
    const struct options *options = run->options;
    bool reads_input = options->n_arguments == 0;
    for (int i = 0; i < options->n_arguments; i++)
        reads_input = reads_input || strcmp(options->arguments[i], "-") == 0;
    if (reads_input)
        command_message(options, "stopped after %d positions; those that follow were not searched",
                        run->n_given);
    else
        command_message(options, "stopped; %d of %d positions were not searched",
                        options->n_arguments - run->n_given, options->n_arguments);
    run->status = run->status == EXIT_OK ? EXIT_FAILED : run->status;
}

/* --- files ------------------------------------------------------------------------------------ */

enum { BUFFER_BYTES = 1 << 16 };

static einspul_status flush_proofs(struct solve_run *run, einspul_error *error)
{
    const size_t n = run->n_buffered;
    run->n_buffered = 0;
    return put_aside(&run->proofs, run->buffer, n, error);
}

static einspul_status put_proof(void *context, const void *bytes, size_t n_bytes,
                                einspul_error *error)
{
    struct solve_run *run = context;
    const einspul_status status =
        run->n_buffered + n_bytes > BUFFER_BYTES ? flush_proofs(run, error) : EINSPUL_OK;
    memcpy(run->buffer + run->n_buffered, bytes, n_bytes);
    run->n_buffered += n_bytes;
    return status;
}

/* True if --proof may replace the file at a path: missing, empty or an earlier proof file. Protects
 * tables from a mistyped path. */
static bool may_be_replaced(const char *path)
{
    struct os_info info;
    if (os_info_at(path, &info) != 0 || info.kind != OS_REGULAR || info.n_bytes == 0)
        return true; /* output_create refuses anything but a regular file */
    FILE *file = system_open_text(path);
    const bool proofs = file != NULL && proof_file_is(file);
    if (file != NULL)
        fclose(file);
    return proofs;
}

/* Creates the file of --proof; returns an exit status. */
static int begin_proof(struct solve_run *run, einspul_error *error)
{
    if (!may_be_replaced(own.proof))
        return command_message(
            run->options, "%.400s exists and is not a file of proofs; not overwritten", own.proof);
    run->buffer = malloc(BUFFER_BYTES);
    if (run->buffer == NULL)
        return command_message(run->options, "not enough memory");
    run->writer = (struct proof_writer){.put = put_proof, .context = run, .error = error};
    if (output_create(&run->proofs.output, own.proof, error) != EINSPUL_OK ||
        proof_writer_begin(&run->writer, run->handle) != EINSPUL_OK)
        return command_error(run->options, NULL, error);
    return EXIT_OK;
}

/* Completes the file of --proof and renames it into place; returns an exit status. */
static int end_proof(struct solve_run *run, einspul_error *error)
{
    if (proof_writer_end(&run->writer) != EINSPUL_OK || flush_proofs(run, error) != EINSPUL_OK ||
        output_commit(&run->proofs.output, error) != EINSPUL_OK)
        return command_error(run->options, NULL, error);
    return EXIT_OK;
}

/* Continues from the file of --keep, if it exists; returns an exit status. */
static int read_kept(struct solve_run *run, einspul_error *error)
{
    const einspul_status status = keep_read(run->prover, own.keep, error);
    return status == EINSPUL_OK || status == EINSPUL_NO_TABLE
               ? EXIT_OK
               : command_error(run->options, NULL, error);
}

static int write_kept(struct solve_run *run, einspul_error *error)
{
    struct aside aside = {.output.file = -1};
    einspul_status status = output_create(&aside.output, own.keep, error);
    if (status == EINSPUL_OK)
        status = keep_write(run->prover, put_aside, &aside, error);
    if (status == EINSPUL_OK)
        status = output_commit(&aside.output, error);
    output_abandon(&aside.output);
    return status == EINSPUL_OK ? EXIT_OK : command_error(run->options, NULL, error);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Solves all positions, with the files open. */
static void solve_all(struct solve_run *run, einspul_error *error)
{
    system_on_stop(stop);
    const int status = for_each_position(run->options, take, run);
    run->status = status != EXIT_OK ? status : run->status;
    if (atomic_load(&is_stopped))
        report_stop(run);
    const int proofs = own.proof != NULL ? end_proof(run, error) : EXIT_OK;
    const int kept = own.keep != NULL ? write_kept(run, error) : EXIT_OK;
    run->status = proofs != EXIT_OK ? proofs : kept != EXIT_OK ? kept : run->status;
}

static int run(const struct options *options, einspul *handle)
{
    struct solve_run run = {
        .options = options, .handle = handle, .proofs.output.file = -1, .status = EXIT_OK};
    einspul_error error;
    if (own.memory_bytes < MIN_MEMORY)
        return command_message(options, "--memory: at least %.3f GiB are needed",
                               (double)MIN_MEMORY / (1 << 30));
    if (prover_create(handle, (size_t)own.memory_bytes, own.n_threads, &run.prover, &error) !=
        EINSPUL_OK)
        return command_error(options, NULL, &error);
    if (own.keep != NULL)
        run.status = read_kept(&run, &error);
    if (own.proof != NULL && run.status == EXIT_OK)
        run.status = begin_proof(&run, &error);
    if (run.status == EXIT_OK)
        solve_all(&run, &error);
    output_abandon(&run.proofs.output);
    free(run.buffer);
    prover_free(run.prover);
    return run.status;
}

const struct command command_solve = {
    .name = "solve",
    .group = COMMAND_LOOKS_UP,
    .summary = "prove outcomes of positions with more pieces than the tables",
    .synopsis = "[FEN… | -] [OPTION…]",
    .about = "Prove the outcomes of positions that have more pieces than the tables, by a\n"
             "search down to positions in the tables. The command prints only proved outcomes.\n"
             "Without FEN, or with '-', it reads positions from standard input, one per line.",
    .details = "The command needs all tables of 2 and 3 pieces; with more tables it can prove\n"
               "more. It checks every proof against the rules and the tables before it prints\n"
               "the result. Ctrl-C (SIGINT) stops the search: the command prints the results\n"
               "proved so far and says which positions were not searched. A second Ctrl-C ends\n"
               "the program at once. The draw rules of the FMJD are not supported, because the\n"
               "tables do not count the moves for the 25-move rule.\n"
               "\n"
               "Output: one line per position, with the FEN as given; the outcome; the number of\n"
               "positions searched; the seconds; and the number of positions in the proof ('-'\n"
               "without a proof). The outcome is win, draw or loss for the side to move,\n"
               "'not-win' or 'not-loss' if only that is proved, or 'open'.\n"
               "\n"
               "Exit status: 0, even if some outcomes are open. 1 after Ctrl-C, or if the search\n"
               "found a result but no valid proof of it; a message then says what was found. 2\n"
               "if a FEN is wrong: its line then has 'error: …' with the reason, and the command\n"
               "continues with the next position.",
    .examples = "  einspul solve W:WK46,28,33,38:BK43,4,9\n"
                "  einspul solve --seconds 60 --proof proofs.txt - < positions.txt\n"
                "  einspul solve --seconds 0 --keep search.keep W:W46-50:B1-5",
    .takes = TAKES_RULES | TAKES_FOLDERS | TAKES_JSON | TAKES_TSV | TAKES_STRICT,
    .own = own_options,
    .max_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = LARGE_CACHE,
};
