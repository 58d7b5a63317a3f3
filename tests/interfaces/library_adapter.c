/* library_adapter RULES FOLDER <TEXTS: prints the library's answers for tests/interfaces/adapters.py. For each line of
 * input it prints tab-separated records, ended by ".":
 *
 *   single     a probe of the position, as the library reads it
 *   batch      the answer for it in a call for all positions
 *   strict     present if the strict reader accepts the text
 *   lenient    the answer as the program and the server read it
 *   ranked     the best of its moves
 *   best       each move that is as good as that
 *   drawn      a count has reached its limit, and no move counts any more
 *   undecided  a draw by quiet play may come first
 *   wrong      a contradiction between calls
 *
 * The fields are a status, an outcome, plies (-1: none) and a message. */
#include "einspul.h"
#include "probe/position.h"
#include "probe/ranking.h"
#include "study/fen_lenient.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 20000, MOST_MOVES = 512 };

struct answer {
    einspul_status status;
    einspul_outcome outcome;
    int plies;
    einspul_error error;
};

struct text {
    char *text;
    einspul_position position; /* as the library reads it */
    einspul_error error;       /* of reading it */
    struct answer batch;
    struct answer batch_wdl;
};

static struct text texts[MOST_TEXTS];
static size_t n_texts;
static einspul *handle;
static struct rules rules;

/* --- asking ----------------------------------------------------------------------------------- */

/* An outcome without a distance is an answer, too. */
static struct answer answer_of(struct answer answer)
{
    if (answer.outcome == EINSPUL_UNKNOWN)
        answer.outcome = EINSPUL_DRAW;
    else
        answer.status = EINSPUL_OK;
    return answer;
}

static struct answer probe(const einspul_position *position)
{
    struct answer answer = {.plies = -1, .error = {EINSPUL_OK, ""}};
    answer.status =
        einspul_probe(handle, position, 0, &answer.outcome, &answer.plies, &answer.error);
    if (answer.outcome != EINSPUL_UNKNOWN)
        answer.error.text[0] = '\0';
    return answer_of(answer);
}

/* All positions, in one call for distances and one for outcomes. */
static void probe_batch(void)
{
    static einspul_position positions[MOST_TEXTS];
    static einspul_outcome outcomes[2][MOST_TEXTS];
    static einspul_status statuses[2][MOST_TEXTS];
    static int plies[MOST_TEXTS];
    size_t n = 0;
    for (size_t i = 0; i < n_texts; i++)
        if (texts[i].error.status == EINSPUL_OK)
            positions[n++] = texts[i].position;
    einspul_probe_many(handle, positions, n, 0, outcomes[0], plies, statuses[0]);
    einspul_probe_many(handle, positions, n, 0, outcomes[1], NULL, statuses[1]);
    n = 0;
    for (size_t i = 0; i < n_texts; i++) {
        if (texts[i].error.status != EINSPUL_OK)
            continue;
        texts[i].batch_wdl = answer_of(
            (struct answer){.status = statuses[1][n], .outcome = outcomes[1][n], .plies = -1});
        texts[i].batch = answer_of((struct answer){
            .status = statuses[0][n], .outcome = outcomes[0][n], .plies = plies[n]});
        n++;
    }
}

/* --- telling ---------------------------------------------------------------------------------- */

static void print_text(const char *text)
{
    for (; *text != '\0'; text++)
        putchar(*text == '\t' || *text == '\n' ? ' ' : *text);
}

static void print_answer(const char *what, const struct answer *answer, const char *message)
{
    printf("%s\t%s\t%d\t%d\t", what, einspul_status_name(answer->status), (int)answer->outcome,
           answer->plies);
    print_text(message);
    putchar('\n');
}

static void print_wrong(const char *what)
{
    printf("wrong\t%s\n", what);
}

/* As the Hub protocol writes moves. */
static void print_move(const einspul_position *position, const einspul_move *move)
{
    char text[EINSPUL_MOVE_TEXT_SIZE] = "";
    if (einspul_move_write(rules.name, position, move, text, NULL) != EINSPUL_OK)
        print_wrong("a move without a text");
    printf("best\t%s\t%d%c%d", text, move->from, move->captured != 0 ? 'x' : '-', move->to);
    for (int square = 1; square <= 50; square++)
        if ((move->captured >> (square - 1) & 1) != 0)
            printf("x%d", square);
    putchar('\n');
}

/* Fails unless the moves with values are the legal ones, and the best of them has the value of the
 * position. If the table of a move is missing, every legal move counts as best; if only the
 * position's own table is missing, its moves still give its value. */
