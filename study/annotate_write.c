/* Writes one tag per line, an empty line, the moves as filled text, and an empty line. */
#include "study/annotate.h"

#include <string.h>

enum { COLUMNS = 79 };

struct page {
    FILE *file;
    size_t column;
};

/* A space, or a new line where so many characters do not fit behind it. */
static void write_space(struct page *page, size_t length)
{
    const bool fits = page->column + 1 + length <= COLUMNS;
    if (page->column == 0)
        return;
    fputc(fits ? ' ' : '\n', page->file);
    page->column = fits ? page->column + 1 : 0;
}

/* Writes a word, on a new line if it does not fit. There is no break after `(` or before `)`. */
static void write_word(struct page *page, const char *word, bool joined)
{
    const size_t length = strlen(word);
    const char *feed = strrchr(word, '\n');
    if (!joined)
        write_space(page, length);
    fputs(word, page->file);
    page->column = feed != NULL ? strlen(feed + 1) : page->column + length;
}

static void write_comment(struct page *page, const char *text)
{
    write_space(page, strlen(text) + 2);
    fputc('{', page->file);
    write_word(page, text, true);
    fputc('}', page->file);
    page->column += 2;
}

static void write_note_comment(struct page *page, const char *comment)
{
    char text[NOTE_SIZE + 2];
    snprintf(text, sizeof text, " %s ", comment);
    write_comment(page, text);
}

/* The NAG of a note, unless it is there already, and its comment. */
static void write_note(struct page *page, const struct pdn_game *game,
                       const struct annotation *note, size_t next)
{
    char nag[8];
    snprintf(nag, sizeof nag, "$%d", note->nag);
    bool there = note->nag == 0;
    for (; next < game->n_tokens && game->tokens[next].kind == PDN_NAG; next++)
        there = there || strcmp(pdn_text(game, &game->tokens[next]), nag) == 0;
    if (!there)
        write_word(page, nag, false);
}

static void write_token(struct page *page, const struct pdn_game *game, size_t number)
{
    const struct pdn_token *token = &game->tokens[number];
    const char *text = pdn_text(game, token);
    const bool opened = number > 0 && game->tokens[number - 1].kind == PDN_OPEN;
    if (token->kind == PDN_LINE_COMMENT) {
        fprintf(page->file, "%s;%s\n", page->column > 0 ? " " : "", text);
        page->column = 0;
    } else if (token->kind == PDN_COMMENT) {
        if (strncmp(text + strspn(text, " \n"), OURS, strlen(OURS)) != 0)
            write_comment(page, text);
    } else if (text[0] != '\0') {
        write_word(page, text, opened || token->kind == PDN_CLOSE || token->kind == PDN_MARK);
    }
}

/* Writes the tags; returns the number of the first token behind them. */
static size_t write_tags(FILE *file, const struct pdn_game *game)
{
    size_t i = 0;
    for (; i + 1 < game->n_tokens && game->tokens[i].kind == PDN_TAG_NAME; i += 2)
        fprintf(file, "[%s \"%s\"]\n", pdn_text(game, &game->tokens[i]),
                pdn_text(game, &game->tokens[i + 1]));
    if (i > 0)
        fputc('\n', file);
    return i;
}

/* The first token of a move including its number, where a note before the move is written. */
static size_t place_of(const struct pdn_game *game, const struct annotation *note)
{
    size_t token = note->token;
    if (note->before && token > 0 && game->tokens[token - 1].kind == PDN_NUMBER)
        token--;
    return token;
}

void annotate_write(FILE *file, const struct pdn_game *game, const struct notes *notes)
{
    struct page page = {.file = file};
    size_t next = 0;                         /* note */
    const struct annotation *waiting = NULL; /* its comment comes after marks and NAGs */
    if (game->too_long)
        return;
    for (size_t i = write_tags(file, game); i < game->n_tokens; i++) {
        const enum pdn_kind kind = game->tokens[i].kind;
        if (waiting != NULL && kind != PDN_MARK && kind != PDN_NAG) {
            write_note_comment(&page, waiting->comment);
            waiting = NULL;
        }
        while (next < notes->n && notes->note[next].before &&
               place_of(game, &notes->note[next]) == i)
            write_note_comment(&page, notes->note[next++].comment);
        write_token(&page, game, i);
        if (next < notes->n && !notes->note[next].before && notes->note[next].token == i) {
            waiting = &notes->note[next++];
            const size_t marks =
                i + 1 < game->n_tokens && game->tokens[i + 1].kind == PDN_MARK ? 2 : 1;
            if (marks == 2)
                write_token(&page, game, ++i);
            write_note(&page, game, waiting, i + 1);
        }
    }
    if (waiting != NULL)
        write_note_comment(&page, waiting->comment);
    fputs("\n\n", file);
}
