/* What a search for proofs remembers of positions, in a table of bounded size that replaces what was
 * cheap to find. Positions are compared whole: no two share an entry.
 *
 * Every entry is about one question: can this side force a win? */
#ifndef EINSPUL_STUDY_SOLVE_MEMORY_H
#define EINSPUL_STUDY_SOLVE_MEMORY_H

#include "core/placement.h"

#include <stddef.h>

/* A question: a state without a clock, and a side that wants to win. Different for different ones. */
enum { QUESTION_WORDS = 3 };
struct question {
    uint64_t word[QUESTION_WORDS];
};

struct question question_of(const struct state *state, enum side attacker);
struct state question_state(const struct question *question, enum side *attacker);

static inline bool question_equal(const struct question *a, const struct question *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2];
}

uint64_t question_hash(const struct question *question);

enum answer {
    ANSWER_OPEN,
    ANSWER_YES,       /* the attacker wins */
    ANSWER_NO,        /* he does not, whatever was played before */
    ANSWER_NO_ON_PATH /* he does not, if positions of the path that led there count as no */
};

/* Of a no: the plies of the positions on the path that it assumes, from the shallowest to the
 * deepest. */
enum { NO_PLY = UINT16_MAX };
struct assumption {
    uint16_t shallowest; /* NO_PLY: it assumes none */
    uint16_t deepest;
};

/* An entry. `toward` and `against` say how much is missing to a success of the side to move, and to
 * one of its opponent (proof numbers). */
struct known {
    struct question question;
    uint64_t path; /* of ANSWER_NO_ON_PATH: what led to the deepest position assumed */
    uint32_t toward, against;
    struct assumption assumes; /* of ANSWER_NO_ON_PATH */
    uint16_t rank;             /* of ANSWER_YES: its moves lead to yeses of lower rank */
    uint8_t answer;
    uint8_t work; /* the logarithm of the positions looked at; 0: the entry is free */
};

struct memory;

/* With at most about `n_bytes` of memory; NULL if that is too little, or not to be had. */
struct memory *memory_create(size_t n_bytes);
void memory_free(struct memory *memory); /* NULL is allowed */

/* Forgets everything. */
void memory_clear(struct memory *memory);

/* The entry of a question; NULL if it has none. Valid until the next call. */
struct known *memory_find(struct memory *memory, const struct question *question);

/* Tells the processor that a question will be looked up soon. */
void memory_expect(const struct memory *memory, const struct question *question);

/* All entries, one after the other, for tests: the number of places, of which some are free. */
uint64_t memory_places(const struct memory *memory);
const struct known *memory_place(const struct memory *memory, uint64_t number);

/* The entry of a question, a new one (open, all else 0) in the place of another if it has none. */
struct known *memory_enter(struct memory *memory, const struct question *question);

#endif
