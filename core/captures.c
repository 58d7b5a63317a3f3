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
 * The quick search follows every way to make a capture: one or two in nearly all placements,
 * millions in a few. There it gives up early, and the thorough search remembers the nodes it has
 * visited (core/visited.h). */
#include "core/captures.h"

#include "core/visited.h"

#include <stdlib.h>

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
    int n;    /* captures worth that */
    int room; /* in the list */
    struct capture *list;
    uint32_t steps_left;
    einspul_status status;   /* why the search was given up */
    struct visited *visited; /* NULL: the quick search, whose list does not grow either */
};

static void give_up(struct capture_search *search, einspul_status status)
{
    search->status = status;
    search->over = true;
}

/* Makes room for one more capture. A list of fixed size only counts. */
static bool grow(struct capture_search *search)
{
    if (search->visited == NULL) {
        search->n++;
        return false;
    }
    const int room = search->room == 0 ? CAPTURES_ROOM : 2 * search->room;
    struct capture *list = realloc(search->list, (size_t)room * sizeof *list);
    if (list == NULL) {
        give_up(search, EINSPUL_NO_MEMORY);
        return false;
    }
    search->list = list;
    search->room = room;
    return true;
}

/* Adds a capture of the same worth as those in the list. */
static inline void add(struct capture_search *search, squares_t captured, int to)
{
    if (search->n >= search->room && !grow(search))
        return;
    search->list[search->n++] = (struct capture){
        .captured = captured,
        .from = search->from,
        .to = (uint8_t)to,
        .by_king = search->by_king,
        .promotes = (search->promotion & square_bit(to)) != 0,
    };
}

static inline void record(struct capture_search *search, squares_t captured, int worth, int to)
{
    if (search->steps_left-- == 0) {
        search->steps_left = 0;
        give_up(search, EINSPUL_TOO_COMPLEX);
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

/* Whether the thorough search has not visited a node. */
static bool is_new(struct capture_search *search, int square, squares_t captured)
{
    if (search->steps_left == 0)
        give_up(search, EINSPUL_TOO_COMPLEX);
    else if (visited_add(search->visited, search->from, square, captured))
        return search->steps_left-- != 0;
    else if (search->visited->out_of_memory)
        give_up(search, EINSPUL_NO_MEMORY);
    return false;
}

static void take(struct capture_search *search, int square, int over, squares_t captured,
                 int worth);

/* Continues a capture from `square` with `captured` taken so far, or ends it there if nothing more
 * can be captured. */
static void extend(struct capture_search *search, int square, squares_t captured, int worth)
{
    bool extended = false;
    if (search->visited != NULL && !is_new(search, square, captured))
        return;
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
static inline struct capture_search search_of(const struct rules *rules,
                                              const struct placement *placement,
                                              uint32_t most_steps, struct visited *visited)
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
        .steps_left = most_steps,
        .visited = visited,
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
                  struct capture list[CAPTURES_ROOM], uint32_t *n_steps)
{
    struct starts starts;
    find_all_starts(rules, placement, &starts);
    if (starts.n == 0)
        return 0;
    struct capture_search search = search_of(rules, placement, CAPTURE_QUICK_STEPS, NULL);
    search.list = list;
    search.room = CAPTURES_ROOM;
    search_all(&search, rules, placement, &starts);
    *n_steps += CAPTURE_QUICK_STEPS - search.steps_left;
    return search.status == EINSPUL_OK && search.n <= CAPTURES_ROOM ? search.n : (int)CAPTURES_MANY;
}

einspul_status captures_all(const struct rules *rules, const struct placement *placement,
                            uint32_t most_steps, struct capture_set *set)
{
    const uint32_t most =
        most_steps < CAPTURE_MOST_STEPS ? most_steps : (uint32_t)CAPTURE_MOST_STEPS;
    struct visited visited = {0};
    struct starts starts;
    struct capture_search search = search_of(rules, placement, most, &visited);
    find_all_starts(rules, placement, &starts);
    search_all(&search, rules, placement, &starts);
    visited_free(&visited);
    *set = (struct capture_set){search.list, search.n, search.room, most - search.steps_left};
    return search.status;
}
