/* The state of the Hub engine, and its answers: tables, searches for proofs, and the lines `info`
 * and `done`. */
#ifndef EINSPUL_CLI_HUB_ENGINE_H
#define EINSPUL_CLI_HUB_ENGINE_H

#include "cli/hub_line.h"
#include "cli/lines.h"
#include "prove/book.h"
#include "prove/prove.h"
#include "study/hub_game.h"

enum { HUB_TEXT_SIZE = 4096 };

struct hub {
    struct rules own_rules; /* of --rules */
    struct hub_game game;
    bool other_game; /* the last `variant` was unknown; positions are not answered */
    char tables[HUB_TEXT_SIZE];
    bool tables_failed; /* already reported */
    int cache_mib;
    einspul *handle;
    struct prover *prover;   /* NULL until it is needed */
    struct proof_set proofs; /* of the latest position that was proved */
    double seconds;          /* for a move; 0: any number */
    bool quit;
    /* The line that was read last; during a search one that is obeyed after it. */
    struct lines *lines;
    enum line_result result;
    char *line;
    size_t n_bytes;
    bool waits; /* the line is still to be obeyed */
};

/* Prints a text in quotes, each character in `replaced` as the one in `by`. */
void hub_print_quoted(const char *text, const char *replaced, const char *by);

/* Prints a line `command message="…"`, with `detail` after `what`. */
void hub_say(const char *command, const char *what, const char *detail);

/* Closes the tables; they are opened again when they are next needed. */
void hub_close_tables(struct hub *hub);

/* Opens the tables if they are not; the handle is NULL after an error, which is reported once. */
void hub_open_tables(struct hub *hub);

/* Every `go` is answered; without a move, with an empty quoted value. */
void hub_go(struct hub *hub, const struct hub_line *line);

#endif
