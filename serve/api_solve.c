/* Proofs beyond the tables, with prove/prove.h: decides a position within a time limit and checks the
 * proofs. Proofs are cached, so that positions reached from a proved one are answered at once; a search
 * that stays open is continued if its position is requested again. */
#include "serve/endpoints.h"

#include "serve/position.h"

#include "probe/list_moves.h"
#include "probe/position.h"
#include "prove/prove.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_SECONDS = 10, MAX_SECONDS = 60 };

/* A request, and the known results for its position. */
struct question_asked {
    const struct call *call;
    struct given_position given;
    uint64_t seconds; /* 0: known results only */
    struct book_answer known;
    bool running;
    struct prove_result result; /* of the search; its proofs are not used */
};

static einspul_status find_known(struct question_asked *asked, einspul_error *error)
{
    return proofs_ask(&asked->call->service->proofs, asked->call->set->handle, &asked->given.state,
                      &asked->known, error);
}

/* True if both questions are decided, or no search was requested. */
static bool is_answered(const struct question_asked *asked)
{
    const struct known_wins *known = &asked->known.known;
    return asked->seconds == 0 || (known->decided[WHITE] && known->decided[BLACK]);
}

/* --- the search ------------------------------------------------------------------------------- */

static bool report(const struct prove_result *partial, bool proving, void *context)
{
    const struct question_asked *asked = context;
    const struct request *request = asked->call->request;
    (void)proving;
    proofs_note(&asked->call->service->proofs, asked->call->set->handle, &asked->given.state,
                partial);
    return request->go_on(request->context);
}

/* Searches, continuing an earlier search of the position, and caches certified results. */
static einspul_status solve(struct question_asked *asked, einspul_error *error)
{
    struct proofs *proofs = &asked->call->service->proofs;
    const struct rule_set *set = asked->call->set;
    const struct prove_limits limits = {
        .seconds = (double)asked->seconds,
        .proof_seconds = (double)asked->seconds,
        .progress = report,
        .context = asked,
    };
    const struct known_wins *known = &asked->result.known;
    struct prover *prover = proofs_resume(proofs, set->handle, &asked->given.state);
    einspul_status status = EINSPUL_OK;
    if (prover == NULL)
        status = prover_create(set->handle, asked->call->service->options.prover_bytes, 1, &prover,
                               error);
    if (status == EINSPUL_OK)
        status = prove_position(prover, &asked->given.state, &limits, &asked->result, error);
    proofs_note(proofs, set->handle, &asked->given.state, NULL);
    if (status == EINSPUL_OK && asked->result.proofs.n_proofs > 0)
        proofs_keep(proofs, set->handle, &asked->result.proofs);
    if (status == EINSPUL_OK && !(known->decided[WHITE] && known->decided[BLACK]))
        proofs_suspend(proofs, set->handle, &asked->given.state, prover);
    else
        prover_free(prover);
    proof_set_free(&asked->result.proofs);
    return status;
}

/* --- the answer ------------------------------------------------------------------------------- */

/* Adds the move of the proof, and the known results for the position after each move. */
static einspul_status add_moves(json_t *json, const struct question_asked *asked,
                                einspul_error *error)
{
    const struct rule_set *set = asked->call->set;
    const struct book_answer *known = &asked->known;
    struct move_list list;
    json_t *moves = json_array();
    move_list_init(&list);
    einspul_status status = moves_generate(&set->rules, &asked->given.state, &list);
    if (status != EINSPUL_OK)
        moves_error(status, error);
    else
        qsort(list.moves, (size_t)list.n_moves, sizeof *list.moves, move_compare);
    json_object_set_new(json, "move", json_null());
    json_object_set_new(json, "moves", moves);
    for (int i = 0; i < list.n_moves && status == EINSPUL_OK; i++) {
        struct probed_move move;
        struct book_answer then;
        json_t *object = json_object();
        describe_move(&set->rules, &asked->given.state, &list, &list.moves[i], &move);
        const struct state after = state_of_position(&move.after);
        status = proofs_ask(&asked->call->service->proofs, set->handle, &after, &then, error);
        move_add(object, set, &move, asked->given.notation);
        if (known->has_move && move.from == known->move.from + 1 && move.to == known->move.to + 1 &&
            move.captured == known->move.captured)
            json_object_set_new(json, "move", json_deep_copy(object));
        json_object_set_new(object, "category",
                            json_string(known_text(&then.known, after.at.side)));
        json_array_append_new(moves, object);
    }
    move_list_free(&list);
    return status;
}

