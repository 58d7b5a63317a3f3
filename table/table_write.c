#include "table/table_write.h"

#include "table/bytes.h"
#include "table/pattern_set.h"
#include "table/table_file.h"

#include <omp.h>
#include <stdlib.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { BATCH_BLOCKS = 512 }; /* coded in parallel, then written in order */

/* What one thread codes blocks with. */
struct worker {
    ZSTD_CCtx *context;
    uint8_t *payload; /* a block as it is before compression */
    uint8_t *compressed;
    size_t compressed_room;
    uint32_t *number; /* by place in the block: pattern number */
    uint32_t *rank;
    struct pattern_set own; /* DICTIONARY_BLOCK: the block's patterns */
};

struct coded {
    uint8_t *bytes;
    size_t n_bytes;
    bool failed; /* there was no memory for it */
};

struct writer {
    const char *path;
    const struct shape *shape;
    const struct table_side *sides;
    const value_t *patterns[2]; /* by side: the values that go into the file */
    value_t *signs[2];          /* the above where distances are dropped */
    uint16_t *number[2];        /* DICTIONARY_TABLE: by side and given pattern, its number */
    int level;
    int n_threads;
    struct header header;
    uint64_t blocks_per_side;
    uint8_t *pattern_section;
    struct coded *coded; /* of a batch */
    struct worker *workers;
    struct table_file file;
    struct error *error;
};

static enum status no_memory(const struct writer *writer)
{
    return error_set(writer->error, STATUS_NO_MEMORY, "%s: no memory to write it",
                     path_text(writer->path));
}

static inline bool is_stored(const struct table_side *side, uint64_t index)
{
    return (side->stored[index / 64] >> (index % 64) & 1) != 0;
}

static inline uint32_t pattern_at(const struct table_side *side, uint64_t index)
{
    return side->low[index] | (side->high == NULL ? 0 : (uint32_t)side->high[index] << 16);
}

/* --- patterns --------------------------------------------------------------------------------- */

static enum status prepare_values(struct writer *writer)
{
    for (int side = 0; side < writer->shape->n_sides; side++) {
        const struct table_side *from = &writer->sides[side];
        const size_t n = (size_t)from->n_patterns * (size_t)writer->shape->n_run_states;
        writer->patterns[side] = from->patterns;
        if (writer->header.has_distances)
            continue;
        writer->signs[side] = malloc(n > 0 ? n : 1);
        if (writer->signs[side] == NULL)
            return no_memory(writer);
        for (size_t i = 0; i < n; i++)
            writer->signs[side][i] = from->patterns[i] == VALUE_NONE
                                         ? (value_t)VALUE_NONE
                                         : value_sign(from->patterns[i]);
        writer->patterns[side] = writer->signs[side];
    }
    return STATUS_OK;
}

/* How many stored placements have each given pattern. */
static uint64_t count_patterns(const struct writer *writer, int side, uint64_t *count)
{
    const struct table_side *from = &writer->sides[side];
    uint64_t n_stored = 0;
    for (uint64_t word = 0; word < (writer->shape->n_placements + 63) / 64; word++) {
        for (uint64_t bits = from->stored[word]; bits != 0; bits &= bits - 1) {
            count[pattern_at(from, word * 64 + (unsigned)__builtin_ctzll(bits))]++;
            n_stored++;
        }
    }
    return n_stored;
}

/* Enters the patterns that occur into the set, and their counts. False when there are too many. */
static bool merge_patterns(struct writer *writer, int side, const uint64_t *count,
                           struct pattern_set *set, uint64_t *set_count)
{
    const size_t length = (size_t)writer->shape->n_run_states;
    for (uint32_t p = 0; p < writer->sides[side].n_patterns; p++) {
        uint32_t number = 0;
        if (count[p] == 0)
            continue;
        if (!pattern_set_add(set, writer->patterns[side] + p * length, &number))
            return false;
        set_count[number] += count[p];
        writer->number[side][p] = (uint16_t)number;
    }
    return true;
}