static void tell_moves(const einspul_position *position, const struct answer *value)
{
    static einspul_move moves[MOST_MOVES];
    struct answer ranked = {.outcome = EINSPUL_LOSS, .plies = 0};
    einspul_error error = {EINSPUL_OK, ""};
    const int n_legal = einspul_moves(rules.name, position, moves, MOST_MOVES, NULL);
    if (n_legal < 0)
        return;
    const int n = einspul_probe_moves(handle, position, moves, MOST_MOVES, &error);
    ranked.status = n < 0 ? error.status : EINSPUL_OK;
    printf("legal\t%d\n", n_legal);
    if (ranked.status == EINSPUL_OK && n != n_legal)
        print_wrong("einspul_moves and einspul_probe_moves: another number");
    if (ranked.status == EINSPUL_OK && n > 0) {
        ranked.outcome = (einspul_outcome)moves[0].outcome;
        ranked.plies = moves[0].plies;
    }
    print_answer("ranked", &ranked, error.text);
    if (ranked.status == EINSPUL_OK && value->status == EINSPUL_OK &&
        (ranked.outcome != value->outcome ||
         (ranked.plies >= 0 && value->plies >= 0 && ranked.plies != value->plies)))
        print_wrong("the best move is worth another value than the position");
    for (int i = 0; i < n_legal && i < MOST_MOVES; i++)
        if (ranked.status != EINSPUL_OK ||
            (moves[i].outcome == moves[0].outcome && moves[i].plies == moves[0].plies))
            print_move(position, &moves[i]);
}

/* Outcomes without distances, alone and in a batch. A known distance implies its outcome; an
 * outcome may be known without a distance, because one winning capture is enough. */
static void check_outcome(const struct text *text, const struct answer *value)
{
    struct answer wdl = {.plies = -1};
    wdl.status = einspul_probe(handle, &text->position, 0, &wdl.outcome, NULL, NULL);
    wdl = answer_of(wdl);
    if (value->status == EINSPUL_OK && (wdl.status != EINSPUL_OK || wdl.outcome != value->outcome))
        print_wrong("einspul_probe without and with plies: another outcome");
    if (wdl.status != text->batch_wdl.status ||
        (wdl.status == EINSPUL_OK && wdl.outcome != text->batch_wdl.outcome))
        print_wrong("einspul_probe and einspul_probe_many: another outcome");
    printf("strict\n");
}

/* Fails if a position is written as text that is read as another. */
static void check_writing(const einspul_position *position)
{
    char fen[EINSPUL_FEN_SIZE];
    einspul_position again;
    if (einspul_fen_write(rules.name, position, fen, NULL) != EINSPUL_OK ||
        einspul_fen_read(rules.name, fen, &again, NULL) != EINSPUL_OK ||
        memcmp(&again, position, sizeof again) != 0)
        print_wrong("written as a FEN and read again, it is another position");
}

static void tell(const struct text *text)
{
    struct state state;
    einspul_error error = {EINSPUL_OK, ""};
    char note[FEN_NOTE_SIZE] = "";
    const bool strict = text->error.status == EINSPUL_OK;
    struct answer answer = {.status = text->error.status, .plies = -1};
    einspul_position position;
    if (strict) {
        answer = probe(&text->position);
        print_answer("single", &answer, answer.error.text);
        print_answer("batch", &text->batch, "");
        check_outcome(text, &answer);
        check_writing(&text->position);
    } else {
        print_answer("single", &answer, text->error.text);
    }
    if (fen_read_lenient(&rules, text->text, &state, note, NULL, NULL, &error) != EINSPUL_OK) {
        answer = (struct answer){.status = error.status, .plies = -1};
        print_answer("lenient", &answer, error.text);
        if (strict)
            print_wrong("read strictly, but not leniently");
    } else {
        probe_position_from_state(&state, &position);
        if (strict && memcmp(&position, &text->position, sizeof position) != 0)
            print_wrong("read leniently, it is another position");
        answer = probe(&position);
        print_answer("lenient", &answer, answer.error.text);
        if (answer.status == EINSPUL_UNDECIDED)
            printf("undecided\n");
        if (state_is_drawn(&rules, &state))
            printf("drawn\n");
        tell_moves(&position, &answer);
        if (note[0] != '\0')
            printf("note\t%s\n", note);
    }
    printf(".\n");
}

static bool read_texts(void)
{
    static char line[8192];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        struct text *text = &texts[n_texts];
        if (n_texts == MOST_TEXTS || (text->text = strdup(line)) == NULL)
            return false;
        n_texts++;
        einspul_fen_read(rules.name, line, &text->position, &text->error);
    }
    return true;
}

int main(int n_arguments, char **arguments)
{
    einspul_error error;
    if (n_arguments != 3)
        return 2;
    if (einspul_open(arguments[2], arguments[1], (size_t)256 << 20, NULL, &handle, &error) !=
            EINSPUL_OK ||
        rules_by_name(&rules, arguments[1], NULL) != EINSPUL_OK || !read_texts()) {
        fprintf(stderr, "library_adapter: %s\n", error.text);
        return 2;
    }
    probe_batch();
    for (size_t i = 0; i < n_texts; i++) {
        tell(&texts[i]);
        free(texts[i].text);
    }
    einspul_close(handle);
    return 0;
}
