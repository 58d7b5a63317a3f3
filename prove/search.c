/* Each state has two numbers, lower bounds on the work left to prove success for the side to move and
 * for its opponent. The search descends to the most-proving state and stays below it while its numbers
 * are within the thresholds; values are stored on the way back.
 *
 * The attacker succeeds if one of his moves, or every move of the defender, leads to a proved state.
 * Tables and sides without a move decide leaves. Infinite play is not a win, so a state already on the
 * path counts as disproved below itself. Such a disproof depends on that path (graph-history
 * interaction); it records the range of plies it depends on. If only its own ply is left, the
 * defender's strategy is closed, since he can repeat it from there for ever, and the disproof holds on
 * every path. One that depends on more is reused only below the same positions. A proof derives from
 * proofs alone and never depends on the path. */
#include "prove/search.h"

#include "core/bits.h"
#include "core/moves.h"
#include "core/os.h"
#include "core/program/array.h"
#include "core/program/os_write.h"
#include "core/program/random.h"
#include "probe/handle_facts.h"

enum {
    INFINITE = 1 << 28, /* infinity: the other side succeeds */
    CHECK_EVERY = 8192, /* positions between clock checks */
    FIRST_BRANCHES = 1 << 12
};

static const struct dependence NOTHING = {NO_PLY, 0};
static const struct dependence THE_ROOT = {0, 0};

/* --- values ----------------------------------------------------------------------------------- */

static struct value value_proved(unsigned rank)
{
    return (struct value){.answer = ANSWER_PROVED,
                          .depends = NOTHING,
                          .rank = (uint16_t)(rank < UINT16_MAX ? rank : UINT16_MAX)};
}

static struct value value_disproved(struct dependence depends)
{
    return (struct value){
        .answer = depends.shallowest == NO_PLY ? ANSWER_DISPROVED : ANSWER_DISPROVED_ON_PATH,
        .depends = depends,
    };
}

static struct value value_open(uint32_t phi, uint32_t delta)
{
    return (struct value){.answer = ANSWER_OPEN,
                          .phi = phi < INFINITE ? phi : INFINITE - 1,
                          .delta = delta < INFINITE ? delta : INFINITE - 1,
                          .depends = NOTHING};
}

static struct dependence dependence_union(struct dependence a, struct dependence b)
{
    return (struct dependence){
        a.shallowest < b.shallowest ? a.shallowest : b.shallowest,
        a.deepest > b.deepest ? a.deepest : b.deepest,
    };
}

/* True if a decided value is a success of `side`. */
static bool is_success(const struct prover *prover, const struct value *value, enum side side)
{
    return (value->answer == ANSWER_PROVED) == (side == prover->attacker);
}

/* --- values without search -------------------------------------------------------------------- */

void search_no_memory(struct prover *prover)
{
    prover->status = error_set(prover->error, EINSPUL_NO_MEMORY, "no memory for a search");
}

/* The value in the tables. */
static struct value table_value(struct prover *prover, const struct state *state)
{
    value_t value = VALUE_DRAW;
    const einspul_status status =
        probe_state(prover->handle, state, EINSPUL_WDL, 0, &value, prover->error);
    if (status != EINSPUL_OK)
        prover->status = status;
    const einspul_outcome won = state->at.side == prover->attacker ? EINSPUL_WIN : EINSPUL_LOSS;
    return value_outcome(value) == won ? value_proved(0) : value_disproved(NOTHING);
}

/* Initial numbers of an unsearched state, from its mobility. */
static struct value initial_value(const struct prover *prover, const struct state *state,
                                  bool captures)
{
    const int n_moves = captures ? 1 : steps_count(prover->rules, state);
    if (n_moves > 0)
        return value_open(1, (uint32_t)n_moves);
    return state->at.side == prover->attacker ? value_disproved(NOTHING) : value_proved(0);
}

/* True if a state at a ply is on the path already, at ply `*at`. */
static bool is_on_path(const struct prover *prover, const struct state_key *goal, int ply, int *at)
{
    enum {
        SHORTEST_CYCLE = 4
    }; /* plies until a position can recur: each side moves a king there and back */
    const int since = prover->path[ply - 1].since;
    for (*at = ply - SHORTEST_CYCLE; *at >= since; *at -= 2)
        if (state_key_equal(&prover->path[*at].goal, goal))
            return true;
    return false;
}