/* Orders the table's patterns and compresses them. */
static enum status finish_patterns(struct writer *writer, struct pattern_set *set,
                                   const uint64_t *set_count)
{
    const size_t n_bytes = set->n * set->length;
    const size_t bound = ZSTD_compressBound(n_bytes);
    uint32_t *rank = malloc(set->n * sizeof *rank);
    uint8_t *planes = malloc(n_bytes);
    enum status status = STATUS_OK;

    writer->pattern_section = malloc(bound);
    if (rank == NULL || planes == NULL || writer->pattern_section == NULL) {
        status = no_memory(writer);
    } else {
        pattern_set_order(set, set_count, rank);
        pattern_set_planes(set, planes);
        for (int side = 0; side < writer->shape->n_sides; side++)
            for (uint32_t p = 0; p < writer->sides[side].n_patterns; p++)
                writer->number[side][p] = (uint16_t)rank[writer->number[side][p]];
        const size_t size =
            ZSTD_compress(writer->pattern_section, bound, planes, n_bytes, writer->level);
        if (ZSTD_isError(size))
            status = no_memory(writer);
        writer->header.dictionary = DICTIONARY_TABLE;
        writer->header.n_patterns = set->n;
        writer->header.patterns_size = size;
    }
    free(rank);
    free(planes);
    return status;
}

static enum status check_values(const struct writer *writer, int side, const uint64_t *count)
{
    const size_t length = (size_t)writer->shape->n_run_states;
    for (uint32_t p = 0; p < writer->sides[side].n_patterns; p++)
        if (count[p] > 0 && memchr(writer->patterns[side] + p * length, VALUE_NONE, length) != NULL)
            return error_set(writer->error, STATUS_CORRUPT, "%s: a stored placement has no value",
                             path_text(writer->path));
    return STATUS_OK;
}

/* Chooses the dictionary mode and numbers the patterns. */
static enum status prepare_patterns(struct writer *writer)
{
    static const value_t no_values[MAX_RUN_STATES] = {0};
    const int n_sides = writer->shape->n_sides;
    struct pattern_set set = {0};
    uint64_t *count[2] = {NULL, NULL};
    uint64_t *set_count = calloc(MAX_TABLE_PATTERNS, sizeof *set_count);
    bool fits = true;
    enum status status =
        pattern_set_init(&set, (size_t)writer->shape->n_run_states, MAX_TABLE_PATTERNS);

    if (status != STATUS_OK || set_count == NULL) {
        status = no_memory(writer);
        goto cleanup;
    }
    for (int side = 0; side < n_sides; side++) {
        const size_t n = writer->sides[side].n_patterns;
        count[side] = calloc(n + 1, sizeof *count[side]);
        writer->number[side] = calloc(n + 1, sizeof *writer->number[side]);
        if (count[side] == NULL || writer->number[side] == NULL) {
            status = no_memory(writer);
            goto cleanup;
        }
    }
#pragma omp parallel for num_threads(writer->n_threads) schedule(static, 1)
    for (int side = 0; side < n_sides; side++)
        writer->header.n_stored[side] = count_patterns(writer, side, count[side]);

    for (int side = 0; side < n_sides && status == STATUS_OK; side++) {
        status = check_values(writer, side, count[side]);
        fits = fits && merge_patterns(writer, side, count[side], &set, set_count);
    }
    if (status == STATUS_OK && fits) {
        uint32_t number = 0;
        if (set.n == 0)
            pattern_set_add(&set, no_values, &number);
        status = finish_patterns(writer, &set, set_count);
    } else {
        writer->header.dictionary = DICTIONARY_BLOCK;
    }
cleanup:
    free(count[0]);
    free(count[1]);
    free(set_count);
    pattern_set_free(&set);
    return status;
}

/* --- value hash ------------------------------------------------------------------------------- */

static uint64_t hash_chunk(const struct writer *writer, int side, uint64_t chunk)
{
    enum { BUFFER_SIZE = 4096 };
    const struct table_side *from = &writer->sides[side];
    const size_t length = (size_t)writer->shape->n_run_states;
    const uint64_t first = chunk * HASH_CHUNK;
    const uint64_t left = writer->shape->n_placements - first;
    const uint64_t end = first + (left < HASH_CHUNK ? left : HASH_CHUNK);
    value_t buffer[BUFFER_SIZE];
    size_t n_bytes = 0;
    XXH64_state_t state;

    XXH64_reset(&state, 0);
    for (uint64_t index = first; index < end; index++) {
        if (!is_stored(from, index))
            continue;
        if (n_bytes + length > BUFFER_SIZE) {
            XXH64_update(&state, buffer, n_bytes);
            n_bytes = 0;
        }
        memcpy(buffer + n_bytes, writer->patterns[side] + pattern_at(from, index) * length, length);
        n_bytes += length;
    }
    XXH64_update(&state, buffer, n_bytes);
    return XXH64_digest(&state);
}

