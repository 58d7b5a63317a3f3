/* Seeds, fast.
 *
 * A frame is gone through in lines: runs of placements in which all pieces stand still but the
 * lowest king of one side, the one whose squares follow each other in the index. Whether there is a
 * capture is found for all squares of a line at once (capture_lines.h). Moves are searched for only
 * in placements that have one, among pairs of pieces of which one can jump over the other: the
 * squares that must be empty for that are tabulated.
 *
 * What a move leads to is looked up for all runs of the other side at once: the smallest of the
 * values it has for the other side is best for the mover. A man move leads to a frame of the same
 * material with the same kings, so king indices map to king indices, a promotion adds a king to one
 * set; both are set up once a frame. After a capture the index of what is left is the same but for
 * the square the capturing piece comes to. */
#include "gen/capture_lines.h"
#include "gen/seed.h"
#include "gen/seed_tables.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_PER_THREAD = 16, MAX_MAN_MOVES = 2 * MAX_SET };

/* Where one kind of move leads to. */
struct target {
    const struct solved *solved; /* NULL: not set up yet */
    const value_t *patterns;
    bool turned;
    int side;       /* to move, as stored */
    size_t stride;  /* of a run of the side to move */
    bool runs_last; /* the side to move still can have a run */
};

/* A man move of a frame, captures aside. */
struct man_move {
    squares_t to; /* must be empty of kings */
    const struct target *target;
    uint64_t base;           /* index of the target frame's first placement */
    const uint32_t *rank[2]; /* by side here: king rank here -> king rank there */
    uint64_t stride[2];      /* by side here: of that rank */
};

/* A man move in a line: what of the index depends on the king that moves along it. */
struct line_move {
    squares_t to;
    const struct target *target;
    uint64_t base;
    const uint32_t *rank; /* by place in the line */
    uint64_t stride;
};

/* One side to move, in one frame after the other. */
struct seeder {
    const struct frame *frame;
    const struct frame_context *context;
    const struct seed_tables *tables;
    enum side side, other;
    int n_runs;     /* of the other side */
    bool one_enemy; /* the other side has one piece: every capture takes all */
    struct man_move man_moves[MAX_MAN_MOVES];
    int n_man_moves;
    struct target man_targets[2];                        /* by promotion */
    struct target captures[MAX_SET + 1][MAX_SET + 1][2]; /* by men and kings taken, promotion */
    struct error *error;
    enum status status;
};

/* Placements that follow each other in the index: those of `side`'s lowest king on 0, 1, …. */
struct line {
    uint64_t first;   /* index of the one with that king on square 0 */
    squares_t free;   /* squares of that king for which the placement is possible */
    int n_placements; /* possible or not */
    enum side side;
    uint32_t rank[2];   /* of the king sets of the first placement */
    squares_t kings[2]; /* without the king that moves along the line */
    squares_t taken;    /* by pieces that stand still */
    struct still still;
};

/* The capture moves of one placement. */
struct search {
    struct seeder *seeder;
    squares_t own_men, own_kings, enemy_men, enemy_kings;
    squares_t occupied; /* without the capturing piece */
    squares_t captured;
    const squares_t (*jump)[MAX_SQUARES]; /* of the capturing piece's kind */
    int n_men, n_kings;                   /* captured */
    int from;
    bool by_king;
    bool takes_all; /* a capture of all enemy pieces was found: nothing can be better */
    int best;
    value_t *worst; /* by run: the smallest value for the other side */
};

/* --- what moves lead to -------------------------------------------------------------------------
 */

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 */
static bool target_set(struct seeder *seeder, struct target *target, struct material after)
{
    const struct frame_context *context = seeder->context;
    const bool symmetric = material_is_symmetric(&after);

    target->runs_last = context->rules->king_run_limit > 0 && after.men[seeder->other] > 0 &&
                        after.kings[seeder->other] > 0;
    target->turned = !material_is_canonical(&after) || (symmetric && seeder->other == BLACK);
    if (target->turned)
        after = material_turn(&after);
    target->solved = store_get(context->store, &after);
    if (target->solved == NULL) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&after, name);
        seeder->status =
            error_set(seeder->error, STATUS_NO_TABLE, "%s is needed and not there", name);
        return false;
    }
    target->side = target->turned ? !seeder->other : (int)seeder->other;
    target->stride = target->side == WHITE ? (size_t)target->solved->shape.n_runs[BLACK] : 1;
    return true;
}

