/* Batches of probes.
 *
 * A probe spends most of its time waiting for random accesses to memory. So a group of positions
 * goes through several passes: the first finds the location of each value, and resolves captures into
 * a tree of the values they lead to; the next ones prefetch and read what is at those locations; the
 * last decodes what was not in memory and evaluates the trees. Positions that do not fit into a group
 * are probed alone. */
#include "probe/query.h"

enum { GROUP = 32, MAX_NODES = 20 * GROUP, NO_NODE = -1 };

/* A state that a position leads to. Its value is stored, or that of its best capture. */
struct node {
    struct spot spot; /* way NULL: the value was read, or is that of its captures */
    int parent;       /* an earlier node; NO_NODE for a position of the batch */
    value_t value;
};

struct item {
    struct state state;
    einspul_status status;
    int node; /* its first node; NO_NODE: it is probed alone */
    int n_nodes;
    value_t value;
};

struct group {
    struct query query;
    struct item items[GROUP];
    int n_nodes;
    struct node nodes[MAX_NODES];
};

/* --- planning --------------------------------------------------------------------------------- */

/* Adds the tree of a state. False if it has more pieces than tables have, if there is no room, if a
 * limit applies to the state's material, if a table is not open yet, or if a table omits a value. */
static bool plan(struct group *group, const struct state *state, int parent)
{
    struct query *query = &group->query;
    const struct rules *rules = &query->handle->rules;
    struct capture list[CAPTURES_ROOM];
    const int at = group->n_nodes;

    if (at == MAX_NODES || state_has_clock(rules, state))
        return false;
    struct node *node = &group->nodes[group->n_nodes++];
    *node = (struct node){.parent = parent, .value = VALUE_LOST};
    const int n = captures_list(rules, &state->at, list);
    if (n == 0) {
        const struct way *way = handle_known_way(query->handle, &state->at, query->metric);
        if (way == NULL || way_leaves_out(way, state))
            return false;
        spot_find(&node->spot, way, state);
        PREFETCH(node->spot.slot);
        return true;
    }
    if (n == CAPTURES_MANY ||
        (parent == NO_NODE && squares_count(placement_occupied(&state->at)) > MAX_PIECES))
        return false;
    if (capture_takes_all(&list[0], &state->at)) {
        node->value = VALUE_WIN_IN_1;
        return true;
    }
    for (int i = 0; i < n; i++) {
        struct state after;
        state_after_capture(state, &list[i], &after);
        if (!plan(group, &after, at))
            return false;
    }
    return true;
}

