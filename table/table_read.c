/* Opens a table and decodes its blocks. Bytes are copied first; the copy is checked against its
 * checksum and decoded, so a file that changes meanwhile cannot give a wrong value. */
#include "table/table_read.h"

#include "table/bytes.h"
#include "table/model.h"
#include "table/table_format.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* A decompression context that no thread is using, or NULL. Contexts are kept because creating one
 * takes longer than decoding a small block. */
struct idle {
    ZSTD_DCtx *_Atomic context;
};

struct table {
    struct file *file;
    const char *path; /* the file's */
    struct shape shape;
    struct header header;
    uint64_t identity; /* table_identity */
    uint64_t blocks_per_side;
    uint8_t *patterns;   /* DICTIONARY_TABLE: n_patterns * n_run_states values */
    uint64_t *block_end; /* by block: where the next one begins, from blocks_offset on */
    uint64_t *checksum;  /* by group of blocks */
    struct model *model; /* DICTIONARY_MODEL */
    struct idle *idle;
};

/* Names are for messages only, so a missing name is not an error of its own. */
static enum status no_memory(const char *path, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: no memory to read it", path_text(path));
}

/* --- opening ---------------------------------------------------------------------------------- */

/* gather_patterns for two-byte values; the file has all low bytes before the high ones. */
static bool gather_wide(const uint8_t *planes, size_t n, size_t length, uint8_t *patterns)
{
    bool good = true;
    for (size_t v = 0; v < length; v++) {
        for (size_t i = 0; i < n; i++) {
            const unsigned wide = planes[2 * v * n + i] | (unsigned)planes[(2 * v + 1) * n + i]
                                                              << 8;
            good &= wide < WIDE_NONE;
            value_store(patterns, 2, i * length + v, (value_t)wide);
        }
    }
    return good;
}

/* Transposes `n` patterns stored by run state into consecutive patterns, in the machine's byte
 * order. False if a value is invalid. */
static bool gather_patterns(const struct table *table, const uint8_t *planes, size_t n,
                            uint8_t *patterns)
{
    const size_t length = (size_t)table->shape.n_run_states;
    unsigned bad = 0;
    if (table->header.value_bytes > 1)
        return gather_wide(planes, n, length, patterns);
    for (size_t v = 0; v < length; v++) {
        for (size_t i = 0; i < n; i++) {
            const uint8_t value = planes[v * n + i];
            patterns[i * length + v] = value;
            bad |= table->header.has_distances ? value == BYTE_NONE : value != byte_sign(value);
        }
    }
    return bad == 0;
}

/* Decompresses a frame, which must give exactly `n_bytes` bytes; `what` names it in the error. A
 * lack of memory is distinguished from an invalid frame, because only the latter is damage. */
static enum status decompress(const struct table *table, const char *what, const uint8_t *bytes,
                              size_t size, uint8_t *content, size_t n_bytes, struct error *error)
{
    /* zstd would also accept its formats before 0.8, which allocate memory of their own. */
    if (size < 4 || load_u32(bytes) != ZSTD_MAGICNUMBER)
        return error_set(error, STATUS_CORRUPT, "%s: %s: no zstd frame", path_text(table->path),
                         what);
    ZSTD_DCtx *context = atomic_exchange(&table->idle->context, NULL);
    if (context == NULL)
        context = ZSTD_createDCtx();
    if (context == NULL)
        return no_memory(table->path, error);
    const size_t n = ZSTD_decompressDCtx(context, content, n_bytes, bytes, size);
    ZSTD_freeDCtx(atomic_exchange(&table->idle->context, context));
    if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
        return no_memory(table->path, error);
    return n == n_bytes ? STATUS_OK
                        : error_set(error, STATUS_CORRUPT, "%s: %s: it does not decompress",
                                    path_text(table->path), what);
}

static enum status unpack_patterns(struct table *table, const uint8_t *planes, struct error *error)
{
    const uint32_t n = table->header.n_patterns;
    table->patterns = malloc((size_t)n * format_pattern_bytes(&table->shape, &table->header));
    if (table->patterns == NULL)
        return no_memory(table->path, error);
    if (!gather_patterns(table, planes, n, table->patterns))
        return error_set(error, STATUS_CORRUPT, "%s: a pattern with a value that cannot be",
                         path_text(table->path));
    return STATUS_OK;
}

