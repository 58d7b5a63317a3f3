/* `einspul solve`: positions beyond the tables, proved by a search that ends in them. Every proof is
 * checked before its outcome is printed. */
#include <errno.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/board.h"
#include "cli/lines.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/os.h"
#include "prove/prove.h"

enum { MOST_AT_ONCE = 64, DEFAULT_SECONDS = 10, PROOF_SECONDS = 60 };

static struct {
    int seconds;
    uint64_t memory_bytes;
    int n_threads;
    const char *proof;
} own = {.seconds = DEFAULT_SECONDS, .memory_bytes = (uint64_t)1 << 29, .n_threads = 1};

static const struct option_row own_options[] = {
    {"seconds", "N", "time limit per position, in seconds; 0: no limit (default: 10)",
     INT(&own.seconds, 0, 1000000)},
    {"memory", "GIB", "memory for the search, in GiB (default: 0.5)", GIB(&own.memory_bytes)},
    {"threads", "N",
     "positions to search in parallel; their answers are printed together (default: 1, unlike "
     "other commands)",
     INT(&own.n_threads, 1, MOST_AT_ONCE)},
    {"proof", "FILE", "write the proofs to FILE, for 'einspul verify --proof'", TEXT(&own.proof)},
    {0},
};

static atomic_bool is_stopped;

static void stop(int signal)
{
    (void)signal;
    atomic_store(&is_stopped, true);
}

/* What is found before a stop is still proved. */
static bool goes_on(const struct prove_result *partial, bool proving, void *context)
{
    (void)partial;
    (void)context;
    return proving || !atomic_load(&is_stopped);
}

/* A position that was given, and its answer. */
struct asked {
    char *text;
    size_t n_bytes;
    struct state state;
    char note[FEN_NOTE_SIZE];
    enum notation notation;
    struct prove_result result;
    einspul_status status;
    einspul_error error;
};

/* One run of the command. */
struct solve_run {
    const struct options *options;
    einspul *handle;
    struct prover *provers[MOST_AT_ONCE];
    struct asked asked[MOST_AT_ONCE];
    int n_asked;
    FILE *proof; /* or NULL */
    int status;  /* to exit with */
};

/* --- solving ---------------------------------------------------------------------------------- */

static void solve_one(struct prover *prover, struct asked *asked)
{
    const struct prove_limits limits = {
        .seconds = own.seconds,
        .proof_seconds =
            own.seconds > 0 && own.seconds < PROOF_SECONDS ? PROOF_SECONDS : own.seconds,
        .progress = goes_on,
    };
    asked->status = prove_position(prover, &asked->state, &limits, &asked->result, &asked->error);
}

/* --- printing --------------------------------------------------------------------------------- */

static bool is_proved(const struct prove_result *result)
{
    return result->proofs.n_proofs > 0 && result->rejection[0] == '\0';
}

static void show(const struct options *options, const struct asked *asked)
{
    const struct prove_result *result = &asked->result;
    const char *text = known_text(&result->known, asked->state.at.side);
    board_show(&options->rules, &asked->state);
    printf("%s to move: %s\n", side_name(asked->state.at.side), text);
    if (is_proved(result))
        printf("Proof: %llu positions, checked\n",
               (unsigned long long)proof_set_positions(&result->proofs));
    printf("%llu positions searched in %.1f s\n", (unsigned long long)result->n_positions,
           result->seconds);
}

static void print_row(const struct asked *asked)
{
    const struct prove_result *result = &asked->result;
    char proof[24] = "";
    row_bytes("fen", asked->text, asked->n_bytes);
    row_text("outcome", known_text(&result->known, asked->state.at.side));
    row_count("nodes", result->n_positions);
    row_real("seconds", result->seconds);
    snprintf(proof, sizeof proof, "%llu", (unsigned long long)proof_set_positions(&result->proofs));
    row_text("proof", is_proved(result) ? proof : NULL);
    row_end();
}

static void print_answer(struct solve_run *session, struct asked *asked)
{
    const struct options *options = session->options;
    if (asked->status != EINSPUL_OK) {
        row_bytes("fen", asked->text, asked->n_bytes);
        row_error(asked->error.text);
        row_end();
        session->status = exit_status_of(asked->error.status);
        return;
    }
    if (asked->note[0] != '\0')
        complain(options, "%.400s: %s", asked->text, asked->note);
    if (asked->result.rejection[0] != '\0') {
        complain(options, "%.400s: found, not certified: %s", asked->text, asked->result.rejection);
        session->status = EXIT_FAILED;
    } else if (session->proof != NULL && is_proved(&asked->result)) {
        proof_file_write(session->proof, &options->rules, &asked->result.proofs);
    }
    if (board_is_wanted(options))
        show(options, asked);
    else
        print_row(asked);
}

/* Solves the positions that are waiting and prints their answers. */
static void answer_all(struct solve_run *session)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(own.n_threads)
    for (int i = 0; i < session->n_asked; i++)
        if (session->asked[i].status == EINSPUL_OK)
            solve_one(session->provers[omp_get_thread_num()], &session->asked[i]);
    for (int i = 0; i < session->n_asked; i++) {
        struct asked *asked = &session->asked[i];
        print_answer(session, asked);
        proof_set_free(&asked->result.proofs);
        free(asked->text);
    }
    session->n_asked = 0;
    output_flush();
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Adds a position, which is answered when there are as many as are searched at once; false if there
 * is no memory for it, and after a stop. */