static void plan_item(struct group *group, struct item *item)
{
    const int first = group->n_nodes;
    const bool planned = plan(group, &item->state, NO_NODE);
    if (!planned)
        group->n_nodes = first;
    item->node = planned ? first : NO_NODE;
    item->n_nodes = group->n_nodes - first;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Prefetches the number at a spot, or its value. */
static void prefetch(const struct spot *spot)
{
    unsigned flags = 0;
    const struct block *block = cache_peek(spot->slot, &flags);
    if (block != NULL)
        PREFETCH(block->number + ((size_t)spot->place << ((flags & SLOT_WIDE) != 0)));
}

/* Reads the values that are in memory, one after the other, so that the processor can wait for several
 * at once. Nothing leaves the cache between the two loops. */
static void read_cached(struct group *group)
{
    for (int i = 0; i < group->n_nodes; i++)
        if (group->nodes[i].spot.way != NULL)
            prefetch(&group->nodes[i].spot);
    for (int i = 0; i < group->n_nodes; i++) {
        struct node *node = &group->nodes[i];
        unsigned flags = 0;
        const struct block *block =
            node->spot.way == NULL ? NULL : cache_peek(node->spot.slot, &flags);
        if (!cache_holds(block, flags, node->spot.place))
            continue;
        cache_count_hit(group->query.reader);
        node->value = *spot_value(&node->spot, block, flags);
        node->spot.way = NULL;
    }
}

/* The value of an item from its nodes, in reverse order, since the successors of a node come after
 * it. All nodes are read, even if a win makes them unnecessary, because a single probe of the same
 * position, in another order, may need one that cannot be read. */
static einspul_status read_nodes(struct group *group, const struct item *item, value_t *value)
{
    for (int i = item->node + item->n_nodes - 1; i >= item->node; i--) {
        struct node *node = &group->nodes[i];
        struct node *parent = node->parent == NO_NODE ? NULL : &group->nodes[node->parent];
        if (node->spot.way != NULL) {
            const einspul_status status = query_read(&group->query, &node->spot, &node->value);
            if (status != EINSPUL_OK)
                return status;
        }
        if (group->query.metric == EINSPUL_WDL)
            node->value = value_sign(node->value);
        const value_t before = value_before(node->value);
        if (parent != NULL && before > parent->value)
            parent->value = before;
    }
    *value = group->nodes[item->node].value;
    return EINSPUL_OK;
}

/* A single probe tries captures in order and stops at the first win, so it may succeed where an
 * unnecessary value cannot be read. */
static einspul_status read_item(struct group *group, const struct item *item, value_t *value)
{
    if (item->node != NO_NODE) {
        const einspul_status status = read_nodes(group, item, value);
        if (status == EINSPUL_OK || item->n_nodes == 1)
            return status;
    }
    cache_leave(group->query.reader);
    group->query.n_states = 0;
    const einspul_status status = query_state(&group->query, &item->state, value);
    group->query.reader = cache_enter(group->query.handle->cache);
    return status;
}

/* Answers `n` positions, at most GROUP. The query's error is that of the first position that fails,
 * if it is wanted; later ones only get their status. */
static void answer_group(struct group *group, const einspul_position *positions, size_t n)
{
    struct query *query = &group->query;

    group->n_nodes = 0;
    query->reader = cache_enter(query->handle->cache);
    for (size_t i = 0; i < n; i++) {
        struct item *item = &group->items[i];
        item->status =
            state_from_position(&query->handle->rules, &positions[i], &item->state, NULL);
        if (item->status == EINSPUL_OK)
            plan_item(group, item);
    }
    read_cached(group);
    for (size_t i = 0; i < n; i++) {
        struct item *item = &group->items[i];
        if (item->status != EINSPUL_OK)
            state_from_position(&query->handle->rules, &positions[i], &item->state, query->error);
        else
            item->status = read_item(group, item, &item->value);
        if (item->status != EINSPUL_OK)
            query->error = NULL;
    }
    cache_leave(query->reader);
}

/* --- probes of positions ---------------------------------------------------------------------- */

static void take_results(const struct group *group, size_t n, einspul_outcome *outcomes, int *plies,
                         einspul_status *statuses)
{
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &group->items[i];
        if (statuses != NULL)
            statuses[i] = item->status;
        if (item->status != EINSPUL_OK)
            continue;
        outcomes[i] = value_outcome(item->value);
        if (plies != NULL && group->query.metric == EINSPUL_DTW)
            plies[i] = value_plies(item->value);
    }
}

einspul_status probe_positions(einspul *handle, const einspul_position *positions, size_t n,
                               einspul_metric metric, unsigned flags, einspul_outcome *outcomes,
                               int *plies, einspul_status *statuses, einspul_error *error)
{
    struct group group;
    einspul_status status = EINSPUL_OK;

    group.query = (struct query){
        .handle = handle,
        .metric = metric,
        .cached_only = (flags & EINSPUL_CACHE_ONLY) != 0,
        .error = error,
    };
    for (size_t first = 0; first < n; first += GROUP) {
        const size_t n_items = n - first < GROUP ? n - first : GROUP;
        answer_group(&group, positions + first, n_items);
        take_results(&group, n_items, outcomes + first, plies == NULL ? NULL : plies + first,
                     statuses == NULL ? NULL : statuses + first);
        for (size_t i = 0; i < n_items && status == EINSPUL_OK; i++)
            status = group.items[i].status;
    }
    return status;
}

/* Positions whose tables have no distances are asked once more, for their outcomes. */
size_t einspul_probe_many(einspul *handle, const einspul_position *positions, size_t n,
                          unsigned flags, einspul_outcome *outcomes, int *plies)
{
    const einspul_metric metric = plies == NULL ? EINSPUL_WDL : EINSPUL_DTW;
    size_t n_known = 0;
    if (positions == NULL || outcomes == NULL)
        return 0;
    for (size_t first = 0; first < n; first += GROUP) {
        const size_t n_items = n - first < GROUP ? n - first : GROUP;
        einspul_status statuses[GROUP];
        for (size_t i = first; i < first + n_items; i++) {
            outcomes[i] = EINSPUL_UNKNOWN;
            if (plies != NULL)
                plies[i] = -1;
        }
        if (handle == NULL || (flags & ~(unsigned)EINSPUL_CACHE_ONLY) != 0)
            continue;
        probe_positions(handle, positions + first, n_items, metric, flags, outcomes + first,
                        plies == NULL ? NULL : plies + first, statuses, NULL);
        for (size_t i = 0; i < n_items; i++) {
            if (statuses[i] == EINSPUL_NO_METRIC || statuses[i] == EINSPUL_UNDECIDED)
                outcomes[first + i] = einspul_probe(handle, &positions[first + i], flags, NULL);
            n_known += outcomes[first + i] != EINSPUL_UNKNOWN;
        }
    }
    return n_known;
}
