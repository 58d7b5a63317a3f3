/* Seeds, fast.
 *
 * Whether a piece can capture another is one test: the squares between them and the one behind must
 * be empty. Those squares are tabulated for every pair (`jump`), so captures are looked for among
 * the pairs of own and enemy pieces only, and a capture move is searched for only where there is
 * one.
 *
 * What a move leads to is looked up for all runs of the other side at once: the smallest of the
 * values it has for the other side is best for the mover. A man move leads to a frame of the same
 * material with the same kings, so king indices map to king indices, a promotion adds a king to one
 * set; both are set up once a frame. */
#include "gen/seed.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTS_PER_THREAD = 16,
    N_PROMOTIONS = 5,
    MAX_MAN_MOVES = 2 * MAX_SET,
    N_KING_SUBSETS = 1 << MAX_SET
};

static const squares_t NO_JUMP = ~(squares_t)0;

struct seed_tables {
    squares_t jump_of_king[MAX_SQUARES][MAX_SQUARES];   /* what must be empty; NO_JUMP: never */
    squares_t jump_of_man[2][MAX_SQUARES][MAX_SQUARES]; /* by side */
    int8_t direction[MAX_SQUARES][MAX_SQUARES];         /* from, victim */
    uint32_t *same[2];                                  /* by side: rank -> the same rank */
    uint32_t *promoted[2][N_PROMOTIONS]; /* by side, promotion square: rank of the set with it */
    uint32_t *promoted_turned[2][N_PROMOTIONS]; /* the same turned round */
    /* by side, set of its kings that are left (bit i: the i-th is), turned, run: the run then */
    uint8_t run_after[2][N_KING_SUBSETS][2][MAX_RUNS];
};

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
    struct target target;
    uint64_t base;           /* index of the target frame's first placement */
    const uint32_t *rank[2]; /* by side here: king rank here -> king rank there */
};

/* One side to move in a frame. */
struct seeder {
    struct frame *frame;
    const struct frame_context *context;
    const struct seed_tables *tables;
    enum side side, other;
    int n_runs; /* of the other side */
    struct man_move man_moves[MAX_MAN_MOVES];
    int n_man_moves;
    struct target captures[MAX_SET + 1][MAX_SET + 1][2]; /* by men and kings taken, promotion */
    struct error *error;
    enum status status;
};

/* The capture moves of one placement. */
struct search {
    struct seeder *seeder;
    squares_t own_men, own_kings, enemy_men, enemy_kings;
    squares_t occupied; /* without the capturing piece */
    squares_t captured;
    int n_men, n_kings; /* captured */
    int from;
    bool by_king;
    bool takes_all; /* a capture of all enemy pieces was found: nothing can be better */
    int best;
    value_t *worst; /* by run: the smallest value for the other side */
};

/* --- tables -------------------------------------------------------------------------------------
 */

static void fill_jumps(struct seed_tables *tables, const struct rules *rules)
{
    const struct board *board = &rules->board;
    for (int from = 0; from < MAX_SQUARES; from++)
        for (int victim = 0; victim < MAX_SQUARES; victim++) {
            tables->jump_of_king[from][victim] = NO_JUMP;
            tables->jump_of_man[WHITE][from][victim] = NO_JUMP;
            tables->jump_of_man[BLACK][from][victim] = NO_JUMP;
        }
    for (int from = 0; from < board->n_squares; from++) {
        for (int direction = 0; direction < N_DIRECTIONS; direction++) {
            squares_t between = 0;
            for (int victim = board->next[direction][from]; victim != NO_SQUARE;
                 victim = board->next[direction][victim]) {
                const int behind = board->next[direction][victim];
                if (behind == NO_SQUARE)
                    break;
                const squares_t empty = between | square_bit(behind);
                tables->direction[from][victim] = (int8_t)direction;
                if ((rules->king_captures >> direction & 1) != 0 &&
                    (between == 0 || rules->flying_kings))
                    tables->jump_of_king[from][victim] = empty;
                for (int side = WHITE; side <= BLACK; side++)
                    if ((rules->man_captures[side] >> direction & 1) != 0 && between == 0)
                        tables->jump_of_man[side][from][victim] = empty;
                between |= square_bit(victim);
            }
        }
    }
}

/* The k-th promotion square of a side. */
static int promotion_square(const struct board *board, int side, int k)
{
    return squares_first(board->promotion[side]) + k;
}

