/* Random positions and messages for the tests of the drivers' calls. */
#ifndef EGDB_TEST_H
#define EGDB_TEST_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <einspul.h>
#include <vector>

static const int n_positions = 20000;

static int n_messages;

static void count_message(char const *msg)
{
    n_messages += std::strchr(msg, '\n') != nullptr;
}

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: ", __LINE__);                                                    \
            std::printf(__VA_ARGS__);                                                              \
            std::printf("\n");                                                                     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

static uint64_t state = 88172645463325252u;

static unsigned random_below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32) % n;
}

struct piece {
    int square, side; /* square 1.. */
    bool is_king;
};

/* Pieces on different squares, no man on its promotion row, one piece of each side at least. */
static std::vector<piece> random_pieces(int n_pieces, int n_squares, int row)
{
    std::vector<piece> pieces;
    bool taken[51] = {};
    while ((int)pieces.size() < n_pieces) {
        const int side = pieces.size() < 2 ? (int)pieces.size() : (int)random_below(2);
        const bool is_king = random_below(2) == 0;
        const int square = 1 +
                           (int)random_below((unsigned)(is_king ? n_squares : n_squares - row)) +
                           (!is_king && side == EINSPUL_WHITE ? row : 0);
        if (taken[square])
            continue;
        pieces.push_back({square, side, is_king});
        taken[square] = true;
    }
    return pieces;
}

static void put(einspul_position *to, const piece &piece)
{
    (piece.is_king ? to->kings : to->men)[piece.side] |= (uint64_t)1 << (piece.square - 1);
}

static bool has_capture(const char *rules, const einspul_position &position)
{
    einspul_move move;
    return einspul_moves(rules, &position, &move, 1, nullptr) > 0 && move.captured != 0;
}

/* Counts the values, and fails if any is too rare for a comparison to mean anything. */
struct value_counts {
    int n[6] = {}; /* by value, "no table" at 5 */
    int n_captures = 0;

    void add(int value, bool is_capture)
    {
        n[value < 0 ? 5 : value]++;
        n_captures += value > 0 && is_capture;
    }
    void check_enough() const
    {
        for (int value : {1, 2, 3, 5})
            CHECK(n[value] > 500, "too few for a comparison: value %d %d times", value, n[value]);
        CHECK(n_captures > 500, "only %d captures", n_captures);
    }
};

/* The value by the library's own call: 1 win, 2 loss, 3 draw, -2 no table, as in both drivers. */
static int expected_value(einspul *tables, const einspul_position &position)
{
    einspul_outcome outcome;
    const einspul_status status = einspul_probe(tables, &position, 0, &outcome, nullptr, nullptr);
    CHECK(status == EINSPUL_OK || status == EINSPUL_NO_TABLE, "status %d", (int)status);
    return status == EINSPUL_NO_TABLE ? -2
           : outcome == EINSPUL_WIN   ? 1
           : outcome == EINSPUL_LOSS  ? 2
                                      : 3;
}

#endif
