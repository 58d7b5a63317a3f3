/* Table files of a writer that means harm: every checksum holds, whatever the bytes. Linked with
 * --wrap=format_checksum, so that the checksum of anything is 0, written and read. The header's
 * own, which table_format.c works out for itself, is put right; its place never changes. */
#ifndef EINSPUL_TESTS_FUZZ_HOSTILE_H
#define EINSPUL_TESTS_FUZZ_HOSTILE_H

#include "table/table_block.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/synthetic_set.h"

/* A table of made-up values; or with MODELLED a real one of few
 * pieces, coded with a model, or with OMITTED such a one in which a side to move, last runs
 * or both are left out, or with SMALLEST one in which as much as may be is. */
struct hostile_table {
    const char *rules;
    const char *material;
    einspul_metric metric;
    uint32_t n_patterns; /* as synthetic_create, or one of those */
};

enum { MODELLED = UINT16_MAX, OMITTED = MODELLED - 1, SMALLEST = MODELLED - 2 };

/* A folder of this process, removed when it ends. */
const char *hostile_folder(void);

/* Writes the table to <hostile_folder>/<rules>/<material>.wdl or .dtw; `path` gets its name. */
void hostile_make(const struct hostile_table *table, char path[1024]);

/* Reads a whole file, at most FUZZ_MAX_BYTES; returns its size. */
size_t hostile_read(const char *path, uint8_t *bytes);

/* Writes bytes to a file with the checksum of the header, where there is one, put right. */
void hostile_write(const char *path, const uint8_t *bytes, size_t n_bytes);

/* Every place of a decoded block has a value that can be, or none where the table leaves it out. */
void hostile_expect_values(const struct table *table, uint64_t number, const struct block *block);

#endif
