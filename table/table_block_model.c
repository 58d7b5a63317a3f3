/* A block of a table with a model: the model gives the values of every placement. Where there are
 * several, they are numbered here as the patterns of any other block are. */
#include "core/pattern_set.h"
#include "table/open_table.h"

#include <stdlib.h>

enum { FIRST_PATTERNS = 128 };

/* Numbers the values of `n` places; 0 where nothing is stored. */
static einspul_status number_places(struct pattern_set *set, const struct model_room *room,
                                    uint32_t n, uint16_t *numbers)
{
    for (uint32_t place = 0; place < n; place++) {
        uint32_t number = 0;
        if (room->signature[place] != 0 &&
            pattern_set_add(set, room->values + place * set->length, &number) != EINSPUL_OK)
            return EINSPUL_NO_MEMORY;
        numbers[place] = (uint16_t)number;
    }
    return EINSPUL_OK;
}

/* Builds the block of the numbered patterns; with one pattern, all zero, if nothing is stored. */
static struct block *gather_block(const struct pattern_set *set, const uint16_t *numbers,
                                  uint32_t n)
{
    const uint32_t n_patterns = set->n == 0 ? 1 : set->n;
    struct block *block = block_create(n, n_patterns, set->length);
    if (block == NULL)
        return NULL;
    uint8_t *patterns = block->number + block_patterns_at(n, n_patterns > 256);
    memset(patterns, 0, set->length);
    memcpy(patterns, set->values, set->n * set->length);
    if (n_patterns > 256)
        memcpy(block->number, numbers, n * sizeof *numbers);
    else
        for (uint32_t place = 0; place < n; place++)
            block->number[place] = (uint8_t)numbers[place];
    return block;
}

/* A block of placements with several values. */
static struct block *pattern_block(const struct table *table, const struct model_room *room,
                                   uint32_t n)
{
    struct pattern_set set = {0};
    struct block *block = NULL;
    uint16_t *numbers = malloc(n * sizeof *numbers);
    if (numbers != NULL &&
        pattern_set_init(&set, (size_t)table->shape.n_run_states, FIRST_PATTERNS, n) ==
            EINSPUL_OK &&
        number_places(&set, room, n, numbers) == EINSPUL_OK)
        block = gather_block(&set, numbers, n);
    free(numbers);
    pattern_set_free(&set);
    return block;
}

/* A block of placements with one value. */
static struct block *value_block(const struct model_room *room, uint32_t n)
{
    struct block *block = block_create(n, 0, 1);
    if (block != NULL)
        memcpy(block->number, room->values, n);
    return block;
}

einspul_status table_decode_model(const struct table *table, enum side side, uint64_t first,
                                  uint32_t n, uint32_t last, const uint8_t *bytes, size_t size,
                                  struct block **block, einspul_error *error)
{
    struct model_room room = {0};
    if (model_room_init(&room, &table->model->plans[side], n)) {
        const uint32_t n_decoded =
            model_decode(table->model, side, first, n, last, bytes, size, &room);
        *block = table->shape.n_run_states > 1 ? pattern_block(table, &room, n_decoded)
                                               : value_block(&room, n_decoded);
        if (*block != NULL)
            (*block)->is_part = n_decoded < n;
    }
    model_room_free(&room);
    return *block == NULL ? file_no_memory(table->path, error) : EINSPUL_OK;
}
