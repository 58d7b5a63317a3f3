/* A table of bounded size that replaces what was cheap to find. Positions are compared whole: no two
 * share an entry. */
#include "study/solve_search.h"

#include "core/os.h"
#include "core/program/random.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 4 };

uint64_t question_hash(const struct state_key *question)
{
    return random_mix(random_mix(random_mix(question->word[0]) ^ question->word[1]) ^
                      question->word[2]);
}

bool memory_init(struct memory *memory, size_t n_bytes)
{
    size_t n = PLACES;
    while (n <= n_bytes / sizeof *memory->places / 2)
        n *= 2;
    memory->mask = n - 1;
    memory->n_places = n + PLACES - 1;
    memory->places = calloc(memory->n_places, sizeof *memory->places);
    return memory->places != NULL;
}

static struct known *first_place(const struct memory *memory, const struct state_key *question)
{
    return &memory->places[question_hash(question) & memory->mask];
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
