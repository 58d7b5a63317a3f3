/* Writes a table with zstd blocks, each with a dictionary of its patterns: one pass over the values
 * computes the value hash and codes the blocks. Threads code hash units of HASH_UNIT placements and
 * write their blocks in order, while others code, so that the bytes do not depend on the number of
 * threads. Patterns arrive as pointers, often the same ones, so the number of each is
 * remembered during a block. */
#include "table/write/table_write.h"

#include "table/bytes.h"
#include "table/checksum_parts.h"
#include "table/value_hash.h"
#include "table/write/header_write.h"
#include "table/write/pattern.h"
#include "table/write/table_file.h"

#include <omp.h>
#include <stdlib.h>
#include <zstd.h>

enum { HASH_BUFFER = 4096, KNOWN_BITS = 11, N_KNOWN = 1 << KNOWN_BITS };

/* The work memory of one thread. */
struct block_coder {
    ZSTD_CCtx *context;
    uint8_t *payload; /* a block before compression */
    uint8_t *compressed;
    size_t compressed_size;
    const value_t **values; /* by place in the block */
    uint32_t *number;       /* pattern number, by place in the block */
    uint32_t *order;        /* of the block's patterns */
    uint32_t *rank;
    struct bytes_set patterns; /* of the block */
    uint64_t n_stored[2];      /* placements so far, by side to move */
    struct checksum hash;      /* of the unit */
    uint8_t hashed[HASH_BUFFER];
    size_t n_hashed;
    const value_t *known[N_KNOWN]; /* cache from pattern pointer to pattern number, for one block */
    uint32_t known_number[N_KNOWN];
};

struct coded_block {
    uint8_t *bytes;
    size_t n_bytes;
};

struct table_writer {
    const char *path;
    const struct shape *shape;
    const struct table_source *source;
    int level;
    int n_threads;
    struct header header;
    uint64_t blocks_per_side;
    uint32_t blocks_per_unit, units_per_side;
    uint8_t *hashes;           /* by unit */
    struct coded_block *coded; /* of units that are not written yet, by thread and block */
    struct block_coder *workers;
    struct table_file file;
    einspul_status status; /* of threads: the first failure */
    einspul_error *error;
};

/* Records the first failure; for any thread. */
static void fail(struct table_writer *writer, einspul_status status, const char *text)
{
#pragma omp critical(table_write_error)
    if (writer->status == EINSPUL_OK) {
        writer->status = status;
        error_set(writer->error, status, "%s", text);
    }
}

static bool has_failed(const struct table_writer *writer)
{
    einspul_status status;
#pragma omp atomic read
    status = writer->status;
    return status != EINSPUL_OK;
}

/* --- patterns --------------------------------------------------------------------------------- */

/* A pattern as it is stored: `values`, or, if distances are dropped, a copy in `buffer`. */
static const value_t *file_values(const struct table_writer *writer, const value_t *values,
                                  value_t buffer[MAX_RULE_STATES])
{
    if (writer->header.has_distances)
        return values;
    for (int i = 0; i < writer->shape->n_rule_states; i++)
        buffer[i] = values[i] == VALUE_NONE ? VALUE_NONE : value_without_distance(values[i]);
    return buffer;
}

/* The number of a pattern that is not remembered yet. */
static uint32_t new_number(struct table_writer *writer, struct block_coder *worker,
                           const value_t *from)
{
    value_t buffer[MAX_RULE_STATES];
    uint32_t number = 0;
    const value_t *values = file_values(writer, from, buffer);
    if (memchr(values, VALUE_NONE, worker->patterns.length) != NULL)
        fail(writer, EINSPUL_CORRUPT, "a stored placement has no value");
    bytes_set_add(&worker->patterns, values, &number);
    return number;
}

