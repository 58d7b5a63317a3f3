/* The read side of a model: its section, and the decoding of blocks. The order of decisions is
 * that of docs/format.md; encoder and decoder share it in model_code_template.h. */
#include "table/model.h"

#include "table/bytes.h"
#include "table/model_coder.h"
#include "table/table_format.h"

#include <stdlib.h>

/* --- run states ------------------------------------------------------------------------------- */

/* The runs of the side to move and of the other side: which king, from 0, and its count (0:
 * none). */
struct run_pair {
    int own_king, own_count;
    int other_king, other_count;
};

static struct run_pair split_state(const struct model_plan *plan, int state)
{
    const int own = shape_run(plan->walk.shape, plan->walk.side, state);
    const int other = shape_run(plan->walk.shape, side_other(plan->walk.side), state);
    return (struct run_pair){
        .own_king = run_king(own),
        .own_count = run_count(own),
        .other_king = run_king(other),
        .other_count = run_count(other),
    };
}

/* True when a run leaves its side at least the moves another run leaves. */
static bool is_freer(int king_a, int count_a, int king_b, int count_b)
{
    return count_a == 0 || (king_a == king_b && count_a <= count_b);
}

/* True when run state a cannot be worse than b for the side to move. */
static bool is_no_worse(const struct model_plan *plan, int a, int b)
{
    const struct run_pair x = split_state(plan, a);
    const struct run_pair y = split_state(plan, b);
    return is_freer(x.own_king, x.own_count, y.own_king, y.own_count) &&
           is_freer(y.other_king, y.other_count, x.other_king, x.other_count);
}

/* The order in which run states are coded: the longest own run against none (3, or 2 if 3 is
 * omitted), none against 3, the other runs of one side, then those of both. */
enum { N_PHASES = 13 };

static int phase_of(struct run_pair pair, int most_own)
{
    static const int order[4] = {0, 1, 2, 0};
    const int own_order = pair.own_count == most_own ? 0 : order[pair.own_count];
    if (pair.own_count > 0 && pair.other_count > 0)
        return 4 + own_order * 3 + order[pair.other_count];
    if (pair.own_count == most_own)
        return 0;
    if (pair.other_count == 3)
        return 1;
    return pair.own_count > 0 ? 2 : 3;
}

/* Where own counts of 3 are omitted, those of 2 and 1 take the lanes of 3 and 2. */
static int lane_of(struct run_pair pair, int most_own)
{
    if (pair.own_count > 0)
        pair.own_count += 3 - most_own;
    const int third = 2; /* and any further one */
    if (pair.other_count == 0 && pair.own_count == 3)
        return LANE_OWN_3 + (pair.own_king > third ? third : pair.own_king);
    if (pair.own_count == 0 && pair.other_count == 3)
        return LANE_OTHER_3 + (pair.other_king > third ? third : pair.other_king);
    switch (4 * pair.own_count + pair.other_count) {
    case 4 * 2:
        return LANE_OWN_2;
    case 2:
        return LANE_OTHER_2;
    case 4 * 3 + 3:
        return LANE_BOTH_33;
    case 4 * 3 + 2:
        return LANE_BOTH_32;
    case 4 * 2 + 3:
        return LANE_BOTH_23;
    default:
        return NO_LANE;
    }
}

/* Lists the nearest run states coded before that bound `state` from above or below. */
static uint8_t list_bounds(const struct model_plan *plan, int state, bool above,
                           uint8_t bounds[MAX_BOUNDS])
{
    int known[MAX_RUN_STATES] = {0};
    int n_known = 0;
    uint8_t n = 0;

    for (int i = -1; i < plan->n_steps; i++) {
        const int other = i < 0 ? 0 : plan->steps[i].state;
        if (above ? is_no_worse(plan, other, state) : is_no_worse(plan, state, other))
            known[n_known++] = other;
    }
    for (int i = 0; i < n_known; i++) {
        bool nearest = true;
        for (int j = 0; j < n_known; j++)
            if (j != i && (above ? is_no_worse(plan, known[i], known[j])
                                 : is_no_worse(plan, known[j], known[i])))
                nearest = false;
        if (nearest && n < MAX_BOUNDS)
            bounds[n++] = (uint8_t)known[i];
    }
    return n;
}

/* The run state without the run of one side. */
static uint8_t without_run(const struct model_plan *plan, int state, enum side side)
{
    const struct shape *shape = plan->walk.shape;
    return (uint8_t)(side == WHITE ? shape_run_state(shape, 0, shape_run(shape, BLACK, state))
                                   : shape_run_state(shape, shape_run(shape, WHITE, state), 0));
}

