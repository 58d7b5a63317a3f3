/* The read side of the table file (docs/format.md). */
#ifndef EINSPUL_TABLE_TABLE_READ_H
#define EINSPUL_TABLE_TABLE_READ_H

#include "core/rank.h"
#include "core/value.h"
#include "table/read_file.h"
#include "table/table_format.h"

#include <string.h>

struct model;
struct ZSTD_DCtx_s;
struct ZSTD_DDict_s;

/* An open table; immutable once open, so any number of threads may use it. */
struct table {
    struct file *file;
    const char *path; /* the file's */
    struct shape shape;
    struct header header; /* as in the file */
    uint64_t blocks_per_side;
    uint64_t *block_end;             /* by block: its end, relative to blocks_offset */
    uint64_t *checksum;              /* by group of blocks */
    struct model *model;             /* DICTIONARY_MODEL */
    struct ZSTD_DDict_s *dictionary; /* of the blocks, or NULL; only DICTIONARY_OUTCOMES */
    /* A spare decompression context, or NULL: creating one takes longer than decoding a small
     * block. Behind a pointer, because it changes while the table is const. */
    struct ZSTD_DCtx_s *_Atomic *spare_context;
};

void table_close(struct table *table); /* NULL is allowed */

/* Opens a table: verifies header, block index and model: sizes, checksums, and that it is the
 * requested table. Takes ownership of `file`, even on error. id.rules is not needed after the call.
 * IO, NOT_A_TABLE, OLD_VERSION, WRONG_VERSION, WRONG_RULES, WRONG_MATERIAL, TRUNCATED, BAD_HEADER,
 * CORRUPT, NO_METRIC (a table of another metric), NO_MEMORY. The text names file and reason. */
einspul_status table_open_file(struct file *file, struct table_id id, struct table **table,
                               einspul_error *error);

/* True if the blocks store a side to move: not Black in symmetric material, nor an omitted side,
 * whose values are recomputed from its moves. */
bool table_stores(const struct table *table, enum side side);

/* The longest stored run of the side to move; -1 if the side is omitted. States of a stored side
 * with a longer run have no value in the blocks, whatever is read there, and are not better than
 * those with a run shorter by one. */
enum { ANY_RUN = 127 };
int table_max_run(const struct table *table, enum side side);

/* Blocks are numbered through all stored sides, those of a side from table_first_block on. Each
 * covers as many placement indices as the header says, the last one of a side fewer. */
uint64_t table_first_block(const struct table *table, enum side side);
enum side table_block_side(const struct table *table, uint64_t number);

/* Decompresses a frame, with the dictionary if there is one. It must give exactly `n_bytes` bytes;
 * `what` names it in the error. CORRUPT, NO_MEMORY. */
einspul_status table_decompress(const struct table *table, const char *what, const uint8_t *bytes,
                                size_t size, uint8_t *to, size_t n_bytes, einspul_error *error);

#endif
