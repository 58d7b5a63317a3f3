/* Packs: writing and reading them, and errors that name a file that is not a valid pack. */
#include "table/bytes.h"
#include "table/checksum.h"
#include "table/pack.h"
#include "table/write/pack_write.h"
#include "tests/support/folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(pack, .init = make_folder, .fini = drop_folder);

enum { N_ITEMS = 3, HEAD_SIZE = PACK_HEADER_SIZE + N_ITEMS * PACK_ENTRY_SIZE };

/* In the order given to the writer, not sorted by name. */
static const struct {
    const char *name;
    size_t n_bytes;
} contents[N_ITEMS] = {{"frisian/b", 5}, {"frisian/a", (1 << 20) + 7}, {"english/c", 0}};

static uint8_t content_byte(size_t item, size_t at)
{
    return (uint8_t)(at * 31 + at / 251 + item);
}

/* Writes a pack of three synthetic files; returns its bytes, to be freed. */
static uint8_t *make_pack(size_t *n_bytes)
{
    struct pack_item items[N_ITEMS];
    struct file *files[N_ITEMS];
    einspul_error error;
    uint64_t written = 0;
    for (size_t i = 0; i < N_ITEMS; i++) {
        uint8_t *bytes = malloc(contents[i].n_bytes + 1);
        for (size_t at = 0; at < contents[i].n_bytes; at++)
            bytes[at] = content_byte(i, at);
        write_whole(path_of("file"), bytes, contents[i].n_bytes);
        free(bytes);
        cr_assert_eq(file_open(path_of("file"), NULL, &files[i], &error), EINSPUL_OK);
        shell("rm %s", path_of("file"));
        snprintf(items[i].name, sizeof items[i].name, "%s", contents[i].name);
        items[i].file = files[i];
    }
    cr_assert_eq(pack_write(path_of("set.pack"), items, N_ITEMS, &written, &error), EINSPUL_OK,
                 "%s", error.text);
    for (size_t i = 0; i < N_ITEMS; i++)
        file_close(files[i]);
    uint8_t *bytes = read_whole(path_of("set.pack"), n_bytes);
    cr_assert_eq(written, *n_bytes);
    return bytes;
}

/* Opens the bytes as a pack; the text of an error must name the file. */
static einspul_status open_bytes(const uint8_t *bytes, size_t n_bytes)
{
    einspul_error error = {EINSPUL_OK, ""};
    struct pack *pack = NULL;
    write_whole(path_of("set.pack"), bytes, n_bytes);
    const einspul_status status = pack_open(path_of("set.pack"), NULL, &pack, &error);
    cr_assert_eq(pack == NULL, status != EINSPUL_OK);
    if (status != EINSPUL_OK)
        cr_assert_not_null(strstr(error.text, "/set.pack: "), "'%s' names no file", error.text);
    pack_close(pack);
    return status;
}

/* Opens the bytes with recomputed checksums. */
static einspul_status open_sealed(uint8_t *bytes, size_t n_bytes)
{
    store_u64(bytes + PACK_AT_INDEX_CHECKSUM,
              format_checksum(bytes + PACK_HEADER_SIZE, N_ITEMS * PACK_ENTRY_SIZE));
    store_u64(bytes + PACK_AT_HEADER_CHECKSUM, format_checksum(bytes, PACK_AT_HEADER_CHECKSUM));
    return open_bytes(bytes, n_bytes);
}

