/* A dictionary has a little content, parts of the samples, and zstd's statistics of how these are coded.
 * Content chosen by zstd's trainer, or more of it, does not make files smaller. */
#include "table/write/dictionary.h"

#define ZDICT_STATIC_LINKING_ONLY /* before zstd 1.5 for ZDICT_finalizeDictionary */
#include <string.h>
#include <zdict.h>

enum { N_PARTS = 4, PART_SIZE = 512 };

size_t dictionary_train(const uint8_t *samples, const size_t sizes[DICTIONARY_SAMPLES],
                        uint8_t dictionary[DICTIONARY_ROOM])
{
    const ZDICT_params_t params = {.compressionLevel = 3};
    uint8_t content[N_PARTS * PART_SIZE] = {0};
    size_t at = 0;
    for (int i = 0, part = 0; i < DICTIONARY_SAMPLES; at += sizes[i++])
        if (i % (DICTIONARY_SAMPLES / N_PARTS) == DICTIONARY_SAMPLES / N_PARTS / 2)
            memcpy(content + PART_SIZE * part++, samples + at,
                   sizes[i] < PART_SIZE ? sizes[i] : PART_SIZE);
    const size_t size =
        ZDICT_finalizeDictionary(dictionary, DICTIONARY_ROOM, content, sizeof content, samples,
                                 sizes, DICTIONARY_SAMPLES, params);
    return ZDICT_isError(size) ? 0 : size;
}