/* Patterns of a material that is being solved move when more are added. */
static void target_find_patterns(const struct seeder *seeder, struct target *target)
{
    target->patterns = target->solved->entry[seeder->context->metric - 1][target->side];
    if (target->patterns == NULL)
        target->patterns = target->solved->patterns[target->side].values;
}

/* Which one it is cannot be foreseen: no branch. */
static inline value_t smaller(value_t a, value_t b)
{
    return a < b ? a : b;
}

/* Lowers worst[run] to the values of a placement of the target. `left` says which of the other
 * side's kings are still there. */
static inline void take_values(const struct seeder *seeder, const struct target *target,
                               uint64_t index, unsigned left, value_t *worst)
{
    const struct solved *solved = target->solved;
    const value_t *values = target->patterns + (size_t)solved_pattern(solved, target->side, index) *
                                                   (size_t)solved->shape.n_run_states;
    if (seeder->n_runs == 1) {
        worst[0] = smaller(values[0], worst[0]);
        return;
    }
    if (!target->runs_last) {
        for (int run = 0; run < seeder->n_runs; run++)
            worst[run] = smaller(values[0], worst[run]);
        return;
    }
    const uint8_t *run_after = seeder->tables->run_after[seeder->other][left][target->turned];
    for (int run = 0; run < seeder->n_runs; run++)
        worst[run] = smaller(values[run_after[run] * target->stride], worst[run]);
}

static void man_move_add(struct seeder *seeder, int from, int to)
{
    const struct frame_context *context = seeder->context;
    const struct board *board = &context->rules->board;
    const int side = (int)seeder->side;
    const bool promotes = (board->promotion[side] & square_bit(to)) != 0;
    struct man_move *move = &seeder->man_moves[seeder->n_man_moves];
    struct target *target = &seeder->man_targets[promotes];
    struct material after = context->shape.material;
    struct placement men = {.men = {seeder->frame->men[WHITE], seeder->frame->men[BLACK]}};

    men.men[side] &= ~square_bit(from);
    if (promotes) {
        after.men[side]--;
        after.kings[side]++;
    } else {
        men.men[side] |= square_bit(to);
    }
    if (target->solved == NULL && !target_set(seeder, target, after))
        return;
    target_find_patterns(seeder, target);
    const struct shape *shape = &target->solved->shape;
    for (int s = WHITE; s <= BLACK; s++) {
        move->rank[s] = target->turned ? context->king_turned[s] : seeder->tables->same[s];
        move->stride[s] = (s == WHITE) != target->turned ? shape->n_king_sets[BLACK] : 1;
    }
    if (promotes) {
        const int k = to - promotion_square(board, side, 0);
        move->rank[side] = target->turned ? seeder->tables->promoted_turned[side][k]
                                          : seeder->tables->promoted[side][k];
    }
    if (target->turned)
        men = placement_turn(board, &men);
    move->to = square_bit(to);
    move->target = target;
    move->base = shape_frame(shape, &men) * shape->frame_size;
    seeder->n_man_moves++;
}

enum status seeders_create(const struct frame_context *context, int n_threads,
                           struct seeder **seeders)
{
    *seeders = calloc(2 * (size_t)n_threads, sizeof **seeders);
    if (*seeders == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < 2 * n_threads; i++) {
        struct seeder *seeder = *seeders + i;
        seeder->context = context;
        seeder->tables = context->seeds;
        seeder->side = (enum side)(i % 2);
        seeder->other = side_other(seeder->side);
        seeder->n_runs = context->shape.n_runs[seeder->other];
        seeder->one_enemy = context->shape.material.men[seeder->other] +
                                context->shape.material.kings[seeder->other] ==
                            1;
    }
    return STATUS_OK;
}

