/* Games and the moves in them that threw away a win or a draw. Any number of threads may annotate,
 * each its own game. */
#ifndef EINSPUL_STUDY_ANNOTATE_H
#define EINSPUL_STUDY_ANNOTATE_H

#include "probe/probe.h"
#include "study/pdn.h"

#include <stdio.h>

enum { NOTE_SIZE = 512 };

/* The comments written here begin with it. */
#define OURS "Tables: "

/* The annotation of a move. */
struct annotation {
    size_t token; /* of the move; of the first one for what is written before it */
    bool before;
    int nag;                 /* 2: a win or a draw thrown away; 4: a win into a loss; 0: none */
    char comment[NOTE_SIZE]; /* begins with OURS */
};

struct notes {
    size_t n, room;
    struct annotation *note; /* in the order of the tokens */
};

/* The rule set of a game by its tag GameType; `usual` if there is none, if it names the same game,
 * or if it says only that the game began from a position (99). BAD_RULES names the line. */
einspul_status annotate_rules(const struct pdn_game *game, const struct rules *usual,
                              struct rules *rules, einspul_error *error);

/* The rule set by which lidraughts.org judges a game of `rules` whose tag Site names that site;
 * false if there is none. */
bool annotate_site_rules(const struct pdn_game *game, const struct rules *rules,
                         struct rules *site);

/* Replays the moves of a game, without variations, with king runs and clock, and notes the first
 * known outcome and every move that changed it. BAD_MOVE, BAD_FEN and BAD_POSITION name line and
 * move; errors of probing except NO_TABLE. After an error the notes are those up to it. `notes`
 * must be zero before its first use, and may be used again. */
einspul_status annotate_game(einspul *handle, const struct pdn_game *game, struct notes *notes,
                             einspul_error *error);
void annotate_free(struct notes *notes);

/* Writes the game with its notes, in lines of about 80 columns. Comments that begin with OURS are
 * left out: they were written here before. */
void annotate_write(FILE *file, const struct pdn_game *game, const struct notes *notes);

#endif
