/* The search itself, for study/solve.c and study/solve_proof.c; what it remembers of positions, in
 * solve_memory.c; its moves, in solve_moves.c. */
#ifndef EINSPUL_STUDY_SOLVE_SEARCH_H
#define EINSPUL_STUDY_SOLVE_SEARCH_H

#include "core/program/state_key.h"
#include "study/solve.h"

enum { MOST_PLIES = 2048 }; /* of a path */

/* --- what is remembered ----------------------------------------------------------------------- */

/* A question: a state without a clock, and a side that wants to win. Different for different ones. */
static inline struct state_key question_of(const struct state *state, enum side attacker)
{
    struct state_key key = state_key(state);
    key.word[0] |= (uint64_t)attacker << KEY_FREE;
    return key;
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

/* The entry of a question; NULL if it has none. Valid until the next call. */
struct known *memory_find(struct memory *memory, const struct state_key *question);

/* Tells the processor that a question will be looked up soon. */
void memory_expect(const struct memory *memory, const struct state_key *question);

/* The entry of a question, a new one (open, all else 0) in the place of another if it has none. */
struct known *memory_enter(struct memory *memory, const struct state_key *question);

/* --- moves ------------------------------------------------------------------------------------ */

/* A legal move, with the position after it. */
struct step {
    struct state after;
    squares_t captured; /* 0 for a simple move */
    uint8_t from, to;
    bool reversible; /* a simple move of a king */
};

/* All zero at first; `steps` is to be freed. */
struct step_list {
    size_t n, room;
    struct step *steps;
};

/* Lists the steps of a state in place of those that are there. Errors of moves_generate. */
einspul_status steps_list(const struct rules *rules, const struct state *state,
                          struct step_list *list);

/* The number of legal moves of a state without a capture. */
int steps_count(const struct rules *rules, const struct state *state);

/* --- the search -------------------------------------------------------------------------------- */

/* What is known of a state, as in struct known. */
struct value {
    enum answer answer;
    uint32_t toward, against;
    struct assumption assumes;
    uint16_t rank;
};

/* A position on the path that is being searched. */
struct path_place {
    struct state_key question;
    uint64_t code; /* of the positions from the first one to it, in this order */
    int since;     /* the ply from which on all moves were simple ones of kings */
};

/* A move that is not decided yet. */
struct branch {
    struct state after;
    bool reversible; /* as in struct step */
    struct state_key question;
    struct value value;
};

struct prover {
    einspul *handle;
    const struct rules *rules;
    int n_pieces; /* that tables answer */
    enum side attacker;
    struct memory memory;

    /* The path: place 0 stands for the positions of `held`, then come those searched. */
    struct path_place path[MOST_PLIES + 1];
    const struct proof *held; /* its positions count as no, and so does here a no of another path;
                                 NULL: none */
    uint64_t n_contexts;      /* numbers for place 0 */
    struct step_list steps;   /* of one state, while they are looked at */
    struct branch *branches;  /* a stack */
    size_t n_branches, branch_room;

    struct solve_limits limits;
    struct solved_position *so_far;
    bool proving; /* `so_far` has all that is found, proofs are being written */
    uint64_t begun_ns;
    uint64_t n_positions;
    uint64_t pause_at;     /* of them: back to the first state, to go on there */
    uint64_t look_at;      /* when to look at the limits again */
    bool stopped;          /* a limit is reached */
    einspul_status status; /* not OK: it failed */
    einspul_error *error;
};

/* Begins to count towards the limits of a search. */
void search_limit(struct prover *prover, const struct solve_limits *limits,
                  struct solved_position *so_far, einspul_error *error);

/* Notes and tells how far it is; ends it if that is wanted. */
void search_tell(struct prover *prover);

/* Begins a path: what `held` has is assumed from now on. */
void search_begin(struct prover *prover, enum side attacker, const struct proof *held);

/* Answers the question for a state that follows the context, or stays open when stopped or
 * paused. A no that assumes place 0 holds if all do that `held` has, and if what it used of other
 * paths does. */
struct value search_root(struct prover *prover, const struct state *state);

/* What is known of a state after a reversible move or another at a ply, without searching. */
struct value search_look(struct prover *prover, const struct state *state,
                         const struct state_key *question, int ply, bool reversible);

/* Remembers an answer that was found otherwise. */
void search_remember(struct prover *prover, const struct state_key *question, enum answer answer,
                     unsigned rank);

/* Begins to count anew, and writes down the strategy by which `attacker` wins a position, or his
 * opponent keeps him from it; that must be decided. What tables answer is left out. False if it
 * failed, or a part is not remembered any more and was not found again within the limits. The proof
 * is to be released in any case. */
bool search_strategy(struct prover *prover, const struct state *state, enum side attacker,
                     bool wins, struct proof *proof);

/* Whether a limit is reached, or it failed. */
static inline bool search_is_over(const struct prover *prover)
{
    return prover->stopped || prover->status != EINSPUL_OK;
}

/* Fails for want of memory. */
void search_no_memory(struct prover *prover);

#endif
