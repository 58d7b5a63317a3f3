/* Reading models: unpacking the model section, and decoding blocks. The order of decisions is that
 * of docs/format.md; encoder and decoder share it in model_code_template.h. */
#include "table/model.h"

#include "table/bytes.h"
#include "table/model_coder.h"
#include "table/table_format.h"

#include <stdlib.h>

static int own_run(const struct model_plan *plan, int state)
{
    return shape_run(plan->walk.shape, plan->walk.side, state);
}

static int other_run(const struct model_plan *plan, int state)
{
    return shape_run(plan->walk.shape, side_other(plan->walk.side), state);
}

static uint8_t state_of(const struct model_plan *plan, int own, int other)
{
    const bool white = plan->walk.side == WHITE;
    return (uint8_t)shape_rule_state(plan->walk.shape, white ? own : other, white ? other : own);
}

/* True if a run leaves its side at least the moves another run leaves. */
static bool is_freer(int a, int b)
{
    return a == 0 || (run_king(a) == run_king(b) && a <= b);
}

/* True if rule state a cannot be worse than b for the side to move. */
static bool is_no_worse(const struct model_plan *plan, int a, int b)
{
    return is_freer(own_run(plan, a), own_run(plan, b)) &&
           is_freer(other_run(plan, b), other_run(plan, a));
}

/* Lists the closest of the rule states already coded whose values bound that of `state` from above,
 * or from below. */
static uint8_t list_bounds(const struct model_plan *plan, int state, bool above,
                           uint8_t bounds[MAX_BOUNDS])
{
    int known[MAX_RULE_STATES] = {0};
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

/* If own runs of 3 are omitted, own runs of 2 and 1 use the lanes of 3 and 2. */
static int lane_of(int own, int other, int longest)
{
    static const int8_t lanes[MAX_RUN_COUNT + 1][MAX_RUN_COUNT + 1] = {
        {NO_LANE, NO_LANE, LANE_OTHER_2, LANE_OTHER_3},
        {NO_LANE, NO_LANE, NO_LANE, NO_LANE},
        {LANE_OWN_2, NO_LANE, NO_LANE, LANE_BOTH_23},
        {LANE_OWN_3, NO_LANE, LANE_BOTH_32, LANE_BOTH_33},
    };
    const int count = own == 0 ? 0 : run_count(own) + MAX_RUN_COUNT - longest;
    const int lane = lanes[count][run_count(other)];
    const int king = run_king(own > 0 ? own : other);
    return lane == LANE_OWN_3 || lane == LANE_OTHER_3 ? lane + (king < 3 ? king : 2) : lane;
}

static void add_step(struct model_plan *plan, int state, int longest)
{
    const int own = own_run(plan, state);
    const int other = other_run(plan, state);
    const bool both = own > 0 && other > 0;
    struct model_step *step = &plan->steps[plan->n_steps];

    step->state = (uint8_t)state;
    step->kind = (uint8_t)(4 * run_count(own) + run_count(other));
    step->lane = (int8_t)lane_of(own, other, longest);
    step->n_below = list_bounds(plan, state, false, step->below);
    step->n_above = list_bounds(plan, state, true, step->above);
    step->high_reference = both ? state_of(plan, 0, other) : step->n_above > 0 ? step->above[0] : 0;
    step->low_reference = both ? state_of(plan, own, 0) : step->n_below > 0 ? step->below[0] : 0;
    plan->n_steps++;
}

/* The order of coding: first the states with the longest own run and no other run, then those with
 * no own run and the longest other run, then the rest. */
static int phase_of(const struct model_plan *plan, int state, int longest)
{
    const int own = own_run(plan, state);
    const int other = other_run(plan, state);
    return run_count(own) == longest && other == 0         ? 0
           : own == 0 && run_count(other) == MAX_RUN_COUNT ? 1
                                                           : 2;
}

static void list_steps(struct model_plan *plan, int longest)
{
    for (int phase = 0; phase < 3; phase++) {
        for (int state = 1; state < plan->n_rule_states; state++) {
            if (phase_of(plan, state, longest) != phase)
                continue;
            if (run_count(own_run(plan, state)) <= longest)
                add_step(plan, state, longest);
            else
                plan->omitted[plan->n_omitted++] = (uint8_t)state;
        }
        if (phase == 1)
            plan->n_first_steps = plan->n_steps;
    }
}

/* Tabulates, for each square of the innermost piece, how many indices back its neighbours (enum
 * neighbour) lie. */
static void list_neighbours(struct model_plan *plan)
{
    const struct board *board = &plan->walk.rules->board;
    const int width = board->n_squares / board->n_rows;
    const int lowest = plan->walk.groups[plan->walk.n_groups - 1].offset;
    for (int square = lowest; square < board->n_squares; square++) {
        const int west = board->next[NORTH_WEST][square];
        const int east = board->next[NORTH_EAST][square];
        const int to[N_NEIGHBOURS] = {
            [NEIGHBOUR_NORTH_WEST] = west,
            [NEIGHBOUR_NORTH_EAST] = east,
            [NEIGHBOUR_NORTH] = square - 2 * width,
            [NEIGHBOUR_WEST] = square % width > 0 ? square - 1 : NO_SQUARE,
            [NEIGHBOUR_TWICE_NORTH_WEST] = west < 0 ? NO_SQUARE : board->next[NORTH_WEST][west],
            [NEIGHBOUR_TWICE_NORTH_EAST] = east < 0 ? NO_SQUARE : board->next[NORTH_EAST][east],
        };
        for (int i = 0; i < N_NEIGHBOURS; i++)
            plan->neighbour[square][i] = (uint8_t)(to[i] < lowest ? 0 : square - to[i]);
    }
}

static void plan_init(struct model_plan *plan, const struct model *model, enum side side,
                      bool distances)
{
    const struct shape *shape = &model->shape;

    memset(plan, 0, sizeof *plan);
    walk_plan_init(&plan->walk, &model->rules, shape, side);
    list_neighbours(plan);
    const int n_slots = plan->walk.n_slots;
    const bool runs = shape->n_rule_states > 1;
    plan->distances = distances;
    plan->n_rule_states = shape->n_rule_states;
    plan->first_run_lane = distances ? (int)DISTANCE_LANES : (int)OUTCOME_LANES;
    plan->n_lanes = plan->first_run_lane + (!runs       ? 0
                                            : distances ? (int)RUN_DISTANCE_LANES
                                                        : (int)RUN_OUTCOME_LANES);
    plan->stride = distances ? runs ? (int)STRIDE_RUN_DISTANCES : (int)STRIDE_DISTANCES
                   : runs    ? (int)STRIDE_RUN_OUTCOMES
                             : (int)STRIDE_OUTCOMES;
    list_steps(plan, model->omitted.runs ? MAX_RUN_COUNT - 1 : MAX_RUN_COUNT);
    plan->bias_vector = (size_t)(n_slots * (n_slots - 1) / 2) * MAX_SQUARES * MAX_SQUARES;
    plan->distance_vectors = plan->bias_vector + 1;
    plan->n_vectors = plan->distance_vectors + (distances ? 2 * N_DISTANCE_VECTORS : 0);
    plan->n_weights = plan->n_vectors * (size_t)plan->stride + N_CONTEXTS;
}

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
                bool distances, const struct omitted *omitted)
{
    memset(model, 0, sizeof *model);
    model->rules = *rules;
    model->shape = *shape;
    model->omitted = *omitted;
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
            for (size_t i = 0; i < plan->n_vectors; i++, section++)
                if (*section != 0) /* most are 0: calloc pages stay uncommitted */
                    weights[i * stride + lane] = (int8_t)*section;
        }
        memcpy(weights + plan->n_vectors * stride, section, N_CONTEXTS);
        section += N_CONTEXTS;
    }
    return true;
}