static enum status unpack_model(struct table *table, const uint8_t *weights, struct error *error)
{
    return model_unpack(table->model, weights) ? STATUS_OK : no_memory(table->path, error);
}

/* Sets up a model without weights. */
static enum status prepare_model(struct table *table, const struct rules *rules,
                                 struct error *error)
{
    table->model = calloc(1, sizeof *table->model);
    if (table->model == NULL)
        return no_memory(table->path, error);
    model_init(table->model, rules, &table->shape, table->header.has_distances,
               &table->header.left_out);
    return STATUS_OK;
}

static enum status bad_patterns(const struct table *table, struct error *error)
{
    return error_set(error, STATUS_BAD_HEADER, "%s: the patterns fail their checksum",
                     path_text(table->path));
}

/* Reads and unpacks a section of patterns or of a model. `n_bytes` is the size of its content,
 * which follows from material and header, so that memory and reading are bounded. */
static enum status read_section(struct table *table, size_t n_bytes,
                                enum status (*unpack)(struct table *, const uint8_t *,
                                                      struct error *),
                                struct error *error)
{
    const struct header *header = &table->header;
    const size_t size = (size_t)header->patterns_size;
    uint8_t *bytes = NULL;
    uint8_t *content = NULL;
    enum status status = STATUS_OK;

    if (header->patterns_size > format_frame_bound(n_bytes))
        return error_set(error, STATUS_CORRUPT,
                         "%s: %llu bytes of patterns or model, more than they can take",
                         path_text(table->path), (unsigned long long)header->patterns_size);
    status = file_read(table->file, HEADER_SIZE, header->patterns_size, &bytes, error);
    if (status != STATUS_OK)
        return status;
    if (format_checksum(bytes, size) != header->patterns_checksum) {
        status = bad_patterns(table, error);
        goto cleanup;
    }
    content = malloc(n_bytes + 1);
    status = content == NULL ? no_memory(table->path, error)
                             : decompress(table, "the patterns or the model", bytes, size, content,
                                          n_bytes, error);
    if (status == STATUS_OK)
        status = unpack(table, content, error);
cleanup:
    free(bytes);
    free(content);
    return status;
}

static enum status read_patterns(struct table *table, const struct rules *rules,
                                 struct error *error)
{
    const struct header *header = &table->header;
    enum status status = STATUS_OK;
    switch (header->dictionary) {
    case DICTIONARY_TABLE:
        return read_section(
            table, (size_t)header->n_patterns * format_pattern_bytes(&table->shape, &table->header),
            unpack_patterns, error);
    case DICTIONARY_BLOCK: /* header_unpack has checked that the section is empty */
        return header->patterns_checksum == format_checksum("", 0) ? STATUS_OK
                                                                   : bad_patterns(table, error);
    case DICTIONARY_MODEL:
        break;
    }
    status = prepare_model(table, rules, error);
    if (status == STATUS_OK)
        status = read_section(table, model_section_size(table->model), unpack_model, error);
    ZSTD_freeDCtx(atomic_exchange(&table->idle->context, NULL)); /* its blocks need none */
    return status;
}

/* Unpacks the index. No block may be larger than its content can need, which bounds the bytes read
 * and hashed for a block, whatever the file claims. */
static enum status unpack_index(struct table *table, const uint8_t *bytes, struct error *error)
{
    const struct header *header = &table->header;
    const uint64_t most = format_block_file_bound(&table->shape, header, header->block_placements);
    const uint64_t least = header->dictionary == DICTIONARY_MODEL ? 0 : 1;
    uint64_t end = 0;