static inline uint32_t pattern_number(struct table_writer *writer, struct block_coder *worker,
                                      const value_t *values)
{
    const size_t at = (size_t)((uintptr_t)values * 0x9e3779b97f4a7c15u >> (64 - KNOWN_BITS));
    if (worker->known[at] != values) {
        worker->known[at] = values;
        worker->known_number[at] = new_number(writer, worker, values);
    }
    return worker->known_number[at];
}

/* --- blocks ----------------------------------------------------------------------------------- */

static size_t coded_blocks(const struct table_writer *writer)
{
    return (size_t)writer->n_threads * writer->blocks_per_unit;
}

static einspul_status create_workers(struct table_writer *writer)
{
    const uint32_t n = writer->header.block_placements;
    const size_t bound = format_block_bound(writer->shape, n);

    writer->workers = calloc((size_t)writer->n_threads, sizeof *writer->workers);
    writer->coded = calloc(coded_blocks(writer), sizeof *writer->coded);
    writer->hashes =
        malloc((size_t)writer->units_per_side * (size_t)writer->shape->n_sides * 8 + 1);
    if (writer->workers == NULL || writer->coded == NULL || writer->hashes == NULL)
        return output_no_memory(writer->path, writer->error);
    for (int i = 0; i < writer->n_threads; i++) {
        struct block_coder *worker = &writer->workers[i];
        worker->context = ZSTD_createCCtx();
        worker->payload = malloc(bound);
        worker->compressed_size = ZSTD_compressBound(bound);
        worker->compressed = malloc(worker->compressed_size);
        worker->values = malloc(n * sizeof *worker->values);
        worker->number = malloc(n * sizeof *worker->number);
        worker->order = malloc(n * sizeof *worker->order);
        worker->rank = malloc(n * sizeof *worker->rank);
        if (worker->context == NULL || worker->payload == NULL || worker->compressed == NULL ||
            worker->values == NULL || worker->number == NULL || worker->order == NULL ||
            worker->rank == NULL ||
            bytes_set_init(&worker->patterns, (size_t)writer->shape->n_rule_states, n, n) !=
                EINSPUL_OK)
            return output_no_memory(writer->path, writer->error);
        ZSTD_CCtx_setParameter(worker->context, ZSTD_c_compressionLevel, writer->level);
    }
    return EINSPUL_OK;
}

static void destroy_workers(struct table_writer *writer)
{
    for (int i = 0; writer->workers != NULL && i < writer->n_threads; i++) {
        ZSTD_freeCCtx(writer->workers[i].context);
        free(writer->workers[i].payload);
        free(writer->workers[i].compressed);
        free(writer->workers[i].values);
        free(writer->workers[i].number);
        free(writer->workers[i].order);
        free(writer->workers[i].rank);
        bytes_set_free(&writer->workers[i].patterns);
    }
    free(writer->workers);
    for (size_t i = 0; writer->coded != NULL && i < coded_blocks(writer); i++)
        free(writer->coded[i].bytes);
    free(writer->coded);
    free(writer->hashes);
}

static void hash_flush(struct block_coder *worker)
{
    checksum_add(&worker->hash, worker->hashed, worker->n_hashed);
    worker->n_hashed = 0;
}

/* Numbers the placements of a block by their values, and hashes those that are stored. A don't-care
 * repeats the number of the stored placement before it; those before `first` take the number of
 * `first`. */
static void number_patterns(struct table_writer *writer, struct block_coder *worker, uint32_t first,
                            uint32_t n)
{
    const struct bytes_set *set = &worker->patterns;
    uint32_t number = 0;

    memset(worker->known, 0, sizeof worker->known);
    for (uint32_t i = first; i < n; i++) {
        if (worker->values[i] != NULL) {
            number = pattern_number(writer, worker, worker->values[i]);
            if (worker->n_hashed + set->length > HASH_BUFFER)
                hash_flush(worker);
            memcpy(worker->hashed + worker->n_hashed, set->values + number * set->length,
                   set->length);
            worker->n_hashed += set->length;
        }
        worker->number[i] = number;
    }
    for (uint32_t i = 0; i < first; i++)
        worker->number[i] = worker->number[first];
}