/* True if memory has a value that holds for a state at a ply. */
static bool is_remembered(struct prover *prover, const struct state_key *goal, int ply,
                          struct value *value)
{
    const struct goal_entry *found = memory_find(&prover->memory, goal);
    if (found == NULL)
        return false;
    switch ((enum answer)found->answer) {
    case ANSWER_PROVED:
        *value = value_proved(found->rank);
        return true;
    case ANSWER_DISPROVED:
        *value = value_disproved(NOTHING);
        return true;
    case ANSWER_DISPROVED_ON_PATH:
        if (found->depends.deepest < ply &&
            prover->path[found->depends.deepest].code == found->path) {
            *value = value_disproved(found->depends);
            return true;
        }
        if (prover->held != NULL) {
            *value = value_disproved(THE_ROOT);
            return true;
        }
        break;
    case ANSWER_OPEN:
        break;
    }
    if (found->phi == 0)
        return false;
    *value = value_open(found->phi, found->delta);
    return true;
}

struct value search_peek(struct prover *prover, const struct state *state,
                         const struct state_key *goal, int ply, bool reversible)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    struct value value;
    int at = 0;
    prover->n_positions++;
    if (n_pieces <= prover->n_pieces)
        return table_value(prover, state);
    if (reversible && is_on_path(prover, goal, ply, &at))
        return value_disproved((struct dependence){(uint16_t)at, (uint16_t)at});
    if (prover->held != NULL && proof_move_of(prover->held, state) != NULL)
        return value_disproved(THE_ROOT);
    if (is_remembered(prover, goal, ply, &value))
        return value;
    const bool captures = placement_has_capture(prover->rules, &state->at);
    if (captures && n_pieces == prover->n_pieces + 1)
        return table_value(prover, state);
    return initial_value(prover, state, captures);
}

/* --- a node ----------------------------------------------------------------------------------- */

/* A node under search: its undecided moves, and a summary of the decided ones. */
struct open_node {
    enum side side;
    int ply;
    size_t first, n;           /* the open branches */
    struct dependence depends; /* union over the failed moves */
    unsigned rank;             /* highest among the failed moves */
    bool succeeds;             /* a move succeeds */
    struct value best;         /* the value of that move */
};

/* Adds the value of a decided move. Among successful moves, prefers the one with the fewest path
 * dependencies. */
static void node_settle(const struct prover *prover, struct open_node *node,
                        const struct value *value)
{
    if (!is_success(prover, value, node->side)) {
        node->depends = dependence_union(node->depends, value->depends);
        node->rank = value->rank > node->rank ? value->rank : node->rank;
    } else if (!node->succeeds || value->depends.shallowest > node->best.depends.shallowest) {
        node->succeeds = true;
        node->best = *value;
    }
}

static bool add_branch(struct prover *prover, struct open_node *node, const struct branch *branch)
{
    struct branch *branches = array_reserve(prover->branches, prover->n_branches,
                                            &prover->branch_room, FIRST_BRANCHES, sizeof *branches);
    if (branches == NULL) {
        search_no_memory(prover);
        return false;
    }
    prover->branches = branches;
    branches[prover->n_branches++] = *branch;
    node->n++;
    return true;
}

/* A hint that a state will be looked up soon. */
static void prefetch(const struct prover *prover, const struct state *state)
{
    if (bits_count(placement_occupied(&state->at)) <= prover->n_pieces)
        return;
    const struct state_key goal = goal_of(state, prover->attacker);
    memory_prefetch(&prover->memory, &goal);
}