    for (size_t i = 0; i < (size_t)header->n_blocks; i++) {
        const uint64_t size =
            load_number(bytes + format_index_size_at(header, i), header->index_width);
        if (size < least || size > most)
            return error_set(error, STATUS_CORRUPT, "%s: block %zu of %llu bytes, not %llu to %llu",
                             path_text(table->path), i, (unsigned long long)size,
                             (unsigned long long)least, (unsigned long long)most);
        end += size;
        table->block_end[i] = end;
        table->checksum[i / header->index_group] =
            load_u64(bytes + format_index_checksum_at(header, i));
    }
    if (end != header->blocks_size)
        return error_set(error, STATUS_CORRUPT, "%s: the sizes in the block index do not add up",
                         path_text(table->path));
    return STATUS_OK;
}

static enum status read_index(struct table *table, struct error *error)
{
    const struct header *header = &table->header;
    const size_t n_blocks = (size_t)header->n_blocks;
    uint8_t *bytes = NULL;
    enum status status =
        file_read(table->file, header->index_offset, header->index_size, &bytes, error);
    if (status != STATUS_OK)
        return status;
    if (format_checksum(bytes, (size_t)header->index_size) != header->index_checksum) {
        status = error_set(error, STATUS_BAD_HEADER, "%s: the block index fails its checksum",
                           path_text(table->path));
        goto cleanup;
    }
    table->block_end = malloc((n_blocks + 1) * sizeof *table->block_end);
    table->checksum = malloc((n_blocks / header->index_group + 1) * sizeof *table->checksum);
    if (table->block_end == NULL || table->checksum == NULL)
        status = no_memory(table->path, error);
    else
        status = unpack_index(table, bytes, error);
cleanup:
    free(bytes);
    return status;
}

/* Reads the header and checks it against the file and the requested table. */
static enum status read_header(struct table *table, struct table_id id, struct error *error)
{
    const uint64_t size = file_size(table->file);
    const size_t n_bytes = size < HEADER_SIZE ? (size_t)size : (size_t)HEADER_SIZE;
    uint8_t *bytes = NULL;
    enum status status = file_read(table->file, 0, n_bytes, &bytes, error);
    if (status == STATUS_OK)
        status = header_unpack(&table->header, id, &table->shape, bytes, n_bytes, size, table->path,
                               error);
    if (status == STATUS_OK)
        table->identity = format_checksum(bytes, n_bytes) | 1;
    free(bytes);
    if (status == STATUS_OK && table->header.n_blocks >= SIZE_MAX / 16)
        status = no_memory(table->path, error);
    return status;
}

enum status table_open(const char *path, struct table_id id, const struct file_io *io,
                       struct table **result, struct error *error)
{
    struct table *table = calloc(1, sizeof *table);
    enum status status = STATUS_OK;

    *result = NULL;
    if (table == NULL)
        return no_memory(path, error);
    table->idle = calloc(1, sizeof *table->idle);
    if (table->idle == NULL) {
        status = no_memory(path, error);
        goto cleanup;
    }
    shape_init(&table->shape, id.rules, &id.material);
    status = file_open(path, io, &table->file, error);
    if (status != STATUS_OK)
        goto cleanup;
    table->path = file_path(table->file);
    status = read_header(table, id, error);
    if (status != STATUS_OK)
        goto cleanup;
    table->blocks_per_side =
        table->header.n_blocks / (uint64_t)format_n_sides(&table->header, &table->shape);
    status = read_patterns(table, id.rules, error);
    if (status == STATUS_OK)
        status = read_index(table, error);
cleanup:
    if (status == STATUS_OK)
        *result = table;
    else
        table_close(table);
    return status;
}

void table_close(struct table *table)
{
    if (table == NULL)
        return;
    file_close(table->file);
    if (table->idle != NULL)
        ZSTD_freeDCtx(atomic_load(&table->idle->context));
    free(table->idle);
    free(table->patterns);
    free(table->block_end);
    free(table->checksum);
    if (table->model != NULL)
        model_free(table->model);
    free(table->model);
    free(table);
}

const struct shape *table_shape(const struct table *table)
{
    return &table->shape;
}

enum metric table_metric(const struct table *table)
{
    return table->header.metric;
}

const char *table_path(const struct table *table)
{
    return table->path;
}

bool table_has_distances(const struct table *table)
{
    return table->header.has_distances;
}

uint64_t table_identity(const struct table *table)
{
    return table->identity;
}

