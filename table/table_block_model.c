/* A block of a table with a model: the model gives the values of every placement, which are numbered here
 * as the patterns of any other block are. */
#include "table/table_parts.h"

#include <stdlib.h>

/* The patterns of a model's block, numbered in order of appearance. */
struct numbering {
    uint32_t n;
    uint32_t *first;  /* by number: a place that has the pattern */
    uint64_t *key;    /* by number: pattern_key */
    uint16_t *number; /* by place; 0 where nothing is stored */
    uint16_t *slots;  /* open addressing: number + 1, or 0 */
    int shift;        /* 64 less the bits of a slot */
};

static uint64_t load_part(const uint8_t *values, size_t n_bytes)
{
    uint64_t part = 0;
    memcpy(&part, values, n_bytes);
    return part;
}

/* Differs for different patterns of up to 8 values, mostly for longer ones. */
static inline uint64_t pattern_key(const uint8_t *values, size_t n)
{
    if (n == 1)
        return values[0];
    if (n < 4)
        return load_part(values, 2) | (uint64_t)values[n - 1] << 16;
    if (n < 8)
        return load_part(values, 4) | load_part(values + n - 4, 4) << 32;
    uint64_t key = load_part(values + n - 8, 8);
    for (size_t i = 0; i + 8 < n; i += 8)
        key = (key ^ key >> 29 ^ load_part(values + i, 8)) * 0x9e3779b97f4a7c15u;
    return key;
}

static bool same_pattern(const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n <= 8)
        return true; /* as their keys are */
    for (size_t i = 0; i + 8 < n; i += 8)
        if (load_part(a + i, 8) != load_part(b + i, 8))
            return false;
    return load_part(a + n - 8, 8) == load_part(b + n - 8, 8);
}

static void number_places(struct numbering *numbering, const struct model_room *room, uint32_t n,
                          size_t length)
{
    const uint32_t last_slot = (uint32_t)(UINT64_MAX >> numbering->shift);
    for (uint32_t place = 0; place < n; place++) {
        const uint8_t *values = room->values + place * length;
        if (room->signature[place] == 0)
            continue;
        const uint64_t key = pattern_key(values, length);
        uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15u >> numbering->shift);
        uint32_t number = numbering->slots[slot];
        while (number != 0 && (numbering->key[number - 1] != key ||
                               !same_pattern(room->values + numbering->first[number - 1] * length,
                                             values, length))) {
            slot = (slot + 1) & last_slot;
            number = numbering->slots[slot];
        }
        if (number == 0) {
            numbering->first[numbering->n] = place;
            numbering->key[numbering->n] = key;
            number = ++numbering->n;
            numbering->slots[slot] = (uint16_t)number;
        }
        numbering->number[place] = (uint16_t)(number - 1);
    }
}

/* Builds the block of the numbered patterns; with one pattern, all zero, if nothing is stored. */
static struct block *gather_block(const struct numbering *numbering, const struct model_room *room,
                                  uint32_t n, size_t length)
{
    const uint32_t n_patterns = numbering->n == 0 ? 1 : numbering->n;
    const size_t n_number_bytes = (n_patterns > 256 ? 2 : 1) * (size_t)n;
    const size_t size = sizeof(struct block) + n_number_bytes + n_patterns * length;
    struct block *block = malloc(size);
    if (block == NULL)
        return NULL;
    uint8_t *patterns = block->number + n_number_bytes;
    block->n_placements = n;
    block->n_patterns = n_patterns;
    block->value_bytes = 1;
    block->patterns = patterns;
    block->n_bytes = size;
    memset(patterns, 0, length);
    for (uint32_t i = 0; i < numbering->n; i++)
        memcpy(patterns + i * length, room->values + numbering->first[i] * length, length);
    if (n_patterns > 256)
        memcpy(block->number, numbering->number, n_number_bytes);
    else
        for (uint32_t place = 0; place < n; place++)
            block->number[place] = (uint8_t)numbering->number[place];
    return block;
}

enum status table_decode_model(const struct table *table, enum side side, uint64_t first,
                               uint32_t n, const uint8_t *bytes, size_t size, struct block **block,
                               struct error *error)
{
    const size_t length = (size_t)table->shape.n_run_states;
    struct numbering numbering = {.shift = 63};
    struct model_room room = {0};
    size_t n_slots = 2;

    for (; n_slots < 2 * (size_t)n; n_slots *= 2)
        numbering.shift--;
    numbering.first = malloc(n * sizeof *numbering.first);
    numbering.key = malloc(n * sizeof *numbering.key);
    numbering.number = calloc(n + n_slots, sizeof *numbering.number);
    if (numbering.first != NULL && numbering.key != NULL && numbering.number != NULL &&
        model_room_init(&room, &table->model->plans[side], n)) {
        numbering.slots = numbering.number + n;
        model_decode(table->model, side, first, n, bytes, size, &room);
        number_places(&numbering, &room, n, length);
        *block = gather_block(&numbering, &room, n, length);
    }
    free(numbering.first);
    free(numbering.key);
    free(numbering.number);
    model_room_free(&room);
    return *block == NULL ? table_no_memory(table->path, error) : STATUS_OK;
}
