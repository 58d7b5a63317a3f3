/* Materials of eight pieces: their indices, and a probe. No such tables exist, so the probed one is
 * synthesized on reading. Fails if a count of placements, blocks or bytes overflows, so that
 * another placement is read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/moves.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/plies.h"
#include "core/program/random.h"
#include "einspul.h"
#include "probe/program_handle.h"
#include "table/bytes.h"
#include "table/pack.h"
#include "table/table_format.h"
#include "table/write/header_write.h"
#include "tests/support/ranks.h"
#include "tests/support/tables.h"

TestSuite(eight, .init = make_folder, .fini = drop_folder);

enum { N_EIGHT = 76 };

/* C(n, k) by floating point, exact below 2^64 where long double has 64 bits. */
static long double binomial(int n, int k)
{
    long double product = 1;
    for (int i = 1; i <= k; i++)
        product = product * (n - k + i) / i;
    return product;
}

static long double placements(const struct shape *shape)
{
    long double product = 1;
    for (int side = WHITE; side <= BLACK; side++)
        product *= binomial(shape->n_squares - shape->n_squares / 10, shape->material.men[side]) *
                   binomial(shape->n_squares, shape->material.kings[side]);
    return product;
}

static void expect_numbers(const struct shape *shape, uint64_t index, enum side side)
{
    struct placement at;
    const bool possible = shape_unrank(shape, index, side, &at);
    cr_assert_eq(shape_rank(shape, &at), index, "%llu", (unsigned long long)index);
    cr_assert_eq(possible, bits_count(placement_occupied(&at)) == MAX_PIECES);
    for (int s = WHITE; s <= BLACK; s++)
        cr_assert_eq(bits_count(at.men[s]) + bits_count(at.kings[s]),
                     shape->material.men[s] + shape->material.kings[s]);
}

Test(eight, indices_do_not_overflow)
{
    const struct rules rules = rules_named("frisian");
    struct material list[MAX_MATERIALS];
    uint64_t seed = 8;
    uint64_t most = 0;
    char largest[MATERIAL_NAME_SIZE] = "";
    const int n = material_list(MAX_PIECES, MAX_PIECES, list);
    cr_assert_eq(n, N_EIGHT);
    for (int i = 0; i < n; i++) {
        struct shape shape;
        shape_init(&shape, &rules, &list[i]);
        cr_assert_float_eq((double)((long double)shape.n_placements / placements(&shape)), 1, 1e-9);
        cr_assert_leq(shape.n_rule_states, MAX_RULE_STATES);
        for (int side = WHITE; side <= BLACK; side++)
            cr_assert_leq(shape.n_runs[side], MAX_RUNS);
        for (uint64_t power = 1; power < shape.n_placements; power *= 2) {
            expect_numbers(&shape, power - 1, WHITE);
            expect_numbers(&shape, power, BLACK);
            expect_numbers(&shape, shape.n_placements - power, WHITE);
        }
        for (int j = 0; j < 1000; j++)
            expect_numbers(&shape, random_next(&seed) % shape.n_placements, WHITE);
        if (shape.n_placements > most) {
            most = shape.n_placements;
            material_write(&list[i], largest);
        }
    }
    cr_assert_str_eq(largest, "KKMMvKKMM");
    cr_assert_eq(most, UINT64_C(1470762562500)); /* (C(45,2) C(50,2))^2 */
}

/* --- a table synthesized on reading ----------------------------------------------------------- */

/* The largest material, in blocks of the largest size. All blocks have the bytes of the first of
 * two blocks, except one, which has those of the second. */
struct made_up {
    struct shape shape;
    struct header header;
    uint8_t header_bytes[HEADER_SIZE];
    uint8_t *block[2];
    size_t size[2];
    uint8_t *number[2];                                /* of patterns, by place */
    uint64_t other;                                    /* the block with the second */
    uint8_t front[PACK_HEADER_SIZE + PACK_ENTRY_SIZE]; /* of a pack of this table */
};

enum { MAX_TRIES = 10000, WIN_PLIES = 253, LOSS_PLIES = 252 };

static uint8_t *compressed(const uint8_t *bytes, size_t n, size_t *size)
{
    uint8_t *to = malloc(ZSTD_compressBound(n));
    cr_assert_not_null(to);
    *size = ZSTD_compress(to, ZSTD_compressBound(n), bytes, n, 1);
    cr_assert_not(ZSTD_isError(*size));
    return to;
}

static uint64_t block_offset(const struct made_up *made, uint64_t block)
{
    return made->header.blocks_offset + block * made->size[0] +
           (block > made->other ? made->size[1] - made->size[0] : 0);
}