static einspul_status answer(const struct question_asked *asked, json_t **json,
                             einspul_error *error)
{
    const struct rule_set *set = asked->call->set;
    const enum side side = asked->given.state.at.side;
    const struct known_wins *known = asked->running ? &asked->result.found : &asked->known.known;
    const bool any = known->decided[WHITE] || known->decided[BLACK];
    einspul_outcome outcome = EINSPUL_DRAW;
    const bool all = known_outcome(known, side, &outcome);
    *json =
        json_pack("{s:s,s:o,s:b,s:s,s:o,s:I,s:f,s:o}", "rules", set->rules.name, "fen",
                  position_fen(set, &asked->given.state), "running", asked->running, "category",
                  known_text(known, side), "wdl", json_number(all, 2 * (int)outcome), "nodes",
                  (json_int_t)asked->result.n_positions, "seconds", asked->result.seconds, "proof",
                  json_number(any && !asked->running, (json_int_t)asked->known.n_positions));
    note_add(*json, asked->given.note, &asked->given.said);
    return add_moves(*json, asked, error);
}

/* --- proofs of the program -------------------------------------------------------------------- */

/* Keeps the proofs of a file that `einspul solve` has written, once all of them are checked. */
void api_proof(const struct call *call, struct reply *reply)
{
    const struct rule_set *set = call->set;
    struct book book = {.n = 0};
    einspul_error error;
    json_t *list = json_array();
    FILE *file = fmemopen((void *)(uintptr_t)call->request->body, call->request->n_body, "r");
    const einspul_status status = file != NULL
                                      ? book_read(&book, file, set->handle, &error)
                                      : error_set(&error, EINSPUL_BAD_ARGUMENT, "not a proof file");
    for (size_t i = 0; i < book.n && status == EINSPUL_OK; i++) {
        struct proof_set *proofs = &book.sets[i];
        json_array_append_new(list,
                              json_pack("{s:o,s:s,s:I}", "fen", position_fen(set, &proofs->root),
                                        "category", proof_set_outcome(proofs), "proof",
                                        (json_int_t)proof_set_positions(proofs)));
        proofs_keep(&call->service->proofs, set->handle, proofs);
    }
    reply_result(
        reply,
        json_pack("{s:s,s:s,s:o}", "rules", set->rules.name, "note", book.note, "proofs", list),
        status == EINSPUL_WRONG_RULES ? EINSPUL_BAD_ARGUMENT : status, &error);
    book_free(&book);
    if (file != NULL)
        fclose(file);
}

/* --- a position ------------------------------------------------------------------------------- */

void api_solve(const struct call *call, struct reply *reply)
{
    struct question_asked asked = {.call = call, .seconds = DEFAULT_SECONDS};
    json_t *json = NULL;
    einspul_error error;
    if (!request_number(call->request, "seconds", 0, MAX_SECONDS, &asked.seconds, reply) ||
        !position_read(call->set, call->request, &asked.given, reply))
        return;
    einspul_status status = find_known(&asked, &error);
    if (status == EINSPUL_OK && !is_answered(&asked)) {
        if (call->request->go_on == NULL)
            return;
        status = solve(&asked, &error);
        if (status == EINSPUL_OK)
            status = find_known(&asked, &error);
    } else if (status == EINSPUL_OK) {
        asked.running = proofs_running(&call->service->proofs, call->set->handle,
                                       &asked.given.state, &asked.result);
    }
    if (status == EINSPUL_OK)
        status = answer(&asked, &json, &error);
    reply_result(reply, json, status, &error);
    const struct known_wins *known = &asked.known.known;
    reply->is_partial = !(known->decided[WHITE] && known->decided[BLACK]);
}
