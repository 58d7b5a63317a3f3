/* The symmetries of kings. Without men, turning the board or reflecting it in a diagonal changes no
 * value, so of the king sets of a side that symmetries turn into each other, an orbit, one will do:
 * the one of lowest rank represents them. */
#ifndef EINSPUL_GEN_FRAME_KING_ORBITS_H
#define EINSPUL_GEN_FRAME_KING_ORBITS_H

#include "core/rank.h"
#include "gen/values/allocation.h"

/* The identity, the reflections in the two diagonals, the turn by 180 degrees. Each is its own
 * inverse. */
enum { N_SYMMETRIES = 4 };

/* The orbits of the king sets of one side. */
struct king_orbits {
    uint32_t n;                    /* orbits, numbered by rank of their representatives */
    uint32_t *representative;      /* by orbit: rank */
    uint32_t *orbit_of;            /* by rank */
    uint32_t *image[N_SYMMETRIES]; /* by rank: that of the set's image */
    uint8_t *to_representative;    /* by rank: mask of the symmetries that lead there */
};

/* The number of orbits of the sets of `size` squares. */
uint32_t king_orbits_count(int n_squares, int size);

/* Allocates the arrays of sets of `size` squares; fills them. */
void king_orbits_allocate(struct king_orbits *orbits, int n_squares, int size,
                          struct allocation *allocation);
void king_orbits_fill(struct king_orbits *orbits, const struct board *board, int size);

/* The union of the images of a set. */
squares_t squares_images(const struct board *board, squares_t squares);

#endif
