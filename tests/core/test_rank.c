/* The numbering of placements, runs and materials. */
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/rank.h"
#include "tests/support/moves_text.h"
#include "tests/support/ranks.h"

/* Twice the size of the largest material list, so that a list that exceeds MAX_MATERIALS is
 * reported and overwrites nothing. */
enum { ROOM = 2 * MAX_MATERIALS };

static const char *const boards[] = {"frisian", "english"};

/* Fails if a binomial is wrong, so that two sets share a rank. */
Test(rank, choose_is_pascals_triangle)
{
    for (int n = 0; n <= MAX_SQUARES; n++)
        for (int k = 0; k <= MAX_SET; k++) {
            const uint32_t expected = k == 0   ? 1
                                      : n == 0 ? 0
                                               : choose(n - 1, k - 1) + choose(n - 1, k);
            cr_assert_eq(choose(n, k), expected, "C(%d, %d)", n, k);
        }
}

/* Fails if stepping through the sets does not visit each rank once, in order: a frame's neighbours
 * would then be read in another order than they were written in. */
Test(rank, sets_in_order)
{
    for (int size = 0; size <= MAX_SET; size++) {
        const int n_squares = size <= 4 ? MAX_SQUARES : 32;
        const uint32_t n_sets = choose(n_squares, size);
        squares_t set = square_bit(size) - 1;
        for (uint32_t rank = 0; rank < n_sets; rank++) {
            cr_assert_eq(bits_count(set), size);
            cr_assert_eq(set & ~(square_bit(n_squares) - 1), 0);
            cr_assert_eq(set_rank(set), rank, "%d squares, rank %u", size, rank);
            cr_assert_eq(set_unrank(rank, size), set, "%d squares, rank %u", size, rank);
            if (rank + 1 < n_sets)
                set = set_next(set);
        }
    }
}

/* The large ranks of five to seven pieces of a kind, too many to visit all. */
Test(rank, large_sets)
{
    for (int size = 5; size <= MAX_SET; size++) {
        const uint32_t n_sets = choose(MAX_SQUARES, size);
        for (uint32_t rank = 0; rank < n_sets; rank += 97) {
            const squares_t set = set_unrank(rank, size);
            cr_assert_eq(bits_count(set), size);
            cr_assert_eq(set_rank(set), rank);
            if (rank + 1 < n_sets)
                cr_assert_eq(set_rank(set_next(set)), rank + 1);
        }
        cr_assert_eq(set_unrank(n_sets - 1, size), (square_bit(size) - 1) << (MAX_SQUARES - size));
    }
}

/* Index to placement and back for every `stride`th index; returns the possible placements met. */
static uint64_t walk(const struct rules *rules, const struct shape *shape, uint64_t stride)
{
    const struct board *board = &rules->board;
    uint64_t n_possible = 0;
    for (uint64_t index = 0; index < shape->n_placements; index += stride) {
        struct placement at;
        const bool possible = shape_unrank(shape, index, BLACK, &at);
        const struct material material = material_of(&at);
        cr_assert_eq(shape_rank(shape, &at), index);
        cr_assert_eq(shape_frame(shape, &at), index / shape->frame_size);
        cr_assert_eq(shape_kings(shape, &at), index % shape->frame_size);
        cr_assert_eq(at.side, BLACK);
        cr_assert(material_equal(&material, &shape->material));
        for (int side = WHITE; side <= BLACK; side++) {
            cr_assert_eq(at.men[side] & ~board_man_squares(board, (enum side)side), 0);
            cr_assert_eq(at.kings[side] & ~board->all, 0);
        }
        if (possible) {
            const struct state state = {.at = at};
            cr_assert_eq(state_check(rules, &state, NULL), EINSPUL_OK);
        } else {
            cr_assert_lt(bits_count(placement_occupied(&at)), material_pieces(&material));
        }
        n_possible += possible;
    }
    return n_possible;
}

/* Fails if two placements share an index, or an index has none: values would overwrite each other.
 * The number of possible placements is the basis of planned memory and disk space. */
