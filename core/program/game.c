/* Game names, start positions and perft. */
#include "core/program/game.h"

#include "core/program/flip.h"
#include "core/program/text.h"

static bool equal_ignoring_case(const char *key, const char *name)
{
    const char *rest = text_after(name, key);
    return rest != NULL && *rest == '\0';
}

const char *rules_name_of_game(const char *name)
{
    const char *const *names = einspul_rules_list();
    static const struct {
        const char *key;
        enum rules_id id;
    } games[] = {{"standard", RULES_INTERNATIONAL},
                 {"fromposition", RULES_INTERNATIONAL},
                 {"normal", RULES_INTERNATIONAL},
                 {"frysk", RULES_FRISIAN}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (equal_ignoring_case(games[i].key, name))
            return names[games[i].id - 1];
    for (int i = 0; i < N_RULES; i++)
        if (equal_ignoring_case(names[i], name))
            return names[i];
    return NULL;
}

enum rules_id rules_of_game_type(int type)
{
    struct rules rules;
    for (unsigned id = 1; id <= N_RULES; id++)
        if (rules_by_id(&rules, id, NULL) == EINSPUL_OK && rules.pdn_game_type == type)
            return rules.id;
    return 0;
}

bool rules_is_standard(const struct rules *rules)
{
    return rules->id == RULES_FRISIAN || rules->id == RULES_INTERNATIONAL ||
           rules->id == RULES_ENGLISH || rules->id == RULES_BRAZILIAN;
}

struct state state_start(const struct rules *rules)
{
    /* All rows but the two in the middle are full. */
    const int n_men = (rules->board.n_squares - rules->board.n_rows) / 2;
    const squares_t top = square_bit(n_men) - 1;
    struct state state = {0};
    state.at.men[BLACK] = top;
    state.at.men[WHITE] = board_rotate(&rules->board, top);
    state.at.side = rules->first_to_move;
    return state;
}

einspul_status moves_perft(const struct rules *rules, const struct state *state, int depth,
                           uint64_t *n_lines)
{
    struct move_list list;
    einspul_status status = EINSPUL_OK;

    *n_lines = 1;
    if (depth == 0)
        return EINSPUL_OK;
    move_list_init(&list);
    status = moves_generate(rules, state, &list);
    *n_lines = (uint64_t)list.n_moves;
    if (depth > 1 && status == EINSPUL_OK) {
        *n_lines = 0;
        for (int i = 0; i < list.n_moves && status == EINSPUL_OK; i++) {
            const struct state after = state_after(rules, state, &list.moves[i]);
            uint64_t n_below = 0;
            status = moves_perft(rules, &after, depth - 1, &n_below);
            *n_lines += n_below;
        }
    }
    move_list_free(&list);
    return status;
}
