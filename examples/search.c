/* A minimal engine that uses tables: example_search FOLDER FEN [DEPTH [THREADS]] prints a move. If
 * the tables have the root's distance, the best move is printed at once. Otherwise THREADS threads,
 * which share one handle, search DEPTH plies; if the root's outcome is known, only the moves that
 * keep it. */
#include <einspul.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    MAX_THREADS = 64,
    FULL_PROBE_PLIES = 2, /* up to this ply, probes may read from disk */
    GAME_WON = 20000,     /* minus the plies to the win */
    TABLE_WON = 10000,    /* minus the plies until a table win */
    INFINITE = 30000,
    CACHE = 64 << 20,
    PRELOAD = CACHE / 2 /* the other half is for positions met in the search */
};

static const char rules[] = "frisian";

struct search {
    einspul *tables; /* NULL: no tables */
    int max_pieces;  /* all tables of up to this many are available */
    int depth;
    bool known; /* the root is in the tables: all `moves` have its value, `outcome` */
    einspul_outcome outcome;
    einspul_move moves[EINSPUL_MAX_MOVES];
    int n_moves;
    atomic_int next;      /* first root move not assigned to a thread */
    atomic_int fault;     /* status of an unexpected probe failure, or 0 */
    pthread_mutex_t lock; /* protects the fields below */
    int best_score;
    int best;
    uint64_t n_nodes, n_known;
};

/* The state of one thread. */
struct worker {
    struct search *search;
    uint64_t n_nodes, n_known; /* `n_known` of them answered by the tables */
};

