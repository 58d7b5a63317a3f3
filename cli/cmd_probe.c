/* `einspul probe`: a line for each position given as an argument or read from standard input. */
#include <stdio.h>

#include "cli/board.h"
#include "cli/lines.h"
#include "cli/position.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/text.h"
#include "probe/program_handle.h"
#include "study/verdict.h"

enum { MAX_NOTES = 20 };

/* State of one run. */
struct probe_run {
    const struct options *options;
    einspul *handle;
    einspul *site; /* tables of lidraughts.org's rule set, or NULL */
    bool board;    /* print boards and sentences */
    uint64_t n_notes;
    int status; /* to exit with */
};

/* Reports a position that has no answer: in its line, or on a terminal in a message. A status of a
 * file or the system is not hidden by a later one of a position. */
static void refuse(struct probe_run *run, const char *text, size_t n_bytes,
                   const einspul_error *error)
{
    const int status = exit_status_of(error->status);
    if (run->board) {
        output_flush();
        command_error(run->options, text, error);
    } else {
        row_bytes("fen", text, n_bytes);
        row_error(error->text);
        row_end();
    }
    if (run->status != EXIT_FAILED)
        run->status = status;
}

/* Notes the outcome under the rules of lidraughts.org if it differs. Skips states with a limit
 * carried over a capture, which that site does not have. */
static void note_site(const struct probe_run *run, const char *text, einspul_outcome outcome,
                      char note[FEN_NOTE_SIZE])
{
    char own_note[FEN_NOTE_SIZE];
    struct state state;
    struct verdict there;
    if (run->site == NULL ||
        fen_read_lenient(probe_rules(run->site), text, &state, own_note, NULL, NULL, NULL) !=
            EINSPUL_OK ||
        verdict_of(run->site, &state, &there, NULL) != EINSPUL_OK || there.outcome == outcome)
        return;
    text_append(note, FEN_NOTE_SIZE, "%sa %s under %s", note[0] != '\0' ? "; " : "",
                outcome_text(there.outcome), probe_rules(run->site)->name);
}

/* Prints a position as it was given, so that lists can be joined, or in the notation of the
 * options. */
static void row_fen(const struct options *options, const struct state *state, const char *text,
                    size_t n_bytes)
{
    char fen[FEN_SIZE];
    char written[2 * FEN_SIZE];
    if (options->notation == NOTATION_AS_GIVEN) {
        row_bytes("fen", text, n_bytes);
        return;
    }
    fen_write(&options->rules, state, fen);
    notation_write(&options->rules.board, options->notation, fen, written, sizeof written);
    row_text("fen", written);
}

/* --- reasons ---------------------------------------------------------------------------------- */

/* The value of a text under another rule set; false if no table has it. */
static bool verdict_under(const struct options *options, const char *rules, const char *text,
                          struct verdict *verdict)
{
    char note[FEN_NOTE_SIZE];
    struct state state;
    einspul *handle =
        tables_open_folders(options->folders, options->n_folders, rules, SMALL_CACHE, NULL);
    const bool known =
        handle != NULL &&
        fen_read_lenient(probe_rules(handle), text, &state, note, NULL, NULL, NULL) == EINSPUL_OK &&
        verdict_of(handle, &state, verdict, NULL) == EINSPUL_OK && verdict->known;
    einspul_close(handle);
    return known;
}

/* The value without Article 18, where that applies and its moves are not used up. */
static bool verdict_without_limit(einspul *handle, const struct state *state,
                                  struct verdict *verdict)
{
    const struct rules *rules = probe_rules(handle);
    const struct limit_left limit = state_limit_left(rules, state);
    value_t value = VALUE_NONE;
    if (rules->two_kings_limit == 0 || limit.limit == 0 || limit.left == 0 ||
        probe_raw(handle, state, &value, NULL) != EINSPUL_OK)
        return false;
    *verdict = (struct verdict){
        .known = true, .outcome = value_outcome(value), .plies = value_plies(value)};
    return true;
}

/* Prints the rules that decide the outcome: the first without which it would differ, and the moves
 * counted so far if it would differ without them. */
static void show_reasons(const struct probe_run *run, const struct state *state, const char *text,
                         einspul_outcome outcome)
{
    const bool frisian = run->options->rules.id == RULES_FRISIAN;
    const bool counted =
        state->clock > 0 || state->run[WHITE].count > 0 || state->run[BLACK].count > 0;
    const struct state fresh = {.at = state->at};
    const enum side side = state->at.side;
    struct verdict other;
    if (state_is_drawn(&run->options->rules, state))
        return;
    if (verdict_without_limit(run->handle, state, &other) && other.outcome != outcome)
        board_show_reason("Without Article 18", side, other.outcome, other.plies);
    else if (frisian && verdict_under(run->options, "frisian-no17", text, &other) &&
             other.outcome != outcome)
        board_show_reason("If kings could move more than three times in a row", side, other.outcome,
                          other.plies);
    if (counted && verdict_of(run->handle, &fresh, &other, NULL) == EINSPUL_OK && other.known &&
        other.outcome != outcome)
        board_show_reason("If no moves had been counted", side, other.outcome, other.plies);
}

