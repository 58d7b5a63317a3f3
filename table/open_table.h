/* What the files of the read side share: an open table. */
#ifndef EINSPUL_TABLE_OPEN_TABLE_H
#define EINSPUL_TABLE_OPEN_TABLE_H

#include "table/model.h"
#include "table/table_format.h"
#include "table/table_read.h"

#include <zstd.h>

struct table {
    struct file *file;
    const char *path; /* the file's */
    struct shape shape;
    struct header header;
    uint64_t identity; /* table_identity */
    uint64_t blocks_per_side;
    uint64_t *block_end; /* by block: where the next one begins, from blocks_offset on */
    uint64_t *checksum;  /* by group of blocks */
    struct model *model; /* DICTIONARY_MODEL */
    /* A decompression context that no thread is using, or NULL: creating one takes longer than
     * decoding a small block. Behind a pointer, as it changes while the table does not. */
    ZSTD_DCtx *_Atomic *idle;
};

/* --- open_table.c -------------------------------------------------------------------------------  */

/* Decompresses a frame, which must give exactly `n_bytes` bytes; `what` names it in the error. A
 * lack of memory is distinguished from an invalid frame, because only the latter is damage. */
einspul_status table_decompress(const struct table *table, const char *what, const uint8_t *bytes,
                                size_t size, uint8_t *content, size_t n_bytes,
                                einspul_error *error);

/* --- table_block.c -------------------------------------------------------------------------------- */

/* A block of `n` placements, with room for their numbers and patterns of `length` values, or where
 * `length` is 1 for their values. NULL if there is no memory. */
struct block *block_create(uint32_t n, uint32_t n_patterns, size_t length);

/* --- table_block_model.c ------------------------------------------------------------------------ */

/* Decodes a block of `n` placements of a table with a model, to the row of place `last`. Any bytes
 * give a block; NO_MEMORY. */
einspul_status table_decode_model(const struct table *table, enum side side, uint64_t first,
                                  uint32_t n, uint32_t last, const uint8_t *bytes, size_t size,
                                  struct block **block, einspul_error *error);

#endif