bool model_scratch_init(struct model_scratch *scratch, const struct model_plan *plan, uint32_t n)
{
    const size_t n_values = (size_t)n * (size_t)plan->n_rule_states;
    scratch->values = calloc(n_values + MAX_SQUARES + n, 1);
    scratch->drifts = malloc(((size_t)plan->n_rule_states + 1) * sizeof *scratch->drifts);
    if (scratch->values == NULL || scratch->drifts == NULL)
        return false;
    scratch->outcomes = scratch->values + n_values + MAX_SQUARES;
    return true;
}

void model_scratch_free(struct model_scratch *scratch)
{
    free(scratch->values);
    free(scratch->drifts);
}

ALWAYS_INLINE bool decide_by(struct model_coder *coder, int context, int lane, int drift,
                             bool value, uint32_t *chance)
{
    bool likelier;
    const uint32_t probability = coder_probability(coder, context, lane, drift, &likelier);
    *chance = likelier ? probability : 65536 - probability;
    (void)value; /* not known yet */
    return range_decode(&coder->decoder, probability) == likelier;
}

#include "table/model_code_template.h"

uint32_t model_decode(const struct model *model, enum side side, uint64_t first, uint32_t n,
                      uint32_t last, const uint8_t *bytes, size_t n_bytes,
                      struct model_scratch *scratch)
{
    const struct model_plan *plan = &model->plans[side];
    struct model_coder coder;
    struct block_coding coding = {.coder = &coder, .plan = plan, .scratch = scratch, .last = last};

    coder_init(&coder, plan, model->weights[side]);
    range_decode_start(&coder.decoder, bytes, n_bytes);
    code_block(&coding, first, n);
    return coding.n_coded;
}
