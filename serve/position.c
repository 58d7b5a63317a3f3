/* Converts the library's values of a position and its moves to the format of lila-tablebase: fields
 * of a move describe the position after it from the opponent's point of view, so a move with
 * category `loss` wins. */
#include "serve/position.h"

#include "table/table_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *position_fen(const struct rule_set *set, const struct state *state)
{
    char fen[FEN_SIZE];
    fen_write(&set->rules, state, fen);
    return json_string(fen);
}

/* A remark on a FEN, with its code and arguments for translation. */
static json_t *remark_json(const struct fen_fault *remark, const char *code)
{
    json_t *arguments = json_array();
    if (remark->side != NULL)
        json_array_append_new(arguments, json_string(remark->side));
    for (int i = 0; i < remark->n_numbers; i++)
        json_array_append_new(arguments, json_sprintf("%d", remark->number[i]));
    return json_pack("{s:s,s:o}", "code", remark->code != NULL ? remark->code : code, "arguments",
                     arguments);
}

void note_add(json_t *json, const char *note, const struct fen_said *said)
{
    json_t *list = json_array();
    for (int i = 0; i < said->n_notes; i++)
        json_array_append_new(list, remark_json(&said->notes[i], NULL));
    if (note[0] != '\0')
        json_object_update_new(json,
                               json_pack("{s:o,s:O}", "note", json_any_text(note), "notes", list));
    json_decref(list);
}

bool position_read(const struct rule_set *set, const struct request *request,
                   struct given_position *given, struct reply *reply)
{
    enum notation notation = NOTATION_AS_GIVEN;
    einspul_error error;
    if (request_argument(request, "fen") == NULL) {
        reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", "fen", NULL, "missing argument fen");
        return false;
    }
    if (!notation_read(request, &notation, reply))
        return false;
    const einspul_status status =
        fen_read_lenient(&set->rules, request_argument(request, "fen"), &given->state, given->note,
                         &given->notation, &given->said, &error);
    if (notation != NOTATION_AS_GIVEN)
        given->notation = notation;
    if (status == EINSPUL_OK)
        return true;
    json_t *json = remark_json(&given->said.fault, einspul_status_name(status));
    json_object_set_new(json, "error", json_any_text(error.text));
    reply_json(reply, json);
    reply->code = http_code_of(status);
    return false;
}

bool notation_read(const struct request *request, enum notation *notation, struct reply *reply)
{
    const char *word = request_argument(request, "notation");
    *notation = word == NULL                   ? NOTATION_AS_GIVEN
                : strcmp(word, "numbers") == 0 ? NOTATION_NUMBERS
                : strcmp(word, "letters") == 0 ? NOTATION_LETTERS
                                               : NOTATION_AS_GIVEN;
    if (word == NULL || *notation != NOTATION_AS_GIVEN)
        return true;
    reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", "notation", word,
               "expected numbers or letters");
    return false;
}

/* --- values ----------------------------------------------------------------------------------- */

json_t *verdict_json(const struct verdict *verdict)
{
    const bool draw = verdict->known && verdict->outcome == EINSPUL_DRAW;
    const bool distance = verdict->known && verdict->plies >= 0;
    const int dtw = (int)verdict->outcome * verdict->plies;
    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:b,s:b,s:b,s:b,s:b}", "category", verdict_text(verdict),
                     "dtw", json_number(distance, dtw), "dtm", json_number(distance, dtw), "dtz",
                     json_number(distance || draw, distance ? dtw : 0), "wdl",
                     json_number(verdict->known, 2 * (int)verdict->outcome), "variant_win", 0,
                     "variant_loss", verdict->over && verdict->outcome != EINSPUL_DRAW, "checkmate",
                     0, "stalemate", 0, "insufficient_material", 0);
}

/* --- moves ------------------------------------------------------------------------------------ */

static json_t *squares_json(squares_t squares)
{
    json_t *list = json_array();
    for (; squares != 0; squares &= squares - 1)
        json_array_append_new(list, json_integer(bits_first(squares) + 1));
    return list;
}

