/* Rewrites a table with a model:
 *
 * 1. decide what `form` omits; stop if the table already omits values or would not change;
 * 2. compare the values with the hash in the header: omitted values cannot be hashed later;
 * 3. choose the size of blocks;
 * 4. train the model on a sample of blocks, and choose the side to move that is omitted;
 * 5. encode the blocks in parallel; decode each again and compare it with the old values;
 * 6. write the blocks in order, then the index;
 * 7. install the file if it is smaller than the old one. */
#include "table/write/table_compress.h"

#include "table/block_cursor.h"
#include "table/block_values.h"
#include "table/table_open.h"
#include "table/value_hash.h"
#include "table/write/model_encode.h"
#include "table/write/model_train.h"
#include "table/write/table_file.h"

#include <omp.h>
#include <stdlib.h>
#include <zstd.h>

enum {
    CHUNK_PLACEMENTS = 16384, /* read at once, a multiple of any block that is written */
    SAMPLE_PLACEMENTS = 12000000,
    TRIAL_THIN = 16, /* the sample on which a side to omit is chosen is this many times smaller, */
    TRIAL_PLACEMENTS = 300000, /* in tables of at least this many placements */
    GROUP_BLOCKS = 32,
    GROUP_SINGLE = 128, /* where a placement has one outcome, and a block few bytes */
    MODEL_LEVEL = 19    /* zstd's */
};

/* Shares of the time of a table, for progress. */
static const double HASHING_SHARE = 0.05;
static const double CHOOSING_SHARE = 0.05; /* part of learning */
static const double LEARNING_SHARE = 0.35;
static const double CODING_SHARE = 0.60;

struct compressor {
    const struct table *from;
    const struct rules *rules;
    const struct shape *shape;
    const char *path;
    int n_threads;
    struct watch *watch;
    struct model model;
    struct header header;
    uint64_t blocks_per_side;
    bool may_omit_side;
    uint64_t coded_bytes[2]; /* of the sample, by side to move, if so */
    uint8_t *section;
    struct table_file file;
    einspul_error *error;
};

/* The work memory of one thread. */
struct chunk_coder {
    uint8_t *values; /* of the chunk */
    struct model_scratch scratch, check;
    uint8_t *bytes; /* of a block */
    struct block_cursor cursor;
};

/* A chunk of coded blocks. */
struct coded_chunk {
    uint8_t *bytes;
    size_t *sizes; /* by block */
    uint64_t n_stored;
    einspul_status status;
    einspul_error error;
};

/* Blocks of the old table that stay decoded, by their number modulo n: several times as long as the
 * new blocks, which are sampled in no order. */
struct decoded {
    struct block_cursor *cursors;
    uint64_t n;
};

/* Room for blocks of a side. */
static bool decoded_init(struct decoded *decoded, const struct table *table)
{
    decoded->n = SAMPLE_PLACEMENTS / table->header.block_placements;
    if (decoded->n > table->blocks_per_side)
        decoded->n = table->blocks_per_side;
    decoded->cursors = calloc((size_t)decoded->n, sizeof *decoded->cursors);
    return decoded->cursors != NULL;
}

static void decoded_free(struct decoded *decoded)
{
    for (uint64_t i = 0; decoded->cursors != NULL && i < decoded->n; i++)
        block_cursor_free(&decoded->cursors[i]);
    free(decoded->cursors);
}

/* Reads the values of n placements of a side into values[place][rule state], VALUE_NONE for
 * rule states that are omitted. */
