/* Writes tables with zstd blocks, of outcomes or with a dictionary of patterns: one pass over the
 * values computes the value hashes and codes the blocks. Values are read in parts of the largest
 * block of the tables. Threads code hash units of HASH_UNIT placements and write their blocks in
 * order, while others code, so that the bytes do not depend on the number of threads. Blocks of
 * outcomes share a dictionary of zstd, trained before on a sample of them. Patterns arrive as
 * pointers, often the same ones, so the number of each is remembered during a block. */
#include "table/write/table_write.h"

#include "core/program/extensions.h"
#include "table/bytes.h"
#include "table/checksum_parts.h"
#include "table/value_hash.h"
#include "table/write/dictionary.h"
#include "table/write/distance_block.h"
#include "table/write/header_write.h"
#include "table/write/outcome_block.h"
#include "table/write/table_file.h"

#include <omp.h>
#include <stdlib.h>
#include <zstd.h>

enum { MAX_TABLES = 2, HASH_BUFFER = 4096, KNOWN_BITS = 11, N_KNOWN = 1 << KNOWN_BITS };

/* What a thread knows of the block and the hash unit of a table that it codes. */
struct table_coder {
    struct bytes_set patterns; /* of the block */
    ZSTD_CCtx *context;
    struct checksum hash; /* of the unit */
    uint8_t hashed[HASH_BUFFER];
    size_t n_hashed;
};

/* The work memory of one thread. */
struct coding_thread {
    uint8_t *payload; /* a block before compression */
    uint8_t *compressed;
    size_t compressed_size;
    struct table_values values; /* as read */
    uint32_t *number;           /* pattern number, by place in the block */
    struct pattern_order work;
    uint64_t n_stored[2]; /* placements so far, by side to move */
    struct table_coder coders[MAX_TABLES];
    const value_t *known[N_KNOWN]; /* cache from pattern pointer to pattern number, for one block */
    uint32_t known_number[N_KNOWN];
};

struct coded_block {
    uint8_t *bytes;
    size_t n_bytes;
};

struct written_table {
    const struct table_output *output;
    struct header header;
    uint8_t dictionary[DICTIONARY_ROOM];
    uint32_t blocks_per_unit;
    uint8_t *hashes;           /* by unit */
    struct coded_block *coded; /* of units that are not written yet, by thread and block */
    struct table_file file;
};

struct table_writer {
    const struct shape *shape;
    const struct table_source *source;
    int level;
    int n_threads;
    struct written_table tables[MAX_TABLES];
    int n_tables;
    uint32_t n_read; /* placements read at once */
    uint32_t units_per_side;
    struct coding_thread *workers;
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

/* Where a placement's values have no value, a fault, that is kept. */
static inline value_t stored_value(value_t value)
{
    return value == VALUE_NONE ? VALUE_NONE : value_without_distance(value);
}

/* The number of a pattern that is not remembered yet. */
static uint32_t new_number(struct table_writer *writer, const struct written_table *table,
                           struct table_coder *coder, const value_t *values)
{
    value_t buffer[MAX_RULE_STATES];
    uint32_t number = 0;
    for (size_t i = 0; i < coder->patterns.length; i++)
        buffer[i] = table->header.has_distances ? values[i] : stored_value(values[i]);
    if (memchr(buffer, VALUE_NONE, coder->patterns.length) != NULL)
        fail(writer, EINSPUL_CORRUPT, "a stored placement has no value");
    bytes_set_add(&coder->patterns, buffer, &number);
    return number;
}

static void hash_flush(struct table_coder *coder)
{
    checksum_add(&coder->hash, coder->hashed, coder->n_hashed);
    coder->n_hashed = 0;
}

static inline void copy_pattern(uint8_t *to, const uint8_t *from, size_t length)
{
    size_t i = 0;
    for (; i + 8 <= length; i += 8)
        memcpy(to + i, from + i, 8);
    for (; i < length; i++)
        to[i] = from[i];
}

/* Numbers the stored placements of a block by their values, and hashes them. */
static void number_patterns(struct table_writer *writer, const struct written_table *table,
                            struct coding_thread *worker, struct table_coder *coder,
                            const struct table_values *block, uint32_t n)
{
    const size_t length = coder->patterns.length;
    memset(worker->known, 0, sizeof worker->known);
    for (uint32_t first = 0; first < n; first += 64) {
        for (uint64_t left = block->stored[first / 64]; left != 0; left &= left - 1) {
            const uint32_t place = first + (uint32_t)bits_first(left);
            const value_t *values = block->patterns[place];
            const size_t at =
                (size_t)((uintptr_t)values * 0x9e3779b97f4a7c15u >> (64 - KNOWN_BITS));
            if (worker->known[at] != values) {
                worker->known[at] = values;
                worker->known_number[at] = new_number(writer, table, coder, values);
            }
            const uint32_t number = worker->known_number[at];
            worker->number[place] = number;
            copy_pattern(coder->hashed + coder->n_hashed, coder->patterns.values + number * length,
                         length);
            coder->n_hashed += length;
            if (coder->n_hashed > HASH_BUFFER - MAX_RULE_STATES)
                hash_flush(coder);
        }
    }
}

MULTI_TARGET
static void drop_distances(value_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = stored_value(values[i]);
}

/* The same where a pattern is one value, which stands for its number. */
static void number_values(struct table_writer *writer, const struct written_table *table,
                          struct table_coder *coder, const struct table_values *block, uint32_t n)
{
    const value_t *values = block->values;
    bool occurs[UINT8_MAX + 1] = {false};