static enum status hash_values(struct writer *writer)
{
    const uint64_t per_side = (writer->shape->n_placements + HASH_CHUNK - 1) / HASH_CHUNK;
    const uint64_t n = per_side * (uint64_t)writer->shape->n_sides;
    uint8_t *hashes = malloc((size_t)n * 8 + 1);

    if (hashes == NULL)
        return no_memory(writer);
#pragma omp parallel for num_threads(writer->n_threads) schedule(dynamic, 1)
    for (uint64_t i = 0; i < n; i++)
        store_u64(hashes + i * 8, hash_chunk(writer, (int)(i / per_side), i % per_side));
    writer->header.value_hash = format_checksum(hashes, (size_t)n * 8);
    free(hashes);
    return STATUS_OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static enum status create_workers(struct writer *writer)
{
    const uint32_t n = writer->header.block_placements;
    const size_t bound = format_block_bound(writer->shape, writer->header.dictionary, n);

    writer->workers = calloc((size_t)writer->n_threads, sizeof *writer->workers);
    writer->coded = calloc(BATCH_BLOCKS, sizeof *writer->coded);
    if (writer->workers == NULL || writer->coded == NULL)
        return no_memory(writer);
    for (int i = 0; i < writer->n_threads; i++) {
        struct worker *worker = &writer->workers[i];
        worker->context = ZSTD_createCCtx();
        worker->payload = malloc(bound);
        worker->compressed_room = ZSTD_compressBound(bound);
        worker->compressed = malloc(worker->compressed_room);
        worker->number = malloc(n * sizeof *worker->number);
        worker->rank = malloc(n * sizeof *worker->rank);
        if (worker->context == NULL || worker->payload == NULL || worker->compressed == NULL ||
            worker->number == NULL || worker->rank == NULL ||
            (writer->header.dictionary == DICTIONARY_BLOCK &&
             pattern_set_init(&worker->own, (size_t)writer->shape->n_run_states, n) != STATUS_OK))
            return no_memory(writer);
        ZSTD_CCtx_setParameter(worker->context, ZSTD_c_compressionLevel, writer->level);
    }
    return STATUS_OK;
}

static void destroy_workers(struct writer *writer)
{
    for (int i = 0; writer->workers != NULL && i < writer->n_threads; i++) {
        ZSTD_freeCCtx(writer->workers[i].context);
        free(writer->workers[i].payload);
        free(writer->workers[i].compressed);
        free(writer->workers[i].number);
        free(writer->workers[i].rank);
        pattern_set_free(&writer->workers[i].own);
    }
    free(writer->workers);
    for (int i = 0; writer->coded != NULL && i < BATCH_BLOCKS; i++)
        free(writer->coded[i].bytes);
    free(writer->coded);
}

/* The pattern number of a stored placement: the table's, or the block's in order of appearance. */
static uint32_t code_pattern(const struct writer *writer, struct worker *worker, int side,
                             uint64_t index)
{
    const uint32_t pattern = pattern_at(&writer->sides[side], index);
    if (writer->header.dictionary == DICTIONARY_TABLE)
        return writer->number[side][pattern];
    uint32_t number = 0;
    pattern_set_add(&worker->own, writer->patterns[side] + pattern * worker->own.length, &number);
    return number;
}

/* Sets worker->number for all placements of a block. */
static void number_block(const struct writer *writer, struct worker *worker, int side,
                         uint64_t first, uint32_t n)
{
    const struct table_side *from = &writer->sides[side];
    uint32_t n_leading = 0;
    while (n_leading < n && !is_stored(from, first + n_leading))
        n_leading++;
    uint32_t last = n_leading < n ? code_pattern(writer, worker, side, first + n_leading) : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i > n_leading && is_stored(from, first + i))
            last = code_pattern(writer, worker, side, first + i);
        worker->number[i] = last;
    }
}

/* Sorts the block's own patterns and puts them into the payload; returns the bytes they take. */
static size_t put_own_patterns(struct worker *worker, uint32_t n, uint8_t *payload)
{
    static const value_t no_values[MAX_RUN_STATES] = {0};
    struct pattern_set *own = &worker->own;
    uint32_t number = 0;
    if (own->n == 0)
        pattern_set_add(own, no_values, &number);
    pattern_set_order(own, NULL, worker->rank);
    for (uint32_t i = 0; i < n; i++)
        worker->number[i] = worker->rank[worker->number[i]];
    store_u32(payload, own->n);
    pattern_set_planes(own, payload + 4);
    return 4 + own->n * own->length;
}

