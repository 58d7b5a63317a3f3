/* Move generation and its effect on a state. Thread-safe, with a list for each thread. */
#ifndef EINSPUL_CORE_MOVES_H
#define EINSPUL_CORE_MOVES_H

#include "core/placement.h"

struct move {
    squares_t captured; /* 0 for a simple move */
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;                 /* a man ends on its promotion row */
    uint8_t n_path;                /* entries of `path`; 2 for a simple move or a single capture */
    uint8_t path[MAX_SQUARES + 1]; /* from, every landing square, to: one way to make the move */
};

enum { MOVES_INLINE = 48 };

/* A growing list. Moves with the same from, to and captured set are one move. Set up with
 * move_list_init, released with move_list_free; a list may be used again after either. */
struct move_list {
    int n_moves;
    int capacity;
    struct move *moves;
    einspul_status status; /* not EINSPUL_OK: moves are missing, the list must not be used */
    struct move few[MOVES_INLINE];
};

void move_list_init(struct move_list *list);
void move_list_free(struct move_list *list);

/* All legal moves of a state, replacing the contents of the list. NO_MEMORY if the list could not
 * grow; BAD_POSITION if kings among many pieces can capture in more than about a million ways. */
einspul_status moves_generate(const struct rules *rules, const struct state *state,
                              struct move_list *list);

/* Fills `error` for a status of these functions that is not EINSPUL_OK, and returns it. */
einspul_status moves_error(einspul_status status, einspul_error *error);

/* The parts of the above, replacing the contents of the list. moves_captures lists the legal
 * captures (only those of the required value); moves_of_men ignores that captures are mandatory. */
einspul_status moves_captures(const struct rules *rules, const struct placement *placement,
                              struct move_list *list);
einspul_status moves_of_men(const struct rules *rules, const struct placement *placement,
                            struct move_list *list);

/* The placement after a legal move. */
struct placement placement_after(const struct placement *placement, const struct move *move);

/* The state after a legal move: pieces, side, king runs and clock. */
struct state state_after(const struct rules *rules, const struct state *state,
                         const struct move *move);

/* The run of a side after its own move: a simple move of a king that runs count starts or continues
 * it, anything else ends it. Squares may be numbered from 0 or from 1. */
static inline struct run run_of_mover(struct run run, bool is_counted, int from, int to)
{
    const int before = run.count > 0 && run.square == from ? run.count : 0;
    return is_counted ? (struct run){(uint8_t)to, (uint8_t)(before + 1)} : (struct run){0, 0};
}

/* The part of it that is not pieces: brings runs and clock forward to `after`, which has the pieces
 * after a legal move and a fresh rule state. */
void state_advance(const struct rules *rules, const struct state *state, int from, int to,
                   bool captures, struct state *after);

#endif