static enum status fill_ranks(struct seed_tables *tables, const struct frame_context *context,
                              int side)
{
    const struct board *board = &context->rules->board;
    const struct material *material = &context->shape.material;
    const uint32_t n = context->shape.n_king_sets[side];

    tables->same[side] = malloc(n * sizeof(uint32_t));
    if (tables->same[side] == NULL)
        return STATUS_NO_MEMORY;
    for (uint32_t rank = 0; rank < n; rank++)
        tables->same[side][rank] = rank;
    for (int k = 0; k < board->n_rows / 2 && material->men[side] > 0; k++) {
        const squares_t king = square_bit(promotion_square(board, side, k));
        uint32_t *promoted = malloc(n * sizeof *promoted);
        uint32_t *turned = malloc(n * sizeof *turned);
        tables->promoted[side][k] = promoted;
        tables->promoted_turned[side][k] = turned;
        if (promoted == NULL || turned == NULL)
            return STATUS_NO_MEMORY;
        for (uint32_t rank = 0; rank < n; rank++) {
            const squares_t set = context->king_sets[side][rank] | king;
            promoted[rank] = set_rank(set);
            turned[rank] = set_rank(board_turn(board, set));
        }
    }
    return STATUS_OK;
}

static void fill_runs(struct seed_tables *tables, int side, int n_kings)
{
    for (int left = 0; left < 1 << n_kings; left++) {
        const int n_left = __builtin_popcount((unsigned)left);
        for (int run = 1; run < 1 + 3 * n_kings; run++) {
            const int king = (run - 1) / 3;
            const int count = (run - 1) % 3 + 1;
            const int after = __builtin_popcount((unsigned)left & ((1u << king) - 1));
            if ((left >> king & 1) == 0)
                continue;
            tables->run_after[side][left][false][run] = (uint8_t)(3 * after + count);
            tables->run_after[side][left][true][run] = (uint8_t)(3 * (n_left - 1 - after) + count);
        }
    }
}

enum status seed_tables_create(const struct frame_context *context, struct seed_tables **result)
{
    struct seed_tables *tables = calloc(1, sizeof *tables);
    *result = NULL;
    if (tables == NULL)
        return STATUS_NO_MEMORY;
    fill_jumps(tables, context->rules);
    for (int side = WHITE; side <= BLACK; side++) {
        fill_runs(tables, side, context->shape.material.kings[side]);
        if (fill_ranks(tables, context, side) != STATUS_OK) {
            seed_tables_free(tables);
            return STATUS_NO_MEMORY;
        }
    }
    *result = tables;
    return STATUS_OK;
}

void seed_tables_free(struct seed_tables *tables)
{
    if (tables == NULL)
        return;
    for (int side = WHITE; side <= BLACK; side++) {
        free(tables->same[side]);
        for (int k = 0; k < N_PROMOTIONS; k++) {
            free(tables->promoted[side][k]);
            free(tables->promoted_turned[side][k]);
        }
    }
    free(tables);
}

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
    target->patterns = target->solved->entry[context->metric - 1][target->side];
    if (target->patterns == NULL)
        target->patterns = target->solved->patterns[target->side].values;
    target->stride = target->side == WHITE ? (size_t)target->solved->shape.n_runs[BLACK] : 1;
    return true;
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
        if (values[0] < worst[0])
            worst[0] = values[0];
        return;
    }
    if (!target->runs_last) {
        for (int run = 0; run < seeder->n_runs; run++)
            if (values[0] < worst[run])
                worst[run] = values[0];
        return;
    }
    const uint8_t *run_after = seeder->tables->run_after[seeder->other][left][target->turned];
    for (int run = 0; run < seeder->n_runs; run++) {
        const value_t value = values[run_after[run] * target->stride];
        if (value < worst[run])
            worst[run] = value;
    }
}

