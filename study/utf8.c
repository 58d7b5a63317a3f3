/* Decodes UTF-8 by table 3-7 of the Unicode standard; rejects overlong forms and surrogates. */
#include "study/utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int32_t utf8_decode(const char *at, size_t n_left, size_t *n_bytes)
{
    static const int32_t minimum[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)at[0];
    const size_t n = first < 0x80             ? 1
                     : (first & 0xe0) == 0xc0 ? 2
                     : (first & 0xf0) == 0xe0 ? 3
                     : (first & 0xf8) == 0xf0 ? 4
                                              : 0;
    *n_bytes = 1;
    if (n == 0 || n > n_left)
        return NO_CHARACTER;
    if (n == 1)
        return first;
    int32_t character = first & (0x7f >> n);
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return NO_CHARACTER;
        character = character << 6 | (at[i] & 0x3f);
    }
    if (character < minimum[n] || character > 0x10ffff ||
        (character >= 0xd800 && character < 0xe000))
        return NO_CHARACTER;
    *n_bytes = n;
    return character;
}

char *utf8_valid(const char *text, size_t *n_bytes)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const char *at = text;
    char *copy = malloc(3 * *n_bytes + 1);
    size_t n_copied = 0;
    if (copy == NULL)
        return NULL;
    for (size_t n_left = *n_bytes, n; n_left > 0; at += n, n_left -= n) {
        const bool valid = utf8_decode(at, n_left, &n) != NO_CHARACTER;
        memcpy(copy + n_copied, valid ? at : replacement, valid ? n : 3);
        n_copied += valid ? n : 3;
    }
    copy[n_copied] = '\0';
    *n_bytes = n_copied;
    return copy;
}