static einspul_status read_values(const struct compressor *compressor, enum side side,
                                  uint64_t first, uint32_t n, const struct decoded *decoded,
                                  uint8_t *values, einspul_error *error)
{
    const struct table *table = compressor->from;
    const struct model_plan *plan = &compressor->model.plans[side];
    const uint64_t per_block = table->header.block_placements;
    const size_t length = (size_t)table->shape.n_rule_states;
    while (n > 0) {
        uint32_t place = (uint32_t)(first % per_block);
        const uint64_t number = table_block_of(table, side, first);
        struct block_cursor *cursor = &decoded->cursors[number % decoded->n];
        const einspul_status status = block_cursor_go(cursor, table, number, error);
        if (status != EINSPUL_OK)
            return status;
        if (length == 1) {
            const uint32_t left = cursor->block->n_placements - place;
            const uint32_t n_copied = left < n ? left : n;
            block_copy_values(cursor->block, place, n_copied, values);
            n -= n_copied;
            first += n_copied;
            values += n_copied;
            continue;
        }
        for (; place < cursor->block->n_placements && n > 0;
             place++, n--, first++, values += length) {
            block_values(cursor->block, place, (int)length, values);
            for (int i = 0; i < plan->n_omitted; i++)
                values[plan->omitted[i]] = VALUE_NONE;
        }
    }
    return EINSPUL_OK;
}

/* --- learning --------------------------------------------------------------------------------- */

/* Placements per block: chosen so that an average block of the table decodes in 50 us (a probe
 * decodes half a block on average; the slowest 1 % take twice as long). This depends on how many of
 * them are stored, and on how many values of each. */
static uint32_t choose_block(const struct table *table, const struct model *model)
{
    const struct shape *shape = &table->shape;
    const int n_rule_states = shape->n_rule_states - model->plans[WHITE].n_omitted;
    const struct header *from = &table->header;
    const double stored = (double)(from->n_stored[WHITE] + from->n_stored[BLACK]) /
                          ((double)shape->n_placements * shape->n_sides);
    const double nanoseconds =
        from->has_distances ? 60 + 13.0 * n_rule_states : 35 + 6.5 * n_rule_states;
    uint32_t n = MAX_MODEL_BLOCK_PLACEMENTS;
    while (n > MIN_BLOCK_PLACEMENTS && n * stored * nanoseconds > 50000)
        n /= 2;
    return n;
}

static uint32_t block_length(const struct compressor *compressor, uint64_t first)
{
    const uint64_t left = compressor->shape->n_placements - first;
    const uint32_t n = compressor->header.block_placements;
    return left < n ? (uint32_t)left : n;
}

/* A sample of a side's blocks: every `apart`-th one. */
struct sampled {
    const struct compressor *compressor;
    enum side side;
    uint64_t apart; /* in blocks */
    struct decoded decoded;
    einspul_error *error;
};

static einspul_status read_sampled(void *context, size_t block, uint64_t *first, uint32_t *n,
                                   uint8_t *values)
{
    const struct sampled *sampled = context;
    const einspul_status status = watch_status(sampled->compressor->watch, sampled->error);
    if (status != EINSPUL_OK)
        return status;
    watch_add(sampled->compressor->watch, 1);
    *first = block * sampled->apart * sampled->compressor->header.block_placements;
    *n = block_length(sampled->compressor, *first);
    return read_values(sampled->compressor, sampled->side, *first, *n, &sampled->decoded, values,
                       sampled->error);
}

/* Measures the coded size of the sample. */
static einspul_status measure_sample(struct compressor *compressor, enum side side,
                                     const struct model_sample *sample)
{
    const struct model_plan *plan = &compressor->model.plans[side];
    struct model_scratch scratch = {0};
    uint8_t *bytes = malloc(model_encode_bound(plan, sample->block_placements));
    const bool ready =
        model_scratch_init(&scratch, plan, sample->block_placements) && bytes != NULL;
    einspul_status status = ready ? EINSPUL_OK : EINSPUL_NO_MEMORY;
    for (size_t i = 0; i < sample->n_blocks && status == EINSPUL_OK; i++) {
        uint64_t first = 0;
        uint32_t n = 0;
        size_t size = 0;
        status = sample->read(sample->context, i, &first, &n, scratch.values);
        if (status == EINSPUL_OK)
            (void)model_encode(&compressor->model, side, first, n, &scratch, bytes, &size);
        compressor->coded_bytes[side] += size;
    }
    free(bytes);
    model_scratch_free(&scratch);
    return status;
}

