/* Proof-number search (df-pn) for one question: can the attacker force a win from a state?
 *
 * A state has two numbers, how much is missing at least to a success of the side to move and to one
 * of its opponent. The search goes to the state that is cheapest to settle, and stays below it while
 * its numbers keep within bounds that make it so; what it leaves is remembered.
 *
 * The success of the attacker is a yes: he has a move to a yes, or all moves of the defender lead to
 * one. Tables and sides without a move say yes and no at once. A play without end is no win, so a
 * state that stands on the path already counts as no for what is searched below it, and that no
 * holds only as long as it does: a no carries the plies of the path that it assumes. Where only its
 * own ply is left, the defender's strategy is closed: he plays it again from there on, for ever, and
 * the no holds on every path. A no that assumes more is used again only below the same positions.
 * A yes assumes nothing of the path, because it comes from yeses only. */
#include "study/solve_search.h"

#include "core/bits.h"
#include "core/moves.h"
#include "core/os.h"
#include "core/program/array.h"
#include "core/program/os_write.h"
#include "core/program/random.h"
#include "probe/handle_facts.h"

enum {
    NEVER_SOON = 1 << 28, /* a number that says: decided the other way */
    LOOK_EVERY = 8192,    /* positions between looks at the clock */
    FIRST_BRANCHES = 1 << 12
};

static const struct assumption NOTHING = {NO_PLY, 0};
static const struct assumption THE_CONTEXT = {0, 0};

/* --- values ----------------------------------------------------------------------------------- */

static struct value value_yes(unsigned rank)
{
    return (struct value){.answer = ANSWER_YES,
                          .assumes = NOTHING,
                          .rank = (uint16_t)(rank < UINT16_MAX ? rank : UINT16_MAX)};
}

static struct value value_no(struct assumption assumes)
{
    return (struct value){
        .answer = assumes.shallowest == NO_PLY ? ANSWER_NO : ANSWER_NO_ON_PATH,
        .assumes = assumes,
    };
}

static struct value value_open(uint32_t toward, uint32_t against)
{
    return (struct value){.answer = ANSWER_OPEN,
                          .toward = toward < NEVER_SOON ? toward : NEVER_SOON - 1,
                          .against = against < NEVER_SOON ? against : NEVER_SOON - 1,
                          .assumes = NOTHING};
}

static struct assumption both(struct assumption a, struct assumption b)
{
    return (struct assumption){
        a.shallowest < b.shallowest ? a.shallowest : b.shallowest,
        a.deepest > b.deepest ? a.deepest : b.deepest,
    };
}

/* Whether a decided value is a success of a side. */
static bool is_success(const struct prover *prover, const struct value *value, enum side side)
{
    return (value->answer == ANSWER_YES) == (side == prover->attacker);
}

/* --- what a state is without search ----------------------------------------------------------- */

void search_no_memory(struct prover *prover)
{
    prover->status = error_set(prover->error, EINSPUL_NO_MEMORY, "no memory for a search");
}

static struct value value_of_table(struct prover *prover, const struct state *state)
{
    value_t value = VALUE_DRAW;
    const einspul_status status =
        probe_state(prover->handle, state, EINSPUL_WDL, 0, &value, prover->error);
    if (status != EINSPUL_OK)
        prover->status = status;
    const einspul_outcome won = state->at.side == prover->attacker ? EINSPUL_WIN : EINSPUL_LOSS;
    return value_outcome(value) == won ? value_yes(0) : value_no(NOTHING);
}

/* A state that has not been searched: numbers by its mobility. */
static struct value value_of_new(const struct prover *prover, const struct state *state,
                                 bool captures)
{
    const int n_moves = captures ? 1 : steps_count(prover->rules, state);
    if (n_moves > 0)
        return value_open(1, (uint32_t)n_moves);
    return state->at.side == prover->attacker ? value_no(NOTHING) : value_yes(0);
}

