/* A buffer that grows by what is asked for, and two bytes ahead of it that tell the encoding. */
#include "study/pdn_input.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* --- bytes ------------------------------------------------------------------------------------ */

static void put(struct pdn_reader *reader, int byte)
{
    enum { FEWEST = 4096 };
    const size_t n_before = reader->room > 0 ? (size_t)(reader->bytes - reader->store) : 0;
    if (n_before + reader->n_bytes == reader->room) {
        char *store = reader->store;
        if (n_before <= reader->n_bytes)
            store = array_room(store, reader->room, &reader->room, FEWEST, 1);
        reader->no_memory = reader->no_memory || store == NULL;
        if (reader->no_memory)
            return;
        reader->store = store;
        reader->bytes = memmove(store, store + n_before, reader->n_bytes);
    }
    reader->bytes[reader->n_bytes++] = (char)byte;
}

static int next_byte(struct pdn_reader *reader)
{
    return reader->n_ahead > 0 ? reader->ahead[--reader->n_ahead] : reader->get(reader->from);
}

/* The next unit of UTF-16, or -1. */
static int unit(struct pdn_reader *reader)
{
    const int first = next_byte(reader);
    const int second = first < 0 ? -1 : next_byte(reader);
    if (second < 0)
        return -1;
    return reader->encoding == PDN_UTF16_LOW_FIRST ? second << 8 | first : first << 8 | second;
}

/* Puts the next character of UTF-16 as UTF-8; false at the end. */
static bool put_wide(struct pdn_reader *reader)
{
    long code = unit(reader);
    if (code < 0)
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        const long low = unit(reader);
        code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                                             : 0xfffd;
    }
    if (code < 0x80) {
        put(reader, (int)code);
        return true;
    }
    const int n_more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put(reader, (int)((0xff00 >> (n_more + 1) & 0xff) | code >> (6 * n_more)));
    for (int i = n_more - 1; i >= 0; i--)
        put(reader, (int)(0x80 | (code >> (6 * i) & 0x3f)));
    return true;
}

void pdn_read_more(struct pdn_reader *reader, size_t n)
{
    enum { LONGEST_LINE = 65536 };
    const size_t least = reader->n_bytes + n;
    while (!reader->at_end && !reader->no_memory && reader->n_bytes < least + LONGEST_LINE) {
        if (reader->n_bytes >= least && reader->bytes[reader->n_bytes - 1] == '\n')
            return;
        if (reader->encoding != PDN_BYTES) {
            reader->at_end = !put_wide(reader);
            continue;
        }
        const int byte = next_byte(reader);
        reader->at_end = byte < 0;
        if (byte >= 0)
            put(reader, byte);
    }
}

int pdn_get_of_text(void *text)
{
    struct pdn_text *from = text;
    return from->at == from->end ? -1 : (unsigned char)*from->at++;
}

void pdn_begin(struct pdn_reader *reader, pdn_get *get, void *from)
{
    *reader = (struct pdn_reader){.get = get, .from = from, .line = 1, .at_line_start = true};
    const int first = get(from);
    const int second = first < 0 ? -1 : get(from);
    if ((first == 0xff && second == 0xfe) || (first > 0 && second == 0))
        reader->encoding = PDN_UTF16_LOW_FIRST;
    else if ((first == 0xfe && second == 0xff) || (first == 0 && second > 0))
        reader->encoding = PDN_UTF16_HIGH_FIRST;
    if (reader->encoding == PDN_BYTES || first < 0xfe) { /* no byte order mark */
        reader->ahead[1] = first;
        reader->ahead[0] = second;
        reader->n_ahead = 2;
    }
}

void pdn_end(struct pdn_reader *reader)
{
    free(reader->store);
    *reader = (struct pdn_reader){.at_end = true};
}