/* False when what a man move leads to is not there. */
static bool seeder_start(struct seeder *seeder, const struct frame *frame, struct error *error)
{
    const struct board *board = &frame->context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const int first = seeder->side == WHITE ? NORTH_WEST : SOUTH_WEST;

    seeder->frame = frame;
    seeder->error = error;
    seeder->status = STATUS_OK;
    seeder->n_man_moves = 0;
    for (squares_t left = frame->captures_only ? 0 : frame->men[seeder->side]; left != 0;
         left &= left - 1) {
        const int from = squares_first(left);
        for (int direction = first; direction < first + 2; direction++) {
            const int to = board->next[direction][from];
            if (to != NO_SQUARE && (men & square_bit(to)) == 0)
                man_move_add(seeder, from, to);
        }
    }
    return seeder->status == STATUS_OK;
}

/* From the smallest value for the other side, by its runs, to the seed. Without a move that is
 * VALUE_NONE, and the seed comes out as lost now. */
static inline void put_seed(struct seeder *seeder, uint64_t index, const value_t *worst)
{
    const bool distances = seeder->context->metric == METRIC_DTW;
    const int n_runs = seeder->n_runs;
    value_t *seed = seeder->frame->seed[seeder->side] + index * (size_t)n_runs;
    bool too_long = false;
    for (int run = 0; run < n_runs; run++) {
        const value_t value = value_before(worst[run]);
        seed[run] = distances ? value : value_sign(value);
        too_long |= worst[run] == value_from_plies(VALUE_MAX_PLIES);
    }
    if (too_long && distances)
        seeder->status = error_set(seeder->error, STATUS_TOO_LONG, "a distance beyond %d plies",
                                   VALUE_MAX_PLIES);
}

/* --- captures -----------------------------------------------------------------------------------
 */

/* Which of the other side's kings are left, by their order. */
static unsigned kings_left(squares_t kings, squares_t captured)
{
    unsigned left = 0;
    for (int i = 0; kings != 0; kings &= kings - 1, i++)
        if ((captured & kings & (0 - kings)) == 0)
            left |= 1u << i;
    return left;
}

/* Looks up what captures lead to that take the same pieces and end on the squares `ends`: the
 * index but for the capturing piece is the same for all of them. */
static void take_ends(struct search *search, squares_t ends, bool promotes)
{
    struct seeder *seeder = search->seeder;
    const struct board *board = &seeder->context->rules->board;
    const int side = (int)seeder->side;
    const int other = (int)seeder->other;
    struct target *target = &seeder->captures[search->n_men][search->n_kings][promotes];
    struct placement after;
    uint64_t stride = 1;

    if (target->solved == NULL) {
        struct material material = seeder->context->shape.material;
        material.men[other] = (uint8_t)(material.men[other] - search->n_men);
        material.kings[other] = (uint8_t)(material.kings[other] - search->n_kings);
        material.men[side] = (uint8_t)(material.men[side] - promotes);
        material.kings[side] = (uint8_t)(material.kings[side] + promotes);
        if (!target_set(seeder, target, material))
            return;
        target_find_patterns(seeder, target);
    }
    after.men[other] = search->enemy_men & ~search->captured;
    after.kings[other] = search->enemy_kings & ~search->captured;
    after.men[side] = search->own_men & ~square_bit(search->from);
    after.kings[side] = search->own_kings & ~square_bit(search->from);
    after.side = seeder->other;
    if (target->turned) {
        after = placement_turn(board, &after);
        ends = board_turn(board, ends);
    }
    const struct shape *shape = &target->solved->shape;
    const int mover = target->turned ? other : side;
    squares_t *moved = &after.kings[mover];
    if (mover == WHITE)
        stride = shape->n_king_sets[BLACK];
    if (!search->by_king && !promotes) {
        moved = &after.men[mover];
        stride = (mover == WHITE ? shape->n_men_sets[BLACK] : 1) * shape->frame_size;
    }
    const int offset = moved == &after.men[mover] ? shape->man_offset[mover] : 0;
    const squares_t others = *moved >> offset;
    const unsigned left =
        seeder->n_runs > 1 ? kings_left(search->enemy_kings, search->captured) : 0;
    *moved = 0;
    const uint64_t rest = shape_rank(shape, &after);
    for (ends >>= offset; ends != 0; ends &= ends - 1)
        take_values(seeder, target, rest + stride * set_rank(others | (ends & (0 - ends))), left,
                    search->worst);
}

