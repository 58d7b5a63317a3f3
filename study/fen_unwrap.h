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

enum { FEN_NOTE_SIZE = 512 };

struct fen_wrapped {
    const struct rules *rules;
    char *text;
    char *note; /* of FEN_NOTE_SIZE bytes; ignored parts are added */
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

/* Appends a separator to the note and returns where the next remark begins. */
static inline char *fen_and_note(char *note)
{
    if (note[0] != '\0')
        text_append(note, FEN_NOTE_SIZE, "; ");
    return note;
}

#endif