Test(rank, placements)
{
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
        const struct rules rules = rules_named(boards[b]);
        struct material list[ROOM];
        const int n = material_list(2, 4, list);
        for (int i = 0; i < n; i++) {
            for (int turn = 0; turn < 2; turn++) {
                const struct material material = turn ? material_flip(&list[i]) : list[i];
                struct shape shape;
                char name[MATERIAL_NAME_SIZE];
                shape_init(&shape, &rules, &material);
                material_write(&material, name);
                if (material_pieces(&material) < 4)
                    cr_assert_eq(walk(&rules, &shape, 1), shape_possible_placements(&shape),
                                 "%s %s", boards[b], name);
                else
                    walk(&rules, &shape, 997);
            }
        }
    }
}

/* The published numbers of placements per side to move. Fails if a plan would use a wrong size. */
Test(rank, published_placements)
{
    static const struct {
        const char *name;
        uint64_t n_placements;
    } rows[] = {{"KvK", 2450},   {"MvK", 2205},   {"MvM", 1985},
                {"KKvK", 58800}, {"KKvM", 52920}, {"KMvK", 105840},
                {"KMvM", 95280}, {"MMvK", 47520}, {"MMvM", 42790}};
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct material material;
        struct shape shape;
        cr_assert_eq(material_read(rows[i].name, &material, NULL), EINSPUL_OK);
        shape_init(&shape, &rules, &material);
        cr_assert_eq(shape_possible_placements(&shape), rows[i].n_placements, "%s", rows[i].name);
    }
}

/* All states of a number of pieces, runs included, which a complete generation solves. */
Test(rank, sums_of_states)
{
    static const uint64_t expected[] = {[4] = UINT64_C(218317080), [5] = UINT64_C(14927405470)};
    const struct rules rules = rules_named("frisian");
    for (int pieces = 4; pieces <= 5; pieces++) {
        struct material list[ROOM];
        const int n = material_list(pieces, pieces, list);
        uint64_t sum = 0;
        for (int i = 0; i < n; i++) {
            struct shape shape;
            shape_init(&shape, &rules, &list[i]);
            sum += shape_states(&shape);
        }
        cr_assert_eq(sum, expected[pieces], "%d pieces: %llu", pieces, (unsigned long long)sum);
    }
}

/* From a run to its number and back, for every king and count. Fails if two runs share a number,
 * and so a value. */
Test(rank, runs)
{
    uint64_t seed = 3;
    for (int n_kings = 1; n_kings <= MAX_SET; n_kings++)
        for (int n = 0; n < 500; n++) {
            squares_t kings = 0;
            int index = 1;
            while (bits_count(kings) < n_kings)
                kings |= square_bit(random_below(&seed, MAX_SQUARES));
            cr_assert_eq(run_index(kings, (struct run){0, 0}), 0);
            cr_assert_eq(run_from_index(kings, 0).count, 0);
            cr_assert_eq(run_from_index(kings, 0).square, 0);
            for (squares_t left = kings; left != 0; left &= left - 1)
                for (uint8_t count = 1; count <= 3; count++, index++) {
                    const struct run run = {(uint8_t)bits_first(left), count};
                    const struct run back = run_from_index(kings, index);
                    cr_assert_eq(run_index(kings, run), index);
                    cr_assert_eq(back.square, run.square);
                    cr_assert_eq(back.count, run.count);
                }
            cr_assert_eq(index, 1 + 3 * n_kings);
        }
}

/* The parts of a run's number, on the board as it is and rotated: a prober that rotates the board,
 * a seed that reads another table and a model that compares runs all rely on them. */
