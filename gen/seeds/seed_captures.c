/* The captures of a line of placements, all complete ones that the rules allow.
 *
 * The placements of a line differ in one king only, so most captures in one of them exist in many.
 * A depth-first search goes through the captures of all of them at once: every step carries the
 * places, the squares of the line's king, for which it is possible.
 * - If that king takes no part, a jump is possible for the places that are not in its way.
 * - If it is captured, it is on any square between the capturing piece and that piece's next
 *   square.
 * - If it captures, it was on any square before its first victim, and has left it.
 * So each step is computed once per line instead of once per placement.
 *
 * Captures that cannot continue are listed, and at the end of the line those of the highest worth a
 * place has are looked up (capture_values.c). A capture of all enemy pieces wins at once, so its
 * places take no further part. */
#include "gen/seeds/seed_captures.h"

#include "core/bits.h"
#include "core/program/extensions.h"
#include "gen/seeds/capture_values.h"

/* True if captures by a king differ from the last ones listed in their end square only: the squares
 * after a victim come one after the other. */
static bool same_as_last(const struct line_search *search, squares_t places)
{
    if (!search->by_king || search->n_captures == 0)
        return false;
    const struct line_capture *last = &search->captures[search->n_captures - 1];
    return last->from == search->from && last->captured == search->captured &&
           last->places == places && last->takes_line_king == search->takes_line_king;
}

/* The capture so far is complete on `to`. */
static void add_capture(struct line_search *search, int to, squares_t places)
{
    const enum side side = search->seeder->side;
    const int worth = search->seeder->worth[search->n_men][search->n_kings][search->by_king];

    if (same_as_last(search, places)) {
        search->captures[search->n_captures - 1].ends |= square_bit(to);
        return;
    }
    if (search->n_captures == MAX_CAPTURES)
        look_up_captures(search);
    if ((search->worths >> worth & 1) == 0) {
        search->worths |= (uint64_t)1 << worth;
        search->places_of[worth] = 0;
        search->looked_up[worth] = 0;
    }
    search->places_of[worth] |= places;
    search->captures[search->n_captures++] = (struct line_capture){
        .places = places,
        .captured = search->captured,
        .ends = square_bit(to),
        .from = search->from,
        .n_men = (uint8_t)search->n_men,
        .n_kings = (uint8_t)search->n_kings,
        .worth = (uint8_t)worth,
        .by_king = search->by_king,
        .promotes = !search->by_king && (search->board->promotion[side] & square_bit(to)) != 0,
        .takes_line_king = search->takes_line_king,
    };
}

static squares_t capture_from(struct line_search *search, int square, squares_t places);

/* A quick test: false if no capture can continue from `square`. */
static inline bool may_go_on(const struct line_search *search, int square, squares_t places)
{
    const squares_t enemy = search->enemy & ~search->captured;
    const bool enemy_line_king = search->enemy_line_king && !search->takes_line_king;
    return (search->reach[square] & (enemy | (enemy_line_king ? places : 0))) != 0;
}

/* The capturing piece lands on a square, from where the capture may continue. */
static void land(struct line_search *search, int to, squares_t places)
{
    places &= ~search->wins;
    if (places == 0)
        return;
    if (may_go_on(search, to, places))
        places &= ~capture_from(search, to, places);
    if (places != 0)
        add_capture(search, to, places);
}

static bool takes_all(const struct line_search *search)
{
    return search->captured == search->enemy && search->takes_line_king == search->enemy_line_king;
}

/* Captures of a stationary piece, and their continuations. The squares up to it are empty. */
static void capture_still(struct line_search *search, int victim, int direction, squares_t places)
{
    const int8_t *next = search->board->next[direction];
    const bool is_king = (search->enemy_kings >> victim & 1) != 0;

    search->captured |= square_bit(victim);
    search->n_kings += is_king;
    search->n_men += !is_king;
    if (takes_all(search)) {
        search->wins |= places;
    } else {
        int to = next[victim];
        do {
            land(search, to, places);
            to = next[to];
            if (!search->flying || to == NO_SQUARE || (search->occupied >> to & 1) != 0)
                break;
            places &= ~(square_bit(to) & search->obstacles);
        } while (places != 0);
    }
    search->captured &= ~square_bit(victim);
    search->n_kings -= is_king;
    search->n_men -= !is_king;
}

/* Captures of the line's king in one direction: it may stand on any square before the one that the
 * capturing piece comes to. Returns the places for which there is one. */
static squares_t capture_line_king(struct line_search *search, int square, int direction,
                                   squares_t places)
{
    const int8_t *next = search->board->next[direction];
    const bool wins = takes_all(search);
    squares_t before = 0;
    squares_t taken = 0;
    if ((search->board->ray[direction][square] & places) == 0)
        return 0;
    for (int to = next[square]; to != NO_SQUARE && (search->occupied >> to & 1) == 0;
         to = next[to]) {
        taken = before & places;
        if (taken != 0 && wins)
            search->wins |= taken;
        else if (taken != 0)
            land(search, to, taken);
        if (before != 0 && !search->flying)
            break;
        before |= square_bit(to);
    }
    return taken;
}

/* All captures that continue from a square. Returns the places that have one. */
static squares_t capture_from(struct line_search *search, int square, squares_t places)
{
    const squares_t *jump = search->jump[square];
    squares_t capturing = 0;

    for (squares_t left = search->enemy & ~search->captured & search->reach[square]; left != 0;
         left &= left - 1) {
        const int victim = bits_first(left);
        const squares_t possible = places & ~(jump[victim] & search->obstacles);
        if ((search->occupied & jump[victim]) != 0 || possible == 0)
            continue;
        capturing |= possible;
        capture_still(search, victim, search->board->direction[square][victim], possible);
    }
    if (search->enemy_line_king && !search->takes_line_king &&
        (places & search->reach[square]) != 0) {
        search->takes_line_king = true;
        search->n_kings++;
        for (unsigned left = search->directions; left != 0; left &= left - 1)
            capturing |= capture_line_king(search, square, bits_first(left), places);
        search->n_kings--;
        search->takes_line_king = false;
    }
    return capturing;
}

