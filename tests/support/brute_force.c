/* Each frame, the placements with the same men, is a graph of king moves; the values of moves that
 * leave it are known. Its states are decided ply by ply from those decided before. It uses forward
 * iteration only, and shares nothing with the project but the move generator. */
#include "tests/support/brute_force.h"

#include <stdlib.h>
#include <string.h>

#include "core/moves.h"
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "tests/support/parse.h"
#include "tests/support/ranks.h"
#include "tests/support/require.h"

enum { QUIET_LIMIT = 50, MOST_NEED = 200 };

struct solution {
    struct shape shape;
    int limit;           /* of its count */
    bool quiet;          /* reset by a man's move */
    struct needs *needs; /* by side, placement */
};

struct brute {
    struct rules rules;
    limit_of *limit;
    bool quiet;
    struct solution *solutions[MAX_MATERIALS];
    int n_solutions;
};

/* A lone king against pieces with a king among them. */
static int number_against_king(const struct material *material, bool with_men)
{
    for (int lone = WHITE; lone <= BLACK; lone++) {
        const int men = material->men[!lone];
        const int kings = material->kings[!lone];
        if (material->men[lone] == 0 && material->kings[lone] == 1 && kings > 0 &&
            (with_men || men == 0))
            return men + kings;
    }
    return 0;
}

int limit_fmjd(const struct material *material)
{
    const int n = number_against_king(material, true);
    return n == 1 || n == 2 ? 10 : n == 3 ? 32 : 0;
}

int limit_lidraughts(const struct material *material)
{
    const int n = number_against_king(material, false);
    return n == 1 ? 4 : n == 2 ? 14 : 0;
}

struct brute *brute_create(const char *base, limit_of *limit, bool quiet)
{
    struct brute *brute = calloc(1, sizeof *brute);
    must(brute != NULL, "no memory");
    brute->rules = rules_named(base);
    brute->limit = limit;
    brute->quiet = quiet;
    return brute;
}

void brute_free(struct brute *brute)
{
    for (int i = 0; i < brute->n_solutions; i++) {
        free(brute->solutions[i]->needs);
        free(brute->solutions[i]);
    }
    free(brute);
}

static const struct solution *solution_of(const struct brute *brute,
                                          const struct material *material)
{
    for (int i = 0; i < brute->n_solutions; i++)
        if (material_equal(&brute->solutions[i]->shape.material, material))
            return brute->solutions[i];
    must(false, "a material is not solved");
    return NULL;
}

/* The solution of a placement and its index in it. */
static size_t find(const struct brute *brute, const struct placement *placement,
                   const struct solution **solution)
{
    struct placement at = *placement;
    struct material material = material_of(&at);
    if (!material_is_canonical(&material)) {
        at = placement_flip(&brute->rules.board, &at);
        material = material_flip(&material);
    }
    *solution = solution_of(brute, &material);
    return (size_t)at.side * (size_t)(*solution)->shape.n_placements +
           (size_t)shape_rank(&(*solution)->shape, &at);
}

struct needs brute_needs(const struct brute *brute, const struct placement *placement)
{
    const struct solution *solution = NULL;
    const size_t at = find(brute, placement, &solution);
    return solution->needs[at];
}

static int outcome_of(struct needs needs, int plies)
{
    return needs.win <= plies ? 1 : needs.loss <= plies ? -1 : 0;
}

int brute_outcome(const struct brute *brute, const struct placement *placement, int clock)
{
    const struct solution *solution = NULL;
    const size_t at = find(brute, placement, &solution);
    return outcome_of(solution->needs[at], solution->limit - clock);
}

/* --- a frame ---------------------------------------------------------------------------------- */

/* A state of the frame: the value of its moves out of the frame, and its moves within it. */
struct node {
    uint32_t first;    /* first edge; the next node's is the end */
    struct needs best; /* of moves out of the frame: the soonest win, the latest loss */
    bool draws;        /* one of them draws with any count */
    bool possible;
};

struct frame_graph {
    struct node *nodes; /* by side, kings; one more as the end */
    uint32_t *edges;
    size_t n_edges, room;
};

static uint8_t more(uint8_t need)
{
    return need >= MOST_NEED ? NEVER : (uint8_t)(need + 1);
}

/* A move that leaves the frame: the needs of the position after it if the count continues, otherwise
 * that position's outcome with a new count. */
static void take_move_out(const struct brute *brute, const struct solution *from,
                          const struct move *move, const struct placement *after, struct node *node)
{
    struct needs needs = {NEVER, 0}; /* no pieces: lost */
    if (placement_own(after, after->side) != 0) {
        const struct solution *to = NULL;
        needs = brute_needs(brute, after);
        find(brute, after, &to);
        const bool same = to->limit == from->limit && to->quiet == from->quiet &&
                          (!from->quiet || (move->by_king && move->captured == 0));
        if (!same) {
            const int outcome =
                to->limit == 0 ? outcome_of(needs, MOST_NEED) : outcome_of(needs, to->limit);
            needs = (struct needs){outcome > 0 ? 0 : NEVER, outcome < 0 ? 0 : NEVER};
        }
    }
    if (needs.loss != NEVER && more(needs.loss) < node->best.win)
        node->best.win = more(needs.loss);
    if (needs.win == NEVER)
        node->draws = true;
    else if (more(needs.win) > node->best.loss)
        node->best.loss = more(needs.win);
}

