/* A header, then for each stored side its patterns, low, high (where it is there) and quiet; an
 * XXH64 of all that. Numbers are little-endian. */
#include "gen/checkpoint.h"

#include "table/bytes.h"
#include "table/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The version tells apart other bytes, but also other placement numbers, levels or values. */
enum { VERSION = 1, POINT_HEADER_SIZE = 56, CHECKSUM_SIZE = 8, BUFFER_SIZE = 1 << 20 };

static const uint8_t magic[8] = {'E', 'I', 'N', 'S', 'P', 'A', 'R', 0x1a};

static void pack_header(const struct rules *rules, enum metric metric, const struct solved *solved,
                        int level, uint8_t bytes[POINT_HEADER_SIZE])
{
    const struct shape *shape = &solved->shape;
    memset(bytes, 0, POINT_HEADER_SIZE);
    memcpy(bytes, magic, sizeof magic);
    store_u32(bytes + 8, VERSION);
    store_u32(bytes + 12, (uint32_t)rules->id);
    store_u32(bytes + 16, (uint32_t)metric);
    for (int side = 0; side < 2; side++) {
        bytes[20 + 2 * side] = (uint8_t)shape->material.men[side];
        bytes[21 + 2 * side] = (uint8_t)shape->material.kings[side];
    }
    store_u32(bytes + 24, (uint32_t)shape->n_sides);
    store_u32(bytes + 28, (uint32_t)shape->n_run_states);
    store_u64(bytes + 32, shape->n_placements);
    store_u32(bytes + 40, (uint32_t)level);
    for (int side = 0; side < shape->n_sides; side++)
        store_u32(bytes + 44 + 4 * side, solved->patterns[side].n);
}

static uint64_t quiet_words(const struct solved *solved)
{
    return (solved->shape.n_placements + 63) / 64;
}

/* --- writing ------------------------------------------------------------------------------------
 */

struct writer {
    struct output output;
    uint64_t offset; /* of the buffer in the file */
    uint8_t *buffer;
    size_t n; /* bytes in the buffer */
    XXH64_state_t hash;
    enum status status; /* the first failure; nothing is written after it */
    struct error *error;
};

static void flush(struct writer *writer)
{
    XXH64_update(&writer->hash, writer->buffer, writer->n);
    if (writer->status == STATUS_OK)
        writer->status =
            output_write(&writer->output, writer->offset, writer->buffer, writer->n, writer->error);
    writer->offset += writer->n;
    writer->n = 0;
}

/* The place for the next n_bytes, at most BUFFER_SIZE. */
static uint8_t *room(struct writer *writer, size_t n_bytes)
{
    if (BUFFER_SIZE - writer->n < n_bytes)
        flush(writer);
    writer->n += n_bytes;
    return writer->buffer + writer->n - n_bytes;
}

static void put_bytes(struct writer *writer, const void *bytes, uint64_t n_bytes)
{
    const uint8_t *from = bytes;
    for (size_t n; n_bytes > 0; from += n, n_bytes -= n) {
        n = n_bytes < 4096 ? (size_t)n_bytes : 4096;
        memcpy(room(writer, n), from, n);
    }
}

static void put_side(struct writer *writer, const struct solved *solved, int side)
{
    const struct patterns *patterns = &solved->patterns[side];
    const uint64_t n_placements = solved->shape.n_placements;
    put_bytes(writer, patterns->values, (uint64_t)patterns->n * (uint64_t)patterns->length);
    for (uint64_t i = 0; i < n_placements && writer->status == STATUS_OK; i++)
        store_u16(room(writer, 2), solved->low[side][i]);
    if (solved->high[side] != NULL)
        put_bytes(writer, solved->high[side], n_placements);
    for (uint64_t i = 0; i < quiet_words(solved) && writer->status == STATUS_OK; i++)
        store_u64(room(writer, 8), solved->quiet[side][i]);
}