/* In a sample of which every `thin`-th block is taken. */
static uint64_t blocks_apart(const struct compressor *compressor, uint64_t thin)
{
    const uint64_t wanted = SAMPLE_PLACEMENTS / compressor->header.block_placements;
    return (compressor->blocks_per_side + wanted - 1) / wanted * thin;
}

/* Trains the weights of a side on every `thin`-th block of its sample and, if `measures`, records
 * their coded size. */
static einspul_status learn_side(struct compressor *compressor, enum side side, uint64_t thin,
                                 bool refines, bool measures, einspul_error *error)
{
    const uint64_t apart = blocks_apart(compressor, thin);
    struct sampled sampled = {compressor, side, apart, {0}, error};
    const struct model_sample sample = {
        .n_blocks = (size_t)((compressor->blocks_per_side + apart - 1) / apart),
        .block_placements = compressor->header.block_placements,
        .read = read_sampled,
        .context = &sampled,
    };
    einspul_status status = decoded_init(&sampled.decoded, compressor->from)
                                ? model_train(&compressor->model, side, &sample, refines)
                                : EINSPUL_NO_MEMORY;
    if (status == EINSPUL_OK && measures)
        status = measure_sample(compressor, side, &sample);
    decoded_free(&sampled.decoded);
    return status == EINSPUL_NO_MEMORY ? output_no_memory(compressor->path, error) : status;
}

/* Fits the sides to move that are not omitted. */
static einspul_status learn_sides(struct compressor *compressor, uint64_t thin, bool refines,
                                  bool measures, double share)
{
    einspul_status status[2] = {EINSPUL_OK, EINSPUL_OK};
    einspul_error error[2];

    watch_phase(compressor->watch, share);
    const uint64_t n_passes = (refines ? 2u : 1u) + (measures ? 1u : 0u);
    watch_parts(compressor->watch,
                compressor->blocks_per_side / blocks_apart(compressor, thin) * n_passes *
                    (uint64_t)format_n_sides(&compressor->header, compressor->shape));
#pragma omp parallel for num_threads(compressor->n_threads) schedule(static, 1)
    for (int side = 0; side < compressor->shape->n_sides; side++)
        if (!compressor->header.omitted.side[side])
            status[side] =
                learn_side(compressor, (enum side)side, thin, refines, measures, &error[side]);
    for (int side = 0; side < compressor->shape->n_sides; side++)
        if (status[side] != EINSPUL_OK)
            return error_set(compressor->error, status[side], "%s", error[side].text);
    return EINSPUL_OK;
}

/* Omits the side to move that needs more bytes, by every thin-th block of the sample. One pass of
 * training tells which, unless they are close. */
static einspul_status leave_side_out(struct compressor *compressor, uint64_t thin)
{
    uint64_t *bytes = compressor->coded_bytes;
    einspul_status status =
        learn_sides(compressor, thin, thin == 1, true, thin == 1 ? LEARNING_SHARE : CHOOSING_SHARE);
    if (status == EINSPUL_OK && thin > 1 && bytes[WHITE] / 8 * 9 > bytes[BLACK] &&
        bytes[BLACK] / 8 * 9 > bytes[WHITE]) {
        bytes[WHITE] = bytes[BLACK] = 0;
        status = learn_sides(compressor, thin, true, true, 0);
    }
    const enum side larger = bytes[BLACK] > bytes[WHITE] ? BLACK : WHITE;
    compressor->header.omitted.side[larger] = true;
    compressor->model.omitted.side[larger] = true;
    return status;
}

/* Fits the model and builds its section of the file. Which side to move to omit is decided on a
 * thinned sample, so that only the other side is trained on the full one. In small tables the full
 * sample is used at once and its weights are kept. */
