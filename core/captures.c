/* Captures without paths, for the prober: only what they lead to, and fast.
 *
 * The search finds the starts first: pairs of an own piece and an enemy piece that it can jump
 * over, with one mask test a pair (board->jump). Most placements have none and need no more. A
 * depth-first search over the landing squares follows each start. Captured pieces stay where they
 * are until the capture ends, so the occupied squares stay the same throughout; only the square the
 * piece came from counts as empty. The search adds up what a capture is worth (capture_worth); a
 * capture worth more than those in the list replaces them.
 *
 * A capture of all enemy pieces ends the search, because it wins at once. core/moves.c finds the
 * same captures by a different search; a test compares the two. */
#include "core/captures.h"

struct search {
    const struct board *board;
    const squares_t *reach; /* of the capturing piece, by square */
    squares_t enemy;
    squares_t enemy_kings;
    squares_t promotion; /* of a man that captures; 0 for a king */
    squares_t occupied;  /* without the capturing piece */
    struct capture_value value;
    bool by_king;
    bool flying;
    bool takes_all; /* a capture of all enemy pieces is in the list */
    uint8_t from;
    int best; /* worth of what is in the list */
    int n;    /* captures worth that */
    int first;
    struct capture *list;
};

static void record(struct search *search, squares_t captured, int worth, int to)
{
    if (worth < search->best)
        return;
    if (worth > search->best) {
        search->best = worth;
        search->n = 0;
    }
    const int at = search->n++ - search->first;
    if (at < 0 || at >= CAPTURES_ROOM)
        return;
    search->list[at] = (struct capture){
        .captured = captured,
        .from = search->from,
        .to = (uint8_t)to,
        .by_king = search->by_king,
        .promotes = (search->promotion & square_bit(to)) != 0,
    };
}

static void take(struct search *search, int square, int over, squares_t captured, int worth);

/* Goes on from `square` with `captured` taken so far, or ends there when nothing more can be
 * taken. */
static void extend(struct search *search, int square, squares_t captured, int worth)
{
    bool extended = false;
    for (squares_t left = search->reach[square] & search->enemy & ~captured;
         left != 0 && !search->takes_all; left &= left - 1) {
        const int over = squares_first(left);
        if ((search->board->jump[square][over] & search->occupied) == 0) {
            extended = true;
            take(search, square, over, captured, worth);
        }
    }
    if (!extended)
        record(search, captured, worth, square);
}

/* Takes the piece on `over`, which can be captured from `square`, and goes on from each square
 * behind it. */
static void take(struct search *search, int square, int over, squares_t captured, int worth)
{
    const struct board *board = search->board;
    const squares_t taken = captured | square_bit(over);
    const bool is_king = (search->enemy_kings & square_bit(over)) != 0;
    const int worth_taken = worth + (is_king ? search->value.king : search->value.man);
    const int direction = board->direction[square][over];
    int to = board->next[direction][over];

    if (taken == search->enemy) {
        search->takes_all = true;
        search->best = worth_taken;
        search->n = search->first = 0;
        record(search, taken, worth_taken, to);
        return;
    }
    do {
        extend(search, to, taken, worth_taken);
        to = board->next[direction][to];
    } while (!search->takes_all && search->flying && to != NO_SQUARE &&
             (search->occupied & square_bit(to)) == 0);
}

/* A piece and an enemy's that it can begin to capture. */
struct start {
    uint8_t from;
    uint8_t over;
};

/* Each piece has eight lines at most, and on a line the nearest enemy alone can be captured. */
enum { MOST_STARTS = N_DIRECTIONS * MAX_SQUARES };

/* Adds to `starts` those of `pieces`; returns how many there are then. */
static int find_starts(const struct rules *rules, const squares_t *reach, squares_t pieces,
                       squares_t enemy, squares_t occupied, int n, struct start *starts)
{
    for (; pieces != 0; pieces &= pieces - 1) {
        const int from = squares_first(pieces);
        for (squares_t left = reach[from] & enemy; left != 0; left &= left - 1) {
            const int over = squares_first(left);
            starts[n] = (struct start){(uint8_t)from, (uint8_t)over};
            n += (rules->board.jump[from][over] & occupied) == 0;
        }
    }
    return n;
}

/* Searches the captures that begin with one of `n` starts of the same kind of piece. */
static void search_starts(struct search *search, squares_t occupied, int n,
                          const struct start *starts)
{
    const int worth = search->by_king ? search->value.by_king : 0;
    for (int i = 0; i < n && !search->takes_all; i++) {
        search->from = starts[i].from;
        search->occupied = occupied & ~square_bit(search->from);
        take(search, search->from, starts[i].over, 0, worth);
    }
}

int captures_list(const struct rules *rules, const struct placement *placement, int first,
                  struct capture list[CAPTURES_ROOM])
{
    const enum side side = placement->side;
    const squares_t occupied = placement_occupied(placement);
    const squares_t enemy = placement_own(placement, side_other(side));
    struct start starts[MOST_STARTS];
    const int n_by_king =
        find_starts(rules, rules->king_reach, placement->kings[side], enemy, occupied, 0, starts);
    const int n_starts = find_starts(rules, rules->man_reach[side], placement->men[side], enemy,
                                     occupied, n_by_king, starts);
    if (n_starts == 0)
        return 0;

    struct search search = {
        .board = &rules->board,
        .reach = rules->king_reach,
        .enemy = enemy,
        .enemy_kings = placement->kings[side_other(side)],
        .by_king = true,
        .flying = rules->flying_kings,
        .value = rules->capture,
        .best = -1,
        .first = first,
        .list = list,
    };

    search_starts(&search, occupied, n_by_king, starts);
    search.reach = rules->man_reach[side];
    search.by_king = search.flying = false;
    search.promotion = rules->board.promotion[side];
    search_starts(&search, occupied, n_starts - n_by_king, starts + n_by_king);
    return search.n;
}
