/* A table of typographic characters, and squares counted from the corner. */
#include "study/notation.h"

#include "core/characters.h"

#include <string.h>

size_t char_read(const char *text, size_t n, char *plain)
{
    static const struct {
        const char *bytes;
        char plain;
    } signs[] = {
        {"\xe2\x80\x90", '-'}, {"\xe2\x80\x91", '-'}, {"\xe2\x80\x92", '-'}, {"\xe2\x80\x93", '-'},
        {"\xe2\x80\x94", '-'}, {"\xe2\x88\x92", '-'}, {"\x96", '-'},         {"\x97", '-'},
        {"\xc3\x97", 'x'},     {"\xd7", 'x'},         {"\xc2\xa0", ' '},     {"\xa0", ' '},
        {"\xef\xbb\xbf", ' '}, {"\xe2\x80\xaf", ' '}, {"\xe2\x80\x89", ' '}, {"\xe2\x80\x8b", ' '},
        {"\xe2\x80\x9c", '"'}, {"\xe2\x80\x9d", '"'}, {"\xe2\x80\x9e", '"'}, {"\x93", '"'},
        {"\x94", '"'},         {"\xe2\x80\xa6", '.'}, {"\x85", '.'},         {"\xc2\xbd", '~'},
        {"\xbd", '~'},
    };
    *plain = n > 0 ? *text : '\0';
    if (n == 0 || (unsigned char)*text < 0x80)
        return n > 0;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const size_t length = strlen(signs[i].bytes);
        if (length <= n && memcmp(text, signs[i].bytes, length) == 0) {
            *plain = signs[i].plain;
            return length;
        }
    }
    return 1;
}

size_t square_in_letters(const struct board *board, const char *text, size_t n, int *square)
{
    const int column = n > 0 ? (*text | 0x20) - 'a' : -1;
    size_t length = 1;
    int number = 0;
    for (; length < n && length < 3 && is_digit(text[length]); length++)
        number = 10 * number + (text[length] - '0');
    const int row = board->n_rows - number;
    if (column < 0 || column >= board->n_rows || number < 1 || row < 0 || (row + column) % 2 == 0)
        return 0;
    *square = row * (board->n_rows / 2) + column / 2;
    return length;
}

int square_column(const struct board *board, int square)
{
    const int half = board->n_rows / 2;
    return 2 * (square % half) + (square / half % 2 == 0);
}

void notation_write(const struct board *board, enum notation notation, const char *text,
                    char *written, size_t size)
{
    int n_fields = 0; /* the rule state of a FEN begins with the fourth */
    size_t n = 0;
    while (*text != '\0' && n + 4 < size) {
        n_fields += *text == ':';
        if (notation != NOTATION_LETTERS || !is_digit(*text) || n_fields > 2) {
            written[n++] = *text++;
            continue;
        }
        int square = 0;
        for (; is_digit(*text); text++)
            square = 10 * square + (*text - '0');
        square--;
        const int row = square / (board->n_rows / 2);
        written[n++] = (char)('a' + square_column(board, square));
        n = (size_t)(number_write(written + n, board->n_rows - row) - written);
    }
    written[n] = '\0';
}
