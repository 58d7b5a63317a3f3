/* Captures without paths, for the prober.
 *
 * The search first finds the starts, pairs of an own piece and an enemy piece that it can jump
 * over, with one mask test per pair (board->jump). Most placements have none, and the search ends.
 * From each start a depth-first search visits the landing squares. Captured pieces stay on the
 * board until the capture ends, so the occupied squares do not change; only the origin of the
 * capturing piece counts as empty. The search sums up the worth of a capture (capture_worth); a
 * capture worth more than those in the list replaces them.
 *
 * A capture of all enemy pieces ends the search, because it wins at once. core/moves.c finds the
 * same captures by a different search; a test compares the two.
 *
 * The search follows every way to make a capture: one or two in nearly all placements, thousands in
 * a few. There it gives up early. */
#include "core/captures.h"

enum { MOST_WAYS = 1000 };

struct capture_search {
    const struct board *board;
    const squares_t *reach; /* of the capturing piece, by square */
    squares_t enemy;
    squares_t enemy_kings;
    squares_t promotion; /* of a man that captures; 0 for a king */
    squares_t occupied;  /* without the capturing piece */
    struct capture_value value;
    bool by_king;
    bool flying;
    bool over; /* the list has a capture of all enemy pieces, or the search was given up */
    uint8_t from;
    int best; /* worth of the captures in the list */
    int n;    /* captures worth that, of which the list holds CAPTURES_ROOM */
    struct capture *list;
    int ways_left;
};

/* Adds a capture of the same worth as those in the list. */
static inline void add(struct capture_search *search, squares_t captured, int to)
{
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
    add(search, captured, to);
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
        const int over = squares_first(left);
        if ((search->board->jump[square][over] & search->occupied) == 0) {
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
    const struct board *board = search->board;
    const squares_t taken = captured | square_bit(over);
    const bool is_king = (search->enemy_kings & square_bit(over)) != 0;
    const int worth_taken = worth + (is_king ? search->value.king : search->value.man);
    const int direction = board->direction[square][over];
    int to = board->next[direction][over];

    if (taken == search->enemy) {
        search->over = true;
        search->best = worth_taken;
        search->n = 0;
        add(search, taken, to);
        return;
    }
    do {
        extend(search, to, taken, worth_taken);
        to = board->next[direction][to];
    } while (!search->over && search->flying && to != NO_SQUARE &&
             (search->occupied & square_bit(to)) == 0);
}

/* A piece and an enemy piece that it can capture first. */
struct start {
    uint8_t from;
    uint8_t over;
};

/* A piece has at most eight lines, and only the nearest enemy piece on a line can be captured. */
enum { MOST_STARTS = N_DIRECTIONS * MAX_SQUARES };

/* Appends the starts of `pieces`; returns the new number of starts. */
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

/* Searches the captures that begin with any of `n` starts of the same kind of piece. */
static void search_starts(struct capture_search *search, squares_t occupied, int n,
                          const struct start *starts)
{
    const int worth = search->by_king ? search->value.by_king : 0;
    for (int i = 0; i < n && !search->over; i++) {
        search->from = starts[i].from;
        search->occupied = occupied & ~square_bit(search->from);
        take(search, search->from, starts[i].over, 0, worth);
    }
}

/* All starts of captures. */
struct starts {
    int n_by_king; /* the first of them */
    int n;
    struct start list[MOST_STARTS];
};

static inline void find_all_starts(const struct rules *rules, const struct placement *placement,
                                   struct starts *starts)
{
    const enum side side = placement->side;
    const squares_t occupied = placement_occupied(placement);
    const squares_t enemy = placement_own(placement, side_other(side));
    starts->n_by_king = find_starts(rules, rules->king_reach, placement->kings[side], enemy,
                                    occupied, 0, starts->list);
    starts->n = find_starts(rules, rules->man_reach[side], placement->men[side], enemy, occupied,
                            starts->n_by_king, starts->list);
}

/* A new search, set up for the kings, which are searched first. */
static inline struct capture_search
search_of(const struct rules *rules, const struct placement *placement, struct capture *list)
{
    const enum side other = side_other(placement->side);
    return (struct capture_search){
        .board = &rules->board,
        .reach = rules->king_reach,
        .enemy = placement_own(placement, other),
        .enemy_kings = placement->kings[other],
        .by_king = true,
        .flying = rules->flying_kings,
        .value = rules->capture,
        .best = -1,
        .list = list,
        .ways_left = MOST_WAYS,
    };
}

static inline void search_all(struct capture_search *search, const struct rules *rules,
                              const struct placement *placement, const struct starts *starts)
{
    const enum side side = placement->side;
    const squares_t occupied = placement_occupied(placement);
    search_starts(search, occupied, starts->n_by_king, starts->list);
    search->reach = rules->man_reach[side];
    search->by_king = search->flying = false;
    search->promotion = rules->board.promotion[side];
    search_starts(search, occupied, starts->n - starts->n_by_king,
                  starts->list + starts->n_by_king);
}

int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM])
{
    struct starts starts;
    find_all_starts(rules, placement, &starts);
    if (starts.n == 0)
        return 0;
    struct capture_search search = search_of(rules, placement, list);
    search_all(&search, rules, placement, &starts);
    return search.ways_left >= 0 && search.n <= CAPTURES_ROOM ? search.n : (int)CAPTURES_MANY;
}