/* Complete captures that take the same pieces. */
static void captures_complete(struct search *search, squares_t ends)
{
    const struct seeder *seeder = search->seeder;
    const squares_t promotion =
        search->by_king ? 0 : seeder->context->rules->board.promotion[seeder->side];
    const int worth =
        capture_worth(seeder->context->rules, search->n_men, search->n_kings, search->by_king);

    if (worth < search->best)
        return;
    if (worth > search->best) {
        search->best = worth;
        memset(search->worst, VALUE_NONE, MAX_RUNS);
    }
    if ((ends & ~promotion) != 0)
        take_ends(search, ends & ~promotion, false);
    if ((ends & promotion) != 0)
        take_ends(search, ends & promotion, true);
}

/* Where the capturing piece can come to after it has jumped over `victim`. */
static squares_t landings(const struct search *search, int square, int victim)
{
    const struct frame_context *context = search->seeder->context;
    const struct board *board = &context->rules->board;
    const int direction = board->direction[square][victim];
    if (!search->by_king || !context->rules->flying_kings)
        return square_bit(board->next[direction][victim]);
    const squares_t beyond = board->ray[direction][victim];
    const squares_t blockers = beyond & search->occupied;
    if (blockers == 0)
        return beyond;
    const int nearest = squares_nearest(blockers, direction);
    return beyond & ~(board->ray[direction][nearest] | square_bit(nearest));
}

static inline bool can_capture(const struct search *search, int square, squares_t victims)
{
    const squares_t *jump = search->jump[square];
    for (; victims != 0; victims &= victims - 1)
        if ((search->occupied & jump[squares_first(victims)]) == 0)
            return true;
    return false;
}

/* All captures that go on from a square. */
static void capture_from(struct search *search, int square)
{
    const squares_t *jump = search->jump[square];
    const squares_t enemy = search->enemy_men | search->enemy_kings;

    for (squares_t left = enemy & ~search->captured; left != 0; left &= left - 1) {
        const int victim = squares_first(left);
        if ((search->occupied & jump[victim]) != 0)
            continue;
        const int is_king = (int)(search->enemy_kings >> victim & 1);
        search->captured |= square_bit(victim);
        if (search->captured == enemy) {
            search->takes_all = true;
            return;
        }
        search->n_kings += is_king;
        search->n_men += !is_king;
        squares_t ends = landings(search, square, victim);
        for (squares_t squares = ends; squares != 0; squares &= squares - 1) {
            const int to = squares_first(squares);
            if (!can_capture(search, to, enemy & ~search->captured))
                continue;
            ends &= ~square_bit(to);
            capture_from(search, to);
            if (search->takes_all)
                return;
        }
        if (ends != 0)
            captures_complete(search, ends);
        search->captured &= ~square_bit(victim);
        search->n_kings -= is_king;
        search->n_men -= !is_king;
    }
}

/* The seed of a placement with a capture. */
static void seed_capture(struct seeder *seeder, uint64_t index, const squares_t kings[2])
{
    const struct frame *frame = seeder->frame;
    const struct seed_tables *tables = seeder->tables;
    const squares_t all = kings[WHITE] | kings[BLACK] | frame->men[WHITE] | frame->men[BLACK];
    value_t worst[MAX_RUNS];
    struct search search = {
        .seeder = seeder,
        .own_men = frame->men[seeder->side],
        .own_kings = kings[seeder->side],
        .enemy_men = frame->men[seeder->other],
        .enemy_kings = kings[seeder->other],
        .best = -1,
        .worst = worst,
    };

    memset(worst, VALUE_NONE, sizeof worst);
    search.takes_all = seeder->one_enemy;
    for (int by_king = 1; by_king >= 0; by_king--) {
        squares_t left = by_king ? search.own_kings : search.own_men;
        search.by_king = by_king != 0;
        search.jump = by_king ? tables->jump_of_king : tables->jump_of_man[seeder->side];
        for (; left != 0 && !search.takes_all; left &= left - 1) {
            search.from = squares_first(left);
            search.occupied = all & ~square_bit(search.from);
            capture_from(&search, search.from);
        }
    }
    if (search.takes_all)
        memset(worst, VALUE_LOST, sizeof worst);
    put_seed(seeder, index, worst);
}

/* --- lines --------------------------------------------------------------------------------------
 */

/* Squares of one more king that leave the side to move a capture among the pieces that stand still:
 * men, and these kings. */
