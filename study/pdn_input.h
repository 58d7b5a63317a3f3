/* The bytes of games, for study/pdn.c: UTF-16 becomes UTF-8. */
#ifndef EINSPUL_STUDY_PDN_INPUT_H
#define EINSPUL_STUDY_PDN_INPUT_H

#include "study/pdn.h"

/* Reads at least `n` more bytes, and on to the end of a line, so that a game that is typed is
 * answered. */
void pdn_read_more(struct pdn_reader *reader, size_t n);

#endif