void add_move_fields(json_t *object, const struct rule_set *set, const struct probed_move *move,
                     enum notation notation)
{
    char text[2 * EINSPUL_MOVE_TEXT_SIZE];
    char uci[2 * (MAX_SQUARES + 1) + 1] = "";
    json_t *path = json_array();
    for (int i = 0; i < move->n_path; i++) {
        uci[2 * i] = (char)('0' + move->path[i] / 10);
        uci[2 * i + 1] = (char)('0' + move->path[i] % 10);
        json_array_append_new(path, json_integer(move->path[i]));
    }
    notation_write(&set->rules.board, notation, move->text, text, sizeof text);
    json_object_update_new(object, json_pack("{s:s,s:s,s:o,s:o}", "uci", uci, "san", text, "path",
                                             path, "captures", squares_json(move->captured)));
}

void move_add(json_t *object, const struct rule_set *set, const struct probed_move *move,
              enum notation notation)
{
    const struct state after = state_of_position(&move->after);
    add_move_fields(object, set, move, notation);
    json_object_set_new(object, "fen", position_fen(set, &after));
}

/* True if the side to move has no piece or no legal move (the game is over). */
static bool is_over(const struct rule_set *set, const einspul_position *position)
{
    return (position->men[position->side] | position->kings[position->side]) == 0 ||
           einspul_moves(set->rules.name, position, NULL, 0, NULL) == 0;
}

/* The value of the position after a move, for the side then to move. */
struct verdict verdict_after(const struct rule_set *set, const struct probed_move *move)
{
    const struct verdict verdict = {
        .known = move->status == EINSPUL_OK,
        .undecided = move->status == EINSPUL_UNDECIDED,
        .outcome = (einspul_outcome)(-move->outcome),
        .plies = move->plies > 0 ? move->plies - 1 : -1,
        .over = move->plies == 1 ||
                (move->plies < 0 && move->outcome == EINSPUL_WIN && is_over(set, &move->after)),
    };
    return verdict;
}

json_t *move_json(const struct rule_set *set, const struct probed_move *move,
                  enum notation notation)
{
    const struct verdict after = verdict_after(set, move);
    json_t *object = verdict_json(&after);
    move_add(object, set, move, notation);
    return object;
}

/* A move of the list, with its replies if it has any and they are wanted. It is `zeroing` if it is
 * irreversible. */
static json_t *listed_json(const struct rule_set *set, const struct given_position *given,
                           const struct probed_move *move, bool with_replies)
{
    const struct placement *before = &given->state.at;
    const bool by_man = (before->men[before->side] & square_bit(move->from - 1)) != 0;
    const bool crowned = (move->after.kings[before->side] >> (move->to - 1) & 1) != 0;
    json_t *object = move_json(set, move, given->notation);
    json_object_update_new(object, json_pack("{s:b,s:b}", "zeroing", move->captured != 0 || by_man,
                                             "promotes", by_man && crowned));
    if (with_replies && move->replies.n > 0)
        json_object_set_new(object, "replies",
                            json_pack("{s:i,s:i,s:i}", "count", move->replies.n, "holding",
                                      move->replies.n_holding, "material", move->replies.balance));
    return object;
}

/* --- the whole answer ------------------------------------------------------------------------- */

static json_t *pieces_json(const struct placement *at, enum side side)
{
    return json_pack("{s:o,s:o}", "men", squares_json(at->men[side]), "kings",
                     squares_json(at->kings[side]));
}

static json_t *run_json(const struct rules *rules, const struct state *state, enum side side)
{
    const struct run run = state->run[side];
    if (!placement_has_runs(rules, &state->at, side))
        return json_null();
    return json_pack("{s:i,s:o,s:i,s:b}", "count", run.count, "square",
                     json_number(run.count > 0, run.square + 1), "limit", rules->king_run_limit,
                     "must_rest", run.count >= rules->king_run_limit);
}

