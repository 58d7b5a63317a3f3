/* The header byte by byte, as table/table_format.c reads it. */
#include "table/write/header_write.h"

#include "table/bytes.h"

/* Larger blocks compress better, smaller ones decode faster: outcomes in 3 to 10 us, distances within
 * 50 us. With distances and many rule states up to half the placements have distinct patterns, which
 * must be decoded as well. */
uint32_t format_block_placements(const struct shape *shape, bool has_distances)
{
    if (!has_distances)
        return shape->n_rule_states == 1 ? 8192 : 4096;
    if (shape->n_rule_states == 1)
        return 16384;
    uint32_t n_placements = 8192;
    while (n_placements > 512 && n_placements * (uint32_t)shape->n_rule_states > 65536)
        n_placements /= 2;
    return n_placements;
}

void header_write(const struct header *header, const struct rules *rules, const struct shape *shape,
                  uint8_t bytes[HEADER_SIZE])
{
    header_identity(rules, shape, bytes);
    store_u16(bytes + AT_READ_VERSION, FORMAT_VERSION);
    store_u16(bytes + AT_WRITE_VERSION, FORMAT_VERSION);
    bytes[AT_METRIC] = (uint8_t)header->metric;
    bytes[AT_FLAGS] = header->has_distances ? FLAG_DISTANCES : 0;
    bytes[AT_DICTIONARY] = (uint8_t)header->dictionary;
    store_u32(bytes + AT_BLOCK_PLACEMENTS, header->block_placements);
    store_u64(bytes + AT_BLOCKS, header->n_blocks);
    bytes[AT_INDEX_GROUP] = (uint8_t)header->index_group;
    for (int side = WHITE; side <= BLACK; side++)
        if (header->omitted.side[side])
            bytes[AT_SIDE_OMITTED] = (uint8_t)(1 + side);
    bytes[AT_RUNS_OMITTED] = header->omitted.runs;
    store_u64(bytes + AT_MODEL_OFFSET, HEADER_SIZE);
    store_u64(bytes + AT_MODEL_SIZE, header->model_size);
    store_u64(bytes + AT_INDEX_OFFSET, header->index_offset);
    store_u64(bytes + AT_INDEX_SIZE, header->index_size);
    store_u64(bytes + AT_BLOCKS_OFFSET, header->blocks_offset);
    store_u64(bytes + AT_BLOCKS_SIZE, header->blocks_size);
    store_u64(bytes + AT_FILE_SIZE, header->file_size);
    store_u64(bytes + AT_VALUE_HASH, header->value_hash);
    store_u64(bytes + AT_STORED, header->n_stored[WHITE]);
    store_u64(bytes + AT_STORED + 8, header->n_stored[BLACK]);
    store_u64(bytes + AT_MODEL_CHECKSUM, header->model_checksum);
    store_u64(bytes + AT_INDEX_CHECKSUM, header->index_checksum);
    store_u64(bytes + AT_HEADER_CHECKSUM, format_checksum(bytes, AT_HEADER_CHECKSUM));
}