static bool ask(void *context, const char *text, size_t n_bytes, bool cut)
{
    struct solve_run *session = context;
    if (cut) {
        complain(session->options, "line longer than %d bytes, skipped", LINE_MOST);
        session->status = EXIT_WRONG;
        return true;
    }
    struct asked *asked = &session->asked[session->n_asked];
    *asked = (struct asked){.text = malloc(n_bytes + 1), .n_bytes = n_bytes};
    if (asked->text == NULL) {
        session->status = complain(session->options, "not enough memory");
        return false;
    }
    session->n_asked++;
    memcpy(asked->text, text, n_bytes);
    asked->text[n_bytes] = '\0';
    asked->status = fen_given_read(session->options, text, n_bytes, &asked->state, asked->note,
                                   &asked->notation, &asked->error);
    if (session->n_asked == own.n_threads)
        answer_all(session);
    return !atomic_load(&is_stopped);
}

/* --- the command ------------------------------------------------------------------------------ */

/* Closes the file of proofs; returns an exit status. */
static int close_proof(const struct options *options, FILE *proof)
{
    const bool failed = proof != NULL && ferror(proof) != 0;
    if (proof != NULL && (fclose(proof) != 0 || failed))
        return complain(options, "cannot write %.400s: %s", own.proof, strerror(errno));
    return EXIT_DONE;
}

/* Whether a path is free for proofs: no file, an empty one or an earlier one of proofs, or no regular
 * file. Anything else, a table above all, would be lost. */
static bool may_be_written(const char *path)
{
    struct os_info info;
    if (os_info_at(path, &info) != 0 || info.kind != OS_REGULAR || info.n_bytes == 0)
        return true;
    FILE *file = system_open_text(path);
    const bool proofs = file != NULL && proof_file_is(file);
    if (file != NULL)
        fclose(file);
    return proofs;
}

/* Opens the file of --proof; returns an exit status. */
static int open_proof(const struct options *options, FILE **file)
{
    if (!may_be_written(own.proof))
        return complain(options, "%.400s exists and is not a file of proofs; not overwritten",
                        own.proof);
    *file = fopen(own.proof, "w");
    if (*file == NULL)
        return complain(options, "%.400s: %s", own.proof, strerror(errno));
    proof_file_begin(*file, &options->rules);
    return EXIT_DONE;
}

static int run(const struct options *options, einspul *handle)
{
    static struct solve_run session; /* too large for some stacks */
    einspul_error error;
    session = (struct solve_run){.options = options, .handle = handle, .status = EXIT_DONE};
    for (int i = 0; i < own.n_threads && session.status == EXIT_DONE; i++)
        if (prover_create(handle, (size_t)(own.memory_bytes / (uint64_t)own.n_threads), 1,
                          &session.provers[i], &error) != EINSPUL_OK)
            session.status = complain_of(options, NULL, &error);
    if (own.proof != NULL && session.status == EXIT_DONE)
        session.status = open_proof(options, &session.proof);
    if (session.status == EXIT_DONE) {
        system_on_stop(stop);
        const int status = lines_positions(options, ask, &session);
        answer_all(&session);
        session.status = status != EXIT_DONE ? status : session.status;
    }
    const int closed = close_proof(options, session.proof);
    for (int i = 0; i < own.n_threads; i++)
        prover_free(session.provers[i]);
    return session.status != EXIT_DONE ? session.status : closed;
}

const struct command command_solve = {
    .name = "solve",
    .group = COMMAND_LOOKS_UP,
    .summary = "prove positions that have more pieces than the tables",
    .synopsis = "[FEN… | -] [OPTION…]",
    .about = "Prove the outcome of positions that have more pieces than the tables, by a\n"
             "search that ends in the tables. It is exact: an answer is proved or not given.\n"
             "Without FEN, or with '-', read positions from standard input, one per line.",
    .details = "Needs all tables of 2 and 3 pieces; the more tables there are, the more it can\n"
               "prove. Every proof is checked against the rules and the tables before it is\n"
               "printed. Ctrl-C (SIGINT) stops the search and prints what is proved so far; a\n"
               "second Ctrl-C ends the program. Not available under international-fmjd, whose\n"
               "25-move rule is not in the tables.\n"
               "\n"
               "Output: one line per position: the FEN as given; win, draw or loss for the side\n"
               "to move, 'not-win' or 'not-loss' if only that is proved, or 'open'; positions\n"
               "searched; seconds; positions of the proof ('-' without one).\n"
               "\n"
               "Exit status: 2 if a position is wrong (it gets the line 'FEN, error: …'; the run\n"
               "continues); 1 if a result is not confirmed by the check (it is reported as\n"
               "'found, not certified').",
    .examples = "  einspul solve W:WK46,28,33,38:BK43,4,9\n"
                "  einspul solve --seconds 60 --proof proofs.txt - < positions.txt",
    .takes = TAKES_RULES | TAKES_FOLDERS | TAKES_JSON | TAKES_TSV | TAKES_STRICT,
    .own = own_options,
    .most_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = LARGE_CACHE,
};