static void man_move_add(struct seeder *seeder, int from, int to)
{
    const struct frame_context *context = seeder->context;
    const struct board *board = &context->rules->board;
    const int side = (int)seeder->side;
    const bool promotes = (board->promotion[side] & square_bit(to)) != 0;
    struct man_move *move = &seeder->man_moves[seeder->n_man_moves];
    struct material after = context->shape.material;
    struct placement men = {.men = {seeder->frame->men[WHITE], seeder->frame->men[BLACK]}};

    men.men[side] &= ~square_bit(from);
    if (promotes) {
        after.men[side]--;
        after.kings[side]++;
    } else {
        men.men[side] |= square_bit(to);
    }
    if (!target_set(seeder, &move->target, after))
        return;
    const bool turned = move->target.turned;
    for (int s = WHITE; s <= BLACK; s++)
        move->rank[s] = turned ? context->king_turned[s] : seeder->tables->same[s];
    if (promotes) {
        const int k = to - promotion_square(board, side, 0);
        move->rank[side] =
            turned ? seeder->tables->promoted_turned[side][k] : seeder->tables->promoted[side][k];
    }
    if (turned)
        men = placement_turn(board, &men);
    move->to = square_bit(to);
    move->base =
        shape_frame(&move->target.solved->shape, &men) * move->target.solved->shape.frame_size;
    seeder->n_man_moves++;
}

static void seeder_start(struct seeder *seeder, struct frame *frame, enum side side,
                         struct error *error)
{
    const struct board *board = &frame->context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const int first = side == WHITE ? NORTH_WEST : SOUTH_WEST;

    seeder->frame = frame;
    seeder->context = frame->context;
    seeder->tables = frame->context->seeds;
    seeder->side = side;
    seeder->other = side_other(side);
    seeder->n_runs = frame->context->shape.n_runs[seeder->other];
    seeder->error = error;
    seeder->status = STATUS_OK;
    seeder->n_man_moves = 0;
    for (int n_men = 0; n_men <= frame->context->shape.material.men[seeder->other]; n_men++)
        for (int n_kings = 0; n_kings <= frame->context->shape.material.kings[seeder->other];
             n_kings++)
            for (int promotes = 0; promotes < 2; promotes++)
                seeder->captures[n_men][n_kings][promotes].solved = NULL;
    for (squares_t left = frame->captures_only ? 0 : frame->men[side]; left != 0;
         left &= left - 1) {
        const int from = squares_first(left);
        for (int direction = first; direction < first + 2; direction++) {
            const int to = board->next[direction][from];
            if (to != NO_SQUARE && (men & square_bit(to)) == 0)
                man_move_add(seeder, from, to);
        }
    }
}

/* --- captures -----------------------------------------------------------------------------------
 */

static bool has_capture(const struct seeder *seeder, const struct search *search)
{
    const squares_t enemy = search->enemy_men | search->enemy_kings;
    for (squares_t men = search->own_men; men != 0; men &= men - 1) {
        const squares_t *jump = seeder->tables->jump_of_man[seeder->side][squares_first(men)];
        for (squares_t left = enemy; left != 0; left &= left - 1)
            if ((search->occupied & jump[squares_first(left)]) == 0)
                return true;
    }
    for (squares_t kings = search->own_kings; kings != 0; kings &= kings - 1) {
        const squares_t *jump = seeder->tables->jump_of_king[squares_first(kings)];
        for (squares_t left = enemy; left != 0; left &= left - 1)
            if ((search->occupied & jump[squares_first(left)]) == 0)
                return true;
    }
    return false;
}

/* Which of the other side's kings are left, by their order. */
static unsigned kings_left(squares_t kings, squares_t captured)
{
    unsigned left = 0;
    for (int i = 0; kings != 0; kings &= kings - 1, i++)
        if ((captured & kings & (0 - kings)) == 0)
            left |= 1u << i;
    return left;
}

/* How a complete capture ranks, as in the mover. */
static int capture_rank(const struct search *search)
{
    switch (search->seeder->context->rules->choice) {
    case CAPTURE_MOST_VALUABLE:
        return ((2 * search->n_kings + search->n_men) * 64 + (63 - search->n_kings)) * 2 +
               (search->by_king ? 1 : 0);
    case CAPTURE_MOST_PIECES:
        return search->n_kings + search->n_men;
    case CAPTURE_ANY:
        return 0;
    }
    return 0;
}

