/* Proofs beyond the tables against larger tables: a search that has only tables of two and three pieces
 * must agree with those of four and five, and its proofs must pass the checker. */
#include "prove/search.h"

#include "tests/support/handle.h"
#include "tests/support/tables.h"

enum { MEMORY = 4 << 20, LARGE_MEMORY = 64 << 20, MAX_POSITIONS = 30000 };

TestSuite(prove, .init = make_folder, .fini = drop_folder);

/* --- tables ----------------------------------------------------------------------------------- */

/* Tables for the searches, and larger ones to compare with. */
struct tables_of_rules {
    struct rules rules;
    einspul *few, *many;
    struct prover *prover;
};

/* Generates the three-piece tables and, in another folder, those of a material or of four
 * pieces. */
static struct tables_of_rules make(const char *rules_name, const char *material)
{
    struct tables_of_rules made = {.rules = rules_named(rules_name)};
    char path[PATH_SIZE];
    einspul_error error = {0};
    generate(&made.rules, 3, NULL, METRICS_DTW);
    struct generate_options options = options_in(&made.rules, "many", path);
    options.metrics = METRICS_WDL;
    options.pieces = material != NULL ? 0 : 4;
    if (material != NULL)
        options.material = material_named(material);
    generate_with(&options);
    made.few = open_default(folder, rules_name);
    made.many = open_default(path, rules_name);
    cr_assert_eq(prover_create(made.few, MEMORY, 1, &made.prover, &error), EINSPUL_OK, "%s",
                 error.text);
    return made;
}

static void drop(struct tables_of_rules *made)
{
    prover_free(made->prover);
    einspul_close(made->few);
    einspul_close(made->many);
}

/* --- positions -------------------------------------------------------------------------------- */

static uint64_t seed = 1;

/* A random position of a material, with random runs. */
static struct state random_state(const struct rules *rules, const struct material *material)
{
    struct state state;
    do {
        squares_t used = 0;
        state = (struct state){.at.side = random_below(&seed, 2) == 0 ? WHITE : BLACK};
        for (int side = WHITE; side <= BLACK; side++)
            for (int i = 0; i < material->men[side] + material->kings[side]; i++) {
                const squares_t bit = square_bit(random_below(&seed, rules->board.n_squares));
                squares_t *set =
                    i < material->men[side] ? &state.at.men[side] : &state.at.kings[side];
                *set |= bit & ~used;
                used |= bit;
            }
        for (int side = WHITE; side <= BLACK; side++)
            if (placement_has_runs(rules, &state.at, (enum side)side) &&
                random_below(&seed, 2) == 0)
                state.run[side] = (struct run){(uint8_t)bits_first(state.at.kings[side]),
                                               (uint8_t)(1 + random_below(&seed, MAX_RUN_COUNT))};
    } while (bits_count(placement_occupied(&state.at)) != material_pieces(material) ||
             state_check(rules, &state, NULL) != EINSPUL_OK);
    return state;
}

static int value_of(einspul *handle, const struct state *state)
{
    value_t value = VALUE_DRAW;
    einspul_error error = {0};
    cr_assert_eq(probe_state(handle, state, EINSPUL_WDL, 0, &value, &error), EINSPUL_OK, "%s",
                 error.text);
    return (int)value_outcome(value) * (state->at.side == WHITE ? 1 : -1);
}

static struct text_of {
    char text[FEN_SIZE];
} fen_of(const struct rules *rules, const struct state *state)
{
    struct text_of fen;
    fen_write(rules, state, fen.text);
    return fen;
}

/* --- what must hold --------------------------------------------------------------------------- */

/* Asserts that every final answer in memory is true; returns their number, and adds the number of
 * disproofs that hold on one path only. */
static int expect_true_memory(const struct tables_of_rules *made, int *n_on_path)
{
    const struct memory *memory = &made->prover->memory;
    int n = 0;
    for (uint64_t i = 0; i < memory_n_entries(memory); i++) {
        struct state_key goal;
        struct value value;
        if (!memory_entry(memory, i, &goal, &value))
            continue;
        *n_on_path += value.answer == ANSWER_DISPROVED_ON_PATH;
        if (value.answer != ANSWER_PROVED && value.answer != ANSWER_DISPROVED)
            continue;
        const enum side attacker = goal_attacker(&goal);
        goal.word[0] &= ~((uint64_t)1 << KEY_FREE);
        const struct state state = state_of_key(&goal);
        const bool wins = value_of(made->many, &state) == (attacker == WHITE ? 1 : -1);
        cr_assert_eq(wins, value.answer == ANSWER_PROVED, "%s is remembered wrongly",
                     fen_of(&made->rules, &state).text);
        n++;
    }
    return n;
}

