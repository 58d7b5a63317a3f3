/* Looks up the successors by the captures of a line.
 *
 * At each place only captures of the highest worth are looked up. The successors' addresses differ
 * between places only by the rank of the line's king set; if that king is gone, or has captured,
 * one look-up serves all places. */
#include "gen/seeds/capture_values.h"

#include "core/bits.h"
#include "core/program/extensions.h"
#include "core/program/flip.h"
#include "core/program/index.h"
#include "gen/seeds/seed_targets.h"

/* The look-up shared by captures that differ only in their places and in the end square of a king;
 * in the orientation of the target's table. */
struct lookup {
    const struct target *target;
    struct runs_after runs;
    enum side mover;    /* the side that captured */
    bool king_stays;    /* the line's king stays where it was */
    enum side its_side; /* the side of the line's king */
    squares_t kings[2]; /* by side, without the line's king and the king that captured */
    uint64_t stride[2]; /* by side: of the rank of its kings */
    uint64_t base;      /* address without the ranks of the kings that may be on several squares */
};

/* The mask of the other side's kings that are left. The line's king is the lowest. */
static unsigned kings_left(const struct line_search *search, const struct line_capture *capture)
{
    squares_t kings = search->enemy_kings;
    unsigned left = search->enemy_line_king && !capture->takes_line_king;
    for (int i = search->enemy_line_king; kings != 0; kings &= kings - 1, i++)
        if ((capture->captured & kings & (0 - kings)) == 0)
            left |= 1u << i;
    return left;
}

/* The stationary pieces that are left, without the capturing one. */
static struct placement pieces_left(const struct line_search *search,
                                    const struct line_capture *capture)
{
    const squares_t *men = search->seeder->frame->men;
    const squares_t *kings = search->line->kings;
    const squares_t from = capture->from == NO_SQUARE ? 0 : square_bit(capture->from);
    const squares_t left = ~(capture->captured | from);
    return (struct placement){.men = {men[WHITE] & left, men[BLACK] & left},
                              .kings = {kings[WHITE] & left, kings[BLACK] & left},
                              .side = search->seeder->other};
}

/* False as find_target. */
static bool lookup_init(struct lookup *to, const struct line_search *search,
                        const struct line_capture *capture)
{
    const struct seeder *seeder = search->seeder;
    const struct target *target =
        find_target(search->seeder, capture->n_men, capture->n_kings, capture->promotes);
    struct placement after = pieces_left(search, capture);
    if (target == NULL)
        return false;
    if (!capture->by_king && !capture->promotes) /* a man comes to one square only */
        after.men[seeder->side] |= capture->ends;
    to->target = target;
    to->runs = runs_after(seeder, target, seeder->n_runs > 1 ? kings_left(search, capture) : 0);
    to->mover = seeder->side;
    to->king_stays = search->has_king && capture->from != NO_SQUARE && !capture->takes_line_king;
    to->its_side = search->line->side;
    if (target->flipped) {
        after = placement_flip(search->board, &after);
        to->mover = side_other(to->mover);
        to->its_side = side_other(to->its_side);
    }
    const enum side other = side_other(to->mover);
    for (int side = WHITE; side <= BLACK; side++)
        to->kings[side] = after.kings[side];
    to->stride[WHITE] = target->solved->shape.n_king_sets[BLACK];
    to->stride[BLACK] = 1;
    to->base = solved_address(target->solved, target->side, after.men);
    if (!to->king_stays || to->its_side == to->mover)
        to->base += to->stride[other] * set_rank(to->kings[other]);
    return true;
}

/* True if two captures share a look-up. */
static bool same_lookup(const struct line_capture *a, const struct line_capture *b)
{
    return a->from == b->from && a->captured == b->captured &&
           a->takes_line_king == b->takes_line_king && a->promotes == b->promotes &&
           (a->by_king || a->promotes);
}

/* Takes the minimum of the values of places and of their successors: the line's king is on its
 * place, with `others` of its side. `base` is the address without their rank. */
static void min_with_places(struct line_search *search, const struct lookup *to, squares_t places,
                            uint64_t base, squares_t others)
{
    const bool flipped = to->target->flipped;
    const uint64_t stride = to->stride[to->its_side];
    const int last = search->board->n_squares - 1;

    for (; places != 0; places &= places - 1) {
        const int place = bits_first(places);
        const int square = flipped ? last - place : place;
        min_with_address(search->seeder, to->target,
                         base + stride * set_rank(others | square_bit(square)), &to->runs,
                         search->min_values[place]);
    }
}

/* Takes the minimum of the values of places and the values they share. */
static void min_with_shared(struct line_search *search, squares_t places,
                            const value_t *restrict shared)
{
    const int n_runs = search->seeder->n_runs;
    for (; places != 0; places &= places - 1) {
        value_t *restrict min_values = search->min_values[bits_first(places)];
        if (search->seeder->has_bits)
            min_with_bits(min_values, bytes_word(shared, sizeof(uint64_t)));
        else
            for (int run = 0; run < n_runs; run += RUN_LANES)
                for (int i = run; i < run + RUN_LANES; i++)
                    min_values[i] = smaller(shared[i], min_values[i]);
    }
}

/* Takes the minimum of the values of places and of the successors by captures. `ends` are the end
 * squares of a king, by capture or promotion. */
static void look_up(struct line_search *search, const struct lookup *to, squares_t ends,
                    squares_t places)
{
    value_t shared[RUN_CAPACITY];

    memset(shared, VALUE_NONE, RUN_CAPACITY);
    if (to->target->flipped)
        ends = board_rotate(search->board, ends);
    do {
        const squares_t own = to->kings[to->mover] | (ends & (0 - ends));
        if (to->king_stays && to->its_side == to->mover) {
            min_with_places(search, to, places, to->base, own);
        } else {
            const uint64_t base = to->base + to->stride[to->mover] * set_rank(own);
            if (to->king_stays)
                min_with_places(search, to, places, base, to->kings[to->its_side]);
            else
                min_with_address(search->seeder, to->target, base, &to->runs, shared);
        }
        ends &= ends - 1;
    } while (ends != 0);
    if (!to->king_stays)
        min_with_shared(search, places, shared);
}

void look_up_captures(struct line_search *search)
{
    squares_t beaten[MAX_WORTHS]; /* by worth: places with a better capture */
    squares_t better = search->wins;

    for (uint64_t left = search->worths; left != 0;) {
        const int worth = bits_last(left);
        const squares_t places = search->places_of[worth];
        /* Values of captures that are worth less do not count. */
        for (squares_t fresh = places & ~better & ~search->looked_up[worth]; fresh != 0;
             fresh &= fresh - 1)
            memset(search->min_values[bits_first(fresh)], VALUE_NONE, RUN_CAPACITY);
        search->looked_up[worth] = places;
        beaten[worth] = better;
        better |= places;
        left ^= (uint64_t)1 << worth;
    }
    const struct line_capture *known = NULL; /* whose look-up is set up */
    struct lookup to;
    for (int i = 0; i < search->n_captures; i++) {
        const struct line_capture *capture = &search->captures[i];
        const squares_t places = capture->places & ~beaten[capture->worth];
        if (places == 0)
            continue;
        if (known == NULL || !same_lookup(capture, known)) {
            known = capture;
            if (!lookup_init(&to, search, capture))
                break;
        }
        look_up(search, &to, capture->by_king || capture->promotes ? capture->ends : 0, places);
    }
    search->n_captures = 0;
}
