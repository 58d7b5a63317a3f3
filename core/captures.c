/* Captures without paths, for the prober.
 *
 * From each piece a depth-first search visits the landing squares; one mask test shows whether the
 * piece can jump over an enemy piece (board->jump). Captured pieces stay on the board until the
 * capture ends, so the occupied squares do not change; only the origin of the capturing piece
 * counts as empty. The search sums up the worth of a capture (capture_worth); a capture worth more
 * than those in the list replaces them.
 *
 * A capture of all enemy pieces ends the search, because it wins at once. core/moves.c finds the
 * same captures by a different search; a test compares the two.
 *
 * The search follows every path. Nearly all placements have one or two, a few have thousands; the
 * search gives up after MAX_WAYS. */
#include "core/captures.h"

#include <limits.h>

enum { MAX_WAYS = 1000 };

struct capture_search {
    const struct rules *rules;
    squares_t enemy;
    squares_t enemy_kings;
    struct capture *list;
    int best; /* worth of the captures in the list */
    int n;    /* captures worth that, of which the list holds CAPTURES_ROOM */
    int ways_left;
    bool over; /* the list has a capture of all enemy pieces, or the search was given up */

    /* The capturing piece. */
    const squares_t *reach; /* by square: squares on which it can capture, on an empty board */
    squares_t promotion;    /* its promotion row; 0 for a king */
    squares_t occupied;     /* by all other pieces */
    bool by_king;
    bool flying;
    uint8_t from;
};

static inline void record(struct capture_search *search, squares_t captured, int worth, int to)
{
    if (search->ways_left-- == 0) {
        search->over = true;
        return;
    }
    if (worth < search->best)
        return;
    if (worth > search->best) {
        search->best = worth;
        search->n = 0;
    }
    if (search->n++ >= CAPTURES_ROOM)
        return;
    search->list[search->n - 1] = (struct capture){
        .captured = captured,
        .from = search->from,
        .to = (uint8_t)to,
        .by_king = search->by_king,
        .promotes = (search->promotion & square_bit(to)) != 0,
    };
}

static void take(struct capture_search *search, int square, int over, squares_t captured,
                 int worth);

/* Continues a capture from `square` with `captured` taken so far, or ends it there if nothing more
 * can be captured. */
static void extend(struct capture_search *search, int square, squares_t captured, int worth)
{
    bool extended = false;
    for (squares_t left = search->reach[square] & search->enemy & ~captured;
         left != 0 && !search->over; left &= left - 1) {
        const int over = bits_first(left);
        if ((search->rules->board.jump[square][over] & search->occupied) == 0) {
            extended = true;
            take(search, square, over, captured, worth);
        }
    }
    if (!extended)
        record(search, captured, worth, square);
}

/* Captures the piece on `over` from `square`, and continues from each landing square behind it. */
static void take(struct capture_search *search, int square, int over, squares_t captured, int worth)
{
    const struct rules *rules = search->rules;
    const int8_t *next = rules->board.next[rules->board.direction[square][over]];
    const squares_t taken = captured | square_bit(over);
    const bool is_king = (search->enemy_kings & square_bit(over)) != 0;
    int to = next[over];

    if (taken == search->enemy) {
        record(search, taken, INT_MAX, to);
        search->over = true;
        return;
    }
    worth += is_king ? rules->capture.king : rules->capture.man;
    do {
        extend(search, to, taken, worth);
        to = next[to];
    } while (!search->over && search->flying && to != NO_SQUARE &&
             (search->occupied & square_bit(to)) == 0);
}

/* Searches the captures of all kings, or of all men. */
static inline void search_by(struct capture_search *search, squares_t pieces, squares_t occupied,
                             int worth)
{
    for (; pieces != 0 && !search->over; pieces &= pieces - 1) {
        const int from = bits_first(pieces);
        const squares_t *jump = search->rules->board.jump[from];
        search->from = (uint8_t)from;
        search->occupied = occupied & ~square_bit(from);
        for (squares_t left = search->reach[from] & search->enemy; left != 0 && !search->over;
             left &= left - 1)
            if ((jump[bits_first(left)] & occupied) == 0)
                take(search, from, bits_first(left), 0, worth);
    }
}

int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM])
{
    const enum side side = placement->side;
    const squares_t occupied = placement_occupied(placement);
    struct capture_search search = {
        .rules = rules,
        .enemy = placement_own(placement, side_other(side)),
        .enemy_kings = placement->kings[side_other(side)],
        .list = list,
        .best = -1,
        .ways_left = MAX_WAYS,
        .reach = rules->king_reach,
        .by_king = true,
        .flying = rules->flying_kings,
    };
    search_by(&search, placement->kings[side], occupied, rules->capture.by_king);
    search.reach = rules->man_reach[side];
    search.by_king = search.flying = false;
    search.promotion = rules->board.promotion[side];
    search_by(&search, placement->men[side], occupied, 0);
    return search.ways_left >= 0 && search.n <= CAPTURES_ROOM ? search.n : (int)CAPTURES_MANY;
}