/* Solves a position; checks what is decided against the larger tables, and its proof with the
 * checker. Returns true if everything is decided. */
static bool expect_truth(const struct tables_of_rules *made, const struct state *state)
{
    const struct prove_limits limits = {.n_positions = MAX_POSITIONS,
                                        .n_proof_positions = 4 * MAX_POSITIONS};
    const struct text_of fen = fen_of(&made->rules, state);
    const int white = value_of(made->many, state);
    struct prove_result solved;
    const struct known_wins *known = &solved.known;
    einspul_error error = {0};
    cr_assert_eq(prove_position(made->prover, state, &limits, &solved, &error), EINSPUL_OK,
                 "%s: %s", fen.text, error.text);
    for (int side = WHITE; side <= BLACK; side++)
        cr_assert(!known->decided[side] || known->wins[side] == (white == (side == WHITE ? 1 : -1)),
                  "%s: %s is wrong", fen.text, known_text(known, state->at.side));
    cr_assert_str_empty(solved.rejection, "%s: %s", fen.text, solved.rejection);
    if (solved.proofs.n_proofs > 0)
        cr_assert_str_eq(proof_set_outcome(&solved.proofs), known_text(known, state->at.side), "%s",
                         fen.text);
    proof_set_free(&solved.proofs);
    return known->decided[WHITE] && known->decided[BLACK];
}

/* Solves `n` random positions of each of some materials; at least `n_decided` in all must be
 * decided. */
static void expect_sample(const struct tables_of_rules *made, const char *const *names, int n,
                          int n_decided)
{
    int n_found = 0;
    for (; *names != NULL; names++) {
        const struct material material = material_named(*names);
        for (int i = 0; i < n; i++) {
            const struct state state = random_state(&made->rules, &material);
            n_found += expect_truth(made, &state);
        }
    }
    cr_assert_geq(n_found, n_decided, "only %d positions were decided", n_found);
    int n_on_path = 0;
    cr_assert_gt(expect_true_memory(made, &n_on_path), 1000);
}

/* Fails if a proved outcome differs from that of larger tables; kings of both sides, with runs. */
Test(prove, frisian_agrees_with_tables)
{
    static const char *const names[] = {"KKvKM", "KKvKK", NULL};
    struct tables_of_rules made = make("frisian", "KKvKM");
    expect_sample(&made, names, 50, 90);
    drop(&made);
}

Test(prove, english_agrees_with_tables)
{
    static const char *const names[] = {"KMvKM", "KKvKM", "MMvMM", NULL};
    struct tables_of_rules made = make("english", "MMvMM");
    expect_sample(&made, names, 20, 20);
    drop(&made);
}

/* Fails if several threads on one position store or find a wrong result. */
Test(prove, several_threads_agree_with_tables)
{
    enum { THREADS = 4 };
    static const char *const names[] = {"KKvKM", "KKvKK", NULL};
    struct tables_of_rules made = make("english", "KKvKM");
    prover_free(made.prover);
    cr_assert_eq(prover_create(made.few, MEMORY, THREADS, &made.prover, NULL), EINSPUL_OK);
    expect_sample(&made, names, 20, 8);
    drop(&made);
}

/* Fails if a disproof found below a position on the path is used on another path: stored answers are
 * wrong here, and in the end an outcome. */
static void expect_no_repetition_trusted(const char *rules_name, const char *const *fens)
{
    const struct prove_limits limits = {.n_positions = 60000};
    struct tables_of_rules made = make(rules_name, NULL);
    int n_on_path = 0;
    for (; *fens != NULL; fens++) {
        const struct state state = state_named(&made.rules, *fens);
        struct prove_result solved;
        prover_free(made.prover);
        cr_assert_eq(prover_create(made.few, LARGE_MEMORY, 1, &made.prover, NULL), EINSPUL_OK);
        cr_assert_eq(prove_position(made.prover, &state, &limits, &solved, NULL), EINSPUL_OK);
        proof_set_free(&solved.proofs);
        cr_assert_gt(expect_true_memory(&made, &n_on_path), 10);
    }
    cr_assert_gt(n_on_path, 10, "no repetition was met");
    drop(&made);
}