/* Whether a state at a ply stands on the path; `*at` is where. */
static bool is_on_path(const struct prover *prover, const struct state_key *question, int ply,
                       int *at)
{
    enum { SHORTEST_CIRCLE = 4 }; /* plies: both sides go and come back */
    const int since = prover->path[ply - 1].since;
    for (*at = ply - SHORTEST_CIRCLE; *at >= since; *at -= 2)
        if (state_key_equal(&prover->path[*at].question, question))
            return true;
    return false;
}

/* What is remembered of a state at a ply. */
static bool is_remembered(struct prover *prover, const struct state_key *question, int ply,
                          struct value *value)
{
    const struct known *found = memory_find(&prover->memory, question);
    if (found == NULL)
        return false;
    switch ((enum answer)found->answer) {
    case ANSWER_YES:
        *value = value_yes(found->rank);
        return true;
    case ANSWER_NO:
        *value = value_no(NOTHING);
        return true;
    case ANSWER_NO_ON_PATH:
        if (found->assumes.deepest < ply &&
            prover->path[found->assumes.deepest].code == found->path) {
            *value = value_no(found->assumes);
            return true;
        }
        if (prover->held != NULL) {
            *value = value_no(THE_CONTEXT);
            return true;
        }
        break;
    case ANSWER_OPEN:
        break;
    }
    if (found->toward == 0)
        return false;
    *value = value_open(found->toward, found->against);
    return true;
}

struct value search_look(struct prover *prover, const struct state *state,
                         const struct state_key *question, int ply, bool reversible)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    struct value value;
    int at = 0;
    prover->n_positions++;
    if (n_pieces <= prover->n_pieces)
        return value_of_table(prover, state);
    if (reversible && is_on_path(prover, question, ply, &at))
        return value_no((struct assumption){(uint16_t)at, (uint16_t)at});
    if (prover->held != NULL && proof_move_of(prover->held, state) != NULL)
        return value_no(THE_CONTEXT);
    if (is_remembered(prover, question, ply, &value))
        return value;
    const bool captures = placement_has_capture(prover->rules, &state->at);
    if (captures && n_pieces == prover->n_pieces + 1)
        return value_of_table(prover, state);
    return value_of_new(prover, state, captures);
}

/* --- a node ----------------------------------------------------------------------------------- */

/* A state that is being searched: its moves that are open, and what the others were. */
struct branching {
    enum side side;
    int ply;
    size_t first, n;           /* of the open branches */
    struct assumption assumes; /* of the moves that failed */
    unsigned rank;             /* the highest of them */
    bool succeeds;             /* a move does */
    struct value best;         /* that move */
};

/* Takes the value of a decided move into account. Of several that succeed, the one that assumes
 * least is the best. */
static void node_settle(const struct prover *prover, struct branching *node,
                        const struct value *value)
{
    if (!is_success(prover, value, node->side)) {
        node->assumes = both(node->assumes, value->assumes);
        node->rank = value->rank > node->rank ? value->rank : node->rank;
    } else if (!node->succeeds || value->assumes.shallowest > node->best.assumes.shallowest) {
        node->succeeds = true;
        node->best = *value;
    }
}

static bool add_branch(struct prover *prover, struct branching *node, const struct branch *branch)
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

/* A state will be looked up soon. */
static void expect(const struct prover *prover, const struct state *state)
{
    if (bits_count(placement_occupied(&state->at)) <= prover->n_pieces)
        return;
    const struct state_key question = question_of(state, prover->attacker);
    memory_expect(&prover->memory, &question);
}