static int count(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* Total rows advanced by the men of a side. */
static int rows_advanced(uint64_t men, int side)
{
    int rows = 0;
    for (int row = 1; row < 10; row++) {
        const int from_top = side == EINSPUL_WHITE ? 9 - row : row;
        rows += row * count(men >> 5 * from_top & 0x1f);
    }
    return rows;
}

/* The balance for the side to move: 100 for a man, 300 for a king, 5 for each row advanced by a
 * man. */
static int evaluate(const einspul_position *position)
{
    const int side = position->side;
    return 100 * (count(position->men[side]) - count(position->men[!side])) +
           300 * (count(position->kings[side]) - count(position->kings[!side])) +
           5 * (rows_advanced(position->men[side], side) -
                rows_advanced(position->men[!side], !side));
}

/* Stores the table score and returns true if it ends the search here. Returns false if the outcome
 * is unknown, or merely equals the root's: the search then continues, to make progress. */
static bool probe(struct search *search, const einspul_position *position, int ply, int *score)
{
    const unsigned flags = ply <= FULL_PROBE_PLIES ? 0 : EINSPUL_CACHE_ONLY;
    einspul_outcome outcome;

    if (count(position->men[0] | position->men[1] | position->kings[0] | position->kings[1]) >
        search->max_pieces)
        return false;
    const einspul_status status =
        einspul_probe(search->tables, position, flags, &outcome, NULL, NULL);
    if (status != EINSPUL_OK) {
        if (flags == 0)
            atomic_store(&search->fault, (int)status);
        return false;
    }
    *score = (int)outcome * (TABLE_WON - ply);
    return !(search->known &&
             (int)search->outcome == (ply % 2 == 0 ? (int)outcome : -(int)outcome));
}

/* Alpha-beta; captures are followed beyond the depth. A side without a move or a piece has lost. */
static int negamax(struct worker *worker, const einspul_position *position, int depth, int ply,
                   int alpha, int beta)
{
    einspul_move moves[EINSPUL_MAX_MOVES];
    int score = 0;

    worker->n_nodes++;
    if (probe(worker->search, position, ply, &score)) {
        worker->n_known++;
        return score;
    }
    const int n_moves = einspul_moves(rules, position, moves, EINSPUL_MAX_MOVES, NULL);
    if (n_moves == 0)
        return ply - GAME_WON;
    if (n_moves < 0 || (depth <= 0 && moves[0].captured == 0))
        return evaluate(position);
    for (int i = 0; i < n_moves && alpha < beta; i++) {
        score = -negamax(worker, &moves[i].after, depth - 1, ply + 1, -beta, -alpha);
        if (score > alpha)
            alpha = score;
    }
    return alpha;
}

/* A thread: searches root moves until all are assigned. Ties go to the first move in the list, so
 * that the result does not depend on thread timing. */
static void *search_moves(void *argument)
{
    struct worker worker = {.search = argument};
    struct search *search = argument;
    int i = 0;

    while ((i = atomic_fetch_add(&search->next, 1)) < search->n_moves) {
        pthread_mutex_lock(&search->lock);
        const int alpha = search->best_score - 1;
        pthread_mutex_unlock(&search->lock);
        const int score =
            -negamax(&worker, &search->moves[i].after, search->depth - 1, 1, -INFINITE, -alpha);
        pthread_mutex_lock(&search->lock);
        if (score > search->best_score || (score == search->best_score && i < search->best)) {
            search->best_score = score;
            search->best = i;
        }
        pthread_mutex_unlock(&search->lock);
    }
    pthread_mutex_lock(&search->lock);
    search->n_nodes += worker.n_nodes;
    search->n_known += worker.n_known;
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

/* Lists the moves to choose from: if the root is in the tables, those that keep its outcome, best
 * first; otherwise all legal moves. Errors of einspul_moves. */
static bool list_moves(struct search *search, const einspul_position *root, einspul_error *error)
{
    int n = einspul_probe_moves(search->tables, root, search->moves, EINSPUL_MAX_MOVES, error);
    search->known = n >= 0;
    if (!search->known) {
        if (search->tables != NULL && error->status != EINSPUL_NO_TABLE)
            fprintf(stderr, "%s\n", error->text); /* an unreadable table: play without it */
        n = einspul_moves(rules, root, search->moves, EINSPUL_MAX_MOVES, error);
    }
    search->n_moves = n < EINSPUL_MAX_MOVES ? n : EINSPUL_MAX_MOVES;
    search->outcome = (einspul_outcome)search->moves[0].outcome;
    while (search->n_moves > 0 &&
           search->moves[search->n_moves - 1].outcome != (int)search->outcome)
        search->n_moves--;
    return n >= 0;
}

static void search_root(struct search *search, int n_threads)
{
    pthread_t threads[MAX_THREADS];
    struct timespec begin;
    struct timespec end;
    int n_started = 0;

    search->max_pieces = einspul_complete(search->tables, EINSPUL_WDL);
    if (search->tables != NULL)
        einspul_preload(search->tables, search->max_pieces, EINSPUL_WDL, PRELOAD, NULL);
    search->best_score = -INFINITE;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pthread_mutex_init(&search->lock, NULL);
    while (n_started < n_threads - 1 &&
           pthread_create(&threads[n_started], NULL, search_moves, search) == 0)
        n_started++;
    search_moves(search);
    for (int i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&search->lock);
    clock_gettime(CLOCK_MONOTONIC, &end);
    fprintf(stderr, "%" PRIu64 " nodes, %" PRIu64 " of them known, in %.2f s\n", search->n_nodes,
            search->n_known,
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    if (search->fault != EINSPUL_OK)
        fprintf(stderr, "tables could not be read: %s\n", einspul_status_name(search->fault));
}

static void print_best(const struct search *search, const einspul_position *root)
{
    char text[EINSPUL_MOVE_TEXT_SIZE] = "";
    static const char *const names[] = {"loss", "draw", "win"};
    const einspul_move *move = &search->moves[search->best];
    const int won = (search->best_score > TABLE_WON / 2) - (search->best_score < -TABLE_WON / 2);

    if (search->n_moves > 0)
        einspul_move_write(rules, root, move, text, NULL);
    if (search->n_moves == 0)
        printf("no move\n");
    else if (move->plies >= 0)
        printf("%s: %s in %d plies\n", text, names[move->outcome + 1], move->plies);
    else if (search->known || won != 0)
        printf("%s: %s\n", text, names[(search->known ? (int)search->outcome : won) + 1]);
    else
        printf("%s: score %d\n", text, search->best_score);
}

int main(int argc, char **argv)
{
    const int depth = argc > 3 ? atoi(argv[3]) : 6;
    const int n_threads = argc > 4 ? atoi(argv[4]) : 2;
    einspul_position root;
    einspul_error error;
    static struct search search;

    if (argc < 3 || depth < 1 || n_threads < 1 || n_threads > MAX_THREADS) {
        fprintf(stderr, "usage: example_search FOLDER FEN [DEPTH [THREADS]]\n");
        return 2;
    }
    search.depth = depth;
    if (einspul_open(argv[1], rules, CACHE, NULL, &search.tables, &error) != EINSPUL_OK)
        fprintf(stderr, "%s\n", error.text); /* play without tables */
    const bool ready = einspul_fen_read(rules, argv[2], &root, &error) == EINSPUL_OK &&
                       list_moves(&search, &root, &error);
    if (ready) {
        if (search.n_moves > 0 && search.moves[0].plies < 0)
            search_root(&search, n_threads);
        print_best(&search, &root);
    } else {
        fprintf(stderr, "%s\n", error.text);
    }
    einspul_close(search.tables);
    return !ready;
}