Test(rank, run_parts)
{
    const struct rules rules = rules_named("frisian");
    uint64_t seed = 4;
    cr_assert_eq(run_index_of(0, 0), 0);
    cr_assert_eq(run_index_of(2, 0), 0);
    cr_assert_eq(run_count(0), 0);
    cr_assert_eq(run_index_flipped(0, 2), 0);
    for (int n_kings = 1; n_kings <= MAX_SET; n_kings++)
        for (int n = 0; n < 500; n++) {
            squares_t kings = 0;
            while (bits_count(kings) < n_kings)
                kings |= square_bit(random_below(&seed, MAX_SQUARES));
            const squares_t flipped = board_rotate(&rules.board, kings);
            for (int index = 1; index < run_indices(n_kings); index++) {
                const struct run run = run_from_index(kings, index);
                const struct run other = {(uint8_t)(MAX_SQUARES - 1 - run.square), run.count};
                cr_assert_eq(run_count(index), run.count);
                cr_assert_eq(run_king(index), bits_count(kings & (square_bit(run.square) - 1)));
                cr_assert_eq(run_index_of(run_king(index), run_count(index)), index);
                cr_assert_eq(run_index_flipped(index, n_kings), run_index(flipped, other));
            }
        }
}

/* The runs of both sides: every number below n_rule_states once; White's run changes slowest. */
Test(rank, rule_states)
{
    const struct rules rules = rules_named("frisian");
    struct material list[ROOM];
    const int n = material_list(2, 6, list);
    for (int i = 0; i < n; i++) {
        struct shape shape;
        struct state state = {0};
        int expected = 0;
        shape_init(&shape, &rules, &list[i]);
        cr_assert_leq(shape.n_rule_states, MAX_RULE_STATES);
        for (uint64_t index = shape.n_placements / 2;; index++)
            if (shape_unrank(&shape, index, WHITE, &state.at))
                break;
        for (int white = 0; white < shape.n_runs[WHITE]; white++)
            for (int black = 0; black < shape.n_runs[BLACK]; black++, expected++) {
                state.run[WHITE] = run_from_index(state.at.kings[WHITE], white);
                state.run[BLACK] = run_from_index(state.at.kings[BLACK], black);
                cr_assert_eq(state_check(&rules, &state, NULL), EINSPUL_OK);
                cr_assert_eq(shape_run_index(&shape, &state), expected);
                cr_assert_eq(shape_rule_state(&shape, white, black), expected);
                cr_assert_eq(shape_run(&shape, WHITE, expected), white);
                cr_assert_eq(shape_run(&shape, BLACK, expected), black);
            }
        cr_assert_eq(expected, shape.n_rule_states);
        for (int side = WHITE; side <= BLACK; side++)
            cr_assert_eq(shape.n_runs[side],
                         list[i].men[side] > 0 ? 1 + 3 * list[i].kings[side] : 1);
    }
}

/* Without a limit on king runs there is one rule state. Fails if such tables are many times too
 * big. */
Test(rank, one_rule_state_without_the_article)
{
    static const char *const names[] = {"frisian-no17", "frisian-free", "international", "english",
                                        "brazilian"};
    struct material material;
    cr_assert_eq(material_read("KKMvKM", &material, NULL), EINSPUL_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct rules rules = rules_named(names[i]);
        struct shape shape;
        shape_init(&shape, &rules, &material);
        cr_assert_eq(shape.n_rule_states, 1, "%s", names[i]);
    }
}

static int place_of(const struct material *material, const struct material *list, int n)
{
    for (int i = 0; i < n; i++)
        if (material_equal(&list[i], material))
            return i;
    return -1;
}

/* All materials, each once, after everything it reads. With w pieces on one side there are w+1
 * choices of men and kings. Fails if a table is solved before what it needs, or never. */