/* Fails if a table comes out of a pack as another one, or as other bytes. */
Test(pack, round_trip)
{
    static const size_t order[N_ITEMS] = {2, 1, 0}; /* of the names */
    size_t n_bytes = 0;
    struct pack *pack = NULL;
    einspul_error error;
    free(make_pack(&n_bytes));
    cr_assert_eq(pack_open(path_of("set.pack"), NULL, &pack, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(pack->n_entries, N_ITEMS);
    for (size_t i = 0; i < N_ITEMS; i++) {
        const struct pack_entry *entry = &pack->entries[i];
        struct file *file = NULL;
        uint8_t *bytes = NULL;
        cr_assert_str_eq(entry->name, contents[order[i]].name);
        cr_assert_eq(entry->n_bytes, contents[order[i]].n_bytes);
        cr_assert_eq(file_open_part(pack->file, "part", entry->offset, entry->n_bytes, &file, NULL),
                     EINSPUL_OK);
        cr_assert_eq(file_read(file, 0, file->size, &bytes, &error), EINSPUL_OK);
        for (size_t at = 0; at < entry->n_bytes; at++)
            cr_assert_eq(bytes[at], content_byte(order[i], at));
        free(bytes);
        file_close(file);
    }
    pack_close(pack);
}

/* Fails if a damaged index sends a reader to the wrong bytes. */
Test(pack, notices_every_flipped_bit_of_header_and_index)
{
    size_t n_bytes = 0;
    uint8_t *bytes = make_pack(&n_bytes);
    for (size_t bit = 0; bit < (size_t)HEAD_SIZE * 8; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_assert_eq(open_bytes(bytes, HEAD_SIZE + 5), /* the rest does not matter */
                     bit / 8 < sizeof pack_magic  ? EINSPUL_NOT_A_TABLE
                     : bit / 8 < PACK_HEADER_SIZE ? EINSPUL_BAD_HEADER
                                                  : EINSPUL_TRUNCATED);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t at = PACK_HEADER_SIZE; at < HEAD_SIZE; at += 7) {
        bytes[at] ^= 1;
        cr_assert_eq(open_bytes(bytes, n_bytes), EINSPUL_BAD_HEADER);
        bytes[at] ^= 1;
    }
    cr_assert_eq(open_bytes(bytes, n_bytes), EINSPUL_OK);
    free(bytes);
}

/* Fails if an interrupted download is accepted as a pack, or one with trailing bytes. */
Test(pack, notices_a_wrong_size)
{
    size_t n_bytes = 0;
    uint8_t *bytes = make_pack(&n_bytes);
    for (size_t n = 0; n < n_bytes; n += n < HEAD_SIZE ? 1 : 200003)
        cr_assert_eq(open_bytes(bytes, n),
                     n < sizeof pack_magic ? EINSPUL_NOT_A_TABLE : EINSPUL_TRUNCATED);
    cr_assert_eq(open_bytes(bytes, n_bytes - 1), EINSPUL_TRUNCATED);
    cr_assert_eq(open_bytes(bytes, n_bytes + 1), EINSPUL_CORRUPT);
    free(bytes);
}

/* Fails if contents that only a malicious writer produces are accepted: names twice or without an
 * end, sizes beyond the file, more tables than there is room for. */
Test(pack, notices_contradictions)
{
    static const struct {
        size_t at;
        uint64_t number; /* the eight bytes written there */
    } cases[] = {
        {PACK_AT_RESERVED, 1},
        {PACK_AT_RESERVED + 16, UINT64_C(1) << 63},
        {PACK_HEADER_SIZE, 0},                                 /* no name */
        {PACK_HEADER_SIZE, UINT64_C(0x6e65697369726671)},      /* not in order */
        {PACK_HEADER_SIZE + 32, UINT64_C(0x0100000000000000)}, /* beyond its end */
        {PACK_HEADER_SIZE + PACK_NAME_SIZE, 1},                /* the sum is too large */
        {PACK_HEADER_SIZE + PACK_NAME_SIZE, UINT64_MAX},       /* beyond the range of numbers */
        {HEAD_SIZE - 8, 4},                                    /* the sum is too small */
    };
    size_t n_bytes = 0;
    uint8_t *bytes = make_pack(&n_bytes);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t old = load_u64(bytes + cases[i].at);
        store_u64(bytes + cases[i].at, cases[i].number);
        cr_assert_eq(open_sealed(bytes, n_bytes), EINSPUL_CORRUPT, "case %zu", i);
        store_u64(bytes + cases[i].at, old);
    }
    for (int round = 0; round < 2; round++) { /* a sum that wraps around to the right value */
        for (size_t i = 0; i < 2; i++) {
            uint8_t *size = bytes + PACK_HEADER_SIZE + i * PACK_ENTRY_SIZE + PACK_NAME_SIZE;
            store_u64(size, load_u64(size) + (UINT64_C(1) << 63));
        }
        cr_assert_eq(open_sealed(bytes, n_bytes), round == 0 ? EINSPUL_CORRUPT : EINSPUL_OK);
    }
    for (uint32_t n = 4; n != 0; n <<= 4) {
        store_u32(bytes + PACK_AT_ENTRIES, n);
        cr_assert_neq(open_sealed(bytes, n_bytes), EINSPUL_OK, "%u tables", (unsigned)n);
    }
    store_u32(bytes + PACK_AT_ENTRIES, N_ITEMS);
    memset(bytes + PACK_HEADER_SIZE, 'a', PACK_NAME_SIZE); /* a name without a terminator */
    cr_assert_eq(open_sealed(bytes, n_bytes), EINSPUL_CORRUPT);
    memcpy(bytes + PACK_HEADER_SIZE, bytes + PACK_HEADER_SIZE + PACK_ENTRY_SIZE, PACK_NAME_SIZE);
    cr_assert_eq(open_sealed(bytes, n_bytes), EINSPUL_CORRUPT); /* a name twice */
    bytes[PACK_AT_READ_VERSION] = PACK_VERSION + 1;
    cr_assert_eq(open_sealed(bytes, n_bytes), EINSPUL_WRONG_VERSION);
    free(bytes);
}