/* Returns its size in bytes; with NULL it writes nothing. */
static size_t write_index(const struct made_up *made, uint8_t *bytes)
{
    uint8_t entry[2][4 + CHECKSUM_SIZE];
    size_t n[2];
    size_t n_bytes = 0;
    for (int which = 0; which < 2; which++) {
        store_u32(entry[which], (uint32_t)made->size[which]);
        n[which] = 4;
        store_u64(entry[which] + n[which], format_checksum(made->block[which], made->size[which]));
        n[which] += CHECKSUM_SIZE;
    }
    for (uint64_t block = 0; block < made->header.n_blocks; block++) {
        const bool which = block == made->other;
        if (bytes != NULL)
            memcpy(bytes + n_bytes, entry[which], n[which]);
        n_bytes += n[which];
    }
    return n_bytes;
}

/* Header and index of a pack. */
static void make_front(struct made_up *made, bool distances)
{
    uint8_t *front = made->front;
    uint8_t *entry = front + PACK_HEADER_SIZE;
    snprintf((char *)entry, PACK_NAME_SIZE, "frisian/KKMMvKKMM.%s", distances ? "dtw" : "wdl");
    store_u64(entry + PACK_NAME_SIZE, made->header.file_size);
    memcpy(front, pack_magic, sizeof pack_magic);
    store_u16(front + PACK_AT_READ_VERSION, PACK_VERSION);
    store_u16(front + PACK_AT_WRITE_VERSION, PACK_VERSION);
    store_u32(front + PACK_AT_ENTRIES, 1);
    store_u64(front + PACK_AT_FILE_SIZE, sizeof made->front + made->header.file_size);
    store_u64(front + PACK_AT_INDEX_CHECKSUM, format_checksum(entry, PACK_ENTRY_SIZE));
    store_u64(front + PACK_AT_HEADER_CHECKSUM, format_checksum(front, PACK_AT_HEADER_CHECKSUM));
}

/* A block of outcomes; no placement is uneven. */
static uint8_t *compressed_outcomes(const uint8_t *number, const value_t values[3], size_t *size)
{
    uint8_t codes[MAX_BLOCK_PLACEMENTS / 4 + 2] = {0};
    for (uint32_t i = 0; i < MAX_BLOCK_PLACEMENTS; i++)
        code_put(codes, i, value_code(value_without_distance(values[number[i]])));
    return compressed(codes, sizeof codes, size);
}

/* Outcomes or distances. */
static void made_up_create(struct made_up *made, const struct rules *rules, const char *name,
                           bool distances)
{
    const struct material material = material_named(name);
    const value_t values[3] = {VALUE_DRAW, value_from_plies(WIN_PLIES),
                               value_from_plies(LOSS_PLIES)};
    uint64_t seed = 5;
    memset(made, 0, sizeof *made);
    shape_init(&made->shape, rules, &material);
    struct header *header = &made->header;
    const size_t length = (size_t)made->shape.n_rule_states;
    const size_t n_before = 4 + 3 * length; /* of the numbers */
    uint8_t *content = malloc(n_before + MAX_BLOCK_PLACEMENTS);
    store_u32(content, 3);
    for (size_t i = 0; i < 3 * length; i++)
        content[4 + i] = values[i % 3];
    for (int which = 0; which < 2; which++) {
        made->number[which] = malloc(MAX_BLOCK_PLACEMENTS);
        for (size_t i = 0; i < MAX_BLOCK_PLACEMENTS; i++)
            made->number[which][i] = which == 1 ? 2 : (uint8_t)(random_next(&seed) % 2);
        memcpy(content + n_before, made->number[which], MAX_BLOCK_PLACEMENTS);
        made->block[which] =
            distances ? compressed(content, n_before + MAX_BLOCK_PLACEMENTS, &made->size[which])
                      : compressed_outcomes(made->number[which], values, &made->size[which]);
    }
    free(content);
    *header = (struct header){.metric = distances ? EINSPUL_DTW : EINSPUL_WDL,
                              .has_distances = distances,
                              .dictionary = format_first_dictionary(distances),
                              .block_placements = MAX_BLOCK_PLACEMENTS,
                              .index_group = 1};
    header->n_blocks =
        format_blocks_per_side(&made->shape, MAX_BLOCK_PLACEMENTS) * (uint64_t)made->shape.n_sides;
    made->other = header->n_blocks / 7 * 5;
    header->blocks_size = (header->n_blocks - 1) * made->size[0] + made->size[1];
    header->model_checksum = format_checksum("", 0);
    header->index_size = write_index(made, NULL);
    header_layout(header);
    uint8_t *index = malloc((size_t)header->index_size);
    cr_assert_not_null(index);
    write_index(made, index);
    header->index_checksum = format_checksum(index, (size_t)header->index_size);
    free(index);
    header_write(header, rules, &made->shape, made->header_bytes);
    make_front(made, distances);
}

static void made_up_free(struct made_up *made)
{
    for (int which = 0; which < 2; which++) {
        free(made->block[which]);
        free(made->number[which]);
    }
}

