/* Malicious table files: all checksums are valid whatever the content, because
 * --wrap=format_checksum makes every checksum 0. The header's own checksum, which table_format.c
 * computes itself, is patched; its offset never changes. */
#ifndef EINSPUL_TESTS_FUZZ_HOSTILE_H
#define EINSPUL_TESTS_FUZZ_HOSTILE_H

#include "table/table_block.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/synthetic_set.h"

/* A table of random values; with MODELLED a real one of few pieces, coded with a model; with
 * OMITTED one that omits a side to move, last runs or both; with SMALLEST one that omits as much as
 * possible. */
struct hostile_table {
    const char *rules;
    const char *material;
    einspul_metric metric;
    uint32_t n_patterns; /* as synthetic_create, or one of those */
};

enum { MODELLED = UINT16_MAX, OMITTED = MODELLED - 1, SMALLEST = MODELLED - 2 };

/* A folder of this process, removed at its end. */
const char *hostile_folder(void);

/* Writes the table to <hostile_folder>/<rules>/<material>.wdl or .dtw; `path` gets its name. */
void hostile_make(const struct hostile_table *table, char path[1024]);

/* Reads a whole file, at most FUZZ_MAX_BYTES; returns its size. */
size_t hostile_read(const char *path, uint8_t *bytes);

/* Writes bytes to a file, with a valid header checksum if there is a header. */
void hostile_write(const char *path, const uint8_t *bytes, size_t n_bytes);

/* Checks that every entry of a decoded block has a possible value, or none if the table omits
 * it. */
void hostile_expect_values(const struct table *table, uint64_t number, const struct block *block);

#endif
