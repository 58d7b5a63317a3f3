/* Generating moves, and making them. Thread-safe if each thread has its own list. */
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
    uint8_t path[MAX_SQUARES + 1]; /* from, every landing square, to: one path of the move */
};

enum { MOVES_INLINE = 48 };

/* A growing list. Moves with the same from, to and captured set are one move. Set up with
 * move_list_init, released with move_list_free; a list may be reused after either. */
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
 * grow; BAD_POSITION if the capture search exceeds about a million nodes, which takes kings among
 * unnaturally many pieces. */
einspul_status moves_generate(const struct rules *rules, const struct state *state,
                              struct move_list *list);

/* Sets `error` for a failing status of the functions here, and returns the status. */
einspul_status moves_error(einspul_status status, einspul_error *error);

/* Parts of moves_generate, which also replace the list. moves_captures: the legal captures, i.e.
 * those of the highest worth. moves_of_men: the simple moves of men, even if there is a capture. */
einspul_status moves_captures(const struct rules *rules, const struct placement *placement,
                              struct move_list *list);
einspul_status moves_of_men(const struct rules *rules, const struct placement *placement,
                            struct move_list *list);

/* The placement after a legal move. */
struct placement placement_after(const struct placement *placement, const struct move *move);

/* The state after a legal move: pieces, side, king runs and clock. */
struct state state_after(const struct rules *rules, const struct state *state,
                         const struct move *move);

/* The rule-state half of state_after: sets runs and clock of `after`, which has the pieces after a
 * legal move and a fresh rule state. */
void state_advance(const struct rules *rules, const struct state *state, int from, int to,
                   bool captures, struct state *after);

#endif