bool table_stamp(const struct table *table, struct file_stamp *stamp)
{
    return file_stamp(table->file, stamp);
}

uint64_t table_value_hash(const struct table *table)
{
    return table->header.value_hash;
}

uint64_t table_n_stored(const struct table *table, enum side side)
{
    return table->header.n_stored[side];
}

uint64_t table_file_bytes(const struct table *table)
{
    return table->header.file_size;
}

int table_value_bytes(const struct table *table)
{
    return table->header.value_bytes;
}

bool table_is_modelled(const struct table *table)
{
    return table->header.dictionary == DICTIONARY_MODEL;
}

const uint8_t *table_patterns(const struct table *table)
{
    return table->patterns;
}

uint64_t table_block_placements(const struct table *table)
{
    return table->header.block_placements;
}

uint64_t table_blocks_per_side(const struct table *table)
{
    return table->blocks_per_side;
}

uint64_t table_first_block(const struct table *table, enum side side)
{
    return side == BLACK && table_stores(table, WHITE) ? table->blocks_per_side : 0;
}

enum side table_block_side(const struct table *table, uint64_t number)
{
    return table_stores(table, WHITE) && number < table->blocks_per_side ? WHITE : BLACK;
}

uint64_t table_n_blocks(const struct table *table)
{
    return table->header.n_blocks;
}

bool table_stores(const struct table *table, enum side side)
{
    return (int)side < table->shape.n_sides && !table->header.left_out.side[side];
}

int table_most_run(const struct table *table, enum side side)
{
    const struct shape *shape = &table->shape;
    if (!table_stores(table, side))
        return -1;
    return table->header.left_out.runs && format_has_only_king(shape, side)
               ? shape->n_runs[side] - 2
               : ANY_RUN;
}

