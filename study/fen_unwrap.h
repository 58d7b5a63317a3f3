/* Strips links, PDN tags and quotes from around a FEN. Works in place with blanks, so that columns
 * in errors stay those of the input. */
#ifndef EINSPUL_STUDY_FEN_UNWRAP_H
#define EINSPUL_STUDY_FEN_UNWRAP_H

#include "core/characters.h"
#include "core/fen.h"
#include "core/program/text.h"

#include <string.h>

/* True for a text that begins as a link, valid or not; leading spaces are allowed. */
bool fen_is_link(const char *text);

/* True for a link to lidraughts.org. */
bool fen_is_site_link(const char *text);

enum { FEN_NOTE_SIZE = 512, MAX_FEN_NOTES = 8 };

/* What a reader of FENs says, for callers that phrase their own messages. */
struct fen_said {
    struct fen_fault fault; /* the mistake */
    int n_notes;
    struct fen_fault notes[MAX_FEN_NOTES]; /* the ignored and assumed parts, as in the note */
};

struct fen_wrapped {
    const struct rules *rules;
    char *text;
    char *note; /* of FEN_NOTE_SIZE bytes; ignored parts are added */
    struct fen_said *said;
    einspul_error *error;
};

/* Leaves the position in the text, and blanks around it; `*fen` is where it begins. BAD_FEN names the
 * mistake and its column. */
einspul_status fen_unwrap(const struct fen_wrapped *wrapped, char **fen);

static inline char *fen_skip_spaces(char *at)
{
    while (is_space(*at))
        at++;
    return at;
}

static inline void fen_blank(char *from, const char *end)
{
    if (from < end)
        memset(from, ' ', (size_t)(end - from));
}

/* Adds a remark to a note, after a separator; without text, to its parts alone. */
PRINTF_LIKE(4, 5)
void fen_note_add(char note[FEN_NOTE_SIZE], struct fen_said *said, struct fen_fault remark,
                  const char *format, ...);

#endif
