/* Writing the header of a table (table/table_format.h), and the size of its blocks. */
#ifndef EINSPUL_TABLE_WRITE_HEADER_WRITE_H
#define EINSPUL_TABLE_WRITE_HEADER_WRITE_H

#include "table/table_format.h"

/* Placements per block of a table to be written. */
uint32_t format_block_placements(const struct shape *shape, bool has_distances);

void header_write(const struct header *header, const struct rules *rules, const struct shape *shape,
                  uint8_t bytes[HEADER_SIZE]);

#endif
