/* SHA-256. */
#include "core/program/sha256.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_sum(const char *part, int n_times, const char *expected)
{
    struct sha256 sum;
    char text[SHA256_TEXT_SIZE];
    sha256_begin(&sum);
    for (int i = 0; i < n_times; i++)
        sha256_add(&sum, part, strlen(part));
    sha256_end(&sum, text);
    cr_assert_str_eq(text, expected, "%s, %d times: %s", part, n_times, text);
}

/* Fails if people who check a site's files with `sha256sum` find them damaged. The sums of FIPS 180, and
 * of lengths around the end of a block, by coreutils. */
Test(sha256, published_sums)
{
    expect_sum("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_sum("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_sum("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect_sum("a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    expect_sum("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    expect_sum("aaaaaaaaaa", 100000,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