bool table_is_whole(const struct table *table)
{
    return leaves_nothing_out(&table->header.left_out);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static enum status corrupt(const struct table *table, uint64_t number, const char *what,
                           struct error *error)
{
    return error_set(error, STATUS_CORRUPT, "%s: block %llu: %s", path_text(table->path),
                     (unsigned long long)number, what);
}

/* Joins the planes of pattern numbers; returns the largest number. */
static unsigned join_planes(const uint8_t *planes, uint32_t n, bool two, uint8_t *number)
{
    unsigned most = 0;
    if (two) {
        uint16_t *pattern = (uint16_t *)(void *)number;
        for (uint32_t i = 0; i < n; i++) {
            pattern[i] = (uint16_t)(planes[i] | planes[n + i] << 8);
            most = pattern[i] > most ? pattern[i] : most;
        }
    } else {
        uint8_t most_byte = 0;
        for (uint32_t i = 0; i < n; i++) {
            number[i] = planes[i];
            most_byte = planes[i] > most_byte ? planes[i] : most_byte;
        }
        most = most_byte;
    }
    return most;
}

/* Builds a block of `n` placements from its decompressed bytes. */
static enum status build_block(const struct table *table, uint64_t number, uint32_t n,
                               const uint8_t *payload, size_t n_bytes, struct block **result,
                               struct error *error)
{
    const bool own = table->header.dictionary == DICTIONARY_BLOCK;
    uint32_t n_patterns = table->header.n_patterns;
    size_t n_pattern_bytes = 0;
    size_t at = 0;

    if (own) {
        n_patterns = n_bytes < 4 ? 0 : load_u32(payload);
        if (n_patterns == 0 || n_patterns > n)
            return corrupt(table, number, "the number of its patterns cannot be", error);
        n_pattern_bytes = n_patterns * format_pattern_bytes(&table->shape, &table->header);
        at = 4 + n_pattern_bytes;
    }
    const size_t n_number_bytes = (n_patterns > 256 ? 2 : 1) * (size_t)n;
    if (n_bytes != at + n_number_bytes)
        return corrupt(table, number, "its size is not what its numbers say", error);

    const size_t size = sizeof(struct block) + n_number_bytes + n_pattern_bytes;
    struct block *block = malloc(size);
    if (block == NULL)
        return no_memory(table->path, error);
    block->n_placements = n;
    block->n_patterns = n_patterns;
    block->value_bytes = (uint32_t)table->header.value_bytes;
    block->n_bytes = size;
    block->patterns = table->patterns;
    bool good = true;
    if (own) {
        uint8_t *patterns = block->number + n_number_bytes;
        good = gather_patterns(table, payload + 4, n_patterns, patterns);
        block->patterns = patterns;
    }
    if (join_planes(payload + at, n, n_patterns > 256, block->number) >= n_patterns)
        good = false;
    if (!good) {
        free(block);
        return corrupt(table, number, "a pattern number or value that cannot be", error);
    }
    *result = block;
    return STATUS_OK;
}

/* Placements of a block, and its side and first index. */
static uint32_t block_span(const struct table *table, uint64_t number, enum side *side,
                           uint64_t *first)
{
    const uint64_t n = table->header.block_placements;
    *side = table_block_side(table, number);
    *first = number % table->blocks_per_side * n;
    const uint64_t left = table->shape.n_placements - *first;
    return (uint32_t)(left < n ? left : n);
}

/* The patterns of a model's block, numbered in order of appearance. */
struct numbering {
    uint32_t n;
    uint32_t *first;  /* by number: a place that has the pattern */
    uint64_t *key;    /* by number: pattern_key */
    uint16_t *number; /* by place; 0 where nothing is stored */
    uint16_t *slots;  /* open addressing: number + 1, or 0 */
    int shift;        /* 64 less the bits of a slot */
};

static uint64_t load_part(const uint8_t *values, size_t n_bytes)
{
    uint64_t part = 0;
    memcpy(&part, values, n_bytes);
    return part;
}

/* Differs for different patterns of up to 8 values, mostly for longer ones. */
static inline uint64_t pattern_key(const uint8_t *values, size_t n)
{
    if (n == 1)
        return values[0];
    if (n < 4)
        return load_part(values, 2) | (uint64_t)values[n - 1] << 16;
    if (n < 8)
        return load_part(values, 4) | load_part(values + n - 4, 4) << 32;
    uint64_t key = load_part(values + n - 8, 8);
    for (size_t i = 0; i + 8 < n; i += 8)
        key = (key ^ key >> 29 ^ load_part(values + i, 8)) * 0x9e3779b97f4a7c15u;
    return key;
}

static bool same_pattern(const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n <= 8)
        return true; /* as their keys are */
    for (size_t i = 0; i + 8 < n; i += 8)
        if (load_part(a + i, 8) != load_part(b + i, 8))
            return false;
    return load_part(a + n - 8, 8) == load_part(b + n - 8, 8);
}

static void number_places(struct numbering *numbering, const struct model_room *room, uint32_t n,
                          size_t length)
{
    const uint32_t last_slot = (uint32_t)(UINT64_MAX >> numbering->shift);
    for (uint32_t place = 0; place < n; place++) {
        const uint8_t *values = room->values + place * length;
        if (room->signature[place] == 0)
            continue;
        const uint64_t key = pattern_key(values, length);
        uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> numbering->shift);
        uint32_t number = numbering->slots[slot];
        while (number != 0 && (numbering->key[number - 1] != key ||
                               !same_pattern(room->values + numbering->first[number - 1] * length,
                                             values, length))) {
            slot = (slot + 1) & last_slot;
            number = numbering->slots[slot];
        }
        if (number == 0) {
            numbering->first[numbering->n] = place;
            numbering->key[numbering->n] = key;
            number = ++numbering->n;
            numbering->slots[slot] = (uint16_t)number;
        }
        numbering->number[place] = (uint16_t)(number - 1);
    }
}