Test(prove, english_repetitions_make_no_wrong_answers)
{
    /* In the last three, closing a strategy one ply early is wrong, too. */
    static const char *const fens[] = {"B:WK22,K16:B8,K32",  "W:WK20,6:BK3,2",   "W:WK7,K31:B3,K24",
                                       "B:WK22,K23:BK13,14", "B:WK8,K31:BK1,10", NULL};
    expect_no_repetition_trusted("english", fens);
}

Test(prove, brazilian_repetitions_make_no_wrong_answers)
{
    static const char *const fens[] = {"B:WK24:B11,K8,K32", "B:WK12:B2,3,K4", NULL};
    expect_no_repetition_trusted("brazilian", fens);
}

/* Fails if captures that lead to positions of three or four pieces are valued wrongly. */
Test(prove, five_pieces_agree_with_tables)
{
    static const char *const names[] = {"KKKvKM", "KKKvKK", NULL};
    struct tables_of_rules made = make("brazilian", "KKKvKM");
    expect_sample(&made, names, 20, 10);
    drop(&made);
}

/* --- the checker ------------------------------------------------------------------------------ */

/* The certified proof of a position's outcome. */
static struct proof_set prove(const struct tables_of_rules *made, const char *fen,
                              const char *outcome)
{
    const struct prove_limits limits = {.seconds = 0};
    const struct state state = state_named(&made->rules, fen);
    struct prove_result solved;
    einspul_error error = {0};
    cr_assert_eq(prove_position(made->prover, &state, &limits, &solved, &error), EINSPUL_OK, "%s",
                 error.text);
    cr_assert_str_eq(known_text(&solved.known, state.at.side), outcome, "%s", fen);
    cr_assert_str_empty(solved.rejection, "%s: %s", fen, solved.rejection);
    return solved.proofs;
}

/* Fails if a disproof by repetition is stored as independent of the path (graph-history interaction):
 * after searching the first position, the second would be a draw, without a valid proof. */
Test(prove, english_repetition_disproof_is_not_reused)
{
    const struct prove_limits limits = {.n_positions = 60000};
    struct tables_of_rules made = make("english", "KKvKM");
    const struct state first = state_named(&made.rules, "W:WK5,K32:B18,K31");
    struct prove_result solved;
    cr_assert_eq(prove_position(made.prover, &first, &limits, &solved, NULL), EINSPUL_OK);
    proof_set_free(&solved.proofs);
    struct proof_set set = prove(&made, "B:WK5,K27:B18,K29", "loss");
    proof_set_free(&set);
    drop(&made);
}

/* Fails if a disproof that depends on one path is used on another; every move of a lost position would
 * then seem to hold. */
Test(prove, english_disproof_of_another_path_is_not_used)
{
    const uint64_t OTHER_PATH = (uint64_t)12345 << 40;
    struct tables_of_rules made = make("english", "KKvKM");
    const struct state state = state_named(&made.rules, "B:WK5,K27:B18,K29");
    struct step_list list = {0};
    cr_assert_eq(steps_list(&made.rules, &state, &list), EINSPUL_OK);
    cr_assert_gt(list.n, 1);
    for (size_t i = 0; i < list.n; i++) {
        const struct state_key goal = goal_of(&list.steps[i].after, WHITE);
        const struct value on_other_path = {
            .answer = ANSWER_DISPROVED_ON_PATH, .depends = {1, 1}, .path = memory_path(OTHER_PATH)};
        memory_store(&made.prover->memory, &goal, &on_other_path, 1);
    }
    free(list.steps);
    struct proof_set set = prove(&made, "B:WK5,K27:B18,K29", "loss");
    proof_set_free(&set);
    drop(&made);
}

static void add_to(struct proof *proof, const struct state *state, const struct proof_move *move)
{
    uint32_t number = 0;
    cr_assert_eq(proof_add_position(proof, state, &number), EINSPUL_OK);
    proof->moves[number] = *move;
}

/* A copy of a proof without position `number`, or with `move` there unless it is NULL. */
static struct proof changed(const struct proof *proof, uint32_t number,
                            const struct proof_move *move)
{
    struct proof copy;
    cr_assert_eq(proof_init(&copy, proof->player, proof->claim, NULL), EINSPUL_OK);
    for (uint32_t i = 0; i < proof->positions.n; i++) {
        const struct state state = proof_state(proof, i);
        if (i != number || move != NULL)
            add_to(&copy, &state, i == number ? move : &proof->moves[i]);
    }
    return copy;
}

