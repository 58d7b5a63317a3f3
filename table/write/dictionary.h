/* The dictionary of zstd that the blocks of a table of outcomes share. Most of its use is that blocks
 * need no code tables of their own, which take bytes and time to decode. */
#ifndef EINSPUL_TABLE_WRITE_DICTIONARY_H
#define EINSPUL_TABLE_WRITE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

enum {
    DICTIONARY_SAMPLES = 128,
    DICTIONARY_BLOCKS = 512, /* a table of fewer has none: it would cost more than it saves */
    DICTIONARY_ROOM = 3072
};

/* Trains a dictionary on samples, which follow each other; returns its size. 0: no dictionary can be
 * made of them. */
size_t dictionary_train(const uint8_t *samples, const size_t sizes[DICTIONARY_SAMPLES],
                        uint8_t dictionary[DICTIONARY_ROOM]);

#endif
