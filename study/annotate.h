/* Games played through: their positions, and the moves that threw away a win or a draw. Any number
 * of threads may do so, each its own game. */
#ifndef EINSPUL_STUDY_ANNOTATE_H
#define EINSPUL_STUDY_ANNOTATE_H

#include "probe/list_moves.h"
#include "prove/prove.h"
#include "study/fen_lenient.h"
#include "study/pdn.h"
#include "study/verdict.h"

#include <stdio.h>

enum { NOTE_SIZE = 512, MOST_STEPS = 4096 };

/* Positions of more pieces are not worth a search. */
enum { MOST_PROVED = 12 };

/* A position of a game. */
struct game_step {
    size_t token;           /* of the move or set-up that led to it; not of the first */
    int ply;                /* of the move: 0 for the first of a game */
    struct state state;     /* and its value, if it is known: */
    struct verdict verdict; /* for its side to move */
    bool first_known;       /* the first known value of the game, or since a set-up */
    bool moved;             /* by a move: */
    struct probed_move move;
    int nag;                 /* 2: it threw away a win or a draw; 4: a win into a loss; or 0 */
    struct probed_move best; /* with `nag`: the best move instead, without text if none is known, */
    struct verdict before;   /* and the value before the move */
};

struct annotation {
    struct prover *prover;     /* of the tables of the next game; NULL: tables alone judge it */
    double seconds;            /* for each position that is proved */
    const struct rules *rules; /* the game was judged by */
    enum notation notation;    /* of the game's moves */
    int line;                  /* of an error */
    char note[FEN_NOTE_SIZE];  /* on the reading of its first FEN with one */
    size_t n, room;
    struct game_step *steps; /* the first is the position it begins with */
};

/* The rule set of a game by its tag GameType: `usual` if there is none (then `*said` is false), if
 * it names the same game, or if it says only that the game began from a position (99). 0 for a game
 * without rules here, with BAD_RULES and the line in `error`. */
enum rules_id annotate_rules(const struct pdn_game *game, const struct rules *usual, bool *said,
                             einspul_error *error);

/* True for a game of lidraughts.org, by its tag Site. */
bool annotate_is_from_site(const struct pdn_game *game);

/* Plays through the moves of a game, without variations, with king runs and clock, by the rules and
 * tables of `handle`, or, if it is NULL, by `rules` and without values. BAD_MOVE, BAD_FEN and
 * BAD_POSITION name line, game, move, rule set and reason; errors of probing except NO_TABLE. After
 * an error the steps are those up to it. `annotation` must be zero before its first use but for its
 * prover, and may be used again. */
einspul_status annotate_game(einspul *handle, const struct rules *rules,
                             const struct pdn_game *game, struct annotation *annotation,
                             einspul_error *error);
void annotate_free(struct annotation *annotation);

/* Writes by which rules a game is judged that does not say it; and if it is not legal under them, by
 * which ones of another game it is, which are returned, or else NULL. */
enum { ASSUMED_SIZE = 128 };
const char *annotate_assumed(const struct pdn_game *game, const struct rules *rules, bool legal,
                             char text[ASSUMED_SIZE]);

/* The comment on a step, empty if there is none, with squares in a notation. */
void annotate_comment(const struct annotation *annotation, size_t step, enum notation notation,
                      char comment[NOTE_SIZE]);

/* Writes the game to the letter, with comments on its steps between its words. Comments that begin
 * as they do are left out: they were written here before. NOTATION_AS_GIVEN: that of the game. */
void annotate_write(FILE *file, const struct pdn_game *game, const struct annotation *annotation,
                    enum notation notation);

#endif
