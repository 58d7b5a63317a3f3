/* What a search for proofs remembers of positions, in a table of bounded size that replaces what was
 * cheap to find. Positions are compared whole: no two share an entry.
 *
 * Every entry is about one question: can this side force a win? */
#ifndef EINSPUL_STUDY_SOLVE_MEMORY_H
#define EINSPUL_STUDY_SOLVE_MEMORY_H

#include "core/state_key.h"

#include <stddef.h>

/* A question: a state without a clock, and a side that wants to win. Different for different ones. */
static inline struct state_key question_of(const struct state *state, enum side attacker)
{
    struct state_key key = state_key(state);
    key.word[0] |= (uint64_t)attacker << KEY_FREE;
    return key;
}

static inline enum side question_attacker(const struct state_key *question)
{
    return (question->word[0] >> KEY_FREE & 1) == WHITE ? WHITE : BLACK;
}

uint64_t question_hash(const struct state_key *question);

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
    struct state_key question;
    uint64_t path; /* of ANSWER_NO_ON_PATH: what led to the deepest position assumed */
    uint32_t toward, against;
    struct assumption assumes; /* of ANSWER_NO_ON_PATH */
    uint16_t rank;             /* of ANSWER_YES: its moves lead to yeses of lower rank */
    uint8_t answer;
    uint8_t work; /* the logarithm of the positions looked at; 0: the entry is free */
};

/* A hash table in which a question has a few places, next to each other. */
struct memory {
    uint64_t mask;   /* of the hash: the first place of a question */
    size_t n_places; /* all, some of them free */
    struct known *places;
};

/* Begins one of at most about `n_bytes`; its places are to be freed. False without memory. */
bool memory_init(struct memory *memory, size_t n_bytes);

/* Forgets everything. */
void memory_clear(struct memory *memory);

/* The entry of a question; NULL if it has none. Valid until the next call. */
struct known *memory_find(struct memory *memory, const struct state_key *question);

/* Tells the processor that a question will be looked up soon. */
void memory_expect(const struct memory *memory, const struct state_key *question);

/* The entry of a question, a new one (open, all else 0) in the place of another if it has none. */
struct known *memory_enter(struct memory *memory, const struct state_key *question);

#endif
