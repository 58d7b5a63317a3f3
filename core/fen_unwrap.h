/* A FEN taken out of what people keep it in: a link, or the tag of a PDN file. */
#ifndef EINSPUL_CORE_FEN_UNWRAP_H
#define EINSPUL_CORE_FEN_UNWRAP_H

#include <stdbool.h>

#include "core/status.h"

enum { FEN_PLAIN_SIZE = 1024, FEN_VARIANT_SIZE = 16 };

struct fen_plain {
    char text[FEN_PLAIN_SIZE];
    int columns[FEN_PLAIN_SIZE];    /* by character, the end included: where it stands, from 1 */
    char variant[FEN_VARIANT_SIZE]; /* of a link: "frisian"; empty where it names none */
};

/* True for `[FEN "W:W28:B3"]` and `https://lidraughts.org/analysis/frisian/W:W28:B3` and the like,
 * right or wrong; spaces may stand before. */
bool fen_is_wrapped(const char *text);

/* What such a text holds. A link (any http or https one; of lidraughts.org also without that) has
 * it in a parameter `fen`, else behind its last slash; `_` and `%20` are spaces, `%3A` a colon, a
 * `+` is itself. Nothing is fetched. BAD_FEN says what is wrong, and where. */
enum status fen_unwrap(const char *text, struct fen_plain *plain, struct error *error);

#endif
