/* By set_next, which takes a set to the one of the next rank (Gosper's hack). */
#include "gen/frame/sets.h"

void sets_list(squares_t *sets, uint32_t n, int size, int offset)
{
    squares_t set = square_bit(size) - 1;
    for (uint32_t rank = 0; rank < n; rank++) {
        sets[rank] = set << offset;
        if (rank + 1 < n) /* the empty set has no next one */
            set = set_next(set);
    }
}