/* --- positions -------------------------------------------------------------------------------- */

/* Prints the line of one position. */
static void answer(struct probe_run *run, const char *text, size_t n_bytes)
{
    struct state state;
    einspul_error error;
    enum notation notation = NOTATION_NUMBERS;
    char note[FEN_NOTE_SIZE] = "";
    struct verdict verdict;

    einspul_status status =
        fen_given_read(run->options, text, n_bytes, &state, note, &notation, &error);
    if (status == EINSPUL_OK)
        status = verdict_of(run->handle, &state, &verdict, &error);
    if (status != EINSPUL_OK) {
        refuse(run, text, n_bytes, &error);
        return;
    }
    note_site(run, text, verdict.outcome, note);
    if (note[0] != '\0' && run->n_notes++ < MAX_NOTES) /* the others are only counted */
        command_message(run->options, "%.400s: %s", text, note);
    if (run->board) {
        board_show(&run->options->rules, &state);
        if (verdict.undecided)
            puts("Undecided: the 25-move rule may draw the game first, and the tables do not count "
                 "its moves.\n");
        else
            board_show_verdict(state.at.side, verdict.outcome, verdict.plies);
        if (verdict.known)
            show_reasons(run, &state, text, verdict.outcome);
        return;
    }
    row_fen(run->options, &state, text, n_bytes);
    row_text("outcome", verdict_text(&verdict));
    row_plies("plies", verdict.plies);
    if (run->options->json && note[0] != '\0')
        row_text("note", note);
    row_end();
}

static bool take(void *context, const char *text, size_t n_bytes, bool cut)
{
    einspul_error error;
    error_set(&error, EINSPUL_BAD_FEN, "line longer than %d bytes; only its beginning is shown",
              MAX_LINE);
    if (cut)
        refuse(context, text, n_bytes, &error);
    else
        answer(context, text, n_bytes);
    return true;
}

static int run(const struct options *options, einspul *handle)
{
    struct probe_run run = {
        .options = options, .handle = handle, .board = board_is_wanted(options), .status = EXIT_OK};
    if (options->rules.lidraughts_rules != 0)
        run.site = tables_open_folders(options->folders, options->n_folders,
                                       einspul_rules_list()[options->rules.lidraughts_rules - 1],
                                       SMALL_CACHE, NULL);
    const int status = for_each_position(options, take, &run);
    if (run.n_notes > MAX_NOTES)
        command_message(options,
                        "%llu more notes not shown; use --json to get the note of every position",
                        (unsigned long long)(run.n_notes - MAX_NOTES));
    einspul_close(run.site);
    return status != EXIT_OK ? status : run.status;
}

const struct command command_probe = {
    .name = "probe",
    .group = COMMAND_LOOKS_UP,
    .summary = "look up the outcome and distance of positions",
    .synopsis = "[FEN… | -] [OPTION…]",
    .about = "Print the outcome and the distance of positions. Without FEN, or with '-', read\n"
             "them from standard input, one per line of at most 64 KiB; empty lines are\n"
             "skipped.",
    .details = "Squares may be numbers or letters (a3). The program also finds a FEN inside a\n"
               "link to lidraughts.org, a PDN tag or quotes. It ignores a king run or clock that\n"
               "the rules do not use, and says so on standard error (with --json, also in the\n"
               "object).\n"
               "\n"
               "Output: one line per position, with the FEN as given (--notation rewrites its\n"
               "squares), win, draw or loss for the side to move, and the plies to the end of\n"
               "the game ('-' for a draw, or without distances). On a terminal, the command\n"
               "shows a board, the answer in words and, if there is one, the rule without which\n"
               "the outcome would be different.\n"
               "\n"
               "For a position without an answer, the line has the FEN and 'error: …' with the\n"
               "reason. The command then continues with the next position, and its exit status\n"
               "is 2.\n"
               "\n"
               "Under frisian, a note gives the outcome under the rules of lidraughts.org if it\n"
               "is different; this needs the tables of frisian-lidraughts. Under the draw rules\n"
               "of the FMJD, the outcome is 'undecided' if the 25-move rule might draw the game\n"
               "before the win is reached: the tables do not count the moves for that rule.",
    .examples = "  einspul probe W:WK46,28:BK43\n"
                "  einspul probe --rules international --json W:WK46:BK5\n"
                "  einspul probe < positions.txt",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV | TAKES_NOTATION | TAKES_STRICT,
    .max_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = LARGE_CACHE,
};