static einspul_status learn(struct compressor *compressor)
{
    const bool chooses = compressor->may_omit_side;
    const uint64_t thin = compressor->shape->n_placements < TRIAL_PLACEMENTS ? 1 : TRIAL_THIN;
    einspul_status status = chooses ? leave_side_out(compressor, thin) : EINSPUL_OK;
    if (status == EINSPUL_OK && !(chooses && thin == 1))
        status = learn_sides(compressor, 1, true, false,
                             LEARNING_SHARE - (chooses ? CHOOSING_SHARE : 0));
    if (status != EINSPUL_OK)
        return status;
    const size_t n = model_section_size(&compressor->model);
    const size_t bound = ZSTD_compressBound(n);
    uint8_t *weights = malloc(n);
    compressor->section = malloc(bound);
    if (weights == NULL || compressor->section == NULL) {
        free(weights);
        return output_no_memory(compressor->path, compressor->error);
    }
    model_pack(&compressor->model, weights);
    const size_t size = ZSTD_compress(compressor->section, bound, weights, n, MODEL_LEVEL);
    free(weights);
    if (ZSTD_isError(size))
        return output_no_memory(compressor->path, compressor->error);
    compressor->header.model_size = size;
    return EINSPUL_OK;
}

/* --- coding ----------------------------------------------------------------------------------- */

static bool worker_init(struct chunk_coder *worker, const struct model_plan *plan, uint32_t n)
{
    worker->values = malloc((size_t)CHUNK_PLACEMENTS * (size_t)plan->n_rule_states);
    worker->bytes = malloc(model_encode_bound(plan, n));
    return worker->values != NULL && worker->bytes != NULL &&
           model_scratch_init(&worker->scratch, plan, n) &&
           model_scratch_init(&worker->check, plan, n);
}

static void worker_free(struct chunk_coder *worker)
{
    free(worker->values);
    free(worker->bytes);
    block_cursor_free(&worker->cursor);
    model_scratch_free(&worker->scratch);
    model_scratch_free(&worker->check);
}

/* Encodes a block, decodes it again, and compares the stored values. */
static einspul_status encode_and_check_block(const struct compressor *compressor,
                                             struct chunk_coder *worker, enum side side,
                                             uint64_t first, const uint8_t *values,
                                             struct coded_chunk *coded, size_t *size)
{
    const size_t length = (size_t)compressor->shape->n_rule_states;
    const uint32_t n = block_length(compressor, first);
    bool same = true;

    memcpy(worker->scratch.values, values, n * length);
    if (model_encode(&compressor->model, side, first, n, &worker->scratch, worker->bytes, size)) {
        (void)model_decode(&compressor->model, side, first, n, n, worker->bytes, *size,
                           &worker->check);
        for (uint32_t i = 0; i < n; i++) {
            const bool is_stored = worker->check.outcomes[i] != 0;
            coded->n_stored += is_stored;
            if (is_stored &&
                memcmp(values + i * length, worker->check.values + i * length, length) != 0)
                same = false;
        }
    } else {
        same = false;
    }
    return same ? EINSPUL_OK
                : error_set(&coded->error, EINSPUL_CORRUPT, "%s: invalid values at placement %llu",
                            path_tail(compressor->path), (unsigned long long)first);
}

/* Codes the blocks of the chunk that begins at an index. */
static void code_chunk(const struct compressor *compressor, struct chunk_coder *worker,
                       enum side side, uint64_t first, struct coded_chunk *coded)
{
    const uint64_t left = compressor->shape->n_placements - first;
    const uint32_t n = left < CHUNK_PLACEMENTS ? (uint32_t)left : CHUNK_PLACEMENTS;
    const uint32_t per_block = compressor->header.block_placements;
    size_t n_bytes = 0;

    const struct decoded decoded = {&worker->cursor, 1};
    coded->status =
        read_values(compressor, side, first, n, &decoded, worker->values, &coded->error);
    for (uint32_t at = 0, block = 0; at < n && coded->status == EINSPUL_OK;
         at += per_block, block++) {
        size_t size = 0;
        if (watch_stopped(compressor->watch))
            break;
        coded->status = encode_and_check_block(
            compressor, worker, side, first + at,
            worker->values + at * (size_t)compressor->shape->n_rule_states, coded, &size);
        uint8_t *grown = realloc(coded->bytes, n_bytes + size + 1);
        if (grown == NULL) {
            coded->status = output_no_memory(compressor->path, &coded->error);
            return;
        }
        coded->bytes = grown;
        memcpy(coded->bytes + n_bytes, worker->bytes, size);
        coded->sizes[block] = size;
        n_bytes += size;
    }
    if (coded->status == EINSPUL_OK)
        coded->status = watch_status(compressor->watch, &coded->error);
    if (coded->status == EINSPUL_OK)
        watch_add(compressor->watch, 1);
}

