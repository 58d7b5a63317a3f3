/* Sequential reading of a table: the cursor keeps the last decoded block, so that reading in the
 * order of the table decodes each block once. For one thread and one side to move. */
#ifndef EINSPUL_TABLE_BLOCK_CURSOR_H
#define EINSPUL_TABLE_BLOCK_CURSOR_H

#include "table/table_block.h"

#include <stdlib.h>

/* Zero-initialised before use. */
struct block_cursor {
    struct block *block; /* the block `number`, or NULL; owned by the cursor */
    uint64_t number;
};

static inline bool block_cursor_holds(const struct block_cursor *cursor, uint64_t number)
{
    return cursor->block != NULL && cursor->number == number;
}

static inline void block_cursor_free(struct block_cursor *cursor)
{
    free(cursor->block);
    cursor->block = NULL;
}

/* Makes block `number` current, decoding it unless it already is. Errors of table_decode_block;
 * after an error the cursor has no block. */
static inline einspul_status block_cursor_go(struct block_cursor *cursor, const struct table *table,
                                             uint64_t number, einspul_error *error)
{
    if (block_cursor_holds(cursor, number))
        return EINSPUL_OK;
    block_cursor_free(cursor);
    cursor->number = number;
    return table_decode_block(table, number, UINT32_MAX, &cursor->block, error);
}

#endif