Test(material, materials_follow_their_successors)
{
    static const int expected[MAX_PIECES + 1] = {
        [2] = 3, [3] = 6, [4] = 14, [5] = 22, [6] = 37, [7] = 52, [8] = 76};
    struct material list[ROOM];
    int n_all = 0;
    for (int pieces = 2; pieces <= MAX_PIECES; pieces++) {
        cr_assert_eq(material_list(pieces, pieces, list), expected[pieces], "%d pieces", pieces);
        n_all += expected[pieces];
    }
    const int n = material_list(2, MAX_PIECES, list);
    cr_assert_eq(n, n_all);
    for (int i = 0; i < n; i++) {
        struct material needed[ROOM];
        const int n_needed = material_successors(&list[i], CAPTURES_AND_PROMOTIONS, needed);
        cr_assert(material_is_canonical(&list[i]));
        cr_assert_eq(place_of(&list[i], list, n), i, "listed twice");
        for (int j = 0; j < n_needed; j++) {
            const int place = place_of(&needed[j], list, n);
            cr_assert_geq(place, 0);
            cr_assert_lt(place, i);
            if (j > 0)
                cr_assert_gt(place, place_of(&needed[j - 1], list, n));
        }
    }
}

/* Fails if a list exceeds MAX_MATERIALS, the size of the callers' arrays. */
Test(material, list_fits)
{
    struct material list[ROOM];
    cr_assert_leq(material_list(2, MAX_PIECES, list), MAX_MATERIALS, "%d materials",
                  material_list(2, MAX_PIECES, list));
}

/* Fails if a legal move leads to a material that is not among the successors. */
Test(material, moves_lead_to_successors)
{
    static const char *const names[] = {"frisian", "international", "english", "brazilian"};
    struct move_list moves;
    move_list_init(&moves);
    for (size_t r = 0; r < sizeof names / sizeof names[0]; r++) {
        const struct rules rules = rules_named(names[r]);
        struct material list[ROOM];
        const int n = material_list(2, 5, list);
        for (int i = 0; i < n; i++) {
            struct material needed[ROOM];
            bool met[ROOM] = {false};
            const int n_needed = material_successors(&list[i], CAPTURES_AND_PROMOTIONS, needed);
            struct shape shape;
            char name[MATERIAL_NAME_SIZE];
            shape_init(&shape, &rules, &list[i]);
            material_write(&list[i], name);
            const uint64_t stride = (shape.n_placements / 20000) | 1; /* odd: both sides move */
            for (uint64_t index = 0; index < 2 * shape.n_placements; index += stride) {
                struct state state = {0};
                if (!shape_unrank(&shape, index / 2, index % 2 ? BLACK : WHITE, &state.at))
                    continue;
                cr_assert_eq(moves_generate(&rules, &state, &moves), EINSPUL_OK);
                for (int m = 0; m < moves.n_moves; m++) {
                    const struct placement after = placement_after(&state.at, &moves.moves[m]);
                    struct material material = material_of(&after);
                    if (placement_own(&after, after.side) == 0 ||
                        material_equal(&material, &list[i]))
                        continue;
                    if (!material_is_canonical(&material))
                        material = material_flip(&material);
                    const int place = place_of(&material, needed, n_needed);
                    cr_assert_geq(place, 0, "%s %s: a successor is missing", names[r], name);
                    met[place] = true;
                }
            }
            for (int j = 0; j < n_needed && material_pieces(&list[i]) < 4 && r == 0; j++) {
                char other[MATERIAL_NAME_SIZE];
                material_write(&needed[j], other);
                cr_assert(met[j], "%s never leads to %s", name, other);
            }
        }
    }
    move_list_free(&moves);
}

/* Names are file names and what people type. */
Test(material, names)
{
    struct material list[ROOM];
    struct material material;
    einspul_error error;
    char name[MATERIAL_NAME_SIZE];
    const int n = material_list(2, MAX_PIECES, list);

    for (int i = 0; i < n; i++) {
        for (int turn = 0; turn < 2; turn++) {
            const struct material original = turn ? material_flip(&list[i]) : list[i];
            material_write(&original, name);
            cr_assert_eq(material_read(name, &material, &error), EINSPUL_OK, "%s", name);
            cr_assert(material_equal(&material, &original), "%s", name);
        }
    }
    cr_assert_eq(material_read("KKMvKM", &material, &error), EINSPUL_OK);
    cr_assert_eq(material.kings[WHITE], 2);
    cr_assert_eq(material.men[WHITE], 1);
    cr_assert_eq(material.kings[BLACK], 1);
    cr_assert_eq(material.men[BLACK], 1);
    material_write(&material, name);
    cr_assert_str_eq(name, "KKMvKM");
}

