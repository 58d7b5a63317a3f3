/* Writes the comments on an annotated game, and the game with them. Thread-safe. */
#ifndef EINSPUL_STUDY_ANNOTATE_WRITE_H
#define EINSPUL_STUDY_ANNOTATE_WRITE_H

#include "study/annotate.h"

#include <stdio.h>

enum { NOTE_SIZE = 512 };

/* Appends "White wins in 5 plies", or "a draw"; of a known value for `side` to move. */
void annotate_value(enum side side, const struct verdict *known, char comment[NOTE_SIZE]);

/* Writes the comment on a step, with squares in a notation; empty if the step needs none. */
void annotate_comment(const struct annotation *annotation, size_t step, enum notation notation,
                      char comment[NOTE_SIZE]);

/* Copies the game unchanged and inserts comments on its steps. Comments inserted by an earlier run
 * are replaced. With NOTATION_AS_GIVEN, comments use the notation of the game. */
void annotate_write(FILE *file, const struct pdn_game *game, const struct annotation *annotation,
                    enum notation notation);

#endif