static void add_edge(struct frame_graph *graph, uint32_t to)
{
    if (graph->n_edges == graph->room) {
        graph->room = graph->room == 0 ? 1024 : 2 * graph->room;
        graph->edges = realloc(graph->edges, graph->room * sizeof *graph->edges);
        must(graph->edges != NULL, "no memory");
    }
    graph->edges[graph->n_edges++] = to;
}

static void make_node(const struct brute *brute, const struct solution *solution,
                      struct frame_graph *graph, size_t number, const struct placement *at,
                      struct move_list *list)
{
    const struct shape *shape = &solution->shape;
    struct node *node = &graph->nodes[number];
    const struct state state = {.at = *at};
    node->possible = true;
    node->best = (struct needs){NEVER, 0};
    must(moves_generate(&brute->rules, &state, list) == EINSPUL_OK, "moves fail");
    for (int i = 0; i < list->n_moves; i++) {
        const struct move *move = &list->moves[i];
        const struct placement after = placement_after(at, move);
        if (move->by_king && move->captured == 0)
            add_edge(graph, (uint32_t)((size_t)after.side * (size_t)shape->frame_size +
                                       (size_t)shape_kings(shape, &after)));
        else
            take_move_out(brute, solution, move, &after, node);
    }
}

/* Decides a state in `plies` if possible. */
static bool decide(const struct frame_graph *graph, const struct needs *known, uint32_t number,
                   int plies, struct needs *needs)
{
    const struct node *node = &graph->nodes[number];
    bool lost = !node->draws && node->best.loss <= plies;
    if (node->best.win <= plies) {
        needs->win = (uint8_t)plies;
        return true;
    }
    for (uint32_t i = node->first; i < graph->nodes[number + 1].first; i++) {
        const struct needs after = known[graph->edges[i]];
        if (after.loss < plies) {
            needs->win = (uint8_t)plies;
            return true;
        }
        lost = lost && after.win < plies;
    }
    if (lost)
        needs->loss = (uint8_t)plies;
    return lost;
}

static void solve_frame(const struct brute *brute, const struct solution *solution, uint64_t frame,
                        struct frame_graph *graph, uint32_t *open)
{
    const struct shape *shape = &solution->shape;
    const size_t size = (size_t)shape->frame_size;
    struct needs *known = malloc(2 * size * sizeof *known);
    struct move_list list;
    size_t n_open = 0;
    must(known != NULL, "no memory");
    move_list_init(&list);
    graph->n_edges = 0;
    for (size_t number = 0; number < 2 * size; number++) {
        struct placement at;
        graph->nodes[number] = (struct node){.first = (uint32_t)graph->n_edges};
        known[number] = (struct needs){NEVER, NEVER};
        if (!shape_unrank(shape, frame * size + number % size, number < size ? WHITE : BLACK, &at))
            continue;
        make_node(brute, solution, graph, number, &at, &list);
        open[n_open++] = (uint32_t)number;
    }
    graph->nodes[2 * size].first = (uint32_t)graph->n_edges;
    for (int plies = 0; plies < MOST_NEED && n_open > 0; plies++) {
        size_t n_left = 0;
        for (size_t i = 0; i < n_open; i++)
            if (!decide(graph, known, open[i], plies, &known[open[i]]))
                open[n_left++] = open[i];
        n_open = n_left;
    }
    for (size_t number = 0; number < 2 * size; number++)
        solution->needs[(number < size ? 0 : (size_t)shape->n_placements) + frame * size +
                        number % size] = known[number];
    free(known);
    move_list_free(&list);
}

static int steps_to_go(const struct brute *brute, const struct placement *at)
{
    int steps = 0;
    for (int side = WHITE; side <= BLACK; side++)
        for (squares_t left = at->men[side]; left != 0; left &= left - 1)
            steps += board_steps_to_go(&brute->rules.board, (enum side)side, bits_first(left));
    return steps;
}

void brute_solve(struct brute *brute, const struct material *material)
{
    struct solution *solution = calloc(1, sizeof *solution);
    struct frame_graph graph = {0};
    must(solution != NULL, "no memory");
    shape_init(&solution->shape, &brute->rules, material);
    const struct shape *shape = &solution->shape;
    const size_t n = 2 * (size_t)shape->n_placements;
    solution->limit = brute->limit(material);
    solution->quiet = solution->limit == 0 && brute->quiet;
    if (solution->quiet)
        solution->limit = QUIET_LIMIT;
    solution->needs = malloc(n * sizeof *solution->needs);
    graph.nodes = malloc((2 * (size_t)shape->frame_size + 1) * sizeof *graph.nodes);
    uint32_t *open = malloc(2 * (size_t)shape->frame_size * sizeof *open);
    must(solution->needs != NULL && graph.nodes != NULL && open != NULL, "no memory");
    memset(solution->needs, NEVER, n * sizeof *solution->needs);
    brute->solutions[brute->n_solutions++] = solution;
    for (int steps = 0; steps <= 9 * MAX_PIECES; steps++)
        for (uint64_t frame = 0; frame < shape->n_frames; frame++) {
            struct placement at;
            shape_unrank(shape, frame * shape->frame_size, WHITE, &at);
            if (steps_to_go(brute, &at) == steps && (at.men[WHITE] & at.men[BLACK]) == 0)
                solve_frame(brute, solution, frame, &graph, open);
        }
    free(open);
    free(graph.nodes);
    free(graph.edges);
}