static bool is_told(const struct model_plan *plan, int state)
{
    bool told = state == 0;
    for (int i = 0; i < plan->n_steps; i++)
        told = told || plan->steps[i].state == state;
    return told;
}

static void add_step(struct model_plan *plan, int state, int most_own)
{
    const struct run_pair pair = split_state(plan, state);
    struct model_step *step = &plan->steps[plan->n_steps];

    step->state = (uint8_t)state;
    step->kind = (uint8_t)(4 * pair.own_count + pair.other_count);
    step->lane = (int8_t)lane_of(pair, most_own);
    step->n_below = list_bounds(plan, state, false, step->below);
    step->n_above = list_bounds(plan, state, true, step->above);
    if (pair.own_count > 0 && pair.other_count > 0) {
        step->high_reference = without_run(plan, state, plan->walk.side);
        step->low_reference = without_run(plan, state, side_other(plan->walk.side));
    } else {
        step->high_reference = step->n_above > 0 ? step->above[0] : 0;
        step->low_reference = step->n_below > 0 ? step->below[0] : 0;
    }
    step->between_references = step->n_below > 0 && step->n_above > 0 &&
                               is_told(plan, step->low_reference) &&
                               is_told(plan, step->high_reference);
    plan->n_steps++;
}

/* How far the placements lie back that have the innermost piece on squares of its row before. */
static void list_past(struct model_plan *plan)
{
    const struct board *board = &plan->walk.rules->board;
    const int width = board->n_squares / board->n_rows;
    const int lowest = plan->walk.groups[plan->walk.n_groups - 1].offset;
    for (int square = lowest; square < board->n_squares; square++) {
        const int west = board->next[NORTH_WEST][square];
        const int east = board->next[NORTH_EAST][square];
        const int to[N_PAST] = {
            [PAST_NORTH_WEST] = west,
            [PAST_NORTH_EAST] = east,
            [PAST_NORTH] = square - 2 * width,
            [PAST_WEST] = square % width > 0 ? square - 1 : NO_SQUARE,
            [PAST_TWICE_NORTH_WEST] = west < 0 ? NO_SQUARE : board->next[NORTH_WEST][west],
            [PAST_TWICE_NORTH_EAST] = east < 0 ? NO_SQUARE : board->next[NORTH_EAST][east],
        };
        for (int i = 0; i < N_PAST; i++)
            plan->past[square][i] = (uint8_t)(to[i] < lowest ? 0 : square - to[i]);
    }
}

static void plan_init(struct model_plan *plan, const struct model *model, enum side side,
                      bool distances)
{
    const struct shape *shape = &model->shape;

    memset(plan, 0, sizeof *plan);
    walk_plan_init(&plan->walk, &model->rules, shape, side);
    list_past(plan);
    const int n_slots = plan->walk.n_slots;
    const bool runs = shape->n_run_states > 1;
    plan->distances = distances;
    plan->n_run_states = shape->n_run_states;
    plan->first_run_lane = distances ? (int)DISTANCE_LANES : (int)OUTCOME_LANES;
    plan->n_lanes = plan->first_run_lane + (!runs       ? 0
                                            : distances ? (int)RUN_DISTANCE_LANES
                                                        : (int)RUN_OUTCOME_LANES);
    plan->stride = distances ? runs ? (int)STRIDE_RUN_DISTANCES : (int)STRIDE_DISTANCES
                   : runs    ? (int)STRIDE_RUN_OUTCOMES
                             : (int)STRIDE_OUTCOMES;
    int most_own = 3;
    for (int state = 1; state < shape->n_run_states && model->left_out.runs; state++) {
        if (format_is_last_run(shape, side, state)) {
            plan->left_out[plan->n_left_out++] = (uint8_t)state;
            most_own = 2;
        }
    }
    for (int phase = 0; phase < N_PHASES; phase++) {
        for (int state = 1; state < shape->n_run_states; state++)
            if ((!model->left_out.runs || !format_is_last_run(shape, side, state)) &&
                phase_of(split_state(plan, state), most_own) == phase)
                add_step(plan, state, most_own);
        if (phase == 1)
            plan->n_first_steps = plan->n_steps;
    }
    plan->joint = (size_t)(n_slots * (n_slots - 1) / 2) * MAX_SQUARES * MAX_SQUARES;
    plan->near = plan->joint + N_SIGNATURES * N_SIGNATURES;
    plan->level = plan->near + (size_t)(2 * (n_slots - 1) * N_SIGNATURES);
    plan->n_vectors = plan->level + (distances ? (size_t)(2 * n_slots * N_LEVELS) : 0);
    plan->n_weights = plan->n_vectors * (size_t)plan->stride + N_CONTEXTS;
}

/* --- models ----------------------------------------------------------------------------------- */