/* Captures by a stationary piece. */
static void capture_by(struct line_search *search, int from, bool by_king, squares_t places)
{
    const struct seeder *seeder = search->seeder;
    const struct rules *rules = seeder->context->rules;
    search->from = from;
    search->by_king = by_king;
    search->flying = by_king && rules->flying_kings;
    search->directions = by_king ? rules->king_captures : rules->man_captures[seeder->side];
    search->jump =
        by_king ? seeder->tables->jump_of_king : seeder->tables->jump_of_man[seeder->side];
    search->reach = by_king ? rules->king_reach : rules->man_reach[seeder->side];
    search->occupied = search->line->taken & ~square_bit(from);
    search->obstacles = search->has_king ? ~(squares_t)0 : 0;
    places &= ~search->wins;
    if (may_go_on(search, from, places))
        capture_from(search, from, places);
}

/* The free squares from which a king can come to a victim in a direction. */
static squares_t squares_before(const struct line_search *search, int victim, int direction)
{
    const struct board *board = search->board;
    const int back = direction_opposite(direction);
    const int next = board->next[back][victim];
    const squares_t ray = board->ray[back][victim];
    const squares_t taken = ray & search->occupied;
    if (next == NO_SQUARE)
        return 0;
    if (!search->flying)
        return square_bit(next) & ~taken;
    if (taken == 0)
        return ray;
    const int end = next > victim ? bits_first(taken) : bits_last(taken);
    return ray & ~board->ray[back][end] & ~square_bit(end);
}

/* Captures by the line's king, from all places in line with its first victim at once. */
static void capture_by_line_king(struct line_search *search, squares_t places)
{
    const struct seeder *seeder = search->seeder;
    const struct rules *rules = seeder->context->rules;
    search->from = NO_SQUARE;
    search->by_king = true;
    search->flying = rules->flying_kings;
    search->directions = rules->king_captures;
    search->jump = seeder->tables->jump_of_king;
    search->reach = rules->king_reach;
    search->occupied = search->line->taken;
    search->obstacles = 0;
    for (squares_t left = search->enemy; left != 0; left &= left - 1) {
        const int victim = bits_first(left);
        for (unsigned directions = rules->king_captures; directions != 0;
             directions &= directions - 1) {
            const int direction = bits_first(directions);
            const int behind = search->board->next[direction][victim];
            if (behind == NO_SQUARE || (search->occupied >> behind & 1) != 0)
                continue;
            const squares_t from =
                places & ~search->wins & squares_before(search, victim, direction);
            if (from != 0)
                capture_still(search, victim, direction, from);
        }
    }
}

/* Searches the captures of all places, all pieces in turn. */
static void search_all(struct line_search *search, squares_t places)
{
    const enum side side = search->seeder->side;
    if (search->has_king && search->line->side == side)
        capture_by_line_king(search, places);
    for (squares_t left = search->line->kings[side]; left != 0; left &= left - 1)
        capture_by(search, bits_first(left), true, places);
    for (squares_t left = search->seeder->frame->men[side]; left != 0; left &= left - 1)
        capture_by(search, bits_first(left), false, places);
    look_up_captures(search);
}

void seed_captures(struct seeder *seeder, const struct line *line, squares_t places)
{
    struct line_search search;

    search.seeder = seeder;
    search.board = &seeder->context->rules->board;
    search.line = line;
    search.has_king = seeder->context->shape.material.kings[line->side] > 0;
    search.enemy_line_king = search.has_king && line->side == seeder->other;
    search.enemy_kings = line->kings[seeder->other];
    search.enemy = seeder->frame->men[seeder->other] | search.enemy_kings;
    search.captured = 0;
    search.takes_line_king = false;
    search.n_men = 0;
    search.n_kings = 0;
    search.wins = 0;
    search.worths = 0;
    search.n_captures = 0;
    if (seeder->one_enemy)
        search.wins = places;
    else
        search_all(&search, places);
    for (squares_t left = places & search.wins; left != 0; left &= left - 1)
        put_win(seeder, line->first + (uint64_t)bits_first(left));
    for (squares_t left = places & ~search.wins; left != 0; left &= left - 1) {
        const int place = bits_first(left);
        put_seed(seeder, line->first + (uint64_t)place, search.min_values[place]);
    }
}

/* The number of kinds of captures that are worth less. */
static int lesser_worths(const struct seeder *seeder, int worth)
{
    const struct material *material = &seeder->context->shape.material;
    int n = 0;
    for (int men = 0; men <= material->men[seeder->other]; men++)
        for (int kings = 0; kings <= material->kings[seeder->other]; kings++)
            for (int by_king = 0; by_king < 2; by_king++)
                n += capture_worth(seeder->context->rules, men, kings, by_king != 0) < worth;
    return n;
}

void worths_init(struct seeder *seeder)
{
    const struct material *material = &seeder->context->shape.material;
    for (int men = 0; men <= material->men[seeder->other]; men++)
        for (int kings = 0; kings <= material->kings[seeder->other]; kings++)
            for (int by_king = 0; by_king < 2; by_king++)
                seeder->worth[men][kings][by_king] = (uint8_t)lesser_worths(
                    seeder, capture_worth(seeder->context->rules, men, kings, by_king != 0));
}
