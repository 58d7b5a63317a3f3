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

/* Decompresses a frame, which must give exactly `n_bytes` bytes; `what` names it in the error. A
 * lack of memory is distinguished from an invalid frame, because only the latter is damage. */
einspul_status table_decompress(const struct table *table, const char *what, const uint8_t *bytes,
                                size_t size, uint8_t *content, size_t n_bytes,
                                einspul_error *error);

#endif
