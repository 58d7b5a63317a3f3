/* The tokens of a game in PDN, for study/pdn.c. Offsets are from the beginning of the game. */
#ifndef EINSPUL_STUDY_PDN_TOKEN_H
#define EINSPUL_STUDY_PDN_TOKEN_H

#include "core/characters.h"
#include "study/pdn.h"

/* The byte at an offset, or -1 beyond the end. */
static inline int byte_at(const struct pdn_reader *reader, size_t at)
{
    return at < reader->n_bytes ? (unsigned char)reader->bytes[at] : -1;
}

static inline bool is_word(int byte)
{
    return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static inline bool is_line_start(const struct pdn_reader *reader, size_t at)
{
    return reader->bytes + at == reader->begin || reader->bytes[(ptrdiff_t)at - 1] == '\n';
}

size_t pdn_skip_blanks(struct pdn_reader *reader, size_t at);

/* Where the token at an offset ends, which is not the end of the text; a mark depends on the tokens
 * before it. */
size_t pdn_token_end(struct pdn_reader *reader, const struct pdn_game *game, size_t at,
                     enum pdn_kind *kind);

#endif