/* Looks up all moves, until one succeeds without dependencies. */
static void node_expand(struct prover *prover, struct open_node *node, const struct state *state)
{
    const struct step_list *list = &prover->steps;
    prover->status = steps_list(prover->rules, state, &prover->steps);
    if (prover->status != EINSPUL_OK)
        moves_error(prover->status, prover->error);
    for (size_t i = 0; i < list->n; i++)
        prefetch(prover, &list->steps[i].after);
    for (size_t i = 0; i < list->n && prover->status == EINSPUL_OK; i++) {
        const struct step *step = &list->steps[i];
        struct branch branch = {.after = step->after, .reversible = step->reversible};
        branch.goal = goal_of(&step->after, prover->attacker);
        branch.value =
            search_peek(prover, &step->after, &branch.goal, node->ply + 1, step->reversible);
        if (branch.value.answer == ANSWER_OPEN) {
            if (!add_branch(prover, node, &branch))
                return;
            continue;
        }
        node_settle(prover, node, &branch.value);
        if (node->succeeds && node->best.depends.shallowest == NO_PLY)
            return;
    }
}

/* The value of a node in which a move succeeds, or all have failed. */
static struct value node_value(const struct prover *prover, const struct open_node *node)
{
    if ((node->side == prover->attacker) == node->succeeds)
        return value_proved((node->succeeds ? node->best.rank : node->rank) + 1u);
    struct dependence depends = node->succeeds ? node->best.depends : node->depends;
    if (depends.shallowest >= node->ply) /* the strategy is closed */
        depends = NOTHING;
    else if (depends.deepest >= node->ply)
        depends.deepest = (uint16_t)(node->ply - 1);
    return value_disproved(depends);
}

/* The numbers of a node from its open moves; the one to search next, and the number of the second
 * best. Where all moves must fail, uses the maximum plus one for each other open move instead of the
 * sum, because lines often transpose and a sum would count them repeatedly. */
static struct value node_numbers(const struct prover *prover, const struct open_node *node,
                                 size_t *next, uint32_t *second)
{
    uint32_t least = INFINITE;
    uint32_t most = 0;
    *second = INFINITE;
    *next = node->first;
    for (size_t i = node->first; i < node->first + node->n; i++) {
        const struct value *value = &prover->branches[i].value;
        most = value->phi > most ? value->phi : most;
        if (value->delta < least) {
            *second = least;
            least = value->delta;
            *next = i;
        } else if (value->delta < *second) {
            *second = value->delta;
        }
    }
    return value_open(least, most + (uint32_t)node->n - 1);
}

/* --- the search ------------------------------------------------------------------------------- */

void search_report(struct prover *prover)
{
    const struct prove_limits *limits = &prover->limits;
    const double seconds = (double)(os_now_ns() - prover->start_ns) / 1e9;
    const double max_seconds = prover->proving ? limits->proof_seconds : limits->seconds;
    prover->check_at = prover->n_positions + CHECK_EVERY;
    if (!prover->proving) {
        prover->partial->n_positions = prover->n_positions;
        prover->partial->seconds = seconds;
    }
    if ((max_seconds > 0 && seconds >= max_seconds) ||
        (!prover->proving && limits->n_positions > 0 &&
         prover->n_positions >= limits->n_positions) ||
        (limits->progress != NULL &&
         !limits->progress(prover->partial, prover->proving, limits->context)))
        prover->stopped = true;
}

/* True if the search must return to the root. */
static bool should_return(struct prover *prover)
{
    if (prover->n_positions >= prover->check_at)
        search_report(prover);
    return search_is_over(prover) || prover->n_positions >= prover->pause_at;
}

static uint8_t work_of(uint64_t n_positions)
{
    return (uint8_t)(1 + bits_last(n_positions | 1));
}

/* Stores a value. A final answer stays; the rank of a proof may decrease. */
static void remember(struct prover *prover, const struct state_key *goal, const struct value *value,
                     uint64_t n_positions)
{
    struct goal_entry *found = memory_enter(&prover->memory, goal);
    const uint8_t work = work_of(n_positions);
    const bool final = found->answer == ANSWER_PROVED || found->answer == ANSWER_DISPROVED;
    found->work = work > found->work ? work : found->work;
    if (final) {
        if (value->answer == ANSWER_PROVED && value->rank < found->rank)
            found->rank = value->rank;
        return;
    }
    found->answer = (uint8_t)value->answer;
    if (value->answer == ANSWER_OPEN) {
        found->phi = value->phi;
        found->delta = value->delta;
        return;
    }
    found->rank = value->rank;
    found->depends = value->depends;
    if (value->answer == ANSWER_DISPROVED_ON_PATH)
        found->path = prover->path[value->depends.deepest].code;
}