static squares_t still_captures(const struct seeder *seeder, const squares_t kings[2])
{
    const struct seed_tables *tables = seeder->tables;
    const squares_t *men = seeder->frame->men;
    const squares_t enemy = men[seeder->other] | kings[seeder->other];
    const squares_t taken = men[WHITE] | men[BLACK] | kings[WHITE] | kings[BLACK];
    squares_t found = 0;

    for (int by_king = 0; by_king < 2; by_king++) {
        const squares_t(*jumps)[MAX_SQUARES] =
            by_king ? tables->jump_of_king : tables->jump_of_man[seeder->side];
        squares_t own = by_king ? kings[seeder->side] : men[seeder->side];
        for (; own != 0; own &= own - 1) {
            const squares_t *jump = jumps[squares_first(own)];
            for (squares_t left = enemy; left != 0; left &= left - 1) {
                const squares_t empty = jump[squares_first(left)];
                if ((taken & empty) == 0)
                    found |= ~empty;
            }
        }
    }
    return found;
}

/* Squares of the line's king for which the side to move has a capture. */
static squares_t line_captures(const struct seeder *seeder, const struct line *line)
{
    const struct rules *rules = seeder->context->rules;
    const cells_t cells =
        capture_cells(rules, &line->still, seeder->tables->cells, line->side, seeder->side);
    return still_captures(seeder, line->kings) | squares_of_cells(&rules->board, cells);
}

/* Seeds of placements without a capture: man moves, the squares `quiet` of the line's king. */
static void seed_man_moves(struct seeder *seeder, const struct line *line, squares_t quiet)
{
    const unsigned all_left = (1u << seeder->context->shape.material.kings[seeder->other]) - 1;
    struct line_move moves[MAX_MAN_MOVES];
    int n_moves = 0;

    for (int i = 0; i < seeder->n_man_moves; i++) {
        const struct man_move *move = &seeder->man_moves[i];
        const enum side side = line->side;
        const enum side still = side_other(side);
        if ((move->to & line->taken) != 0)
            continue;
        moves[n_moves++] = (struct line_move){
            .to = move->to,
            .target = move->target,
            .base = move->base + move->rank[still][line->rank[still]] * move->stride[still],
            .rank = move->rank[side] + line->rank[side],
            .stride = move->stride[side],
        };
    }
    for (; quiet != 0; quiet &= quiet - 1) {
        const int place = squares_first(quiet);
        value_t worst[MAX_RUNS];
        memset(worst, VALUE_NONE, sizeof worst);
        for (int i = 0; i < n_moves; i++)
            if (moves[i].to != square_bit(place))
                take_values(seeder, moves[i].target,
                            moves[i].base + moves[i].rank[place] * moves[i].stride, all_left,
                            worst);
        put_seed(seeder, line->first + (uint64_t)place, worst);
    }
}

static void seed_line(struct seeder *seeder, const struct line *line)
{
    const squares_t captures = line->free & line_captures(seeder, line);
    const squares_t quiet = line->free & ~captures;
    uint8_t *class_of = seeder->frame->class_of[seeder->side] + line->first;
    const size_t n_runs = (size_t)seeder->n_runs;
    value_t *seed = seeder->frame->seed[seeder->side] + line->first * n_runs;
    squares_t kings[2] = {line->kings[WHITE], line->kings[BLACK]};

    memset(class_of, CLASS_IMPOSSIBLE, (size_t)line->n_placements);
    for (squares_t left = captures; left != 0; left &= left - 1)
        class_of[squares_first(left)] = CLASS_CAPTURE;
    for (squares_t left = quiet; left != 0; left &= left - 1)
        class_of[squares_first(left)] = CLASS_QUIET;
    for (squares_t left = captures; left != 0; left &= left - 1) {
        if (seeder->one_enemy) {
            memset(seed + (size_t)squares_first(left) * n_runs, VALUE_WIN_IN_1, n_runs);
            continue;
        }
        kings[line->side] = line->kings[line->side] | (left & (0 - left));
        seed_capture(seeder, line->first + (uint64_t)squares_first(left), kings);
    }
    if (!seeder->frame->captures_only)
        seed_man_moves(seeder, line, quiet);
}

/* --- a frame ------------------------------------------------------------------------------------
 */

