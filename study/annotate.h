/* Replays a game, values each position and marks the moves that threw away a win or a draw.
 * Thread-safe: one `struct annotation` per thread. */
#ifndef EINSPUL_STUDY_ANNOTATE_H
#define EINSPUL_STUDY_ANNOTATE_H

#include "probe/list_moves.h"
#include "prove/prove.h"
#include "study/fen_lenient.h"
#include "study/pdn.h"
#include "study/verdict.h"

enum { MAX_STEPS = 4096 };

/* A position of a game. */
struct game_step {
    size_t token; /* index of the move or set-up token that led here; unset in the first step */
    int ply;      /* ply number of the move, 0 for the first move of the game */
    struct state state;
    struct verdict verdict; /* value of `state` for the side to move, if known */
    bool first_known;       /* no known value since the start or a set-up before it */
    bool moved;             /* reached by a move; `move` is then set */
    struct probed_move move;
    int nag; /* Numeric Annotation Glyph: 2 mistake, 4 blunder (win to loss), 0 none */
    struct probed_move best; /* if `nag` is set; its text is empty if no best move is known */
    struct verdict before;   /* if `nag` is set: value before the move */
};

struct annotation {
    struct prover *prover;     /* for the tables of the next game; NULL: no search beyond them */
    double seconds;            /* time limit for each position */
    const struct rules *rules; /* rule set the game was judged under */
    enum notation notation;    /* of the game's moves */
    int line;                  /* line of the error, from 1 */
    char note[FEN_NOTE_SIZE];  /* note from reading the first FEN that produced one */
    struct fen_said said;      /* its parts */
    size_t n, room;
    struct game_step *steps; /* the first is the position it begins with */
};

/* Returns the rule set for a game's GameType tag. `usual` if the tag is absent (`*said` is then
 * false), names the same game, or is 99 (from position). 0 with BAD_RULES and the line for a game
 * type without rules here. */
enum rules_id annotate_rules(const struct pdn_game *game, const struct rules *usual, bool *said,
                             einspul_error *error);

/* True if the Site tag names lidraughts.org. */
bool annotate_is_from_site(const struct pdn_game *game);

/* Plays through the moves of a game, without variations, with king runs and clock, by the rules and
 * tables of `handle`, or, if it is NULL, by `rules` and without values. BAD_MOVE, BAD_FEN and
 * BAD_POSITION name line, game, move, rule set and reason; errors of probing except NO_TABLE. After
 * an error `steps` holds the steps up to it. Zero-initialize `annotation` before first use
 * (`prover` may be set); it can be reused. */
einspul_status annotate_game(einspul *handle, const struct rules *rules,
                             const struct pdn_game *game, struct annotation *annotation,
                             einspul_error *error);
void annotate_free(struct annotation *annotation);

/* Writes which rule set was assumed for a game without GameType. If the game is not legal under it,
 * also names a rule set of another game under which it is legal, and returns that name; otherwise
 * NULL. */
enum { ASSUMED_SIZE = 128 };
const char *annotate_assumed(const struct pdn_game *game, const struct rules *rules, bool legal,
                             char text[ASSUMED_SIZE]);

#endif