/* Codes a batch of chunks on all threads, then writes them in order. */
static einspul_status code_batch(struct compressor *compressor, struct chunk_coder *workers,
                                 struct coded_chunk *coded, enum side side, uint64_t first,
                                 int n_chunks)
{
    einspul_status status = EINSPUL_OK;
#pragma omp parallel for num_threads(compressor->n_threads) schedule(dynamic, 1)
    for (int i = 0; i < n_chunks; i++)
        code_chunk(compressor, &workers[omp_get_thread_num()], side,
                   first + (uint64_t)i * CHUNK_PLACEMENTS, &coded[i]);
    for (int i = 0; i < n_chunks; i++) {
        const uint64_t start = first + (uint64_t)i * CHUNK_PLACEMENTS;
        const uint64_t left = compressor->shape->n_placements - start;
        const uint64_t n = left < CHUNK_PLACEMENTS ? left : CHUNK_PLACEMENTS;
        const uint8_t *bytes = coded[i].bytes;
        if (status == EINSPUL_OK && coded[i].status != EINSPUL_OK)
            status = error_set(compressor->error, coded[i].status, "%s", coded[i].error.text);
        for (uint64_t at = 0, block = 0; at < n && status == EINSPUL_OK;
             at += compressor->header.block_placements, block++) {
            status =
                table_file_add(&compressor->file, bytes, coded[i].sizes[block], compressor->error);
            bytes += coded[i].sizes[block];
        }
        compressor->header.n_stored[side] += coded[i].n_stored;
        coded[i].n_stored = 0;
        free(coded[i].bytes);
        coded[i].bytes = NULL;
    }
    return status;
}

static einspul_status code_all(struct compressor *compressor)
{
    enum { BATCH_CHUNKS = 64, MAX_CHUNK_BLOCKS = CHUNK_PLACEMENTS / MIN_BLOCK_PLACEMENTS };
    const uint64_t n_chunks =
        (compressor->shape->n_placements + CHUNK_PLACEMENTS - 1) / CHUNK_PLACEMENTS;
    struct chunk_coder *workers = calloc((size_t)compressor->n_threads, sizeof *workers);
    struct coded_chunk *coded = calloc(BATCH_CHUNKS, sizeof *coded);
    size_t *sizes = calloc((size_t)BATCH_CHUNKS * MAX_CHUNK_BLOCKS, sizeof *sizes);
    const uint64_t n_sides = (uint64_t)format_n_sides(&compressor->header, compressor->shape);
    bool ready = workers != NULL && coded != NULL && sizes != NULL;
    einspul_status status = EINSPUL_OK;

    for (int i = 0; i < compressor->n_threads && ready; i++)
        ready = worker_init(&workers[i], &compressor->model.plans[WHITE],
                            compressor->header.block_placements);
    for (int i = 0; i < BATCH_CHUNKS && ready; i++)
        coded[i].sizes = sizes + i * MAX_CHUNK_BLOCKS;
    if (!ready)
        status = output_no_memory(compressor->path, compressor->error);
    watch_parts(compressor->watch, n_chunks * n_sides);
    for (int side = 0; side < compressor->shape->n_sides && status == EINSPUL_OK; side++) {
        if (compressor->header.omitted.side[side]) {
            compressor->header.n_stored[side] = compressor->from->header.n_stored[side];
            continue;
        }
        for (uint64_t chunk = 0; chunk < n_chunks && status == EINSPUL_OK; chunk += BATCH_CHUNKS) {
            const uint64_t left = n_chunks - chunk;
            status =
                code_batch(compressor, workers, coded, (enum side)side, chunk * CHUNK_PLACEMENTS,
                           left < BATCH_CHUNKS ? (int)left : (int)BATCH_CHUNKS);
        }
        if (status == EINSPUL_OK &&
            compressor->header.n_stored[side] != compressor->from->header.n_stored[side])
            status = error_set(compressor->error, EINSPUL_CORRUPT,
                               "%s: placement count does not match the header",
                               path_tail(compressor->from->path));
    }
    for (int i = 0; workers != NULL && i < compressor->n_threads; i++)
        worker_free(&workers[i]);
    free(workers);
    free(coded);
    free(sizes);
    return status;
}

