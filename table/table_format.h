/* The fixed parts of the table file, for reading and writing. docs/format.md is the reference. */
#ifndef EINSPUL_TABLE_TABLE_FORMAT_H
#define EINSPUL_TABLE_TABLE_FORMAT_H

#include "core/rank.h"
#include "table/checksum.h"
#include "table/metric.h"

enum {
    FORMAT_VERSION = 2,
    HEADER_SIZE = 256,
    MIN_BLOCK_PLACEMENTS = 256,
    MAX_BLOCK_PLACEMENTS = 65536,
    MAX_MODEL_BLOCK_PLACEMENTS = 4096,
    MAX_MODEL_BLOCK_BYTES = 65535,
    MAX_DICTIONARY_BYTES = 65536,
    MAX_INDEX_GROUP = 128, /* blocks; without a model, 1 */
    CHECKSUM_SIZE = 8
};

/* Offsets of header fields. */
enum {
    AT_READ_VERSION = 8, /* of packs too */
    AT_WRITE_VERSION = 10,
    AT_RULES = 12,
    AT_GAME_TYPE = 14,
    AT_RULES_NAME = 16,
    RULES_NAME_SIZE = 24,
    AT_SQUARES = 40,
    AT_METRIC = 42,
    AT_FLAGS = 43,
    AT_MATERIAL = 44,
    AT_SIDES = 48,
    AT_DICTIONARY = 49,
    AT_RUN_STATES = 50,
    AT_BLOCK_PLACEMENTS = 52,
    AT_PLACEMENTS = 56,
    AT_BLOCKS = 64,
    AT_ZEROS = 72,
    AT_INDEX_GROUP = 76,
    AT_ZERO = 77,
    AT_SIDE_OMITTED = 78,
    AT_RUNS_OMITTED = 79,
    AT_MODEL_OFFSET = 80,
    AT_MODEL_SIZE = 88,
    AT_INDEX_OFFSET = 96,
    AT_INDEX_SIZE = 104,
    AT_BLOCKS_OFFSET = 112,
    AT_BLOCKS_SIZE = 120,
    AT_FILE_SIZE = 128,
    AT_VALUE_HASH = 136,
    AT_STORED = 144,
    AT_MODEL_CHECKSUM = 160,
    AT_INDEX_CHECKSUM = 168,
    AT_HEADER_CHECKSUM = 248
};

enum { FLAG_DISTANCES = 1 };

static const uint8_t table_magic[8] = {'E', 'I', 'N', 'S', 'P', 'U', 'L', 0x1a};

/* How placements are coded: distances by numbers of the block's patterns, both metrics by a model,
 * or outcomes by two bits. */
enum dictionary { DICTIONARY_DISTANCES = 1, DICTIONARY_MODEL = 2, DICTIONARY_OUTCOMES = 3 };

/* The fields of a header that do not follow from rules and shape. */
struct header {
    einspul_metric metric;
    bool has_distances; /* of EINSPUL_DTW, and of a material with table_always_has_distances */
    enum dictionary dictionary;
    uint32_t block_placements; /* the last block of a side may have fewer */
    struct omitted omitted;
    uint64_t n_blocks;    /* of the stored sides */
    uint32_t index_group; /* blocks per checksum */
    uint64_t model_size;  /* of the model, compressed, or of the dictionary; or 0 */
    uint64_t blocks_offset, blocks_size;
    uint64_t index_offset, index_size; /* size in the file */
    uint64_t file_size;
    uint64_t value_hash;  /* the same for the same values, however they are encoded */
    uint64_t n_stored[2]; /* quiet placements, by side to move, stored or omitted */
    uint64_t model_checksum;
    uint64_t index_checksum;
};

/* The dictionary of a table as it is generated. */
static inline enum dictionary format_first_dictionary(bool has_distances)
{
    return has_distances ? DICTIONARY_DISTANCES : DICTIONARY_OUTCOMES;
}

/* The blocks of a side to move. */
uint64_t format_blocks_per_side(const struct shape *shape, uint32_t block_placements);

/* What may be omitted: one side to move, in asymmetric material that has no clock and no distances
 * in its .wdl; the states with the longest own run, in material with king runs. */
bool format_may_omit_side(const struct rules *rules, const struct shape *shape);
bool format_may_omit_runs(const struct shape *shape);

/* The number of stored sides to move. */
int format_n_sides(const struct header *header, const struct shape *shape);

/* The blocks of a block's group: the first one, and the one after the last. */
uint64_t format_group_first(const struct header *header, uint64_t block);
uint64_t format_group_end(const struct header *header, uint64_t block);

/* The width of a block size in the index; the size of the index (with a model: uncompressed). */
size_t format_size_width(const struct header *header);
uint64_t format_index_content(const struct header *header);

/* Upper bound on the size of a decompressed block with `n_placements`; without a model. */
size_t format_block_bound(const struct shape *shape, uint32_t n_placements);

/* Upper bound on the size of a zstd frame with `n_bytes` of content. */
uint64_t format_frame_bound(uint64_t n_bytes);

/* Upper bound on the size in a file of a block with `n_placements`. */
uint64_t format_block_file_bound(const struct shape *shape, const struct header *header,
                                 uint32_t n_placements);

/* Writes the fields that follow from rules and shape; all others become 0. */
void header_identity(const struct rules *rules, const struct shape *shape,
                     uint8_t bytes[HEADER_SIZE]);

/* Computes offsets and file size from the sizes of the sections. */
void header_layout(struct header *header);

/* Unpacks a header whose checksum has been verified, and checks that it is that of the requested
 * table (with the given shape) and consistent. `path` is for messages. WRONG_RULES, WRONG_MATERIAL,
 * NO_METRIC, CORRUPT. */
einspul_status header_unpack(struct header *header, struct table_id id, const struct shape *shape,
                             const uint8_t *bytes, const char *path, einspul_error *error);

#endif