/* Fails if a table is looked for under a name that only differs in case, and not found. */
Test(material, names_may_be_in_any_case)
{
    struct material material;
    cr_assert_eq(material_read("kkMvKm", &material, NULL), EINSPUL_OK);
    cr_assert_str_eq(material_name(&material).text, "KKMvKM");
    cr_assert_eq(material_read("KVM", &material, NULL), EINSPUL_OK);
    cr_assert_str_eq(material_name(&material).text, "KvM");
}

/* Fails if an invalid name is read as a material, or is refused without a reason. */
Test(material, bad_names)
{
    static const struct {
        const char *name;
        const char *says;
    } rows[] = {
        {"", "expected K and M for each side"},
        {"KK", "expected K and M for each side"},
        {"v", "one side has no pieces"},
        {"Kv", "one side has no pieces"},
        {"vK", "one side has no pieces"},
        {"KvQ", "'Q'"},
        {"KvKvK", "'v'"},
        {"K v K", "' '"},
        {"KKKKKvMMMM", "at most 8 pieces"},
        {"KKKKKKKKKKKKKKKKKKKKKKKKvK", "at most 8 pieces"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct material material;
        einspul_error error = {0};
        cr_assert_eq(material_read(rows[i].name, &material, &error), EINSPUL_BAD_MATERIAL, "%s",
                     rows[i].name);
        cr_assert_not_null(strstr(error.text, rows[i].says), "'%s': '%s'", rows[i].name,
                           error.text);
    }
}

/* Rotating twice changes nothing; one of the two materials is canonical, both only if the material
 * is symmetric. Fails if a position is looked up in a table of the other colour. */
Test(material, turn)
{
    struct material list[ROOM];
    const int n = material_list(2, MAX_PIECES, list);
    for (int i = 0; i < n; i++) {
        const struct material flipped = material_flip(&list[i]);
        const struct material back = material_flip(&flipped);
        cr_assert(material_equal(&back, &list[i]));
        cr_assert_eq(material_is_symmetric(&list[i]), material_equal(&flipped, &list[i]));
        cr_assert_eq(material_is_canonical(&flipped), material_is_symmetric(&list[i]));
        cr_assert_eq(material_pieces(&flipped), material_pieces(&list[i]));
    }
}

/* A rotated placement has the rotated material, is possible there, and rotates back; square n
 * becomes 51 - n (33 - n on the small board). */
Test(rank, flipped_placements)
{
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
        const struct rules rules = rules_named(boards[b]);
        struct material list[ROOM];
        const int n = material_list(2, 3, list);
        for (int square = 0; square < rules.board.n_squares; square++)
            cr_assert_eq(board_rotate(&rules.board, square_bit(square)),
                         square_bit(rules.board.n_squares - 1 - square));
        for (int i = 0; i < n; i++) {
            const struct material other = material_flip(&list[i]);
            struct shape shape;
            struct shape other_shape;
            shape_init(&shape, &rules, &list[i]);
            shape_init(&other_shape, &rules, &other);
            cr_assert_eq(other_shape.n_placements, shape.n_placements);
            for (uint64_t index = 0; index < shape.n_placements; index += 7) {
                struct placement at;
                struct placement again;
                const bool possible = shape_unrank(&shape, index, WHITE, &at);
                const struct placement flipped = placement_flip(&rules.board, &at);
                const struct placement back = placement_flip(&rules.board, &flipped);
                cr_assert_eq(flipped.side, BLACK);
                cr_assert_eq(shape_rank(&shape, &back), index);
                cr_assert_eq(
                    shape_unrank(&other_shape, shape_rank(&other_shape, &flipped), BLACK, &again),
                    possible);
                cr_assert_eq(again.men[WHITE], flipped.men[WHITE]);
                cr_assert_eq(again.kings[BLACK], flipped.kings[BLACK]);
            }
        }
    }
}
