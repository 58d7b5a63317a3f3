/* The places of fields in a table file, for reading and writing. docs/format.md is the reference. */
#ifndef EINSPUL_TABLE_TABLE_FIELDS_H
#define EINSPUL_TABLE_TABLE_FIELDS_H

#include "table/table_format.h"

enum {
    AT_READ_VERSION = 8,
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
    AT_SIDE_LEFT_OUT = 78,
    AT_RUNS_LEFT_OUT = 79,
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

/* Below SIZE_SHORT a byte, below SIZE_LONG two, else SIZE_ESCAPE and four. */
enum { SIZE_SHORT = 224, SIZE_ESCAPE = 255, SIZE_LONG = SIZE_SHORT + 31 * 256 };

static const uint8_t table_magic[8] = {'E', 'I', 'N', 'S', 'P', 'U', 'L', 0x1a};

/* Writes the fields that follow from rules and shape; all others become 0. */
void header_identity(const struct rules *rules, const struct shape *shape,
                     uint8_t bytes[HEADER_SIZE]);

#endif