static struct value search_below(struct prover *prover, const struct branch *from, int ply,
                                 uint32_t max_phi, uint32_t max_delta);

/* Searches the moves of a node until it is decided, or one of its numbers reaches its threshold. */
static struct value search_node(struct prover *prover, struct open_node *node, uint32_t max_phi,
                                uint32_t max_delta)
{
    for (;;) {
        size_t next = 0;
        uint32_t second = 0;
        if (node->succeeds || node->n == 0)
            return node_value(prover, node);
        const struct value numbers = node_numbers(prover, node, &next, &second);
        if (numbers.phi >= max_phi || numbers.delta >= max_delta || should_return(prover))
            return numbers;
        const uint32_t enough = second + second / 4 + 1;
        const struct branch branch = prover->branches[next];
        const struct value value =
            search_below(prover, &branch, node->ply + 1, max_delta - (uint32_t)(node->n - 1),
                         enough < max_phi ? enough : max_phi);
        if (prover->status != EINSPUL_OK)
            return numbers;
        if (value.answer == ANSWER_OPEN) {
            prover->branches[next].value = value;
            continue;
        }
        node_settle(prover, node, &value);
        prover->branches[next] = prover->branches[node->first + --node->n];
        prover->n_branches--;
    }
}

/* Searches the state after a move, as element `ply` of the path. */
static struct value search_below(struct prover *prover, const struct branch *from, int ply,
                                 uint32_t max_phi, uint32_t max_delta)
{
    const struct path_node *before = &prover->path[ply - 1];
    const uint64_t start = prover->n_positions;
    struct open_node node = {
        .side = from->after.at.side,
        .ply = ply,
        .first = prover->n_branches,
        .depends = NOTHING,
    };
    struct value value;
    if (is_remembered(prover, &from->goal, ply, &value) && value.answer != ANSWER_OPEN)
        return value;
    if (ply == MAX_PLIES)
        return value_open(INFINITE, INFINITE);
    prover->path[ply] = (struct path_node){
        .goal = from->goal,
        .code = random_mix(before->code ^ goal_hash(&from->goal)),
        .since = from->reversible ? before->since : ply,
    };
    node_expand(prover, &node, &from->after);
    value = value_open(1, 1);
    if (prover->status == EINSPUL_OK)
        value = search_node(prover, &node, max_phi, max_delta);
    prover->n_branches = node.first;
    if (prover->status == EINSPUL_OK)
        remember(prover, &from->goal, &value, prover->n_positions - start);
    return value;
}

void search_limit(struct prover *prover, const struct prove_limits *limits,
                  struct prove_result *partial, einspul_error *error)
{
    prover->limits = *limits;
    prover->partial = partial;
    prover->proving = false;
    prover->start_ns = os_now_ns();
    prover->n_positions = 0;
    prover->check_at = 0;
    prover->stopped = false;
    prover->status = EINSPUL_OK;
    prover->error = error;
}

void search_remember(struct prover *prover, const struct state_key *goal, enum answer answer,
                     unsigned rank)
{
    const struct value value =
        answer == ANSWER_PROVED ? value_proved(rank) : value_disproved(NOTHING);
    remember(prover, goal, &value, 1);
}

void search_begin(struct prover *prover, enum side attacker, const struct proof *held)
{
    prover->attacker = attacker;
    prover->held = held;
    prover->path[0] = (struct path_node){.code = random_mix(++prover->n_roots), .since = 1};
    prover->n_branches = 0;
}

struct value search_root(struct prover *prover, const struct state *state)
{
    struct branch root = {.after = *state};
    root.goal = goal_of(state, prover->attacker);
    root.value = search_peek(prover, state, &root.goal, 1, false);
    if (root.value.answer != ANSWER_OPEN || search_is_over(prover))
        return root.value;
    return search_below(prover, &root, 1, INFINITE - 1, INFINITE - 1);
}
