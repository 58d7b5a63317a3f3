/* Without kings a frame is one placement, so there is nothing to share among many: captures are
 * searched man by man, and each complete one is looked up at once if no better one was found
 * before. A man move keeps the other side's set, and a table has the rank of the set that moves. The
 * frames of a page are seeded at once: seeds are the values, and go to its chunk. */
#include "gen/seeds/seed_men.h"

#include "core/bits.h"
#include "core/program/extensions.h"
#include "core/program/flip.h"
#include "gen/seeds/seed_targets.h"

enum { FRAMES_PER_PAUSE = 256 };

/* The captures of one side. */
struct men_search {
    struct seeder *seeder;
    const squares_t (*jump)[MAX_SQUARES]; /* by squares of man and victim */
    squares_t enemy;
    squares_t own; /* without the man that captures */
    int best;      /* the highest worth so far; -1 without a capture */
    /* the smallest value for the other side after captures of that worth, or after man moves */
    value_t min_values[MAX_RUNS];
    bool wins; /* all enemies can be captured */
};

/* Takes the minimum of *min_values and the value of men after a move, one of which may have been
 * promoted on a square. */
static void min_with_men(struct seeder *seeder, const struct target *target, squares_t own,
                         squares_t enemy, int promoted, value_t *min_values)
{
    const struct board *board = &seeder->context->rules->board;
    const struct runs_after runs = {0};
    struct placement men = {0};
    men.men[seeder->side] = own;
    men.men[seeder->other] = enemy;
    if (target->flipped) {
        men = placement_flip(board, &men);
        promoted = promoted == NO_SQUARE ? NO_SQUARE : board->n_squares - 1 - promoted;
    }
    min_with_address(seeder, target,
                     solved_address(target->solved, target->side, men.men) +
                         (promoted == NO_SQUARE ? 0 : (uint64_t)promoted),
                     &runs, min_values);
}

/* A capture of some enemies is complete on a square. */
static void capture_is_complete(struct men_search *search, squares_t captured, int to)
{
    struct seeder *seeder = search->seeder;
    const bool promotes =
        (seeder->context->rules->board.promotion[seeder->side] & square_bit(to)) != 0;
    const int n = bits_count(captured);
    const int worth = capture_worth(seeder->context->rules, n, 0, false);
    const struct target *target = find_target(seeder, n, 0, promotes);
    if (worth < search->best || target == NULL)
        return;
    if (worth > search->best)
        search->min_values[0] = VALUE_NONE;
    search->best = worth;
    min_with_men(seeder, target, search->own | (promotes ? 0 : square_bit(to)),
                 search->enemy & ~captured, promotes ? to : NO_SQUARE, search->min_values);
}

/* All captures that continue from a square; false if there is none. */
static bool capture_from(struct men_search *search, int square, squares_t captured)
{
    const struct rules *rules = search->seeder->context->rules;
    const squares_t taken = search->own | search->enemy;
    bool any = false;
    for (squares_t left =
             search->enemy & ~captured & rules->man_reach[search->seeder->side][square];
         left != 0 && !search->wins; left &= left - 1) {
        const int victim = bits_first(left);
        const squares_t after = captured | square_bit(victim);
        if ((taken & search->jump[square][victim]) != 0)
            continue;
        any = true;
        if (after == search->enemy) {
            search->wins = true;
            break;
        }
        const int to = rules->board.next[rules->board.direction[square][victim]][victim];
        if (!capture_from(search, to, after))
            capture_is_complete(search, after, to);
    }
    return any;
}