/* Like number_patterns, where a pattern is one value. Branch-free: which placements are stored is
 * unpredictable. */
static void number_values(struct table_writer *writer, struct block_coder *worker, uint32_t first,
                          uint32_t n)
{
    const struct bytes_set *set = &worker->patterns;
    uint32_t number_of[UINT8_MAX + 1];
    const uint8_t *last = worker->values[first];

    memset(number_of, 0xff, sizeof number_of);
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *values = worker->values[i];
        last = values != NULL ? values : last;
        if (number_of[*last] == UINT32_MAX)
            number_of[*last] = new_number(writer, worker, last);
        worker->number[i] = number_of[*last];
        worker->hashed[worker->n_hashed] = set->values[number_of[*last]];
        worker->n_hashed += values != NULL;
        if (worker->n_hashed == HASH_BUFFER)
            hash_flush(worker);
    }
}

/* Numbers and hashes the placements of a block. */
static void number_block(struct table_writer *writer, struct block_coder *worker, uint32_t n)
{
    uint32_t first = 0; /* stored placement */
    while (first < n && worker->values[first] == NULL)
        first++;
    if (first == n)
        memset(worker->number, 0, n * sizeof *worker->number);
    else if (worker->patterns.length == 1)
        number_values(writer, worker, first, n);
    else
        number_patterns(writer, worker, first, n);
}

/* Sorts the block's patterns and puts them into the payload; returns their size. */
static size_t put_patterns(struct block_coder *worker, uint8_t *payload)
{
    static const uint8_t no_values[MAX_RULE_STATES] = {0};
    struct bytes_set *set = &worker->patterns;
    uint32_t number = 0;
    if (set->n == 0)
        bytes_set_add(set, no_values, &number);
    patterns_sort(set, worker->order, worker->rank);
    store_u32(payload, set->n);
    patterns_write_planes(set, worker->order, payload + 4);
    return 4 + set->n * set->length;
}

static void encode_block(struct table_writer *writer, int thread, uint64_t block,
                         struct coded_block *coded)
{
    struct block_coder *worker = &writer->workers[thread];
    einspul_error error = {EINSPUL_OK, ""};
    const int side = (int)(block / writer->blocks_per_side);
    const uint64_t first = block % writer->blocks_per_side * writer->header.block_placements;
    const uint64_t left = writer->shape->n_placements - first;
    const uint32_t n =
        left < writer->header.block_placements ? (uint32_t)left : writer->header.block_placements;
    uint8_t *payload = worker->payload;