const uint16_t model_probabilities[MAX_LIKELIHOOD + 1] = {
    32768, 34813, 36843, 38841, 40793, 42687, 44511, 46254, 47911, 49474, 50941, 52310,
    53581, 54754, 55834, 56822, 57724, 58544, 59287, 59959, 60565, 61109, 61598, 62036,
    62428, 62778, 63090, 63368, 63615, 63835, 64030, 64203, 64357, 64494, 64614, 64721,
    64816, 64900, 64974, 65039, 65097, 65149, 65194, 65234, 65269, 65300, 65328, 65352,
    65374, 65393, 65410, 65425, 65438, 65449, 65459, 65468, 65476, 65483, 65489, 65495,
    65500, 65504, 65508, 65511, 65514, 65517, 65519, 65521, 65523, 65524, 65526, 65527,
    65528, 65529, 65530, 65530, 65531, 65532, 65532, 65533, 65533, 65533, 65534, 65534,
    65534, 65534, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535,
};

void model_init(struct model *model, const struct rules *rules, const struct shape *shape,
                bool distances, const struct left_out *left_out)
{
    memset(model, 0, sizeof *model);
    model->rules = *rules;
    model->shape = *shape;
    model->left_out = *left_out;
    for (int side = 0; side < shape->n_sides; side++)
        plan_init(&model->plans[side], model, (enum side)side, distances);
}

void model_free(struct model *model)
{
    free(model->weights[WHITE]);
    free(model->weights[BLACK]);
}

size_t model_section_size(const struct model *model)
{
    size_t n = 0;
    for (int side = WHITE; side <= BLACK; side++)
        if (model_has_side(model, side))
            n += model->plans[side].n_vectors * (size_t)model->plans[side].n_lanes + N_CONTEXTS;
    return n;
}

/* Unpacks the weights of a lane, which are zero already. Most of them stay so, as pages that are
 * not touched: eight at a time are skipped. */
static void unpack_lane(int8_t *weights, size_t stride, const uint8_t *section, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        const size_t end = n - i < 8 ? n : i + 8;
        if (end == i + 8 && load_u64(section + i) == 0)
            continue;
        for (size_t j = i; j < end; j++)
            weights[j * stride] = (int8_t)section[j];
    }
}

bool model_unpack(struct model *model, const uint8_t *section)
{
    for (int side = WHITE; side <= BLACK; side++) {
        const struct model_plan *plan = &model->plans[side];
        if (!model_has_side(model, side))
            continue;
        const size_t stride = (size_t)plan->stride;
        int8_t *weights = calloc(plan->n_weights, 1);
        if (weights == NULL)
            return false;
        model->weights[side] = weights;
        for (size_t lane = 0; lane < (size_t)plan->n_lanes; lane++) {
            unpack_lane(weights + lane, stride, section, plan->n_vectors);
            section += plan->n_vectors;
        }
        memcpy(weights + plan->n_vectors * stride, section, N_CONTEXTS);
        section += N_CONTEXTS;
    }
    return true;
}

bool model_room_init(struct model_room *room, const struct model_plan *plan, uint32_t n)
{
    const size_t n_values = (size_t)n * (size_t)plan->n_run_states;
    const size_t n_before = (size_t)n + MAX_SQUARES;
    room->values = calloc(n_values + n_before + 2 * (size_t)n, 1);
    room->drifts = malloc(((size_t)plan->n_run_states + 1) * sizeof *room->drifts);
    if (room->values == NULL || room->drifts == NULL)
        return false;
    room->signature = room->values + n_values + n_before;
    room->error = (int8_t *)(room->signature + n);
    return true;
}

void model_room_free(struct model_room *room)
{
    free(room->values);
    free(room->drifts);
}

/* --- decoding --------------------------------------------------------------------------------- */

ALWAYS_INLINE bool decide_by(struct model_coder *coder, const struct terms *terms, bool value,
                             uint32_t *chance)
{
    bool likelier;
    const uint32_t probability = coder_probability(coder, terms, &likelier);
    *chance = coder_chance(probability, likelier);
    (void)value; /* not known yet */
    return range_decode(&coder->decoder, probability) == likelier;
}

#include "table/model_code_template.h"

uint32_t model_decode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                      uint32_t last, const uint8_t *bytes, size_t n_bytes, struct model_room *room)
{
    const struct model_plan *plan = &model->plans[side];
    struct model_coder coder;
    struct coding coding = {.coder = &coder, .plan = plan, .room = room, .last = last};

    coder_init(&coder, plan, model->weights[side]);
    range_decode_start(&coder.decoder, bytes, n_bytes);
    code_block(&coding, first, n);
    return coding.n_coded;
}
