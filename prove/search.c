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
#include "probe/program_handle.h"

enum {
    INFINITE = 1 << 28, /* infinity: the other side succeeds */
    CHECK_EVERY = 8192, /* positions between clock checks */
    PER_MOVE = 2,       /* what each further open move adds to a number */
    SLACK = 8,          /* a move is left when it exceeds the second best by this part of it */
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
static bool is_success(const struct searcher *searcher, const struct value *value, enum side side)
{
    return (value->answer == ANSWER_PROVED) == (side == searcher->attacker);
}

/* --- values without search -------------------------------------------------------------------- */

static void search_fail(struct prover *prover, einspul_status status, const einspul_error *error)
{
#pragma omp critical(einspul_search_fail)
    if (!atomic_load(&prover->has_failed)) {
        prover->status = error_set(prover->error, status, "%s", error->text);
        atomic_store(&prover->has_failed, true);
    }
}

void search_no_memory(struct prover *prover)
{
    einspul_error error;
    search_fail(prover, error_set(&error, EINSPUL_NO_MEMORY, "not enough memory for the search"),
                &error);
}

/* The value in the tables. */
static struct value table_value(struct searcher *searcher, const struct state *state)
{
    value_t value = VALUE_DRAW;
    einspul_error error;
    const einspul_status status =
        probe_state(searcher->prover->handle, state, EINSPUL_WDL, 0, &value, &error);
    if (status != EINSPUL_OK)
        search_fail(searcher->prover, status, &error);
    const einspul_outcome won = state->at.side == searcher->attacker ? EINSPUL_WIN : EINSPUL_LOSS;
    return value_outcome(value) == won ? value_proved(0) : value_disproved(NOTHING);
}

/* Initial numbers of an unsearched state. A forced reply costs least. Otherwise all moves must be
 * refuted, and one that lets the opponent capture takes less work than a safe one; a side without a
 * safe move is less likely to succeed. Of the weights that were tried, these decided most. */
static struct value initial_value(const struct searcher *searcher, const struct state *state)
{
    enum { SAFE_MOVE = 4, UNSAFE_MOVE = 1, WITH_SAFE_MOVE = 2, WITHOUT_SAFE_MOVE = 4 };
    const struct rules *rules = searcher->prover->rules;
    if (placement_has_capture(rules, &state->at))
        return value_open(1, 1);
    const struct step_counts counts = steps_count(rules, state);
    const int n_unsafe = counts.n - counts.n_safe;
    if (counts.n > 0)
        return value_open(counts.n_safe > 0 ? WITH_SAFE_MOVE : WITHOUT_SAFE_MOVE,
                          (uint32_t)(SAFE_MOVE * counts.n_safe + UNSAFE_MOVE * n_unsafe));
    return state->at.side == searcher->attacker ? value_disproved(NOTHING) : value_proved(0);
}

/* Plies until a position can recur: each side moves a king there and back. */
enum { SHORTEST_CYCLE = 4 };

/* True if a state at a ply is on the path already, at ply `*at`. */
static bool is_on_path(const struct searcher *searcher, const struct state_key *goal, int ply,
                       int *at)
{
    const int since = searcher->path[ply - 1].since;
    for (*at = ply - SHORTEST_CYCLE; *at >= since; *at -= 2)
        if (state_key_equal(&searcher->path[*at].goal, goal))
            return true;
    return false;
}

/* True if memory has a value that holds for a state at a ply. */
static bool is_remembered(const struct searcher *searcher, const struct state_key *goal, int ply,
                          struct value *value)
{
    if (!memory_find(&searcher->prover->memory, goal, value))
        return false;
    if (value->answer == ANSWER_DISPROVED_ON_PATH) {
        const struct dependence depends = value->depends;
        if (depends.deepest < ply &&
            memory_path(searcher->path[depends.deepest].code) == value->path)
            return true;
        if (value->phi == 0)
            return false;
        *value = value_open(value->phi, value->delta);
    }
    return true;
}

bool search_is_leaf(const struct prover *prover, const struct state *state)
{
    const int n_pieces = bits_count(placement_occupied(&state->at));
    return n_pieces <= prover->n_pieces ||
           (n_pieces == prover->n_pieces + 1 && placement_has_capture(prover->rules, &state->at));
}

/* True if a state beyond the tables has a value before it is searched. */
static bool is_known(const struct searcher *searcher, const struct state *state,
                     const struct state_key *goal, int ply, bool reversible, struct value *value)
{
    int at = 0;
    if (reversible && is_on_path(searcher, goal, ply, &at))
        *value = value_disproved((struct dependence){(uint16_t)at, (uint16_t)at});
    else if (searcher->held != NULL && proof_move_of(searcher->held, state) != NULL)
        *value = value_disproved(THE_ROOT);
    else
        return is_remembered(searcher, goal, ply, value);
    return true;
}

struct value search_peek(struct searcher *searcher, const struct state *state,
                         const struct state_key *goal, int ply, bool reversible)
{
    struct value value;
    searcher->n_positions++;
    if (search_is_leaf(searcher->prover, state))
        return table_value(searcher, state);
    return is_known(searcher, state, goal, ply, reversible, &value)
               ? value
               : initial_value(searcher, state);
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
    struct state after_best;
};

/* Adds the value of a decided move that leads to `after`; true if that decides the node on every path.
 * Among successful moves, prefers the one with the fewest path dependencies. */
static bool node_settle(const struct searcher *searcher, struct open_node *node,
                        const struct value *value, const struct state *after)
{
    if (!is_success(searcher, value, node->side)) {
        node->depends = dependence_union(node->depends, value->depends);
        node->rank = value->rank > node->rank ? value->rank : node->rank;
    } else if (!node->succeeds || value->depends.shallowest > node->best.depends.shallowest) {
        node->succeeds = true;
        node->best = *value;
        node->after_best = *after;
    }
    return node->succeeds && node->best.depends.shallowest == NO_PLY;
}

/* Removes an open branch. */
static void remove_branch(struct searcher *searcher, struct open_node *node, size_t branch)
{
    searcher->branches[branch] = searcher->branches[node->first + --node->n];
    searcher->n_branches--;
}

/* Counts the searchers below a goal, approximately: goals may share a counter. */
static _Atomic uint8_t *busy_counter(const struct searcher *searcher, const struct state_key *goal)
{
    return &searcher->prover->busy[goal_hash(goal) % BUSY_COUNTERS];
}

/* Adds an open branch without its value, and begins to fetch its entry. */
static bool add_branch(struct searcher *searcher, struct open_node *node, const struct step *step)
{
    struct branch *branches =
        array_reserve(searcher->branches, searcher->n_branches, &searcher->branch_capacity,
                      FIRST_BRANCHES, sizeof *branches);
    if (branches == NULL) {
        search_no_memory(searcher->prover);
        return false;
    }
    struct branch *branch = &branches[searcher->n_branches++];
    searcher->branches = branches;
    branch->after = step->after;
    branch->reversible = step->reversible;
    branch->shared = false;
    branch->count =
        &searcher->counts[node->side == searcher->attacker][node->side][step->from][step->to];
    branch->goal = goal_of(&step->after, searcher->attacker);
    branch->busy = busy_counter(searcher, &branch->goal);
    memory_prefetch(&searcher->prover->memory, &branch->goal);
    node->n++;
    return true;
}

/* Looks up all moves, until one succeeds without dependencies: first those the tables answer, while
 * memory fetches the entries of the others. */
static void node_expand(struct searcher *searcher, struct open_node *node,
                        const struct state *state)
{
    struct prover *prover = searcher->prover;
    const struct step_list *list = &searcher->steps;
    const einspul_status status = steps_list(prover->rules, state, &searcher->steps);
    if (status != EINSPUL_OK) {
        einspul_error error;
        moves_error(status, &error);
        search_fail(prover, status, &error);
        return;
    }
    searcher->n_positions += list->n;
    for (size_t i = 0; i < list->n; i++) {
        const struct step *step = &list->steps[i];
        if (search_is_leaf(prover, &step->after)) {
            const struct value value = table_value(searcher, &step->after);
            if (atomic_load(&prover->has_failed) ||
                node_settle(searcher, node, &value, &step->after))
                return;
        } else if (!add_branch(searcher, node, step)) {
            return;
        }
    }
    for (size_t i = node->first; i < node->first + node->n;) {
        struct branch *branch = &searcher->branches[i];
        if (!is_known(searcher, &branch->after, &branch->goal, node->ply + 1, branch->reversible,
                      &branch->value)) {
            branch->value = initial_value(searcher, &branch->after);
            branch->value.delta = history_work(branch->count, branch->value.delta);
        }
        if (branch->value.answer == ANSWER_OPEN) {
            i++;
            continue;
        }
        if (node_settle(searcher, node, &branch->value, &branch->after))
            return;
        remove_branch(searcher, node, i);
    }
}

/* The value of a node in which a move succeeds, or all have failed. */
static struct value node_value(const struct searcher *searcher, const struct open_node *node)
{
    if ((node->side == searcher->attacker) == node->succeeds)
        return value_proved((node->succeeds ? node->best.rank : node->rank) + 1u);
    struct dependence depends = node->succeeds ? node->best.depends : node->depends;
    if (depends.shallowest >= node->ply) /* the strategy is closed */
        depends = NOTHING;
    else if (depends.deepest >= node->ply)
        depends.deepest = (uint16_t)(node->ply - 1);
    return value_disproved(depends);
}

/* The delta of a branch, higher if other searchers are below it (virtual loss), so that searchers
 * spread; infinite if it is not below its threshold. */
static uint32_t virtual_delta(const struct searcher *searcher, struct branch *branch,
                              uint32_t max_delta)
{
    const uint32_t delta = branch->value.delta;
    if (searcher->prover->n_searchers == 1)
        return delta;
    if (delta >= max_delta)
        return INFINITE - 1;
    const uint32_t n = atomic_load_explicit(branch->busy, memory_order_relaxed);
    branch->shared = branch->shared || n > 0;
    return delta + n * (1 + delta / 4);
}

/* The numbers of a node from its open moves; the one to search next, and the number of the second
 * best. Where all moves must fail, uses the maximum plus a little for each other open move instead of
 * the sum, because lines often transpose and a sum would count them repeatedly. */
static struct value node_numbers(const struct searcher *searcher, const struct open_node *node,
                                 uint32_t max_phi, size_t *next, uint32_t *second)
{
    struct branch *branches = searcher->branches;
    uint32_t least = INFINITE;
    uint32_t least_virtual = INFINITE;
    uint32_t most = 0;
    *second = INFINITE;
    *next = node->first;
    for (size_t i = node->first; i < node->first + node->n; i++) {
        const struct value *value = &branches[i].value;
        const uint32_t delta = virtual_delta(searcher, &branches[i], max_phi);
        most = value->phi > most ? value->phi : most;
        least = value->delta < least ? value->delta : least;
        if (delta < least_virtual) {
            *second = least_virtual;
            least_virtual = delta;
            *next = i;
        } else if (delta < *second) {
            *second = delta;
        }
    }
    return value_open(least, most + PER_MOVE * ((uint32_t)node->n - 1));
}

/* --- several searchers ------------------------------------------------------------------------ */

/* Updates the branches that other searchers have been below. */
static void refresh_shared(struct searcher *searcher, struct open_node *node)
{
    for (size_t i = node->first; i < node->first + node->n; i++) {
        struct branch *branch = &searcher->branches[i];
        if (!branch->shared)
            continue;
        branch->shared = false;
        struct value value;
        if (!is_remembered(searcher, &branch->goal, node->ply + 1, &value))
            continue;
        branch->value = value;
        if (value.answer != ANSWER_OPEN) {
            node_settle(searcher, node, &value, &branch->after);
            remove_branch(searcher, node, i--);
        }
    }
}

/* --- the search ------------------------------------------------------------------------------- */

static void add_to_count(struct searcher *searcher)
{
    atomic_fetch_add_explicit(&searcher->prover->n_positions,
                              searcher->n_positions - searcher->n_reported, memory_order_relaxed);
    searcher->n_reported = searcher->n_positions;
    searcher->check_at = searcher->n_positions + CHECK_EVERY;
}

void search_report(struct searcher *searcher)
{
    struct prover *prover = searcher->prover;
    const struct prove_limits *limits = &prover->limits;
    const double seconds = (double)(os_now_ns() - prover->start_ns) / 1e9;
    const double max_seconds = prover->proving ? limits->proof_seconds : limits->seconds;
    const uint64_t max_positions =
        prover->proving ? limits->n_proof_positions : limits->n_positions;
    add_to_count(searcher);
    const uint64_t n_positions = atomic_load(&prover->n_positions);
    if (!prover->proving) {
        prover->partial->n_positions = n_positions;
        prover->partial->seconds = seconds;
    }
    if ((max_seconds > 0 && seconds >= max_seconds) ||
        (max_positions > 0 && n_positions >= max_positions) ||
        (limits->progress != NULL &&
         !limits->progress(prover->partial, prover->proving, limits->context)))
        atomic_store(&prover->stopped, true);
}

/* True if the search must return to the root. */
static bool should_return(struct searcher *searcher)
{
    const struct prover *prover = searcher->prover;
    if (searcher->n_positions >= searcher->check_at) {
        if (searcher == prover->searchers[0])
            search_report(searcher);
        else
            add_to_count(searcher);
    }
    return search_is_over(prover) || searcher->n_positions >= searcher->pause_at ||
           atomic_load_explicit(&prover->is_decided, memory_order_relaxed);
}

/* Stores a value that was found below a ply. */
static void remember(struct searcher *searcher, const struct state_key *goal, struct value *value,
                     uint64_t n_positions)
{
    if (value->answer == ANSWER_DISPROVED_ON_PATH)
        value->path = memory_path(searcher->path[value->depends.deepest].code);
    memory_store(&searcher->prover->memory, goal, value, n_positions);
}

static struct value search_below(struct searcher *searcher, const struct branch *from, int ply,
                                 uint32_t max_phi, uint32_t max_delta);

/* Searches the moves of a node until it is decided, or one of its numbers reaches its threshold. */
static struct value search_node(struct searcher *searcher, struct open_node *node, uint32_t max_phi,
                                uint32_t max_delta)
{
    for (;;) {
        size_t next = 0;
        uint32_t second = 0;
        if (searcher->prover->n_searchers > 1)
            refresh_shared(searcher, node);
        if (node->succeeds || node->n == 0)
            return node_value(searcher, node);
        const struct value numbers = node_numbers(searcher, node, max_phi, &next, &second);
        if (numbers.phi >= max_phi || numbers.delta >= max_delta || should_return(searcher))
            return numbers;
        const uint32_t enough = second + second / SLACK + 1;
        const struct branch branch = searcher->branches[next];
        const struct value value = search_below(searcher, &branch, node->ply + 1,
                                                max_delta - PER_MOVE * (uint32_t)(node->n - 1),
                                                enough < max_phi ? enough : max_phi);
        if (atomic_load(&searcher->prover->has_failed))
            return numbers;
        searcher->branches[next].value = value;
        if (value.answer != ANSWER_OPEN) {
            history_add(branch.count, is_success(searcher, &value, node->side));
            node_settle(searcher, node, &value, &branch.after);
            remove_branch(searcher, node, next);
        }
    }
}

/* Expands and searches the state of a node until it is decided or a number reaches its threshold. */
static struct value search_state(struct searcher *searcher, struct open_node *node,
                                 const struct state *state, uint32_t max_phi, uint32_t max_delta)
{
    struct value value = value_open(1, 1);
    node->side = state->at.side;
    node->first = searcher->n_branches;
    node->depends = NOTHING;
    node_expand(searcher, node, state);
    if (!atomic_load(&searcher->prover->has_failed))
        value = search_node(searcher, node, max_phi, max_delta);
    searcher->n_branches = node->first;
    return value;
}

void search_push(struct searcher *searcher, const struct state_key *goal, int ply, bool reversible)
{
    const struct path_node *before = &searcher->path[ply - 1];
    searcher->path[ply] = (struct path_node){
        .goal = *goal,
        .code = random_mix(before->code ^ goal_hash(goal)),
        .since = reversible ? before->since : ply,
    };
}

/* Searches the state after a move, as element `ply` of the path. */
static struct value search_below(struct searcher *searcher, const struct branch *from, int ply,
                                 uint32_t max_phi, uint32_t max_delta)
{
    const uint64_t start = searcher->n_positions;
    struct open_node node = {.ply = ply};
    const bool alone = searcher->prover->n_searchers == 1;
    struct value value;
    if (is_remembered(searcher, &from->goal, ply, &value) &&
        (value.answer != ANSWER_OPEN || value.phi >= max_phi || value.delta >= max_delta))
        return value;
    if (ply == MAX_PLIES)
        return value_open(INFINITE, INFINITE);
    search_push(searcher, &from->goal, ply, from->reversible);
    if (!alone)
        atomic_fetch_add_explicit(from->busy, 1, memory_order_relaxed);
    value = search_state(searcher, &node, &from->after, max_phi, max_delta);
    if (!alone)
        atomic_fetch_sub_explicit(from->busy, 1, memory_order_relaxed);
    if (!atomic_load(&searcher->prover->has_failed))
        remember(searcher, &from->goal, &value, searcher->n_positions - start);
    return value;
}

/* --- the interface ---------------------------------------------------------------------------- */

bool search_create(struct prover *prover, int n_searchers)
{
    prover->busy = calloc(BUSY_COUNTERS, sizeof *prover->busy);
    prover->searchers = calloc((size_t)n_searchers, sizeof(struct searcher *));
    if (prover->busy == NULL || prover->searchers == NULL)
        return false;
    while (prover->n_searchers < n_searchers) {
        struct searcher *searcher = calloc(1, sizeof *searcher);
        if (searcher == NULL)
            return false;
        searcher->prover = prover;
        prover->searchers[prover->n_searchers++] = searcher;
    }
    return true;
}

void search_free(struct prover *prover)
{
    for (int i = 0; i < prover->n_searchers; i++) {
        free(prover->searchers[i]->steps.steps);
        free(prover->searchers[i]->branches);
        free(prover->searchers[i]);
    }
    free(prover->searchers);
    free((void *)prover->busy);
}

void search_limit(struct prover *prover, const struct prove_limits *limits,
                  struct prove_result *partial, einspul_error *error)
{
    prover->limits = *limits;
    prover->partial = partial;
    prover->proving = false;
    prover->start_ns = os_now_ns();
    atomic_store(&prover->n_positions, 0);
    atomic_store(&prover->is_decided, false);
    atomic_store(&prover->stopped, false);
    atomic_store(&prover->has_failed, false);
    prover->status = EINSPUL_OK;
    prover->error = error;
    for (int i = 0; i < prover->n_searchers; i++) {
        prover->searchers[i]->n_reported = prover->searchers[i]->n_positions;
        prover->searchers[i]->check_at = 0;
    }
}

void search_begin(struct searcher *searcher, enum side attacker, uint64_t root_number,
                  const struct proof *held)
{
    searcher->attacker = attacker;
    searcher->held = held;
    searcher->path[0] = (struct path_node){.code = random_mix(root_number), .since = 1};
    searcher->n_branches = 0;
}

struct value search_root(struct searcher *searcher, const struct state *state)
{
    struct branch root = {.after = *state};
    root.goal = goal_of(state, searcher->attacker);
    root.busy = busy_counter(searcher, &root.goal);
    root.value = search_peek(searcher, state, &root.goal, 1, false);
    if (root.value.answer != ANSWER_OPEN || search_is_over(searcher->prover))
        return root.value;
    return search_below(searcher, &root, 1, INFINITE - 1, INFINITE - 1);
}

bool search_best_move(struct searcher *searcher, const struct state *state, int ply,
                      struct state *after)
{
    const uint64_t start = searcher->n_positions;
    struct open_node node = {.ply = ply};
    searcher->pause_at = UINT64_MAX;
    struct value value = search_state(searcher, &node, state, INFINITE - 1, INFINITE - 1);
    if (search_is_over(searcher->prover) || value.answer == ANSWER_OPEN)
        return false;
    remember(searcher, &searcher->path[ply].goal, &value, searcher->n_positions - start);
    *after = node.after_best;
    return node.succeeds;
}
