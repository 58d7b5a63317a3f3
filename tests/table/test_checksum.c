/* Checksums compared with published values of XXH64. */
#include "table/checksum_parts.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(checksum);

enum { N_BYTES = 222 };

/* The first N_BYTES bytes of the buffer that xxHash tests itself with. */
static void fill(uint8_t bytes[N_BYTES])
{
    uint64_t state = 2654435761u;
    for (int i = 0; i < N_BYTES; i++) {
        bytes[i] = (uint8_t)(state >> 56);
        state *= 11400714785074694797u;
    }
}

/* Fails if no other program can check a file, and files of other versions are called damaged. */
Test(checksum, is_xxh64)
{
    static const char letters[] = "Nobody inspects the spammish repetition";
    uint8_t bytes[N_BYTES];
    fill(bytes);
    cr_assert_eq(format_checksum(bytes, 0), 0xef46db3751d8e999u);
    cr_assert_eq(format_checksum(bytes, 1), 0xe934a84adb052768u);
    cr_assert_eq(format_checksum(bytes, 4), 0x9136a0dca57457eeu);
    cr_assert_eq(format_checksum(bytes, 14), 0x8282dcc4994e35c8u);
    cr_assert_eq(format_checksum(bytes, N_BYTES), 0xb641ae8cb691c174u);
    cr_assert_eq(format_checksum(letters, strlen(letters)), 0xfbcea83c8a378bf1u);
}

/* Fails if a table's value hash depends on the size of its blocks. */
Test(checksum, does_not_depend_on_how_bytes_arrive)
{
    uint8_t bytes[N_BYTES];
    fill(bytes);
    for (size_t n = 0; n <= N_BYTES; n++) {
        for (size_t part = 1; part <= 70; part++) {
            struct checksum sum;
            checksum_begin(&sum);
            for (size_t at = 0; at < n; at += part)
                checksum_add(&sum, bytes + at, n - at < part ? n - at : part);
            cr_assert_eq(checksum_end(&sum), format_checksum(bytes, n), "%zu bytes by %zu", n,
                         part);
        }
    }
}
