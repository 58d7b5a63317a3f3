/* Positions as JSON: values, moves, rule state. The fields are described in docs/api.md. */
#ifndef EINSPUL_SERVE_POSITION_H
#define EINSPUL_SERVE_POSITION_H

#include "probe/list_moves.h"
#include "serve/http.h"
#include "serve/service.h"
#include "study/fen_lenient.h"
#include "study/map.h"

/* The value of a position, with its distance if available. Errors of einspul_why. */
einspul_status verdict_probe(einspul *handle, const einspul_position *position,
                             struct verdict *verdict, einspul_error *error);

/* Adds category, wdl, dtz, dtm, dtw and the fields that go with them to an object. */
void verdict_add(json_t *object, const struct verdict *verdict);

/* Reads a FEN leniently; `note` says what was ignored. Errors of fen_read_lenient. */
einspul_status position_from_text(const struct rule_set *set, const char *text,
                                  einspul_position *position, char note[FEN_NOTE_SIZE],
                                  einspul_error *error);

/* The argument `fen` of a request, which it has, with the pluses of king runs; to be released. NULL
 * without memory. */
char *position_text(const struct request *request);

/* Reads the argument `fen` of a request; `note` may be NULL. False, with the reply filled, if that
 * fails. */
bool position_read(const struct rule_set *set, const struct request *request,
                   einspul_position *position, char note[FEN_NOTE_SIZE], struct reply *reply);

/* Reads the argument `notation`; without it the notation is that of the FEN, or as given. False, with
 * the reply filled, for another word. */
bool notation_read(const struct rule_set *set, const struct request *request,
                   enum notation *notation, struct reply *reply);

/* Writes all moves `san` in an answer in a notation. */
void sans_in_notation(const struct rule_set *set, json_t *json, enum notation notation);

/* The FEN of a position, also of one whose side to move has no piece left. */
json_t *position_fen(const struct rule_set *set, const einspul_position *position);

/* The whole answer for a position, moves best first. With `partial`, a position without a table has
 * its legal moves and the category unknown. */
einspul_status position_json(const struct rule_set *set, const einspul_position *position,
                             bool partial, json_t **json, einspul_error *error);

/* The value of the position after a move, for the side then to move. */
struct verdict verdict_after(const struct rule_set *set, const struct probed_move *move);

/* Adds uci, path and captures of a move over `n` squares, of which the board's first is 1 - `first`
 * in `squares`. */
void squares_add(json_t *object, const uint8_t *squares, int n, int first, squares_t captured);

/* Adds the fields of a move: uci, san, path, captures, and the FEN after it. */
void move_add(json_t *object, const struct rule_set *set, const struct probed_move *move);

#endif