static void capture_complete(struct search *search, int to)
{
    struct seeder *seeder = search->seeder;
    const struct frame_context *context = seeder->context;
    const int side = (int)seeder->side;
    const int other = (int)seeder->other;
    const int rank = capture_rank(search);
    if (rank < search->best)
        return;
    if (rank > search->best) {
        search->best = rank;
        memset(search->worst, VALUE_NONE, (size_t)seeder->n_runs);
    }
    struct placement after;
    after.men[other] = search->enemy_men & ~search->captured;
    after.kings[other] = search->enemy_kings & ~search->captured;
    const bool promotes =
        !search->by_king && (context->rules->board.promotion[side] & square_bit(to)) != 0;
    after.men[side] = search->own_men;
    after.kings[side] = search->own_kings;
    if (search->by_king) {
        after.kings[side] ^= square_bit(search->from);
        after.kings[side] |= square_bit(to);
    } else {
        after.men[side] ^= square_bit(search->from);
        if (promotes)
            after.kings[side] |= square_bit(to);
        else
            after.men[side] |= square_bit(to);
    }
    after.side = seeder->other;

    struct target *target = &seeder->captures[search->n_men][search->n_kings][promotes];
    if (target->solved == NULL) {
        struct material material = context->shape.material;
        material.men[other] = (uint8_t)(material.men[other] - search->n_men);
        material.kings[other] = (uint8_t)(material.kings[other] - search->n_kings);
        material.men[side] = (uint8_t)(material.men[side] - promotes);
        material.kings[side] = (uint8_t)(material.kings[side] + promotes);
        if (!target_set(seeder, target, material))
            return;
    }
    const unsigned left =
        seeder->n_runs > 1 ? kings_left(search->enemy_kings, search->captured) : 0;
    if (target->turned)
        after = placement_turn(&context->rules->board, &after);
    take_values(seeder, target, shape_rank(&target->solved->shape, &after), left, search->worst);
}

static void capture_from(struct search *search, int square)
{
    const struct seeder *seeder = search->seeder;
    const struct board *board = &seeder->context->rules->board;
    const squares_t *jump = search->by_king ? seeder->tables->jump_of_king[square]
                                            : seeder->tables->jump_of_man[seeder->side][square];
    const bool flying = search->by_king && seeder->context->rules->flying_kings;
    squares_t left = (search->enemy_men | search->enemy_kings) & ~search->captured;
    bool complete = true;

    for (; left != 0; left &= left - 1) {
        const int victim = squares_first(left);
        if ((search->occupied & jump[victim]) != 0)
            continue;
        const int direction = seeder->tables->direction[square][victim];
        const int is_king = (int)(search->enemy_kings >> victim & 1);
        complete = false;
        search->captured |= square_bit(victim);
        if (search->captured == (search->enemy_men | search->enemy_kings)) {
            search->takes_all = true;
            return;
        }
        search->n_kings += is_king;
        search->n_men += !is_king;
        for (int to = board->next[direction][victim];
             to != NO_SQUARE && (search->occupied & square_bit(to)) == 0;
             to = board->next[direction][to]) {
            capture_from(search, to);
            if (search->takes_all)
                return;
            if (!flying)
                break;
        }
        search->captured &= ~square_bit(victim);
        search->n_kings -= is_king;
        search->n_men -= !is_king;
    }
    if (complete && search->captured != 0)
        capture_complete(search, square);
}

static void seed_captures(struct search *search)
{
    const squares_t all = search->occupied;
    const squares_t enemy = search->enemy_men | search->enemy_kings;
    search->best = -1;
    search->takes_all = (enemy & (enemy - 1)) == 0;
    for (int by_king = 1; by_king >= 0; by_king--) {
        squares_t left = by_king ? search->own_kings : search->own_men;
        search->by_king = by_king != 0;
        for (; left != 0 && !search->takes_all; left &= left - 1) {
            search->from = squares_first(left);
            search->occupied = all & ~square_bit(search->from);
            search->captured = 0;
            search->n_men = 0;
            search->n_kings = 0;
            capture_from(search, search->from);
        }
    }
    if (search->takes_all)
        memset(search->worst, VALUE_LOST, (size_t)search->seeder->n_runs);
}

/* --- a frame ------------------------------------------------------------------------------------
 */

