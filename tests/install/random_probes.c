/* random_probes FOLDER N: prints the library's answers to N random positions of two to five pieces
 * with random rule states, one a line. Uses only einspul.h, so that it can be linked to any form of
 * the library; all forms must print the same. */
#include "einspul.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 88172645463325252u;

static unsigned random_below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % n;
}

static void add_piece(einspul_position *position, uint64_t *taken, int side)
{
    const int is_king = (int)random_below(2);
    const unsigned far_row = side == EINSPUL_WHITE ? 5 : 0;
    const unsigned square = is_king ? random_below(50) : far_row + random_below(45);
    const uint64_t bit = (uint64_t)1 << square;
    if ((*taken & bit) != 0)
        return;
    *taken |= bit;
    *(is_king ? &position->kings[side] : &position->men[side]) |= bit;
    if (is_king && random_below(3) == 0) {
        position->run_square[side] = (uint8_t)(square + 1);
        position->run_count[side] = (uint8_t)(1 + random_below(3));
    }
}

static einspul_position random_position(void)
{
    einspul_position position = {.side = (uint8_t)random_below(2)};
    const int n_pieces = 2 + (int)random_below(4) % 4;
    uint64_t taken = 0;
    add_piece(&position, &taken, EINSPUL_WHITE);
    add_piece(&position, &taken, EINSPUL_BLACK);
    for (int i = 2; i < n_pieces; i++)
        add_piece(&position, &taken, (int)random_below(2));
    for (int side = 0; side < 2; side++)
        if (position.men[side] == 0) /* runs need a man */
            position.run_square[side] = position.run_count[side] = 0;
    if (position.men[0] == 0 && position.men[1] == 0 && n_pieces == 3)
        position.clock = (uint8_t)random_below(8);
    return position;
}

int main(int argc, char **argv)
{
    const int n = argc > 2 ? atoi(argv[2]) : 10000;
    einspul *tables = NULL;
    einspul_error error;
    int n_answers = 0;

    if (einspul_open(argc > 1 ? argv[1] : NULL, "frisian", 1 << 24, NULL, &tables, &error) !=
        EINSPUL_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        const einspul_position position = random_position();
        einspul_outcome outcome = EINSPUL_UNKNOWN;
        int plies = -1;
        const einspul_status status = einspul_probe(tables, &position, 0, &outcome, &plies, NULL);
        printf("%d %d %d\n", (int)status, (int)outcome, plies);
        n_answers += outcome != EINSPUL_UNKNOWN;
    }
    einspul_close(tables);
    return n_answers < n / 4; /* too few for a comparison */
}
