/* A hash table in which a question has a few places, next to each other. */
#include "study/solve_memory.h"

#include "core/os.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 4 };

struct memory {
    size_t n; /* a power of two, of which the last PLACES - 1 begin no search */
    struct known *entries;
};

uint64_t question_hash(const struct state_key *question)
{
    return random_mix(random_mix(random_mix(question->word[0]) ^ question->word[1]) ^
                      question->word[2]);
}

struct memory *memory_create(size_t n_bytes)
{
    struct memory *memory = malloc(sizeof *memory);
    size_t n = PLACES;
    if (memory == NULL)
        return NULL;
    while (n <= n_bytes / sizeof *memory->entries / 2)
        n *= 2;
    memory->n = n;
    memory->entries = calloc(n + PLACES - 1, sizeof *memory->entries);
    if (memory->entries == NULL) {
        free(memory);
        return NULL;
    }
    return memory;
}

void memory_free(struct memory *memory)
{
    if (memory == NULL)
        return;
    free(memory->entries);
    free(memory);
}

void memory_clear(struct memory *memory)
{
    memset(memory->entries, 0, (memory->n + PLACES - 1) * sizeof *memory->entries);
}

uint64_t memory_places(const struct memory *memory)
{
    return memory->n + PLACES - 1;
}

const struct known *memory_place(const struct memory *memory, uint64_t number)
{
    return &memory->entries[number];
}

static struct known *first_place(const struct memory *memory, const struct state_key *question)
{
    return &memory->entries[(size_t)question_hash(question) & (memory->n - 1)];
}

void memory_expect(const struct memory *memory, const struct state_key *question)
{
    PREFETCH(first_place(memory, question));
}

struct known *memory_find(struct memory *memory, const struct state_key *question)
{
    struct known *place = first_place(memory, question);
    for (int i = 0; i < PLACES; i++, place++)
        if (place->work != 0 && state_key_equal(&place->question, question))
            return place;
    return NULL;
}

struct known *memory_enter(struct memory *memory, const struct state_key *question)
{
    struct known *place = memory_find(memory, question);
    if (place != NULL)
        return place;
    place = first_place(memory, question);
    for (int i = 1; i < PLACES; i++)
        if (first_place(memory, question)[i].work < place->work)
            place = first_place(memory, question) + i;
    memset(place, 0, sizeof *place);
    place->question = *question;
    return place;
}
