/* Small numbers as text: squares, run counts, clocks. A text of a few of them is written some
 * thousand times a second by whoever searches with it, and sprintf takes longer than all else. */
#ifndef EINSPUL_CORE_NUMBER_TEXT_H
#define EINSPUL_CORE_NUMBER_TEXT_H

/* Writes 0..999 in decimal, without an end byte; returns where the text goes on. */
static inline char *number_write(char *text, int number)
{
    if (number >= 100)
        *text++ = (char)('0' + number / 100);
    if (number >= 10)
        *text++ = (char)('0' + number / 10 % 10);
    *text++ = (char)('0' + number % 10);
    return text;
}

#endif
