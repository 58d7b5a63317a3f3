/* Batches of probes.
 *
 * A probe spends most of its time waiting for random accesses to memory. So a group of positions
 * goes through several passes: the first finds the location of each value, and resolves captures
 * into a tree of the values they lead to; the next ones prefetch and read those
 * locations; the last evaluates the trees. Positions that do not fit into a group, or need a value
 * that is not in memory, are probed alone. */
#include "probe/probe.h"

enum { GROUP = 32, MAX_NODES = 20 * GROUP, NO_NODE = -1 };

/* A state that a position leads to. Its value is stored, or that of its best capture. */
struct node {
    struct value_location location; /* view NULL: the value was read, or is that of its captures */
    const struct block *block;      /* which has the value; NULL: not in memory */
    unsigned flags;                 /* of the block's slot */
    int parent;                     /* an earlier node; NO_NODE for a position of the batch */
    value_t value;
};

struct group {
    einspul *handle;
    einspul_metric metric;
    int n_nodes;
    struct node nodes[MAX_NODES];
    int end[GROUP]; /* position i has the nodes before end[i]; if none, it is probed alone */
};

/* Adds the tree of a state, which may be known to have `no_capture`. False if it has too many
 * pieces or captures, if a limit applies to it, or if a table is not open yet or omits a value. */
static bool plan(struct group *group, const struct state *state, int parent, bool no_capture)
{
    const struct rules *rules = &group->handle->rules;
    const int at = group->n_nodes;
    struct capture list[CAPTURES_ROOM];

    if (at == MAX_NODES || state_limit(rules, state) > 0)
        return false;
    struct node *node = &group->nodes[group->n_nodes++];
    *node = (struct node){.parent = parent, .value = VALUE_LOST};
    const int n = no_capture ? 0 : captures_list(rules, &state->at, list);
    if (n == 0) {
        const struct table_view *view =
            handle_known_view(group->handle, handle_key(&state->at), state->at.side, group->metric);
        if (view == NULL || view_omits(view, state))
            return false;
        location_find(&node->location, view, state);
        PREFETCH(node->location.slot);
    } else if (list[0].captured == placement_own(&state->at, side_other(state->at.side))) {
        node->value = VALUE_WIN_IN_1;
    }
    for (int i = 0; i < n && node->value == VALUE_LOST; i++) {
        struct state after;
        state_after_capture(state, &list[i], &after);
        if (!plan(group, &after, at, false))
            return false;
    }
    return n != CAPTURES_MANY && (n == 0 || parent != NO_NODE ||
                                  bits_count(placement_occupied(&state->at)) <= MAX_PIECES);
}

/* Reads the cached values: the first loop prefetches, so that waits for memory overlap, the second
 * reads. Nothing is evicted in between. */
static void read_cached(struct group *group, struct cache_reader *reader)
{
    struct node *const end = group->nodes + group->n_nodes;
    for (struct node *node = group->nodes; node < end; node++) {
        if (node->location.view == NULL)
            continue;
        node->block = cache_peek(node->location.slot, &node->flags);
        if (node->block != NULL)
            location_prefetch(&node->location, node->block, node->flags);
    }
    for (struct node *node = group->nodes; node < end; node++) {
        if (!cache_holds(node->block, node->flags, node->location.place))
            continue;
        cache_count_hit(reader);
        node->value = location_value(&node->location, node->block, node->flags);
        node->location.view = NULL;
    }
}

static void plan_and_read(struct group *group, const einspul_position *positions, size_t n,
                          unsigned flags)
{
    struct cache_reader *reader = cache_enter(group->handle->cache);
    group->n_nodes = 0;
    for (size_t i = 0; i < n; i++) {
        struct state state;
        const int first = group->n_nodes;
        if (query_position(&group->handle->rules, &positions[i], flags, &state, NULL) !=
                EINSPUL_OK ||
            !plan(group, &state, NO_NODE, (flags & EINSPUL_NO_CAPTURE) != 0))
            group->n_nodes = first;
        group->end[i] = group->n_nodes;
    }
    read_cached(group, reader);
    cache_leave(reader);
}

/* The value of a position from its nodes, in reverse order, since the successors of a node come
 * after it; false if it has none, or one is not in memory. */
static bool take_value(struct group *group, size_t position, value_t *value)
{
    const int first = position == 0 ? 0 : group->end[position - 1];
    const int end = group->end[position];
    for (int i = end - 1; i >= first; i--) {
        struct node *node = &group->nodes[i];
        if (node->location.view != NULL)
            return false;
        *value = group->metric == EINSPUL_WDL ? value_without_distance(node->value) : node->value;
        if (node->parent != NO_NODE && value_before(*value) > group->nodes[node->parent].value)
            group->nodes[node->parent].value = value_before(*value);
    }
    return end > first;
}

size_t einspul_probe_many(einspul *handle, const einspul_position *positions, size_t n,
                          unsigned flags, einspul_outcome *outcomes, int *plies,
                          einspul_status *statuses)
{
    const bool is_refused = handle == NULL || positions == NULL;
    struct group group;
    size_t n_ok = 0;
    group.handle = handle;
    group.metric = plies == NULL ? EINSPUL_WDL : EINSPUL_DTW;
    for (size_t i = 0; i < n; i++) {
        einspul_outcome *outcome = outcomes == NULL ? NULL : &outcomes[i];
        int *to = plies == NULL ? NULL : &plies[i];
        einspul_status status = EINSPUL_OK;
        value_t value = VALUE_DRAW;
        if (!is_refused && i % GROUP == 0)
            plan_and_read(&group, &positions[i], n - i < GROUP ? n - i : GROUP, flags);
        if (is_refused || !take_value(&group, i % GROUP, &value)) {
            status = einspul_probe(handle, positions == NULL ? NULL : &positions[i], flags, outcome,
                                   to, NULL);
        } else {
            if (outcome != NULL)
                *outcome = value_outcome(value);
            if (to != NULL)
                *to = value_plies(value);
        }
        if (statuses != NULL)
            statuses[i] = status;
        n_ok += status == EINSPUL_OK;
    }
    return n_ok;
}
