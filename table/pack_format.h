/* The places of fields in a pack, for reading and writing. docs/format.md is the reference. */
#ifndef EINSPUL_TABLE_PACK_FORMAT_H
#define EINSPUL_TABLE_PACK_FORMAT_H

#include "table/pack.h"

enum {
    PACK_VERSION = 1,
    PACK_HEADER_SIZE = 64,
    PACK_ENTRY_SIZE = PACK_NAME_SIZE + 8,
    MOST_PACK_ENTRIES = 65535,
    PACK_AT_READ_VERSION = 8,
    PACK_AT_WRITE_VERSION = 10,
    PACK_AT_ENTRIES = 12,
    PACK_AT_FILE_SIZE = 16,
    PACK_AT_INDEX_CHECKSUM = 24,
    PACK_AT_RESERVED = 32,
    PACK_AT_HEADER_CHECKSUM = 56
};

static const uint8_t pack_magic[8] = {'E', 'I', 'N', 'S', 'P', 'A', 'K', 0x1a};

#endif
