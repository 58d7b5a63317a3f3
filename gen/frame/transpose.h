/* The transpose of a matrix of 64 words. */
#ifndef EINSPUL_GEN_FRAME_TRANSPOSE_H
#define EINSPUL_GEN_FRAME_TRANSPOSE_H

#include "gen/frame/words.h"

/* Turns a 64x64 bit matrix along its diagonal: bit j of word i goes to bit i of word j. */
void words_transpose(cells_t matrix[WORD_CELLS]);

/* Like words_transpose, but portable: without instructions that some processors lack. */
void words_transpose_portable(cells_t matrix[WORD_CELLS]);

#endif
