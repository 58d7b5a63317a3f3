/* What an engine does with tables: search FOLDER FEN [DEPTH [THREADS]] says what to play. A
 * position that is in the tables is answered at once; another one is searched DEPTH plies, by
 * THREADS threads that probe one handle. */
#include <einspul.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_THREADS = 64,
    FULL_PROBE_PLIES = 2, /* up to here a probe may wait for the disk */
    GAME_WON = 20000,     /* less the plies to it */
    TABLE_WON = 10000,    /* less the plies until the position is in the tables */
    INFINITE = 30000,
    MAX_MOVES = 256 /* of a position; more do not occur in play */
};

static const char rules[] = "frisian";

struct search {
    einspul *tables;
    int most_pieces; /* up to so many, all tables are there */
    int depth;
    const einspul_position *root;
    einspul_move moves[MAX_MOVES];
    int n_moves;
    atomic_int next;      /* root move that no thread has taken yet */
    atomic_int fault;     /* status of a probe that failed and should not have */
    pthread_mutex_t lock; /* of what follows */
    int best_score;
    int best;
};

static int count(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* All legal moves, with the positions after them. */
static int legal_moves(const einspul_position *position, einspul_move moves[MAX_MOVES])
{
    size_t n = 0;
    einspul_moves(rules, position, moves, MAX_MOVES, &n, NULL);
    return (int)(n < MAX_MOVES ? n : MAX_MOVES);
}

/* Of the side to move less the other's: 100 a man, 300 a king. */
static int material(const einspul_position *position)
{
    const int side = position->side;
    return 100 * (count(position->men[side]) - count(position->men[!side])) +
           300 * (count(position->kings[side]) - count(position->kings[!side]));
}

/* Whether the tables know the score of a position; where they do not, the search goes on. */
static bool probe(struct search *search, const einspul_position *position, int ply, int *score)
{
    const unsigned flags = ply <= FULL_PROBE_PLIES ? 0 : EINSPUL_CACHE_ONLY;
    einspul_outcome outcome;

    if (count(position->men[0] | position->men[1] | position->kings[0] | position->kings[1]) >
        search->most_pieces)
        return false;
    const einspul_status status =
        einspul_probe_wdl(search->tables, position, flags, &outcome, NULL);
    if (status == EINSPUL_OK)
        *score = (int)outcome * (TABLE_WON - ply);
    else if (status != EINSPUL_NOT_CACHED && status != EINSPUL_NO_TABLE)
        atomic_store(&search->fault, (int)status);
    return status == EINSPUL_OK;
}

/* Alpha-beta; captures are followed beyond the depth. Who has no move, or no piece, has lost. */
static int negamax(struct search *search, const einspul_position *position, int depth, int ply,
                   int alpha, int beta)
{
    einspul_move moves[MAX_MOVES];
    int score = 0;

    const int n_moves = legal_moves(position, moves);
    if (n_moves == 0)
        return ply - GAME_WON;
    if (probe(search, position, ply, &score))
        return score;
    if (depth <= 0 && moves[0].captured == 0)
        return material(position);
    for (int i = 0; i < n_moves && alpha < beta; i++) {
        score = -negamax(search, &moves[i].after, depth - 1, ply + 1, -beta, -alpha);
        if (score > alpha)
            alpha = score;
    }
    return alpha;
}

/* A thread: takes root moves until none is left. Of equal moves the first in the list counts,
 * whichever thread is quicker. */
static void *search_moves(void *argument)
{
    struct search *search = argument;
    int i = 0;

    while ((i = atomic_fetch_add(&search->next, 1)) < search->n_moves) {
        pthread_mutex_lock(&search->lock);
        const int alpha = search->best_score - 1;
        pthread_mutex_unlock(&search->lock);
        const int score =
            -negamax(search, &search->moves[i].after, search->depth - 1, 1, -INFINITE, -alpha);
        pthread_mutex_lock(&search->lock);
        if (score > search->best_score || (score == search->best_score && i < search->best)) {
            search->best_score = score;
            search->best = i;
        }
        pthread_mutex_unlock(&search->lock);
    }
    return NULL;
}

/* The best move of a position that is in the tables, with all it can lead to. */
static einspul_status play_from_tables(einspul *tables, const einspul_position *root,
                                       einspul_error *error)
{
    static const char *const names[] = {"loss", "draw", "win"};
    einspul_move best;
    size_t n_moves = 0;

    const einspul_status status = einspul_probe_moves(tables, root, &best, 1, &n_moves, error);
    if (status != EINSPUL_OK)
        return status;
    if (n_moves == 0)
        printf("no move\n");
    else if (best.plies >= 0)
        printf("%s: %s in %d plies\n", best.text, names[best.outcome + 1], best.plies);
    else
        printf("%s: %s\n", best.text, names[best.outcome + 1]);
    return EINSPUL_OK;
}

static void print_best(const struct search *search)
{
    const einspul_move *move = &search->moves[search->best];

    if (search->n_moves == 0)
        printf("no move\n");
    else if (abs(search->best_score) > TABLE_WON / 2)
        printf("%s: %s\n", move->text, search->best_score > 0 ? "win" : "loss");
    else
        printf("%s: score %d\n", move->text, search->best_score);
}

static void play_from_search(einspul *tables, const einspul_position *root, int depth,
                             int n_threads)
{
    struct search search = {.tables = tables,
                            .most_pieces = einspul_complete(tables, EINSPUL_WDL),
                            .depth = depth,
                            .root = root,
                            .best_score = -INFINITE};
    pthread_t threads[MAX_THREADS];
    int n_started = 0;

    search.n_moves = legal_moves(root, search.moves);
    pthread_mutex_init(&search.lock, NULL);
    while (n_started < n_threads - 1 &&
           pthread_create(&threads[n_started], NULL, search_moves, &search) == 0)
        n_started++;
    search_moves(&search);
    for (int i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&search.lock);
    print_best(&search);
    if (search.fault != EINSPUL_OK)
        fprintf(stderr, "tables could not be read: %s\n",
                einspul_status_name((einspul_status)search.fault));
}

int main(int argc, char **argv)
{
    const int depth = argc > 3 ? atoi(argv[3]) : 6;
    const int n_threads = argc > 4 ? atoi(argv[4]) : 2;
    einspul_options options;
    einspul *tables = NULL;
    einspul_position root;
    einspul_error error;

    if (argc < 3 || depth < 1 || n_threads < 1 || n_threads > MAX_THREADS) {
        fprintf(stderr, "usage: search FOLDER FEN [DEPTH [THREADS]]\n");
        return 2;
    }
    einspul_options_init(&options);
    options.folders = (const char *const[]){argv[1]};
    options.n_folders = 1;
    options.cache_bytes = (size_t)64 << 20;
    einspul_status status = einspul_open(&options, &tables, &error);
    if (status == EINSPUL_OK)
        status = einspul_position_from_fen(tables, argv[2], &root, &error);
    if (status == EINSPUL_OK)
        status = play_from_tables(tables, &root, &error);
    if (status == EINSPUL_NO_TABLE)
        play_from_search(tables, &root, depth, n_threads);
    else if (status != EINSPUL_OK)
        fprintf(stderr, "%s\n", error.text);
    einspul_close(tables);
    return status != EINSPUL_OK && status != EINSPUL_NO_TABLE;
}