    patterns_clear(&worker->patterns);
    const einspul_status status = writer->source->read(writer->source->context, thread, side, first,
                                                       n, worker->values, &error);
    if (status != EINSPUL_OK) {
        fail(writer, status, error.text);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        worker->n_stored[side] += worker->values[i] != NULL;
    number_block(writer, worker, n);
    payload += put_patterns(worker, payload);
    for (uint32_t i = 0; i < n; i++)
        *payload++ = (uint8_t)worker->rank[worker->number[i]];
    if (worker->patterns.n > 256)
        for (uint32_t i = 0; i < n; i++)
            *payload++ = (uint8_t)(worker->rank[worker->number[i]] >> 8);

    const size_t size = ZSTD_compress2(worker->context, worker->compressed, worker->compressed_size,
                                       worker->payload, (size_t)(payload - worker->payload));
    coded->bytes = ZSTD_isError(size) ? NULL : malloc(size);
    if (coded->bytes == NULL) {
        fail(writer, EINSPUL_NO_MEMORY, "not enough memory for a block");
        return;
    }
    coded->n_bytes = size;
    memcpy(coded->bytes, worker->compressed, size);
}

/* Codes the blocks of a unit. */
static void code_unit(struct table_writer *writer, int thread, uint64_t unit,
                      struct coded_block *coded)
{
    struct block_coder *worker = &writer->workers[thread];
    const uint64_t side = unit / writer->units_per_side;
    const uint64_t first = unit % writer->units_per_side * writer->blocks_per_unit;
    checksum_begin(&worker->hash);
    worker->n_hashed = 0;
    for (uint64_t i = 0; i < writer->blocks_per_unit && first + i < writer->blocks_per_side; i++)
        if (!has_failed(writer))
            encode_block(writer, thread, side * writer->blocks_per_side + first + i, &coded[i]);
    hash_flush(worker);
    store_u64(writer->hashes + unit * 8, checksum_end(&worker->hash));
    if (writer->source->release != NULL)
        writer->source->release(writer->source->context, thread);
}

/* Writes the blocks of a unit. */
static void write_unit(struct table_writer *writer, struct coded_block *coded)
{
    for (uint32_t i = 0; i < writer->blocks_per_unit && !has_failed(writer); i++) {
        einspul_error error = {EINSPUL_OK, ""};
        if (coded[i].bytes == NULL)
            continue; /* after the last block of a side */
        const einspul_status status =
            table_file_add(&writer->file, coded[i].bytes, coded[i].n_bytes, &error);
        if (status != EINSPUL_OK)
            fail(writer, status, error.text);
        free(coded[i].bytes);
        coded[i].bytes = NULL;
    }
}

static einspul_status write_file(struct table_writer *writer, const struct rules *rules)
{
    struct header *header = &writer->header;
    const uint64_t n_units = (uint64_t)writer->units_per_side * (uint64_t)writer->shape->n_sides;
    einspul_status status =
        table_file_create(&writer->file, writer->path, header, (const uint8_t *)"", writer->error);

    if (status != EINSPUL_OK)
        return status;
#pragma omp parallel for ordered num_threads(writer->n_threads) schedule(dynamic, 1)
    for (uint64_t unit = 0; unit < n_units; unit++) {
        const int thread = omp_get_thread_num();
        struct coded_block *coded = writer->coded + (size_t)thread * writer->blocks_per_unit;
        code_unit(writer, thread, unit, coded);
#pragma omp ordered
        write_unit(writer, coded);
    }
    status = writer->status;
    header->value_hash = format_checksum(writer->hashes, (size_t)n_units * 8);
    for (int i = 0; i < writer->n_threads; i++)
        for (int side = WHITE; side <= BLACK; side++)
            header->n_stored[side] += writer->workers[i].n_stored[side];
    if (status == EINSPUL_OK)
        status = table_file_commit(&writer->file, rules, writer->shape, writer->error);
    return status;
}

einspul_status table_write(const char *path, struct table_id id, const struct table_source *source,
                           int level, int n_threads, einspul_error *error)
{
    struct shape shape;
    struct table_writer writer = {
        .path = path,
        .shape = &shape,
        .source = source,
        .level = level,
        .n_threads = n_threads,
        .file = {.output = {.file = -1}},
        .error = error,
    };
    struct header *header = &writer.header;

    shape_init(&shape, id.rules, &id.material);
    header->metric = id.metric;
    header->has_distances =
        id.metric == EINSPUL_DTW || table_always_has_distances(id.rules, &id.material);
    header->dictionary = DICTIONARY_BLOCK;
    header->block_placements = format_block_placements(&shape, header->has_distances);
    header->index_group = 1;
    writer.blocks_per_side = format_blocks_per_side(&shape, header->block_placements);
    writer.blocks_per_unit = HASH_UNIT / header->block_placements;
    writer.units_per_side = (uint32_t)((shape.n_placements + HASH_UNIT - 1) / HASH_UNIT);
    header->n_blocks = writer.blocks_per_side * (uint64_t)shape.n_sides;
    einspul_status status = create_workers(&writer);
    if (status == EINSPUL_OK)
        status = write_file(&writer, id.rules);
    table_file_abandon(&writer.file);
    destroy_workers(&writer);
    return status;
}