static void seed_placement(struct seeder *seeder, uint32_t white, uint32_t black)
{
    const struct frame_context *context = seeder->context;
    struct frame *frame = seeder->frame;
    const int side = (int)seeder->side;
    const int other = (int)seeder->other;
    const size_t n_runs = (size_t)seeder->n_runs;
    const uint64_t index = (uint64_t)white * context->shape.n_king_sets[BLACK] + black;
    const squares_t kings[2] = {context->king_sets[WHITE][white], context->king_sets[BLACK][black]};
    value_t *seed = frame->seed[side] + index * n_runs;
    value_t worst[MAX_RUNS];
    struct search search = {
        .seeder = seeder,
        .own_men = frame->men[side],
        .own_kings = kings[side],
        .enemy_men = frame->men[other],
        .enemy_kings = kings[other],
        .occupied = kings[WHITE] | kings[BLACK] | frame->men[WHITE] | frame->men[BLACK],
        .worst = worst,
    };

    memset(worst, VALUE_NONE, n_runs);
    if (has_capture(seeder, &search)) {
        frame->class_of[side][index] = CLASS_CAPTURE;
        seed_captures(&search);
    } else {
        frame->class_of[side][index] = CLASS_QUIET;
        for (int i = 0; i < seeder->n_man_moves; i++) {
            const struct man_move *move = &seeder->man_moves[i];
            if ((move->to & search.occupied) != 0)
                continue;
            const uint32_t n_black = move->target.solved->shape.n_king_sets[BLACK];
            const uint32_t there[2] = {move->rank[WHITE][white], move->rank[BLACK][black]};
            const int first = move->target.turned ? BLACK : WHITE;
            take_values(seeder, &move->target,
                        move->base + (uint64_t)there[first] * n_black + there[!first],
                        (1u << context->shape.material.kings[other]) - 1, worst);
        }
    }
    /* Without a move `worst` is VALUE_NONE, and the seed comes out as lost now. */
    for (size_t run = 0; run < n_runs; run++) {
        const value_t value = value_before(worst[run]);
        seed[run] = context->metric == METRIC_WDL ? value_sign(value) : value;
        if (worst[run] == value_from_plies(VALUE_MAX_PLIES) && context->metric == METRIC_DTW)
            seeder->status = error_set(seeder->error, STATUS_TOO_LONG, "a distance beyond %d plies",
                                       VALUE_MAX_PLIES);
    }
}

static void seed_white_set(struct seeder seeders[2], uint32_t white)
{
    struct frame *frame = seeders[WHITE].frame;
    const struct frame_context *context = frame->context;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const squares_t white_kings = context->king_sets[WHITE][white];
    const uint32_t n_black = context->shape.n_king_sets[BLACK];

    for (uint32_t black = 0; black < n_black; black++) {
        const squares_t black_kings = context->king_sets[BLACK][black];
        if ((white_kings & black_kings) != 0 || ((white_kings | black_kings) & men) != 0) {
            const uint64_t index = (uint64_t)white * n_black + black;
            frame->class_of[WHITE][index] = CLASS_IMPOSSIBLE;
            frame->class_of[BLACK][index] = CLASS_IMPOSSIBLE;
            continue;
        }
        seed_placement(&seeders[WHITE], white, black);
        seed_placement(&seeders[BLACK], white, black);
    }
}

/* The white king sets of ranks first .. last - 1. */
static enum status seed_range(struct frame *frame, uint32_t first, uint32_t last,
                              struct error *error)
{
    struct seeder seeders[2];

    seeder_start(&seeders[WHITE], frame, WHITE, error);
    seeder_start(&seeders[BLACK], frame, BLACK, error);
    if (seeders[WHITE].status == STATUS_OK && seeders[BLACK].status == STATUS_OK)
        for (uint32_t white = first; white < last; white++)
            seed_white_set(seeders, white);
    return seeders[WHITE].status != STATUS_OK ? seeders[WHITE].status : seeders[BLACK].status;
}

enum status seed_fast(struct frame *frame, struct error *error)
{
    const uint32_t n_white = frame->context->shape.n_king_sets[WHITE];
    enum status status = STATUS_OK;

    if (frame->n_threads == 1)
        return seed_range(frame, 0, n_white, error);
    const uint32_t per_part = n_white / (PARTS_PER_THREAD * (uint32_t)frame->n_threads) + 1;
#pragma omp parallel for num_threads(frame->n_threads) schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_white; first += per_part) {
        const uint32_t last = n_white - first < per_part ? n_white : first + per_part;
        struct error mine = {STATUS_OK, ""};
        const enum status one = seed_range(frame, first, last, &mine);
        if (one != STATUS_OK) {
#pragma omp critical(seed_fast_error)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status;
}