static void code_block(const struct writer *writer, struct worker *worker, uint64_t block,
                       struct coded *coded)
{
    const int side = (int)(block / writer->blocks_per_side);
    const uint64_t first = block % writer->blocks_per_side * writer->header.block_placements;
    const uint64_t left = writer->shape->n_placements - first;
    const uint32_t n =
        left < writer->header.block_placements ? (uint32_t)left : writer->header.block_placements;
    const bool own = writer->header.dictionary == DICTIONARY_BLOCK;
    uint8_t *payload = worker->payload;

    if (own)
        pattern_set_clear(&worker->own);
    number_block(writer, worker, side, first, n);
    if (own)
        payload += put_own_patterns(worker, n, payload);
    for (uint32_t i = 0; i < n; i++)
        *payload++ = (uint8_t)(worker->number[i] & 0xff);
    if ((own ? worker->own.n : writer->header.n_patterns) > 256)
        for (uint32_t i = 0; i < n; i++)
            *payload++ = (uint8_t)(worker->number[i] >> 8);

    const size_t size = ZSTD_compress2(worker->context, worker->compressed, worker->compressed_room,
                                       worker->payload, (size_t)(payload - worker->payload));
    coded->bytes = ZSTD_isError(size) ? NULL : malloc(size);
    coded->failed = coded->bytes == NULL;
    if (coded->failed)
        return;
    coded->n_bytes = size;
    memcpy(coded->bytes, worker->compressed, size);
}

/* Codes a batch of blocks on all threads, then writes them in order. */
static enum status write_batch(struct writer *writer, uint64_t first, int n)
{
    enum status status = STATUS_OK;
#pragma omp parallel for num_threads(writer->n_threads) schedule(dynamic, 1)
    for (int i = 0; i < n; i++)
        code_block(writer, &writer->workers[omp_get_thread_num()], first + (uint64_t)i,
                   &writer->coded[i]);
    for (int i = 0; i < n && status == STATUS_OK; i++) {
        struct coded *coded = &writer->coded[i];
        if (coded->failed)
            return no_memory(writer);
        status = table_file_add(&writer->file, coded->bytes, coded->n_bytes, writer->error);
        free(coded->bytes);
        coded->bytes = NULL;
    }
    return status;
}

static enum status write_file(struct writer *writer, const struct rules *rules)
{
    struct header *header = &writer->header;
    enum status status = table_file_create(&writer->file, writer->path, header,
                                           writer->pattern_section, writer->error);

    for (uint64_t first = 0; first < header->n_blocks && status == STATUS_OK;
         first += BATCH_BLOCKS) {
        const uint64_t left = header->n_blocks - first;
        status = write_batch(writer, first, left < BATCH_BLOCKS ? (int)left : (int)BATCH_BLOCKS);
    }
    if (status == STATUS_OK)
        status = table_file_commit(&writer->file, rules, writer->shape, writer->error);
    return status;
}

enum status table_write(const char *path, const struct rules *rules, const struct shape *shape,
                        enum metric metric, const struct table_side *sides, int level,
                        int n_threads, struct error *error)
{
    struct writer writer = {
        .path = path,
        .shape = shape,
        .sides = sides,
        .level = level,
        .n_threads = n_threads,
        .file = {.output = {.file = -1}},
        .error = error,
    };
    struct header *header = &writer.header;

    header->metric = metric;
    header->has_distances = metric == METRIC_DTW || table_keeps_distances(rules, &shape->material);
    enum status status = prepare_values(&writer);
    if (status == STATUS_OK)
        status = prepare_patterns(&writer);
    if (status == STATUS_OK)
        status = hash_values(&writer);
    if (status == STATUS_OK) {
        header->block_placements =
            format_block_placements(shape, header->dictionary, header->n_patterns);
        writer.blocks_per_side = format_blocks_per_side(shape, header->block_placements);
        header->n_blocks = writer.blocks_per_side * (uint64_t)shape->n_sides;
        header->index_group = 1;
        header->index_width = 4;
        status = create_workers(&writer);
    }
    if (status == STATUS_OK)
        status = write_file(&writer, rules);
    table_file_abandon(&writer.file);
    destroy_workers(&writer);
    for (int side = 0; side < 2; side++) {
        free(writer.signs[side]);
        free(writer.number[side]);
    }
    free(writer.pattern_section);
    return status;
}
