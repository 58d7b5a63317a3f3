#include "frisian.h"

#include <stdbool.h>

enum { RUN_LIMIT = 3, N_DIAGONALS = 4, N_DIRECTIONS = 8 };

/* Rows and columns of a step; those along the diagonals first, White's forward ones before. */
static const int steps[N_DIRECTIONS][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1},
                                           {-2, 0},  {2, 0},  {0, -2}, {0, 2}};

static uint64_t bit(int square)
{
    return (uint64_t)1 << (square - 1);
}

static int count(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* The square a step away, 0 off the board. */
static int step(int square, int direction)
{
    const int row = (square - 1) / 5;
    const int column = 2 * ((square - 1) % 5) + (row % 2 == 0);
    const int to_row = row + steps[direction][0];
    const int to_column = column + steps[direction][1];
    if (to_row < 0 || to_row > 9 || to_column < 0 || to_column > 9)
        return 0;
    return 5 * to_row + to_column / 2 + 1;
}

static uint64_t occupied(const einspul_position *position)
{
    return position->men[0] | position->men[1] | position->kings[0] | position->kings[1];
}

int frisian_pieces(const einspul_position *position)
{
    return count(occupied(position));
}

int frisian_material(const einspul_position *position)
{
    const int side = position->side;
    return 100 * (count(position->men[side]) - count(position->men[!side])) +
           300 * (count(position->kings[side]) - count(position->kings[!side]));
}

/* --- moves ------------------------------------------------------------------------------------ */

struct generator {
    const einspul_position *position;
    uint64_t empty;
    struct frisian_move *moves;
    int n_moves;
    int from;
    bool king;
    int best; /* rank of the captures in the list */
};

static void add_move(struct generator *generator, int to, uint64_t captured)
{
    const struct frisian_move move = {generator->from, to, captured};
    for (int i = 0; i < generator->n_moves && captured != 0; i++) {
        const struct frisian_move *other = &generator->moves[i];
        if (other->from == move.from && other->to == to && other->captured == captured)
            return;
    }
    if (generator->n_moves < MAX_MOVES)
        generator->moves[generator->n_moves++] = move;
}

/* Kings count twice a man; of equal captures the one of fewer kings, then the one by a king. */
static int capture_rank(const struct generator *generator, uint64_t captured)
{
    const int kings = count(captured & generator->position->kings[!generator->position->side]);
    return 100 * (kings + count(captured)) - 2 * kings + generator->king;
}

static void add_captures(struct generator *generator, int square, uint64_t captured)
{
    const int other = !generator->position->side;
    const uint64_t others = generator->position->men[other] | generator->position->kings[other];

    if (captured != 0) {
        const int rank = capture_rank(generator, captured);
        if (rank > generator->best) {
            generator->best = rank;
            generator->n_moves = 0;
        }
        if (rank == generator->best)
            add_move(generator, square, captured);
    }
    for (int direction = 0; direction < N_DIRECTIONS; direction++) {
        int over = step(square, direction);
        while (generator->king && over != 0 && (generator->empty & bit(over)) != 0)
            over = step(over, direction);
        if (over == 0 || (others & ~captured & bit(over)) == 0)
            continue;
        int to = step(over, direction);
        while (to != 0 && (generator->empty & bit(to)) != 0) {
            add_captures(generator, to, captured | bit(over));
            to = generator->king ? step(to, direction) : 0;
        }
    }
}

static void add_simple(struct generator *generator)
{
    const int side = generator->position->side;
    const int first = generator->king || side == EINSPUL_WHITE ? 0 : 2;
    const int last = generator->king ? N_DIAGONALS : first + 2;
    if (generator->king && generator->position->run_count[side] == RUN_LIMIT &&
        generator->position->run_square[side] == generator->from)
        return;
    for (int direction = first; direction < last; direction++) {
        int to = step(generator->from, direction);
        while (to != 0 && (generator->empty & bit(to)) != 0) {
            add_move(generator, to, 0);
            to = generator->king ? step(to, direction) : 0;
        }
    }
}

int frisian_moves(const einspul_position *position, struct frisian_move moves[MAX_MOVES])
{
    const uint64_t own = position->men[position->side] | position->kings[position->side];
    struct generator generator = {.position = position, .moves = moves};

    for (int captures = 1; captures >= 0 && generator.n_moves == 0; captures--) {
        for (int from = 1; from <= 50; from++) {
            if ((own & bit(from)) == 0)
                continue;
            generator.from = from;
            generator.king = (position->kings[position->side] & bit(from)) != 0;
            generator.empty = ~occupied(position);
            if (captures) {
                generator.empty |= bit(from);
                add_captures(&generator, from, 0);
            } else {
                add_simple(&generator);
            }
        }
    }
    return generator.n_moves;
}

/* --- positions -------------------------------------------------------------------------------- */

static bool two_kings_against_one(const einspul_position *position)
{
    return (position->men[0] | position->men[1]) == 0 && position->kings[0] != 0 &&
           position->kings[1] != 0 && count(occupied(position)) == 3;
}

einspul_position frisian_play(const einspul_position *position, const struct frisian_move *move)
{
    const int side = position->side;
    const int other = !side;
    const bool king = (position->kings[side] & bit(move->from)) != 0;
    const bool promoted = !king && (side == EINSPUL_WHITE ? move->to <= 5 : move->to > 45);
    einspul_position after = *position;

    after.side = (uint8_t)other;
    after.men[other] &= ~move->captured;
    after.kings[other] &= ~move->captured;
    after.men[side] &= ~bit(move->from);
    after.kings[side] &= ~bit(move->from);
    if (king || promoted)
        after.kings[side] |= bit(move->to);
    else
        after.men[side] |= bit(move->to);

    /* A simple king move of a side with a man goes on with that king's run or begins one; anything
     * else ends the run. */
    const bool runs = king && move->captured == 0 && after.men[side] != 0;
    const bool same = position->run_count[side] > 0 && position->run_square[side] == move->from;
    after.run_count[side] = (uint8_t)(!runs ? 0 : same ? position->run_count[side] + 1 : 1);
    after.run_square[side] = (uint8_t)(runs ? move->to : 0);
    /* The other side's run lasts until its king or its last man is captured. */
    if (after.men[other] == 0 || (position->run_count[other] > 0 &&
                                  (move->captured & bit(position->run_square[other])) != 0)) {
        after.run_count[other] = 0;
        after.run_square[other] = 0;
    }
    /* The clock begins where two kings against one arises. */
    after.clock = 0;
    if (two_kings_against_one(position) && two_kings_against_one(&after))
        after.clock = (uint8_t)(position->clock < UINT8_MAX ? position->clock + 1 : UINT8_MAX);
    return after;
}