    if (!table->header.has_distances)
        drop_distances(block->values, n);
    for (uint32_t first = 0; first < n; first += 64) {
        uint8_t *hashed = coder->hashed + coder->n_hashed;
        for (uint64_t left = block->stored[first / 64]; left != 0; left &= left - 1) {
            *hashed = values[first + (uint32_t)bits_first(left)];
            occurs[*hashed++] = true;
        }
        coder->n_hashed = (size_t)(hashed - coder->hashed);
        if (coder->n_hashed > HASH_BUFFER - 64)
            hash_flush(coder);
    }
    for (int value = 0; value <= UINT8_MAX; value++)
        if (occurs[value])
            (void)new_number(writer, table, coder, &(value_t){(value_t)value});
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Puts the content of a block into the payload, and hashes its values; returns its size. */
static size_t put_block(struct table_writer *writer, const struct written_table *table,
                        struct coding_thread *worker, struct table_coder *coder,
                        const struct table_values *block, uint32_t n)
{
    struct bytes_set *set = &coder->patterns;
    patterns_clear(set);
    if (block->values != NULL)
        number_values(writer, table, coder, block, n);
    else
        number_patterns(writer, table, worker, coder, block, n);
    return table->header.dictionary == DICTIONARY_OUTCOMES
               ? outcome_block_write(set, block, worker->number, n, &worker->work, worker->payload)
               : distance_block_write(set, block, worker->number, n, &worker->work,
                                      worker->payload);
}

static void encode_block(struct table_writer *writer, const struct written_table *table,
                         struct coding_thread *worker, struct table_coder *coder,
                         const struct table_values *block, uint32_t n, struct coded_block *coded)
{
    const size_t n_bytes = put_block(writer, table, worker, coder, block, n);
    const size_t size = ZSTD_compress2(coder->context, worker->compressed, worker->compressed_size,
                                       worker->payload, n_bytes);
    coded->bytes = ZSTD_isError(size) ? NULL : malloc(size);
    if (coded->bytes == NULL) {
        fail(writer, EINSPUL_NO_MEMORY, "not enough memory for a block");
        return;
    }
    coded->n_bytes = size;
    memcpy(coded->bytes, worker->compressed, size);
}

/* Codes all tables' blocks of `n` placements that have been read; the first of them is number
 * `first` of its unit. */
static void encode_blocks(struct table_writer *writer, int thread, uint32_t first, uint32_t n)
{
    struct coding_thread *worker = &writer->workers[thread];
    const struct table_values *values = &worker->values;
    for (int i = 0; i < writer->n_tables; i++) {
        const struct written_table *table = &writer->tables[i];
        const uint32_t size = table->header.block_placements;
        struct coded_block *coded =
            table->coded + (size_t)thread * table->blocks_per_unit + first / size;
        for (uint32_t at = 0; at < n; at += size) {
            const struct table_values block = {
                .stored = values->stored + at / 64,
                .patterns = values->patterns == NULL ? NULL : values->patterns + at,
                .values = values->values == NULL ? NULL : values->values + at,
            };
            encode_block(writer, table, worker, &worker->coders[i], &block,
                         n - at < size ? n - at : size, coded++);
        }
    }
}

/* Codes the blocks of a unit. */
static void code_unit(struct table_writer *writer, int thread, uint64_t unit)
{
    struct coding_thread *worker = &writer->workers[thread];
    const struct table_source *source = writer->source;
    const int side = (int)(unit / writer->units_per_side);
    const uint64_t first = unit % writer->units_per_side * HASH_UNIT;
    const uint64_t left = writer->shape->n_placements - first;
    const uint32_t n_unit = left < HASH_UNIT ? (uint32_t)left : HASH_UNIT;

    for (int i = 0; i < writer->n_tables; i++)
        checksum_begin(&worker->coders[i].hash);
    for (uint32_t at = 0; at < n_unit && !has_failed(writer); at += writer->n_read) {
        einspul_error error = {EINSPUL_OK, ""};
        const uint32_t n = n_unit - at < writer->n_read ? n_unit - at : writer->n_read;
        const einspul_status status =
            source->read(source->context, thread, side, first + at, n, &worker->values, &error);
        if (status != EINSPUL_OK) {
            fail(writer, status, error.text);
            break;
        }
        for (uint32_t i = 0; i < (n + 63) / 64; i++)
            worker->n_stored[side] += (uint64_t)bits_count(worker->values.stored[i]);
        encode_blocks(writer, thread, at, n);
    }
    for (int i = 0; i < writer->n_tables; i++) {
        hash_flush(&worker->coders[i]);
        store_u64(writer->tables[i].hashes + unit * 8, checksum_end(&worker->coders[i].hash));
    }
    if (source->release != NULL)
        source->release(source->context, thread);
}

/* Writes a thread's blocks. */
static void write_unit(struct table_writer *writer, int thread, struct written_table *table)
{
    struct coded_block *coded = table->coded + (size_t)thread * table->blocks_per_unit;
    for (uint32_t i = 0; i < table->blocks_per_unit && !has_failed(writer); i++) {
        einspul_error error = {EINSPUL_OK, ""};
        if (coded[i].bytes == NULL)
            continue; /* after the last block of a side */
        const einspul_status status =
            table_file_add(&table->file, coded[i].bytes, coded[i].n_bytes, &error);
        if (status != EINSPUL_OK)
            fail(writer, status, error.text);
        free(coded[i].bytes);
        coded[i].bytes = NULL;
    }
}

/* --- dictionaries ----------------------------------------------------------------------------- */

/* The content of some blocks, far apart, one after the other; to be freed. */
static einspul_status read_samples(struct table_writer *writer, struct written_table *table,
                                   struct table_coder *coder, uint8_t **samples,
                                   size_t sizes[DICTIONARY_SAMPLES])
{
    const struct table_source *source = writer->source;
    struct coding_thread *worker = writer->workers;
    const uint32_t n = table->header.block_placements;
    const uint64_t n_sides = (uint64_t)writer->shape->n_sides;
    const uint64_t per_side = writer->shape->n_placements / n; /* full ones */
    size_t n_bytes = 0;
    einspul_status status = EINSPUL_OK;
    checksum_begin(&coder->hash);
    for (uint64_t i = 0; i < DICTIONARY_SAMPLES; i++) {
        const uint64_t block = i * per_side * n_sides / DICTIONARY_SAMPLES;
        status = source->read(source->context, 0, (int)(block / per_side), block % per_side * n, n,
                              &worker->values, writer->error);
        if (status != EINSPUL_OK)
            break;
        sizes[i] = put_block(writer, table, worker, coder, &worker->values, n);
        uint8_t *grown = realloc(*samples, n_bytes + sizes[i]);
        if (grown == NULL) {
            status = output_no_memory(table->output->path, writer->error);
            break;
        }
        *samples = grown;
        memcpy(grown + n_bytes, worker->payload, sizes[i]);
        n_bytes += sizes[i];
    }
    coder->n_hashed = 0; /* the hash is that of a unit */
    if (source->release != NULL)
        source->release(source->context, 0);
    return status == EINSPUL_OK ? writer->status : status;
}

/* Trains the dictionary of a table, number `i`, if it is large enough to have one. */
static einspul_status train_dictionary(struct table_writer *writer, int i)
{
    struct written_table *table = &writer->tables[i];
    struct header *header = &table->header;
    size_t sizes[DICTIONARY_SAMPLES];
    if (header->dictionary != DICTIONARY_OUTCOMES || header->n_blocks < DICTIONARY_BLOCKS)
        return EINSPUL_OK;
    uint8_t *samples = NULL;
    einspul_status status =
        read_samples(writer, table, &writer->workers->coders[i], &samples, sizes);
    if (status == EINSPUL_OK) {
        header->model_size = dictionary_train(samples, sizes, table->dictionary);
        for (int worker = 0; worker < writer->n_threads && header->model_size > 0; worker++)
            if (ZSTD_isError(ZSTD_CCtx_loadDictionary(writer->workers[worker].coders[i].context,
                                                      table->dictionary,
                                                      (size_t)header->model_size)))
                status = output_no_memory(table->output->path, writer->error);
    }
    free(samples);
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

static size_t coded_blocks(const struct table_writer *writer, const struct written_table *table)
{
    return (size_t)writer->n_threads * table->blocks_per_unit;
}

static uint64_t n_units(const struct table_writer *writer)
{
    return (uint64_t)writer->units_per_side * (uint64_t)writer->shape->n_sides;
}

static bool worker_create(struct table_writer *writer, struct coding_thread *worker)
{
    const uint32_t n = writer->n_read;
    const size_t length = (size_t)writer->shape->n_rule_states;
    const size_t bound = format_block_bound(writer->shape, n);

    worker->payload = malloc(bound);
    worker->compressed_size = ZSTD_compressBound(bound);
    worker->compressed = malloc(worker->compressed_size);
    worker->values.stored = malloc((n + 63) / 64 * sizeof(uint64_t));
    if (length == 1)
        worker->values.values = calloc(n, sizeof(value_t));
    else
        worker->values.patterns = calloc(n, sizeof(const value_t *));
    worker->number = malloc(n * sizeof *worker->number);
    worker->work.order = malloc(n * sizeof *worker->work.order);
    worker->work.rank = malloc(n * sizeof *worker->work.rank);
    worker->work.keys = malloc(n * sizeof *worker->work.keys);
    for (int i = 0; i < writer->n_tables; i++) {
        const uint32_t size = writer->tables[i].header.block_placements;
        struct table_coder *coder = &worker->coders[i];
        coder->context = ZSTD_createCCtx();
        if (coder->context == NULL ||
            bytes_set_init(&coder->patterns, length, size, size) != EINSPUL_OK)
            return false;
        ZSTD_CCtx_setParameter(coder->context, ZSTD_c_compressionLevel, writer->level);
        ZSTD_CCtx_setParameter(coder->context, ZSTD_c_dictIDFlag, 0);
    }
    return worker->payload != NULL && worker->compressed != NULL && worker->values.stored != NULL &&
           (worker->values.values != NULL || worker->values.patterns != NULL) &&
           worker->number != NULL && worker->work.order != NULL && worker->work.rank != NULL &&
           worker->work.keys != NULL;
}

static void worker_free(struct coding_thread *worker)
{
    free(worker->payload);
    free(worker->compressed);
    free(worker->values.stored);
    free((void *)worker->values.patterns);
    free(worker->values.values);
    free(worker->number);
    free(worker->work.order);
    free(worker->work.rank);
    free(worker->work.keys);
    for (int i = 0; i < MAX_TABLES; i++) {
        ZSTD_freeCCtx(worker->coders[i].context);
        bytes_set_free(&worker->coders[i].patterns);
    }
}

static bool writer_allocate(struct table_writer *writer)
{
    writer->workers = calloc((size_t)writer->n_threads, sizeof *writer->workers);
    for (int i = 0; i < writer->n_tables; i++) {
        struct written_table *table = &writer->tables[i];
        table->coded = calloc(coded_blocks(writer, table), sizeof *table->coded);
        table->hashes = malloc((size_t)n_units(writer) * 8 + 1);
        if (table->coded == NULL || table->hashes == NULL)
            return false;
    }
    for (int i = 0; writer->workers != NULL && i < writer->n_threads; i++)
        if (!worker_create(writer, &writer->workers[i]))
            return false;
    return writer->workers != NULL;
}

static void writer_free(struct table_writer *writer)
{
    for (int i = 0; writer->workers != NULL && i < writer->n_threads; i++)
        worker_free(&writer->workers[i]);
    free(writer->workers);
    for (int i = 0; i < writer->n_tables; i++) {
        struct written_table *table = &writer->tables[i];
        for (size_t block = 0; table->coded != NULL && block < coded_blocks(writer, table); block++)
            free(table->coded[block].bytes);
        free(table->coded);
        free(table->hashes);
        table_file_abandon(&table->file);
    }
}

static void table_init(struct table_writer *writer, const struct table_output *output)
{
    const struct table_id *id = &output->id;
    const struct shape *shape = writer->shape;
    struct written_table *table = &writer->tables[writer->n_tables++];
    struct header *header = &table->header;
    *table = (struct written_table){.output = output, .file = {.output = {.file = -1}}};
    header->metric = id->metric;
    header->has_distances =
        id->metric == EINSPUL_DTW || table_always_has_distances(id->rules, &id->material);
    header->dictionary = format_first_dictionary(header->has_distances);
    header->block_placements = format_block_placements(shape, header->has_distances);
    header->index_group = 1;
    header->n_blocks =
        format_blocks_per_side(shape, header->block_placements) * (uint64_t)shape->n_sides;
    table->blocks_per_unit = HASH_UNIT / header->block_placements;
    if (writer->n_read < header->block_placements)
        writer->n_read = header->block_placements;
}

static einspul_status write_blocks(struct table_writer *writer)
{
    for (int i = 0; i < writer->n_tables; i++) {
        struct written_table *table = &writer->tables[i];
        einspul_status status = train_dictionary(writer, i);
        if (status == EINSPUL_OK)
            status = table_file_create(&table->file, table->output->path, &table->header,
                                       table->dictionary, writer->error);
        if (status != EINSPUL_OK)
            return status;
    }
#pragma omp parallel for ordered num_threads(writer->n_threads) schedule(dynamic, 1)
    for (uint64_t unit = 0; unit < n_units(writer); unit++) {
        const int thread = omp_get_thread_num();
        code_unit(writer, thread, unit);
#pragma omp ordered
        for (int i = 0; i < writer->n_tables; i++)
            write_unit(writer, thread, &writer->tables[i]);
    }
    return writer->status;
}

static einspul_status table_finish(struct table_writer *writer, struct written_table *table)
{
    struct header *header = &table->header;
    header->value_hash = format_checksum(table->hashes, (size_t)n_units(writer) * 8);
    for (int i = 0; i < writer->n_threads; i++)
        for (int side = WHITE; side <= BLACK; side++)
            header->n_stored[side] += writer->workers[i].n_stored[side];
    return table_file_commit(&table->file, table->output->id.rules, writer->shape, writer->error);
}

einspul_status tables_write(const struct table_output *outputs, int n_outputs,
                            const struct table_source *source, int level, int n_threads,
                            einspul_error *error)
{
    struct shape shape;
    struct table_writer writer = {
        .shape = &shape, .source = source, .level = level, .n_threads = n_threads, .error = error};

    shape_init(&shape, outputs->id.rules, &outputs->id.material);
    writer.units_per_side = (uint32_t)((shape.n_placements + HASH_UNIT - 1) / HASH_UNIT);
    /* Distances first: outcomes drop them from the values that were read for both. */
    for (int metric = EINSPUL_DTW; metric >= EINSPUL_WDL; metric--)
        for (int i = 0; i < n_outputs; i++)
            if (outputs[i].id.metric == (einspul_metric)metric)
                table_init(&writer, &outputs[i]);
    einspul_status status =
        writer_allocate(&writer) ? write_blocks(&writer) : output_no_memory(outputs->path, error);
    for (int i = 0; i < n_outputs && status == EINSPUL_OK; i++)
        status = table_finish(&writer, &writer.tables[i]);
    writer_free(&writer);
    return status;
}