enum status checkpoint_write(const char *path, const struct rules *rules, enum metric metric,
                             const struct solved *solved, int level, struct error *error)
{
    struct writer writer = {.output = {.file = -1}, .error = error};
    uint8_t checksum[CHECKSUM_SIZE];

    writer.buffer = malloc(BUFFER_SIZE);
    if (writer.buffer == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for a checkpoint");
    XXH64_reset(&writer.hash, 0);
    writer.status = output_create(&writer.output, path, error);
    pack_header(rules, metric, solved, level, room(&writer, POINT_HEADER_SIZE));
    for (int side = 0; side < solved->shape.n_sides && writer.status == STATUS_OK; side++)
        put_side(&writer, solved, side);
    flush(&writer);
    store_u64(checksum, XXH64_digest(&writer.hash));
    if (writer.status == STATUS_OK)
        writer.status =
            output_write(&writer.output, writer.offset, checksum, sizeof checksum, error);
    if (writer.status == STATUS_OK)
        writer.status = output_commit(&writer.output, error);
    output_abandon(&writer.output);
    free(writer.buffer);
    return writer.status;
}

/* --- reading ------------------------------------------------------------------------------------
 */

struct reader {
    int file;
    const char *path;
    uint64_t offset; /* of the next byte to read */
    uint64_t n_left; /* bytes before the checksum that are still in the file */
    uint8_t *buffer;
    size_t first, n; /* bytes of the buffer that were not taken */
    XXH64_state_t hash;
    bool failed;        /* the file ended or could not be read; what is taken after it is zero */
    enum status status; /* it could not be read */
    struct error *error;
};

/* Reads n_bytes; false, and the reader failed, when they are not there or cannot be read. */
static bool read_bytes(struct reader *reader, uint8_t *bytes, size_t n_bytes)
{
    while (n_bytes > 0 && !reader->failed) {
        const ssize_t n = pread(reader->file, bytes, n_bytes, (off_t)reader->offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            reader->status = error_set(reader->error, STATUS_IO, "%s: cannot read: %s",
                                       path_text(reader->path), strerror(errno));
        if (n <= 0) {
            reader->failed = true;
            break;
        }
        bytes += n;
        reader->offset += (uint64_t)n;
        n_bytes -= (size_t)n;
    }
    return !reader->failed;
}

/* The next n_bytes, at most BUFFER_SIZE. */
static const uint8_t *take(struct reader *reader, size_t n_bytes)
{
    if (reader->n < n_bytes) {
        memmove(reader->buffer, reader->buffer + reader->first, reader->n);
        reader->first = 0;
        size_t n = BUFFER_SIZE - reader->n;
        if (n > reader->n_left)
            n = (size_t)reader->n_left;
        uint8_t *to = reader->buffer + reader->n;
        if (reader->n + n < n_bytes || !read_bytes(reader, to, n)) {
            reader->failed = true;
            memset(reader->buffer, 0, BUFFER_SIZE);
            reader->n = BUFFER_SIZE;
            reader->n_left = 0;
        } else {
            XXH64_update(&reader->hash, to, n);
            reader->n += n;
            reader->n_left -= n;
        }
    }
    reader->first += n_bytes;
    reader->n -= n_bytes;
    return reader->buffer + reader->first - n_bytes;
}

static void get_bytes(struct reader *reader, void *bytes, uint64_t n_bytes)
{
    uint8_t *to = bytes;
    for (size_t n; n_bytes > 0; to += n, n_bytes -= n) {
        n = n_bytes < 4096 ? (size_t)n_bytes : 4096;
        memcpy(to, take(reader, n), n);
    }
}

/* Patterns enter the dictionary in order, so that they get their numbers back. */
static enum status get_side(struct reader *reader, struct solved *solved, int side,
                            uint32_t n_patterns)
{
    struct patterns *patterns = &solved->patterns[side];
    const uint64_t n_placements = solved->shape.n_placements;
    for (uint32_t i = 0; i < n_patterns && !reader->failed; i++) {
        uint32_t number = 0;
        const enum status status =
            patterns_add(patterns, take(reader, (size_t)patterns->length), &number);
        if (status != STATUS_OK)
            return status;
        reader->failed = reader->failed || number != i;
    }
    for (uint64_t i = 0; i < n_placements && !reader->failed; i++)
        solved->low[side][i] = load_u16(take(reader, 2));
    if (solved->high[side] != NULL)
        get_bytes(reader, solved->high[side], n_placements);
    for (uint64_t i = 0; i < quiet_words(solved) && !reader->failed; i++)
        solved->quiet[side][i] = load_u64(take(reader, 8));
    for (uint64_t i = 0; i < n_placements && !reader->failed; i++) {
        const uint32_t number = solved_pattern(solved, side, i);
        reader->failed = number != 0 && number >= patterns->n;
    }
    return STATUS_OK;
}

/* Whether a header is what pack_header would make of `solved` but for what is solved already, and
 * the file as large as it says. */
static bool header_fits(const uint8_t bytes[POINT_HEADER_SIZE], const struct rules *rules,
                        enum metric metric, int n_levels, const struct solved *solved,
                        uint64_t n_bytes)
{
    uint8_t expected[POINT_HEADER_SIZE];
    const uint64_t per_side =
        solved_bytes(&solved->shape, metric) / (uint64_t)solved->shape.n_sides;
    uint64_t size = POINT_HEADER_SIZE + CHECKSUM_SIZE;

    pack_header(rules, metric, solved, 0, expected);
    memcpy(expected + 40, bytes + 40, 4);
    for (int side = 0; side < solved->shape.n_sides; side++) {
        const uint64_t n_patterns = load_u32(bytes + 44 + 4 * side);
        if (n_patterns > solved_max_patterns(solved))
            return false;
        memcpy(expected + 44 + 4 * side, bytes + 44 + 4 * side, 4);
        size += per_side + n_patterns * (uint64_t)solved->shape.n_run_states;
    }
    return memcmp(bytes, expected, sizeof expected) == 0 && size == n_bytes &&
           load_u32(bytes + 40) <= (uint32_t)n_levels;
}

/* Makes `solved` what solved_create made it. */
static void forget(struct solved *solved)
{
    const uint64_t n_placements = solved->shape.n_placements;
    for (int side = 0; side < solved->shape.n_sides; side++) {
        patterns_clear(&solved->patterns[side]);
        memset(solved->low[side], 0, n_placements * sizeof *solved->low[side]);
        if (solved->high[side] != NULL)
            memset(solved->high[side], 0, n_placements * sizeof *solved->high[side]);
        memset(solved->quiet[side], 0, quiet_words(solved) * sizeof *solved->quiet[side]);
    }
}

/* Reads a regular file of so many bytes into `solved`, as checkpoint_read. */
static enum status read_solved(struct reader *reader, const struct rules *rules, enum metric metric,
                               int n_levels, uint64_t n_bytes, struct solved *solved, int *level)
{
    uint8_t header[POINT_HEADER_SIZE];
    uint8_t checksum[CHECKSUM_SIZE];
    enum status status = STATUS_OK;

    if (n_bytes < POINT_HEADER_SIZE + CHECKSUM_SIZE)
        return STATUS_OK;
    reader->n_left = n_bytes - CHECKSUM_SIZE;
    memcpy(header, take(reader, sizeof header), sizeof header);
    if (!header_fits(header, rules, metric, n_levels, solved, n_bytes))
        return reader->status;
    for (int side = 0; side < solved->shape.n_sides && status == STATUS_OK; side++)
        status = get_side(reader, solved, side, load_u32(header + 44 + 4 * side));
    if (status == STATUS_OK && !reader->failed && read_bytes(reader, checksum, sizeof checksum) &&
        load_u64(checksum) == XXH64_digest(&reader->hash))
        *level = (int)load_u32(header + 40);
    else
        forget(solved);
    if (status != STATUS_OK)
        return error_set(reader->error, status, "not enough memory for patterns");
    return reader->status;
}

enum status checkpoint_read(const char *path, const struct rules *rules, enum metric metric,
                            int n_levels, struct solved *solved, int *level, struct error *error)
{
    /* O_NONBLOCK: a FIFO without a writer would hold the run up for ever. */
    struct reader reader = {.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
                            .path = path,
                            .error = error};
    struct stat info;
    enum status status = STATUS_OK;

    *level = 0;
    if (reader.file < 0 && errno == ENOENT)
        return STATUS_OK;
    if (reader.file < 0 || fstat(reader.file, &info) != 0) {
        status = error_set(error, STATUS_IO, "%s: %s", path_text(path), strerror(errno));
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode))
        goto cleanup;
    reader.buffer = malloc(BUFFER_SIZE);
    XXH64_reset(&reader.hash, 0);
    status =
        reader.buffer == NULL
            ? error_set(error, STATUS_NO_MEMORY, "%s: no memory to read it", path_text(path))
            : read_solved(&reader, rules, metric, n_levels, (uint64_t)info.st_size, solved, level);
cleanup:
    free(reader.buffer);
    if (reader.file >= 0)
        close(reader.file);
    return status;
}