/* Returns the values that a table of a form omits. Which side to move is decided later; WHITE stands
 * for either. */
static struct omitted compress_omits(const struct rules *rules, const struct shape *shape,
                                     einspul_metric metric, enum compress_form form)
{
    struct omitted omitted = {0};
    omitted.side[WHITE] = form != COMPRESS_WHOLE && format_may_omit_side(rules, shape) &&
                          (metric == EINSPUL_DTW || form == COMPRESS_SMALLEST);
    omitted.runs = form != COMPRESS_WHOLE && format_may_omit_runs(shape);
    return omitted;
}

bool compress_cannot_convert(const struct table *table, const struct rules *rules,
                             enum compress_form form)
{
    const struct omitted is = table->header.omitted;
    const struct omitted as = compress_omits(rules, &table->shape, table->header.metric, form);
    return !omits_nothing(&is) &&
           (is.runs != as.runs || (is.side[WHITE] || is.side[BLACK]) != as.side[WHITE]);
}

einspul_status table_compress(const struct table *table, const struct rules *rules,
                              enum compress_form form, const char *path, int n_threads,
                              struct watch *watch, uint64_t *n_bytes, einspul_error *error)
{
    const struct header *from = &table->header;
    const struct shape *shape = &table->shape;
    const bool distances = from->has_distances;
    const struct omitted omitted = compress_omits(rules, shape, from->metric, form);
    struct compressor compressor = {
        .from = table,
        .rules = rules,
        .shape = shape,
        .path = path,
        .n_threads = n_threads,
        .watch = watch,
        .may_omit_side = omitted.side[WHITE],
        .header = {.metric = from->metric,
                   .has_distances = distances,
                   .dictionary = DICTIONARY_MODEL,
                   .index_group =
                       distances || shape->n_rule_states > 1 ? GROUP_BLOCKS : GROUP_SINGLE,
                   .value_hash = from->value_hash},
        .file = {.output = {.file = -1}},
        .error = error,
    };
    struct header *header = &compressor.header;

    *n_bytes = from->file_size;
    header->omitted.runs = omitted.runs;
    if (!table_is_complete(table) || shape->n_clocks > 1 ||
        (from->dictionary == DICTIONARY_MODEL && omits_nothing(&omitted)))
        return EINSPUL_OK; /* it is as small as it gets */
    watch_phase(watch, HASHING_SHARE);
    einspul_status status = output_check(path, error); /* before the work, not after it */
    /* Omitted values cannot be checked against the hash later. */
    if (status == EINSPUL_OK)
        status = value_hash_check(table, rules, n_threads, watch, error);
    if (status != EINSPUL_OK)
        return status;
    model_init(&compressor.model, rules, shape, distances, &header->omitted);
    header->block_placements = choose_block(table, &compressor.model);
    compressor.blocks_per_side = format_blocks_per_side(shape, header->block_placements);
    status = learn(&compressor);
    watch_phase(watch, CODING_SHARE);
    header->n_blocks = compressor.blocks_per_side * (uint64_t)format_n_sides(header, shape);
    if (status == EINSPUL_OK)
        status = table_file_create(&compressor.file, path, header, compressor.section, error);
    if (status == EINSPUL_OK)
        status = code_all(&compressor);
    if (status == EINSPUL_OK)
        status = table_file_pack_index(&compressor.file, error);
    if (status == EINSPUL_OK && table_file_size(&compressor.file) < *n_bytes) {
        *n_bytes = table_file_size(&compressor.file);
        status = table_file_commit(&compressor.file, rules, shape, error);
    }
    table_file_abandon(&compressor.file);
    model_free(&compressor.model);
    free(compressor.section);
    return status;
}
