/* Small numbers as text: squares, run counts, clocks. Programs that search write many FENs and move
 * texts per second, where sprintf would take most of the time. */
#ifndef EINSPUL_CORE_NUMBER_TEXT_H
#define EINSPUL_CORE_NUMBER_TEXT_H

/* Writes 0..999 in decimal, without an end byte; returns a pointer to the position after it. */
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