/* Takes the minimum of *min_values and the values after man moves. */
static void min_with_moves(struct seeder *seeder, value_t *min_values)
{
    const struct frame *frame = seeder->frame;
    const struct board *board = &frame->context->rules->board;
    const squares_t own = frame->men[seeder->side];
    const squares_t enemy = frame->men[seeder->other];
    const int first = seeder->side == WHITE ? NORTH_WEST : SOUTH_WEST;
    const struct runs_after runs = {0};
    const uint32_t *rank_after = seeder->tables->rank_after[seeder->side] +
                                 2 * (size_t)frame->men_rank[seeder->side] *
                                     seeder->context->shape.material.men[seeder->side];

    for (squares_t left = own; left != 0; left &= left - 1, rank_after += 2) {
        const int from = bits_first(left);
        for (int direction = first; direction < first + 2; direction++) {
            const int to = board->next[direction][from];
            if (to == NO_SQUARE || ((own | enemy) & square_bit(to)) != 0)
                continue;
            const bool promotes = (board->promotion[seeder->side] & square_bit(to)) != 0;
            const struct target *target = &seeder->targets[0][0][promotes];
            const squares_t after = (own & ~square_bit(from)) | (promotes ? 0 : square_bit(to));
            if (target->solved == NULL && find_target(seeder, 0, 0, promotes) == NULL)
                return;
            if (target->flipped) {
                min_with_men(seeder, target, after, enemy, promotes ? to : NO_SQUARE, min_values);
                continue;
            }
            const uint32_t rank =
                promotes ? set_rank(after >> seeder->context->shape.man_offset[seeder->side])
                         : rank_after[direction - first];
            const uint64_t address = solved_frame_address(
                target->solved, target->side, seeder->side == WHITE ? rank : frame->men_rank[WHITE],
                seeder->side == WHITE ? frame->men_rank[BLACK] : rank);
            min_with_address(seeder, target, address + (promotes ? (uint64_t)to : 0), &runs,
                             min_values);
        }
    }
}

void seed_men(struct seeder *seeder)
{
    const struct frame *frame = seeder->frame;
    struct men_search search = {.seeder = seeder,
                                .jump = seeder->tables->jump_of_man[seeder->side],
                                .enemy = frame->men[seeder->other],
                                .best = -1,
                                .min_values = {VALUE_NONE}};
    const squares_t *reach = seeder->context->rules->man_reach[seeder->side];
    uint8_t *class_of = frame->class_of[seeder->side];
    bool captures = false;

    *class_of = CLASS_IMPOSSIBLE;
    if (!frame_needs(frame, (int)seeder->side, 0))
        return;
    for (squares_t left = frame->men[seeder->side]; left != 0; left &= left - 1) {
        if ((reach[bits_first(left)] & search.enemy) == 0)
            continue;
        search.own = frame->men[seeder->side] & ~(left & (0 - left));
        captures |= capture_from(&search, bits_first(left), 0);
    }
    *class_of = captures ? CLASS_CAPTURE : CLASS_QUIET;
    if (search.wins)
        *frame->seed[seeder->side] = VALUE_WIN_IN_1;
    else if (captures || !frame->captures_only) {
        if (!captures)
            min_with_moves(seeder, search.min_values);
        put_seed(seeder, 0, search.min_values);
    }
}

einspul_status seed_men_page(void *self, struct frame *frame, struct men_page *page,
                             einspul_error *error)
{
    struct seeder *seeders = self;
    struct frame_cursor *cursor = page->cursor;
    for (int side = WHITE; side <= BLACK; side++)
        seeder_begin(&seeders[side], frame, 0, error);
    for (uint32_t i = 0; i < page->n && !frame_is_stopped(frame); i++, frame_cursor_next(cursor)) {
        if (i % FRAMES_PER_PAUSE == 0)
            chunk_reader_quiesce(frame->readers[0]);
        for (int side = WHITE; side <= BLACK; side++) {
            frame->men_rank[side] = cursor->rank[side];
            frame->men[side] = frame->context->men_sets[side][cursor->rank[side]];
        }
        if ((frame->men[WHITE] & frame->men[BLACK]) != 0)
            continue;
        for (int side = WHITE; side <= BLACK; side++) {
            seed_men(&seeders[side]);
            page->number[side][i] = *frame->seed[side];
        }
        page->n_frames++;
    }
    chunk_reader_offline(frame->readers[0]);
    for (int side = WHITE; side <= BLACK; side++)
        if (seeders[side].status != EINSPUL_OK)
            return seeders[side].status;
    return frame_check_stop(frame, error);
}