/* Builds the block of the numbered patterns; with one pattern, all zero, if nothing is stored. */
static struct block *gather_block(const struct numbering *numbering, const struct model_room *room,
                                  uint32_t n, size_t length)
{
    const uint32_t n_patterns = numbering->n == 0 ? 1 : numbering->n;
    const size_t n_number_bytes = (n_patterns > 256 ? 2 : 1) * (size_t)n;
    const size_t size = sizeof(struct block) + n_number_bytes + n_patterns * length;
    struct block *block = malloc(size);
    if (block == NULL)
        return NULL;
    uint8_t *patterns = block->number + n_number_bytes;
    block->n_placements = n;
    block->n_patterns = n_patterns;
    block->value_bytes = 1;
    block->patterns = patterns;
    block->n_bytes = size;
    memset(patterns, 0, length);
    for (uint32_t i = 0; i < numbering->n; i++)
        memcpy(patterns + i * length, room->values + numbering->first[i] * length, length);
    if (n_patterns > 256)
        memcpy(block->number, numbering->number, n_number_bytes);
    else
        for (uint32_t place = 0; place < n; place++)
            block->number[place] = (uint8_t)numbering->number[place];
    return block;
}

static enum status decode_model_block(const struct table *table, enum side side, uint64_t first,
                                      uint32_t n, const uint8_t *bytes, size_t size,
                                      struct block **block, struct error *error)
{
    const size_t length = (size_t)table->shape.n_run_states;
    struct numbering numbering = {.shift = 63};
    struct model_room room = {0};
    size_t n_slots = 2;

    for (; n_slots < 2 * (size_t)n; n_slots *= 2)
        numbering.shift--;
    numbering.first = malloc(n * sizeof *numbering.first);
    numbering.key = malloc(n * sizeof *numbering.key);
    numbering.number = calloc(n + n_slots, sizeof *numbering.number);
    if (numbering.first != NULL && numbering.key != NULL && numbering.number != NULL &&
        model_room_init(&room, &table->model->plans[side], n)) {
        numbering.slots = numbering.number + n;
        model_decode(table->model, side, first, n, bytes, size, &room);
        number_places(&numbering, &room, n, length);
        *block = gather_block(&numbering, &room, n, length);
    }
    free(numbering.first);
    free(numbering.key);
    free(numbering.number);
    model_room_free(&room);
    return *block == NULL ? no_memory(table->path, error) : STATUS_OK;
}

enum status table_decode_bytes(const struct table *table, uint64_t number, const uint8_t *bytes,
                               size_t size, struct block **block, struct error *error)
{
    const struct header *header = &table->header;
    uint64_t first = 0;
    enum side side = WHITE;
    const uint32_t n = block_span(table, number, &side, &first);
    const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);

    *block = NULL;
    if (header->dictionary == DICTIONARY_MODEL)
        return decode_model_block(table, side, first, n, bytes, size, block, error);
    if (content > format_block_bound(&table->shape, header, n))
        return corrupt(table, number, "its size is not what its numbers say", error);
    uint8_t *payload = malloc((size_t)content + 1);
    if (payload == NULL)
        return no_memory(table->path, error);
    char what[32];
    snprintf(what, sizeof what, "block %llu", (unsigned long long)number);
    enum status status = decompress(table, what, bytes, size, payload, (size_t)content, error);
    if (status == STATUS_OK)
        status = build_block(table, number, n, payload, (size_t)content, block, error);
    free(payload);
    return status;
}

static uint64_t block_start(const struct table *table, uint64_t number)
{
    return number == 0 ? 0 : table->block_end[number - 1];
}

enum status table_decode_block(const struct table *table, uint64_t number, struct block **block,
                               struct error *error)
{
    const struct header *header = &table->header;
    uint8_t *bytes = NULL;

    *block = NULL;
    if (number >= header->n_blocks)
        return corrupt(table, number, "there is no such block", error);
    const uint64_t group = format_group_first(header, number);
    const uint64_t group_start = block_start(table, group);
    const uint64_t start = block_start(table, number);
    const uint64_t group_size =
        table->block_end[format_group_end(header, number) - 1] - group_start;
    enum status status =
        file_read(table->file, header->blocks_offset + group_start, group_size, &bytes, error);
    if (status == STATUS_OK &&
        format_checksum(bytes, (size_t)group_size) != table->checksum[number / header->index_group])
        status = error_set(error, STATUS_BAD_BLOCK, "%s: block %llu fails its checksum",
                           path_text(table->path), (unsigned long long)number);
    if (status == STATUS_OK)
        status = table_decode_bytes(table, number, bytes + (start - group_start),
                                    (size_t)(table->block_end[number] - start), block, error);
    free(bytes);
    return status;
}