static bool is_accepted(const struct tables_of_rules *made, const struct proof *proof,
                        const struct state *root)
{
    struct proof_fault fault;
    cr_assert_eq(proof_check(made->few, proof, root, &fault, NULL), EINSPUL_OK);
    return fault.what == NULL;
}

/* Asserts that a proof is refused if any one of its positions is missing, if a move gives the
 * outcome away, or if a move is illegal. */
static void expect_refusals(const struct tables_of_rules *made, const struct proof_set *set,
                            int *n_wrong_moves)
{
    const struct proof *proof = &set->proofs[0];
    for (uint32_t number = 0; number < proof->positions.n; number++) {
        const struct state state = proof_state(proof, number);
        const int sign = proof->player == WHITE ? 1 : -1;
        struct proof without = changed(proof, number, NULL);
        cr_assert(!is_accepted(made, &without, &set->root), "position %u is not missed", number);
        proof_free(&without);
        struct move_list list;
        move_list_init(&list);
        cr_assert_eq(moves_generate(&made->rules, &state, &list), EINSPUL_OK);
        for (int i = 0; i < list.n_moves; i++) {
            const struct move *move = &list.moves[i];
            const struct state after = state_after(&made->rules, &state, move);
            if (sign * value_of(made->many, &after) >= (proof->claim == PROOF_WINS ? 1 : 0))
                continue;
            const struct proof_move wrong = {move->captured, move->from, move->to,
                                             proof->moves[number].rank};
            struct proof other = changed(proof, number, &wrong);
            cr_assert(!is_accepted(made, &other, &set->root), "a wrong move at %u", number);
            proof_free(&other);
            ++*n_wrong_moves;
        }
        move_list_free(&list);
        const struct proof_move illegal = {0, 0, 0, proof->moves[number].rank};
        struct proof other = changed(proof, number, &illegal);
        cr_assert(!is_accepted(made, &other, &set->root), "an illegal move at %u", number);
        proof_free(&other);
    }
}

/* The number of a state in a proof; the number of its positions if absent. */
static uint32_t number_of(const struct proof *proof, const struct state *state)
{
    uint32_t number = 0;
    while (number < proof->positions.n) {
        const struct state other = proof_state(proof, number);
        if (state_equal(&other, state))
            break;
        number++;
    }
    return number;
}

/* Asserts that a win is refused if a reply leads to a position of the same rank. */
static void expect_falling_ranks(const struct tables_of_rules *made, const struct proof_set *set)
{
    const struct proof *proof = &set->proofs[0];
    struct move_list list;
    int n = 0;
    move_list_init(&list);
    for (uint32_t i = 0; i < proof->positions.n; i++) {
        const struct state state = proof_state(proof, i);
        const struct proof_move *move = &proof->moves[i];
        struct state after = state;
        cr_assert_eq(moves_generate(&made->rules, &state, &list), EINSPUL_OK);
        for (int j = 0; j < list.n_moves; j++)
            if (list.moves[j].from == move->from && list.moves[j].to == move->to &&
                list.moves[j].captured == move->captured)
                after = state_after(&made->rules, &state, &list.moves[j]);
        cr_assert_eq(moves_generate(&made->rules, &after, &list), EINSPUL_OK);
        for (int j = 0; j < list.n_moves; j++) {
            const struct state next = state_after(&made->rules, &after, &list.moves[j]);
            const uint32_t number = number_of(proof, &next);
            if (number == proof->positions.n)
                continue; /* for the tables */
            struct proof_move equal = proof->moves[number];
            equal.rank = move->rank;
            struct proof other = changed(proof, number, &equal);
            cr_assert(!is_accepted(made, &other, &set->root), "a rank that stays at %u", number);
            proof_free(&other);
            n++;
        }
    }
    move_list_free(&list);
    cr_assert_gt(n, 0);
}

/* Fails if the checker accepts a proof with a wrong or missing move. */
Test(prove, a_proof_with_a_wrong_or_missing_move_is_refused)
{
    struct tables_of_rules made = make("frisian", "KKvKM");
    int n_wrong_moves = 0;
    struct proof_set win = prove(&made, "W:WK35,K21:BK9,16", "win");
    expect_refusals(&made, &win, &n_wrong_moves);
    expect_falling_ranks(&made, &win);
    struct proof_set draw = prove(&made, "B:WK6,K15:BK43,36", "draw");
    cr_assert_eq(draw.n_proofs, 2);
    expect_refusals(&made, &draw, &n_wrong_moves);
    cr_assert_gt(n_wrong_moves, 20);
    const struct proof_set one_side = {draw.root, 2, {draw.proofs[0], draw.proofs[0]}};
    cr_assert_null(proof_set_outcome(&one_side), "one side that holds makes a draw");
    proof_set_free(&win);
    proof_set_free(&draw);
    drop(&made);
}