static void *open_made_up(void *user, const char *name)
{
    return strcmp(name, "pack") == 0 ? user : NULL;
}

static int64_t size_of_made_up(void *user, void *file)
{
    const struct made_up *made = file;
    (void)user;
    return (int64_t)(sizeof made->front + made->header.file_size);
}

static void close_made_up(void *user, void *file)
{
    (void)user;
    (void)file;
}

/* Reads are of header and index, of the pack or the table, or of single blocks. */
static int read_made_up(void *user, void *file, uint64_t offset, void *bytes, size_t n)
{
    const struct made_up *made = file;
    const struct header *header = &made->header;
    (void)user;
    if (offset + n <= sizeof made->front) {
        memcpy(bytes, made->front + offset, n);
        return 0;
    }
    offset -= sizeof made->front;
    if (offset == 0 && n == HEADER_SIZE) {
        memcpy(bytes, made->header_bytes, n);
    } else if (offset == header->index_offset && n == header->index_size) {
        write_index(made, bytes);
    } else {
        uint64_t block = (offset - header->blocks_offset) / made->size[0];
        while (block > 0 && block_offset(made, block) > offset)
            block--;
        while (block_offset(made, block) < offset)
            block++;
        const bool which = block == made->other;
        if (block_offset(made, block) != offset || n != made->size[which])
            return 1;
        memcpy(bytes, made->block[which], n);
    }
    return 0;
}

/* A placement without captures near an index, and the outcome in its block. */
static void probe_near(einspul *handle, const struct made_up *made, const struct rules *rules,
                       uint64_t index, int *seen)
{
    static const int outcomes[3] = {EINSPUL_DRAW, EINSPUL_WIN, EINSPUL_LOSS};
    static const int distances[3] = {-1, WIN_PLIES, LOSS_PLIES};
    struct placement at;
    einspul_outcome outcome;
    einspul_error error;
    for (int tries = 1;
         !shape_unrank(&made->shape, index, WHITE, &at) || placement_has_capture(rules, &at);
         tries++, index++)
        if (tries == MAX_TRIES)
            return; /* many indices are impossible here */
    const uint64_t block = index / MAX_BLOCK_PLACEMENTS;
    const int number = made->number[block == made->other][index % MAX_BLOCK_PLACEMENTS];
    const einspul_position position = {.men = {at.men[WHITE], at.men[BLACK]},
                                       .kings = {at.kings[WHITE], at.kings[BLACK]}};
    int plies = 0;
    const einspul_status status =
        made->header.metric == EINSPUL_WDL
            ? einspul_probe(handle, &position, 0, &outcome, NULL, &error)
            : einspul_probe(handle, &position, 0, &outcome, &plies, &error);
    cr_assert_eq(status, EINSPUL_OK, "%s", error.text);
    if (made->header.metric == EINSPUL_DTW)
        cr_assert_eq(plies, distances[number]);
    cr_assert_eq((int)outcome, outcomes[number], "index %llu, block %llu",
                 (unsigned long long)index, (unsigned long long)block);
    seen[number]++;
}

static void probe_largest(bool distances)
{
    const struct rules rules = rules_named("frisian");
    struct made_up made;
    int seen[3] = {0};
    uint64_t seed = 1;
    einspul *handle = NULL;
    einspul_error error;
    made_up_create(&made, &rules, "KKMMvKKMM", distances);
    const einspul_callbacks callbacks = {open_made_up, size_of_made_up, read_made_up, close_made_up,
                                         &made};
    cr_assert_eq(einspul_open("pack", "frisian", (size_t)256 << 20, &callbacks, &handle, &error),
                 EINSPUL_OK, "%s", error.text);
    cr_assert_gt(made.header.file_size, (uint64_t)1 << 37);
    for (int i = 0; i < 300; i++)
        probe_near(handle, &made, &rules, random_next(&seed) % (made.shape.n_placements - 1000000),
                   seen);
    for (uint64_t power = 1; power < made.shape.n_placements; power *= 2)
        probe_near(handle, &made, &rules, power, seen);
    for (uint64_t i = 0; i < 20; i++)
        probe_near(handle, &made, &rules, made.other * MAX_BLOCK_PLACEMENTS + 2000 * i, seen);
    probe_near(handle, &made, &rules, made.other * MAX_BLOCK_PLACEMENTS - 1000, seen);
    probe_near(handle, &made, &rules, (made.other + 1) * MAX_BLOCK_PLACEMENTS, seen);
    for (int number = 0; number < 3; number++)
        cr_assert_gt(seen[number], 10);
    einspul_close(handle);
    made_up_free(&made);
}

Test(eight, probe_of_the_largest)
{
    if (sizeof(size_t) < 8) /* the index does not fit */
        return;
    probe_largest(false);
    probe_largest(true);
}
