/* Batches of probes.
 *
 * A probe spends most of its time waiting for random accesses to memory. So a group of positions
 * goes through several passes: the first finds the location of each value, and resolves captures into
 * a tree of the values they lead to; the next ones prefetch and read what is at those locations; the
 * last evaluates the trees. Positions that do not fit into a group, or need a value that is not in
 * memory, are probed alone. */
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
    bool is_legal;
    int node;    /* its first node */
    int n_nodes; /* 0: it is probed alone */
};

struct group {
    einspul *handle;
    einspul_metric metric;
    struct item items[GROUP];
    int n_nodes;
    struct node nodes[MAX_NODES];
};

/* --- planning --------------------------------------------------------------------------------- */

/* Adds the tree of a state. False if it has more pieces than tables have, if there is no room, if a
 * limit applies to the state's material, if a table is not open yet, or if a table omits a value. */
static bool plan(struct group *group, const struct state *state, int parent)
{
    const struct rules *rules = &group->handle->rules;
    struct capture list[CAPTURES_ROOM];
    const int at = group->n_nodes;

    if (at == MAX_NODES || state_has_clock(rules, state))
        return false;
    struct node *node = &group->nodes[group->n_nodes++];
    *node = (struct node){.parent = parent, .value = VALUE_LOST};
    const int n = captures_list(rules, &state->at, list);
    if (n == 0) {
        const struct way *way = handle_known_way(group->handle, &state->at, group->metric);
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

static void plan_item(struct group *group, const einspul_position *position, struct item *item)
{
    item->node = group->n_nodes;
    item->is_legal =
        state_from_position(&group->handle->rules, position, &item->state, NULL) == EINSPUL_OK;
    if (!item->is_legal || !plan(group, &item->state, NO_NODE))
        group->n_nodes = item->node;
    item->n_nodes = group->n_nodes - item->node;
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
static void read_cached(struct group *group, struct cache_reader *reader)
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
        cache_count_hit(reader);
        node->value = *spot_value(&node->spot, block, flags);
        node->spot.way = NULL;
    }
}

/* The value of an item from its nodes, in reverse order, since the successors of a node come after
 * it; false if one is not in memory. */
static bool item_value(struct group *group, const struct item *item, value_t *value)
{
    for (int i = item->node + item->n_nodes - 1; i >= item->node; i--) {
        struct node *node = &group->nodes[i];
        struct node *parent = node->parent == NO_NODE ? NULL : &group->nodes[node->parent];
        if (node->spot.way != NULL)
            return false;
        if (group->metric == EINSPUL_WDL)
            node->value = value_sign(node->value);
        const value_t before = value_before(node->value);
        if (parent != NULL && before > parent->value)
            parent->value = before;
    }
    *value = item->n_nodes > 0 ? group->nodes[item->node].value : VALUE_DRAW;
    return item->n_nodes > 0;
}

/* --- probes of positions ---------------------------------------------------------------------- */

static void plan_and_read(struct group *group, const einspul_position *positions, size_t n)
{
    struct cache_reader *reader = cache_enter(group->handle->cache);
    group->n_nodes = 0;
    for (size_t i = 0; i < n; i++)
        plan_item(group, &positions[i], &group->items[i]);
    read_cached(group, reader);
    cache_leave(reader);
}

size_t einspul_probe_many(einspul *handle, const einspul_position *positions, size_t n,
                          unsigned flags, einspul_outcome *outcomes, int *plies)
{
    struct group group;
    const bool is_refused = handle == NULL || (flags & ~(unsigned)EINSPUL_CACHE_ONLY) != 0;
    size_t n_known = 0;
    if (positions == NULL || outcomes == NULL)
        return 0;
    group.handle = handle;
    group.metric = plies == NULL ? EINSPUL_WDL : EINSPUL_DTW;
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &group.items[i % GROUP];
        int *to = plies == NULL ? NULL : &plies[i];
        value_t value = VALUE_DRAW;
        outcomes[i] = EINSPUL_UNKNOWN;
        if (to != NULL)
            *to = -1;
        if (is_refused)
            continue;
        if (i % GROUP == 0)
            plan_and_read(&group, &positions[i], n - i < GROUP ? n - i : GROUP);
        if (item_value(&group, item, &value)) {
            outcomes[i] = value_outcome(value);
            if (to != NULL)
                *to = value_plies(value);
        } else if (item->is_legal) {
            outcomes[i] = query_outcome(handle, &item->state, flags, to);
        }
        n_known += outcomes[i] != EINSPUL_UNKNOWN;
    }
    return n_known;
}
