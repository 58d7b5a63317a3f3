/* The fixed parts of the table file, shared by its two sides. docs/format.md is the reference. */
#ifndef EINSPUL_TABLE_TABLE_FORMAT_H
#define EINSPUL_TABLE_TABLE_FORMAT_H

#include "core/rank.h"
#include "table/metric.h"

enum {
    FORMAT_READ_VERSION = 4,     /* the latest that is read */
    FORMAT_WHOLE_VERSION = 2,    /* to read what leaves nothing out */
    FORMAT_LEFT_OUT_VERSION = 3, /* what leaves something out */
    FORMAT_WIDE_VERSION = 4,     /* what has values of two bytes */
    FORMAT_WRITE_VERSION = 3,    /* of a file without such values */
    HEADER_SIZE = 256,
    MAX_TABLE_PATTERNS = 65536,
    MIN_BLOCK_PLACEMENTS = 256,
    MAX_BLOCK_PLACEMENTS = 65536,
    MAX_MODEL_BLOCK_PLACEMENTS = 4096,
    MAX_MODEL_BLOCK_BYTES = 65535,
    MAX_INDEX_GROUP = 64,         /* blocks */
    MAX_GROUP_PLACEMENTS = 65536, /* of all its blocks, without a model */
    HASH_CHUNK = 1 << 20          /* placement indices of a part of the value hash */
};

/* How placements are told: as numbers of the table's patterns, of the block's, or by a model. */
enum dictionary { DICTIONARY_TABLE = 1, DICTIONARY_BLOCK = 2, DICTIONARY_MODEL = 3 };

/* The fields of a header that are not told by rules, shape and metric. */
struct header {
    enum metric metric;
    bool has_distances;
    int value_bytes; /* of a value in patterns: 1, or 2 where one of them needs it */
    enum dictionary dictionary;
    uint32_t block_placements;
    struct left_out left_out;
    uint64_t n_blocks;      /* of all sides that are not left out */
    uint32_t n_patterns;    /* DICTIONARY_TABLE, else 0 */
    uint32_t index_group;   /* blocks with a checksum in common */
    uint32_t index_width;   /* bytes of a block's size in the index */
    uint64_t patterns_size; /* of the patterns or the model, as they stand in the file */
    uint64_t index_offset, index_size;
    uint64_t blocks_offset, blocks_size;
    uint64_t file_size;
    uint64_t value_hash;
    uint64_t n_stored[2];
    uint64_t patterns_checksum;
    uint64_t index_checksum;
};

uint64_t format_checksum(const void *bytes, size_t n_bytes);

/* Placements of a block, and blocks of one side, of a table that is to be written. */
uint32_t format_block_placements(const struct shape *shape, enum dictionary dictionary,
                                 uint32_t n_patterns);
uint64_t format_blocks_per_side(const struct shape *shape, uint32_t block_placements);

/* What may be left out: a side to move in distances of material that is not symmetric, and whose
 * values a clock has no part in; runs where a side has one king and men. */
bool format_may_leave_side_out(const struct rules *rules, const struct shape *shape,
                               enum metric metric);
bool format_may_leave_runs_out(const struct shape *shape);

/* Whether a side has runs, and all of one king. */
bool format_has_only_king(const struct shape *shape, enum side side);

/* Whether the values of a run state of a side to move are among the runs that may be left out. */
bool format_is_last_run(const struct shape *shape, enum side side, int run_state);

/* Sides to move that blocks tell of. */
int format_n_sides(const struct header *header, const struct shape *shape);

/* Where in the index a block's size stands, and the checksum of its group; `n_blocks` of all. */
uint64_t format_index_size_at(const struct header *header, uint64_t block);
uint64_t format_index_checksum_at(const struct header *header, uint64_t block);

/* The blocks of a block's group: the first one, and the one behind the last. */
uint64_t format_group_first(const struct header *header, uint64_t block);
uint64_t format_group_end(const struct header *header, uint64_t block);

/* Bytes of a pattern. */
size_t format_pattern_bytes(const struct shape *shape, const struct header *header);

/* Bytes of a decompressed block at most, for `n_placements` in it. */
size_t format_block_bound(const struct shape *shape, const struct header *header,
                          uint32_t n_placements);

/* Bytes that a zstd frame with `n_bytes` of content takes in a file at most. */
uint64_t format_frame_bound(size_t n_bytes);

/* Bytes of a block in a file at most, for `n_placements` in it. */
uint64_t format_block_file_bound(const struct shape *shape, const struct header *header,
                                 uint32_t n_placements);

/* Works out offsets and file size from the sizes of the sections. */
void header_layout(struct header *header);

void header_pack(const struct header *header, const struct rules *rules, const struct shape *shape,
                 uint8_t bytes[HEADER_SIZE]);

/* Reads and checks a header: that it is one, of this version, of a file of `file_size` bytes, and a
 * table of this id, whose shape is given; that no field contradicts another. `n_bytes` are there to
 * read. The text of an error names `path`. Errors as table_open. */
enum status header_unpack(struct header *header, struct table_id id, const struct shape *shape,
                          const uint8_t *bytes, size_t n_bytes, uint64_t file_size,
                          const char *path, struct error *error);

#endif
