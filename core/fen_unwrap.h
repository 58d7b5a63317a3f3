/* Extracts the FEN from a link or from a tag of a PDN file. */
#ifndef EINSPUL_CORE_FEN_UNWRAP_H
#define EINSPUL_CORE_FEN_UNWRAP_H

#include <stdbool.h>

#include "core/status.h"

enum { FEN_PLAIN_SIZE = 1024, FEN_VARIANT_SIZE = 16 };

struct fen_plain {
    char text[FEN_PLAIN_SIZE];
    int columns[FEN_PLAIN_SIZE];    /* of each character in the input, from 1; the end included */
    char variant[FEN_VARIANT_SIZE]; /* named by a link, as "frisian"; empty if there is none */
};

/* True for texts such as `[FEN "W:W28:B3"]` and `https://lidraughts.org/analysis/frisian/W:W28:B3`,
 * valid or not; leading spaces are allowed. */
bool fen_is_wrapped(const char *text);

/* Extracts the FEN from such a text. A link (http or https; lidraughts.org also without the scheme)
 * has it in a parameter `fen` or after its last slash; `_` and `%20` are spaces, `%3A` a colon, and
 * `+` is itself. Nothing is fetched. BAD_FEN names the mistake and its column. */
einspul_status fen_unwrap(const char *text, struct fen_plain *plain, einspul_error *error);

#endif
