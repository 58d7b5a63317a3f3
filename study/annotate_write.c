/* Copies the game's bytes and inserts notes: before the first move number, or after a move and its
 * marks and NAGs. */
#include "study/annotate_write.h"

#include "core/characters.h"
#include "core/program/text.h"

#include <string.h>

static const char ours[] = "Tables: "; /* prefix of comments that this file writes */

/* --- comments --------------------------------------------------------------------------------- */

void annotate_value(enum side side, const struct verdict *known, char comment[NOTE_SIZE])
{
    const char *winner = side_name(known->outcome == EINSPUL_WIN ? side : side_other(side));
    if (known->outcome == EINSPUL_DRAW)
        text_append(comment, NOTE_SIZE, "a draw");
    else if (known->plies <= 0)
        text_append(comment, NOTE_SIZE, "%s %s", winner, known->plies == 0 ? "has won" : "wins");
    else
        text_append(comment, NOTE_SIZE, "%s wins in %d %s", winner, known->plies,
                    known->plies == 1 ? "ply" : "plies");
}

void annotate_comment(const struct annotation *annotation, size_t step, enum notation notation,
                      char comment[NOTE_SIZE])
{
    const struct game_step *at = &annotation->steps[step];
    const enum side side = at->state.at.side;
    char best[2 * EINSPUL_MOVE_TEXT_SIZE];
    comment[0] = '\0';
    if (!at->first_known && at->nag == 0)
        return;
    text_append(comment, NOTE_SIZE, "%s", ours);
    annotate_value(side, &at->verdict, comment);
    if (at->first_known) {
        /* These limits do not follow from the game's name, so the rule set is named too. */
        if (annotation->rules->lone_king_limit[1] > 0)
            text_append(comment, NOTE_SIZE, " (%s)", annotation->rules->name);
        return;
    }
    notation_write(&annotation->rules->board, notation, at->best.text, best, sizeof best);
    text_append(comment, NOTE_SIZE, best[0] != '\0' ? "; better: %s, " : "; before it: ", best);
    annotate_value(side_other(side), &at->before, comment);
}

/* --- writing ---------------------------------------------------------------------------------- */

struct copy {
    FILE *file;
    const struct pdn_game *game;
    const struct annotation *annotation;
    enum notation notation;
    size_t copied; /* bytes of the game already written or skipped */
};

static void copy_to(struct copy *copy, size_t end)
{
    if (end > copy->copied)
        fwrite(copy->game->text + copy->copied, 1, end - copy->copied, copy->file);
    copy->copied = end > copy->copied ? end : copy->copied;
}

static bool is_behind_move(const struct pdn_game *game, size_t token)
{
    while (token > 0 &&
           (game->tokens[token - 1].kind == PDN_MARK || game->tokens[token - 1].kind == PDN_NAG))
        token--;
    return token > 0 &&
           (game->tokens[token - 1].kind == PDN_MOVE || game->tokens[token - 1].kind == PDN_SETUP);
}

static bool is_ours(const struct pdn_game *game, const struct pdn_token *token)
{
    size_t begin = token->begin + 1; /* after the brace */
    while (begin < token->end && is_space(game->text[begin]))
        begin++;
    return token->kind == PDN_COMMENT && token->end - begin >= strlen(ours) &&
           memcmp(game->text + begin, ours, strlen(ours)) == 0;
}

/* Skips a comment from an earlier run, and the space written before it. */
static void leave_out(struct copy *copy, size_t number)
{
    const struct pdn_game *game = copy->game;
    const struct pdn_token *token = &game->tokens[number];
    size_t begin = token->begin;
    size_t end = token->end;
    if (!is_ours(game, token))
        return;
    if (is_behind_move(game, number))
        begin -= begin > copy->copied && game->text[begin - 1] == ' ';
    else
        end += end < game->n_bytes && game->text[end] == ' ';
    copy_to(copy, begin);
    copy->copied = end;
}

/* Writes the NAG (unless already present) and the comment after a move or set-up. */
static void note_behind(struct copy *copy, size_t step)
{
    const struct pdn_game *game = copy->game;
    const struct game_step *at = &copy->annotation->steps[step];
    char comment[NOTE_SIZE];
    char nag[8];
    size_t token = at->token;
    snprintf(nag, sizeof nag, "$%d", at->nag);
    bool there = at->nag == 0;
    for (; token + 1 < game->n_tokens &&
           (game->tokens[token + 1].kind == PDN_MARK || game->tokens[token + 1].kind == PDN_NAG);
         token++) {
        const struct pdn_token *next = &game->tokens[token + 1];
        there = there || (next->end - next->begin == strlen(nag) &&
                          memcmp(game->text + next->begin, nag, strlen(nag)) == 0);
    }
    annotate_comment(copy->annotation, step, copy->notation, comment);
    if (comment[0] == '\0')
        return;
    copy_to(copy, game->tokens[token].end);
    fprintf(copy->file, "%s%s { %s }", there ? "" : " ", there ? "" : nag, comment);
}

/* Writes the note on the first position before the first move and its number. */
static void note_before(struct copy *copy)
{
    const struct pdn_game *game = copy->game;
    char comment[NOTE_SIZE];
    if (copy->annotation->n < 2 || !copy->annotation->steps[1].moved)
        return;
    annotate_comment(copy->annotation, 0, copy->notation, comment);
    size_t token = copy->annotation->steps[1].token;
    while (token > 0 &&
           (game->tokens[token - 1].kind == PDN_NUMBER || game->tokens[token - 1].kind == PDN_NULL))
        token--;
    if (comment[0] == '\0')
        return;
    for (size_t i = 0; i < token; i++)
        leave_out(copy, i);
    copy_to(copy, game->tokens[token].begin);
    fprintf(copy->file, "{ %s } ", comment);
}

void annotate_write(FILE *file, const struct pdn_game *game, const struct annotation *annotation,
                    enum notation notation)
{
    struct copy copy = {file, game, annotation,
                        notation == NOTATION_AS_GIVEN ? annotation->notation : notation, 0};
    size_t step = 1;
    note_before(&copy);
    for (size_t i = 0; i < game->n_tokens; i++) {
        if (game->tokens[i].begin >= copy.copied)
            leave_out(&copy, i);
        if (step < annotation->n && annotation->steps[step].token == i)
            note_behind(&copy, step++);
    }
    copy_to(&copy, game->n_bytes);
}
