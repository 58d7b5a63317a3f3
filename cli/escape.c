/* Characters are decoded one by one, by the table of well-formed sequences in the Unicode standard
 * (3.9, table 3-7): neither overlong forms nor surrogates count as UTF-8. */
#include "cli/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NO_CHARACTER = -1 };

/* The character at `at`, and in *n_bytes how long it is; NO_CHARACTER, one byte long, where there
 * is none. `n_left` is 1 or more. */
static int32_t decode(const unsigned char *at, size_t n_left, size_t *n_bytes)
{
    static const int32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = at[0];
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
    if (character < least[n] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        return NO_CHARACTER;
    *n_bytes = n;
    return character;
}

/* False for what changes more than its own place in a line. */
static bool passes(int32_t character)
{
    return character >= 0x20 && !(character >= 0x7f && character < 0xa0) && character != 0x061c &&
           character != 0x200e && character != 0x200f &&
           !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2066 && character <= 0x2069) && character != 0xfeff;
}

static void escape_bytes(FILE *stream, const unsigned char *at, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        const unsigned char byte = at[i];
        if (byte == '\t' || byte == '\n' || byte == '\r')
            fprintf(stream, "\\%c", byte == '\t' ? 't' : byte == '\n' ? 'n' : 'r');
        else
            fprintf(stream, "\\x%02x", byte);
    }
}

void escape_text(FILE *stream, const char *text, size_t n_bytes)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t n; n_bytes > 0; at += n, n_bytes -= n) {
        const int32_t character = decode(at, n_bytes, &n);
        if (character == '\\')
            fputs("\\\\", stream);
        else if (passes(character))
            fwrite(at, 1, n, stream);
        else
            escape_bytes(stream, at, n);
    }
}

char *escape_utf8(const char *text, size_t *n_bytes)
{
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *at = (const unsigned char *)text;
    char *copy = malloc(3 * *n_bytes + 1);
    size_t n_copied = 0;
    if (copy == NULL)
        return NULL;
    for (size_t n_left = *n_bytes, n; n_left > 0; at += n, n_left -= n) {
        const bool valid = decode(at, n_left, &n) != NO_CHARACTER;
        memcpy(copy + n_copied, valid ? (const char *)at : replacement, valid ? n : 3);
        n_copied += valid ? n : 3;
    }
    copy[n_copied] = '\0';
    *n_bytes = n_copied;
    return copy;
}

void escape_json(FILE *stream, const char *json)
{
    const unsigned char *at = (const unsigned char *)json;
    for (size_t n_left = strlen(json), n; n_left > 0; at += n, n_left -= n) {
        const int32_t character = decode(at, n_left, &n);
        if (passes(character))
            fwrite(at, 1, n, stream);
        else /* all that do not pass lie below U+10000 */
            fprintf(stream, "\\u%04X", (unsigned)character);
    }
}