/* All lines with one king set of the side that stands still; `side` has the line's king. */
static void seed_set(struct seeder *seeders, enum side side, uint32_t set)
{
    const struct frame *frame = seeders->frame;
    const struct frame_context *context = frame->context;
    const struct board *board = &context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const enum side still = side_other(side);
    const uint32_t n_sets = context->shape.n_king_sets[side];
    struct line line = {.side = side};
    const bool possible = (context->king_sets[still][set] & men) == 0;

    line.rank[still] = set;
    line.kings[still] = context->king_sets[still][set];
    for (int s = WHITE; s <= BLACK; s++)
        line.still.men[s] = cells_of_squares(board, frame->men[s]);
    line.still.kings[still] = cells_of_squares(board, line.kings[still]);
    for (uint32_t rank = 0; rank < n_sets; rank += (uint32_t)line.n_placements) {
        const squares_t lowest = context->king_sets[side][rank];
        line.first = (uint64_t)set * n_sets + rank;
        line.rank[side] = rank;
        line.kings[side] = lowest & (lowest - 1);
        line.n_placements =
            line.kings[side] == 0 ? board->n_squares : squares_first(line.kings[side]);
        line.taken = men | line.kings[WHITE] | line.kings[BLACK];
        line.free = 0;
        if (possible && (line.kings[side] & (men | line.kings[still])) == 0)
            line.free = ~line.taken & (square_bit(line.n_placements) - 1);
        line.still.kings[side] = cells_of_squares(board, line.kings[side]);
        for (int s = WHITE; s <= BLACK; s++)
            seed_line(&seeders[s], &line);
    }
}

/* Without kings a frame is one placement. */
static void seed_men(struct seeder *seeder)
{
    const struct frame *frame = seeder->frame;
    const squares_t kings[2] = {0, 0};
    value_t worst[MAX_RUNS] = {VALUE_NONE};

    if (still_captures(seeder, kings) != 0) {
        frame->class_of[seeder->side][0] = CLASS_CAPTURE;
        seed_capture(seeder, 0, kings);
        return;
    }
    frame->class_of[seeder->side][0] = CLASS_QUIET;
    for (int i = 0; i < seeder->n_man_moves; i++) {
        const struct man_move *move = &seeder->man_moves[i];
        take_values(seeder, move->target,
                    move->base + move->rank[WHITE][0] * move->stride[WHITE] +
                        move->rank[BLACK][0] * move->stride[BLACK],
                    0, worst);
    }
    put_seed(seeder, 0, worst);
}

/* The lines with king sets of ranks first .. last - 1 of the side that stands still. */
static enum status seed_sets(struct frame *frame, struct seeder *seeders, uint32_t first,
                             uint32_t last, struct error *error)
{
    const struct material *material = &frame->context->shape.material;
    const bool ready =
        seeder_start(&seeders[WHITE], frame, error) && seeder_start(&seeders[BLACK], frame, error);

    for (uint32_t set = first; ready && set < last; set++) {
        if (material->kings[BLACK] > 0)
            seed_set(seeders, BLACK, set);
        else if (material->kings[WHITE] > 0)
            seed_set(seeders, WHITE, set);
        else
            for (int side = WHITE; side <= BLACK; side++)
                seed_men(&seeders[side]);
    }
    return seeders[WHITE].status != STATUS_OK ? seeders[WHITE].status : seeders[BLACK].status;
}

enum status seed_fast(struct frame *frame, struct error *error)
{
    const struct shape *shape = &frame->context->shape;
    const uint32_t n_sets = shape->material.kings[BLACK] > 0 ? shape->n_king_sets[WHITE] : 1;
    enum status status = STATUS_OK;

    if (frame->n_threads == 1)
        return seed_sets(frame, frame->seeders, 0, n_sets, error);
    const uint32_t per_part = n_sets / (PARTS_PER_THREAD * (uint32_t)frame->n_threads) + 1;
#pragma omp parallel for num_threads(frame->n_threads) schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_sets; first += per_part) {
        const uint32_t last = n_sets - first < per_part ? n_sets : first + per_part;
        struct error mine = {STATUS_OK, ""};
        const enum status one =
            seed_sets(frame, frame->seeders + 2 * omp_get_thread_num(), first, last, &mine);
        if (one != STATUS_OK) {
#pragma omp critical(seed_fast_error)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status;
}