static json_t *clock_json(const struct rules *rules, const struct state *state)
{
    const struct limit_left limit = state_limit_left(rules, state);
    if (limit.limit == 0)
        return json_null();
    if (limit.of_side)
        return json_pack("{s:i,s:s,s:i,s:i,s:b}", "plies", state->clock, "side",
                         side_word(limit.side), "limit", limit.limit, "moves_left", limit.left,
                         "goes_on", state->limited != 0);
    return json_pack("{s:i,s:n,s:i,s:i,s:i,s:b,s:b}", "plies", state->clock, "side", "limit",
                     limit.limit / 2, "moves_left", (limit.left + 1) / 2, "plies_left", limit.left,
                     "quiet", limit.limit == rules->quiet_limit, "goes_on", 0);
}

static void state_add(json_t *object, const struct rule_set *set, const struct state *state)
{
    const struct material material = material_of(&state->at);
    const struct material stored =
        material_is_canonical(&material) ? material : material_flip(&material);
    const bool named = material_pieces(&material) <= MAX_PIECES &&
                       placement_own(&state->at, WHITE) != 0 &&
                       placement_own(&state->at, BLACK) != 0;
    json_object_update_new(
        object,
        json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:s?,s:b}", "side", side_word(state->at.side), "white",
                  pieces_json(&state->at, WHITE), "black", pieces_json(&state->at, BLACK),
                  "white_run", run_json(&set->rules, state, WHITE), "black_run",
                  run_json(&set->rules, state, BLACK), "clock", clock_json(&set->rules, state),
                  "material", named ? material_name(&stored).text : NULL, "turned",
                  !material_is_canonical(&material)));
}

/* Looks up a position and, unless `moves` is NULL, its moves; they have no values if the position has
 * none. */
static einspul_status look_up(const struct rule_set *set, const struct state *state,
                              struct verdict *verdict, struct move_values *moves,
                              einspul_error *error)
{
    einspul_position position;
    einspul_error failure;
    einspul_status listed = EINSPUL_OK;
    const einspul_status status = verdict_of(set->handle, state, verdict, error);
    probe_position_from_state(state, &position);
    if (moves == NULL) {
        verdict->over = is_over(set, &position);
        return status;
    }
    if (status == EINSPUL_OK || status_is_missing(status))
        listed = list_moves(set->handle, set->rules.name, &position, moves, &failure);
    if (listed != EINSPUL_OK)
        return error_set(error, listed, "%s", failure.text);
    if (status == EINSPUL_OK && moves->unknown.status != EINSPUL_OK)
        return error_set(error, moves->unknown.status, "%s", moves->unknown.text);
    return status;
}

/* The answer; `missing` is the reason for a missing table, or NULL; `whole`: every move has a value. */
static json_t *answer_json(const struct rule_set *set, const struct given_position *given,
                           struct verdict verdict, const struct move_values *values, bool whole,
                           const char *missing)
{
    json_t *object = json_pack("{s:s,s:o,s:o*}", "rules", set->rules.name, "fen",
                               position_fen(set, &given->state), "missing",
                               missing != NULL ? json_any_text(missing) : NULL);
    verdict.over = values != NULL ? values->n == 0 : verdict.over;
    if (!whole && verdict.over)
        verdict = (struct verdict){.known = true, .outcome = EINSPUL_LOSS, .over = true};
    json_object_update_new(object, verdict_json(&verdict));
    state_add(object, set, &given->state);
    if (values == NULL)
        return object;
    json_t *moves = json_array();
    for (size_t i = 0; i < values->n; i++)
        json_array_append_new(moves, listed_json(set, given, &values->moves[i], whole));
    json_object_set_new(object, "moves", moves);
    return object;
}

einspul_status position_json(const struct rule_set *set, const struct given_position *given,
                             bool partial, bool with_moves, struct verdict *verdict, json_t **json,
                             einspul_error *error)
{
    struct move_values values = {.n = 0};
    struct move_values *moves = with_moves ? &values : NULL;
    *json = NULL;
    einspul_status status = look_up(set, &given->state, verdict, moves, error);
    const bool whole = status == EINSPUL_OK;
    const bool missing = status != EINSPUL_UNDECIDED && status_is_missing(status) && partial;
    if (status == EINSPUL_UNDECIDED || missing)
        status = EINSPUL_OK;
    if (status == EINSPUL_OK)
        *json = answer_json(set, given, *verdict, moves, whole, missing ? error->text : NULL);
    free(values.moves);
    return status;
}