/* --- files ------------------------------------------------------------------------------------ */

/* True if a file is read to its end and its proofs are accepted; `*outcome` is then that of
 * `*root`. */
static bool is_file_accepted(const struct tables_of_rules *made, const char *path,
                             const char **outcome, struct state *root)
{
    struct proof_reader reader;
    struct proof_set set = {.n_proofs = 0};
    bool ended = true;
    FILE *file = fopen(path, "r");
    bool accepted = proof_reader_begin(&reader, file, made->few, NULL) == EINSPUL_OK &&
                    proof_reader_next(&reader, &set, &ended, NULL) == EINSPUL_OK && !ended;
    struct proof_set none;
    accepted = accepted && proof_reader_next(&reader, &none, &ended, NULL) == EINSPUL_OK && ended;
    for (int i = 0; i < set.n_proofs && accepted; i++)
        accepted = is_accepted(made, &set.proofs[i], &set.root);
    if (accepted) {
        *outcome = proof_set_outcome(&set);
        *root = set.root;
    }
    proof_set_free(&set);
    fclose(file);
    return accepted;
}

/* True if the larger tables agree with an outcome or a bound on it. */
static bool is_true(const struct tables_of_rules *made, const char *outcome,
                    const struct state *root)
{
    const int value = value_of(made->many, root) * (root->at.side == WHITE ? 1 : -1);
    const char *const above[] = {"loss", "draw", "win"};
    return strcmp(outcome, above[value + 1]) == 0 ||
           (value <= 0 && strcmp(outcome, "not-win") == 0) ||
           (value >= 0 && strcmp(outcome, "not-loss") == 0);
}

static einspul_status put(void *context, const void *bytes, size_t n_bytes, einspul_error *error)
{
    (void)error;
    return fwrite(bytes, 1, n_bytes, context) == n_bytes ? EINSPUL_OK : EINSPUL_IO;
}

/* Writes a file with one set of proofs. */
static void write_proofs(const struct tables_of_rules *made, const char *path,
                         const struct proof_set *set)
{
    FILE *file = fopen(path, "w");
    struct proof_writer writer = {.put = put, .context = file};
    cr_assert_eq(proof_writer_begin(&writer, made->few), EINSPUL_OK);
    cr_assert_eq(proof_writer_add(&writer, set), EINSPUL_OK);
    cr_assert_eq(proof_writer_end(&writer), EINSPUL_OK);
    cr_assert_eq(fclose(file), 0);
}

/* Fails if a damaged file proves a wrong outcome, or a truncated one is accepted. A changed byte
 * may still give a valid proof, of another position or with other ranks. */
Test(prove, a_damaged_file_is_refused_or_right)
{
    struct tables_of_rules made = make("frisian", "KKvKM");
    struct proof_set set = prove(&made, "B:WK35,K26:BK10,33", "draw");
    const char *path = path_of("proof");
    size_t n_bytes = 0;
    int n_accepted = 0;
    write_proofs(&made, path, &set);
    uint8_t *bytes = read_whole(path, &n_bytes);
    size_t n_header = 0; /* names tables, which may differ */
    while (memcmp(bytes + n_header, "position", 8) != 0)
        n_header++;
    for (size_t i = 0; i < n_bytes; i++) {
        const uint8_t whole = bytes[i];
        const char *outcome = NULL;
        struct state root;
        bytes[i] = (uint8_t) "0123456789\n\t:,KWB"[random_below(&seed, 17)];
        write_whole(path, bytes, n_bytes);
        if (is_file_accepted(&made, path, &outcome, &root)) {
            cr_assert(is_true(&made, outcome, &root), "byte %zu: %s", i, outcome);
            n_accepted += i >= n_header;
        }
        bytes[i] = whole;
        write_whole(path, bytes, i);
        cr_assert(i == n_bytes - 1 || !is_file_accepted(&made, path, &outcome, &root),
                  "cut to %zu bytes, and accepted", i);
    }
    cr_assert_lt(n_accepted, (int)(n_bytes - n_header) / 4);
    free(bytes);
    proof_set_free(&set);
    drop(&made);
}