/* Looks at all moves, until one succeeds without assuming anything. */
static void node_expand(struct prover *prover, struct branching *node, const struct state *state)
{
    const struct step_list *list = &prover->steps;
    prover->status = steps_list(prover->rules, state, &prover->steps);
    if (prover->status != EINSPUL_OK)
        moves_error(prover->status, prover->error);
    for (size_t i = 0; i < list->n; i++)
        expect(prover, &list->steps[i].after);
    for (size_t i = 0; i < list->n && prover->status == EINSPUL_OK; i++) {
        const struct step *step = &list->steps[i];
        struct branch branch = {.after = step->after, .reversible = step->reversible};
        branch.question = question_of(&step->after, prover->attacker);
        branch.value =
            search_look(prover, &step->after, &branch.question, node->ply + 1, step->reversible);
        if (branch.value.answer == ANSWER_OPEN) {
            if (!add_branch(prover, node, &branch))
                return;
            continue;
        }
        node_settle(prover, node, &branch.value);
        if (node->succeeds && node->best.assumes.shallowest == NO_PLY)
            return;
    }
}

/* The value of a node of which a move succeeds, or all have failed. */
static struct value node_value(const struct prover *prover, const struct branching *node)
{
    if ((node->side == prover->attacker) == node->succeeds)
        return value_yes((node->succeeds ? node->best.rank : node->rank) + 1u);
    struct assumption assumes = node->succeeds ? node->best.assumes : node->assumes;
    if (assumes.shallowest >= node->ply) /* the strategy is closed */
        assumes = NOTHING;
    else if (assumes.deepest >= node->ply)
        assumes.deepest = (uint16_t)(node->ply - 1);
    return value_no(assumes);
}

/* The numbers of a node from its open moves; the one to search next, and the number of the second
 * best. Of the moves that must all fail only the hardest counts in full: many lead to the same
 * states, and a sum would count these often. */
static struct value node_numbers(const struct prover *prover, const struct branching *node,
                                 size_t *next, uint32_t *second)
{
    uint32_t least = NEVER_SOON;
    uint32_t most = 0;
    *second = NEVER_SOON;
    *next = node->first;
    for (size_t i = node->first; i < node->first + node->n; i++) {
        const struct value *value = &prover->branches[i].value;
        most = value->toward > most ? value->toward : most;
        if (value->against < least) {
            *second = least;
            least = value->against;
            *next = i;
        } else if (value->against < *second) {
            *second = value->against;
        }
    }
    return value_open(least, most + (uint32_t)node->n - 1);
}

/* --- the search ------------------------------------------------------------------------------- */

void search_tell(struct prover *prover)
{
    const struct solve_limits *limits = &prover->limits;
    const double seconds = (double)(os_now_ns() - prover->begun_ns) / 1e9;
    const double most_seconds = prover->proving ? limits->proof_seconds : limits->seconds;
    prover->look_at = prover->n_positions + LOOK_EVERY;
    if (!prover->proving) {
        prover->so_far->n_positions = prover->n_positions;
        prover->so_far->seconds = seconds;
    }
    if ((most_seconds > 0 && seconds >= most_seconds) ||
        (!prover->proving && limits->n_positions > 0 &&
         prover->n_positions >= limits->n_positions) ||
        (limits->tell != NULL && !limits->tell(prover->so_far, prover->proving, limits->context)))
        prover->stopped = true;
}

/* Whether to go back to the first state. */
static bool is_to_return(struct prover *prover)
{
    if (prover->n_positions >= prover->look_at)
        search_tell(prover);
    return search_is_over(prover) || prover->n_positions >= prover->pause_at;
}

static uint8_t work_of(uint64_t n_positions)
{
    return (uint8_t)(1 + bits_last(n_positions | 1));
}

/* Remembers a value. What is decided for good stays; a yes may have a lower rank than before. */
static void remember(struct prover *prover, const struct state_key *question,
                     const struct value *value, uint64_t n_positions)
{
    struct known *found = memory_enter(&prover->memory, question);
    const uint8_t work = work_of(n_positions);
    const bool final = found->answer == ANSWER_YES || found->answer == ANSWER_NO;
    found->work = work > found->work ? work : found->work;
    if (final) {
        if (value->answer == ANSWER_YES && value->rank < found->rank)
            found->rank = value->rank;
        return;
    }
    found->answer = (uint8_t)value->answer;
    if (value->answer == ANSWER_OPEN) {
        found->toward = value->toward;
        found->against = value->against;
        return;
    }
    found->rank = value->rank;
    found->assumes = value->assumes;
    if (value->answer == ANSWER_NO_ON_PATH)
        found->path = prover->path[value->assumes.deepest].code;
}

