/* Characters are looked at one by one. */
#include "cli/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "study/utf8.h"

/* False for what changes more than its own place in a line. */
static bool passes(int32_t character)
{
    return character >= 0x20 && !(character >= 0x7f && character < 0xa0) && character != 0x061c &&
           character != 0x200e && character != 0x200f &&
           !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2066 && character <= 0x2069) && character != 0xfeff;
}

static void escape_bytes(FILE *stream, const char *at, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        const unsigned char byte = (unsigned char)at[i];
        if (byte == '\t' || byte == '\n' || byte == '\r')
            fprintf(stream, "\\%c", byte == '\t' ? 't' : byte == '\n' ? 'n' : 'r');
        else
            fprintf(stream, "\\x%02x", byte);
    }
}

void escape_text(FILE *stream, const char *text, size_t n_bytes)
{
    const char *at = text;
    for (size_t n; n_bytes > 0; at += n, n_bytes -= n) {
        const int32_t character = utf8_decode(at, n_bytes, &n);
        if (character == '\\')
            fputs("\\\\", stream);
        else if (passes(character))
            fwrite(at, 1, n, stream);
        else
            escape_bytes(stream, at, n);
    }
}

void escape_json(FILE *stream, const char *json)
{
    const char *at = json;
    for (size_t n_left = strlen(json), n; n_left > 0; at += n, n_left -= n) {
        const int32_t character = utf8_decode(at, n_left, &n);
        if (passes(character))
            fwrite(at, 1, n, stream);
        else /* all that do not pass lie below U+10000 */
            fprintf(stream, "\\u%04X", (unsigned)character);
    }
}
