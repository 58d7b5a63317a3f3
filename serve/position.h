/* Positions as JSON: values, moves, rule state. The fields are described in docs/api.md. */
#ifndef EINSPUL_SERVE_POSITION_H
#define EINSPUL_SERVE_POSITION_H

#include "probe/list_moves.h"
#include "serve/http.h"
#include "serve/service.h"
#include "study/fen_lenient.h"
#include "study/verdict.h"

/* Returns an object with category, wdl, dtz, dtm, dtw and related fields. */
json_t *verdict_json(const struct verdict *verdict);

/* A requested position. */
struct given_position {
    struct state state;
    char note[FEN_NOTE_SIZE]; /* ignored or assumed parts */
    struct fen_said said;
    enum notation notation; /* requested notation, or else that of the FEN */
};

/* Reads the arguments `fen`, leniently, and `notation` of a request. False, with the reply filled, if
 * that fails. */
bool position_read(const struct rule_set *set, const struct request *request,
                   struct given_position *given, struct reply *reply);

/* Adds `note` and `notes`, its parts for translation, unless the note is empty. */
void note_add(json_t *json, const char *note, const struct fen_said *said);

/* Reads the argument `notation` alone, which may be absent. */
bool notation_read(const struct request *request, enum notation *notation, struct reply *reply);

json_t *position_fen(const struct rule_set *set, const struct state *state);

/* The whole answer for a position, moves best first, or left out. With `partial`, a position without a
 * table has its legal moves and the category unknown; `verdict` is then unknown too. */
einspul_status position_json(const struct rule_set *set, const struct given_position *given,
                             bool partial, bool with_moves, struct verdict *verdict, json_t **json,
                             einspul_error *error);

/* The value of the position after a move, for the side then to move. */
struct verdict verdict_after(const struct rule_set *set, const struct probed_move *move);

/* Adds the fields of a move: uci, san, path, captures; and the FEN after it. */
void add_move_fields(json_t *object, const struct rule_set *set, const struct probed_move *move,
                     enum notation notation);
void move_add(json_t *object, const struct rule_set *set, const struct probed_move *move,
              enum notation notation);

/* All of these, and the value of the position after the move. */
json_t *move_json(const struct rule_set *set, const struct probed_move *move,
                  enum notation notation);

#endif