static struct value search_below(struct prover *prover, const struct branch *from, int ply,
                                 uint32_t most_toward, uint32_t most_against);

/* Searches the moves of a node until it is decided, or one of its numbers reaches its bound. */
static struct value search_node(struct prover *prover, struct branching *node, uint32_t most_toward,
                                uint32_t most_against)
{
    for (;;) {
        size_t next = 0;
        uint32_t second = 0;
        if (node->succeeds || node->n == 0)
            return node_value(prover, node);
        const struct value numbers = node_numbers(prover, node, &next, &second);
        if (numbers.toward >= most_toward || numbers.against >= most_against ||
            is_to_return(prover))
            return numbers;
        const uint32_t enough = second + second / 4 + 1;
        const struct branch branch = prover->branches[next];
        const struct value value =
            search_below(prover, &branch, node->ply + 1, most_against - (uint32_t)(node->n - 1),
                         enough < most_toward ? enough : most_toward);
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

/* Searches the state after a move, which stands at a ply of the path from then on. */
static struct value search_below(struct prover *prover, const struct branch *from, int ply,
                                 uint32_t most_toward, uint32_t most_against)
{
    const struct path_place *before = &prover->path[ply - 1];
    const uint64_t begun = prover->n_positions;
    struct branching node = {
        .side = from->after.at.side,
        .ply = ply,
        .first = prover->n_branches,
        .assumes = NOTHING,
    };
    struct value value;
    if (is_remembered(prover, &from->question, ply, &value) && value.answer != ANSWER_OPEN)
        return value;
    if (ply == MOST_PLIES)
        return value_open(NEVER_SOON, NEVER_SOON);
    prover->path[ply] = (struct path_place){
        .question = from->question,
        .code = random_mix(before->code ^ question_hash(&from->question)),
        .since = from->reversible ? before->since : ply,
    };
    node_expand(prover, &node, &from->after);
    value = value_open(1, 1);
    if (prover->status == EINSPUL_OK)
        value = search_node(prover, &node, most_toward, most_against);
    prover->n_branches = node.first;
    if (prover->status == EINSPUL_OK)
        remember(prover, &from->question, &value, prover->n_positions - begun);
    return value;
}

void search_limit(struct prover *prover, const struct solve_limits *limits,
                  struct solved_position *so_far, einspul_error *error)
{
    prover->limits = *limits;
    prover->so_far = so_far;
    prover->proving = false;
    prover->begun_ns = os_now_ns();
    prover->n_positions = 0;
    prover->look_at = 0;
    prover->stopped = false;
    prover->status = EINSPUL_OK;
    prover->error = error;
}

void search_remember(struct prover *prover, const struct state_key *question, enum answer answer,
                     unsigned rank)
{
    const struct value value = answer == ANSWER_YES ? value_yes(rank) : value_no(NOTHING);
    remember(prover, question, &value, 1);
}

void search_begin(struct prover *prover, enum side attacker, const struct proof *held)
{
    prover->attacker = attacker;
    prover->held = held;
    prover->path[0] = (struct path_place){.code = random_mix(++prover->n_contexts), .since = 1};
    prover->n_branches = 0;
}

struct value search_root(struct prover *prover, const struct state *state)
{
    struct branch root = {.after = *state};
    root.question = question_of(state, prover->attacker);
    root.value = search_look(prover, state, &root.question, 1, false);
    if (root.value.answer != ANSWER_OPEN || search_is_over(prover))
        return root.value;
    return search_below(prover, &root, 1, NEVER_SOON - 1, NEVER_SOON - 1);
}
