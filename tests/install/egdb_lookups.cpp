/* egdb_lookups FOLDER: fails if the calls of egdb_intl give other values than einspul_probe. FOLDER
 * has the international tables of two and three pieces. */
#include "examples/egdb_intl.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <einspul.h>

using namespace egdb_interface;

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

struct both_forms {
    EGDB_POSITION egdb;
    einspul_position ours;
};

/* Adds a piece on a square 1..50, with the bit that the driver's documentation gives. */
static void put(both_forms *to, int square, int side, bool is_king)
{
    const EGDB_BITBOARD bit = (EGDB_BITBOARD)1 << (square - 1 + (square - 1) / 10);
    (side == EINSPUL_WHITE ? to->egdb.white : to->egdb.black) |= bit;
    if (is_king)
        to->egdb.king |= bit;
    (is_king ? to->ours.kings : to->ours.men)[side] |= (uint64_t)1 << (square - 1);
}

static both_forms random_position(int n_pieces)
{
    both_forms to = {};
    bool taken[51] = {};
    for (int n = 0; n < n_pieces;) {
        const int side = n < 2 ? n : (int)random_below(2);
        const bool is_king = random_below(2) == 0;
        const int square = 1 + (int)(is_king ? random_below(50) : random_below(45)) +
                           (!is_king && side == EINSPUL_WHITE ? 5 : 0);
        if (taken[square])
            continue;
        put(&to, square, side, is_king);
        taken[square] = true;
        n++;
    }
    to.ours.side = (uint8_t)random_below(2);
    return to;
}

static int color_of(const both_forms &position)
{
    return position.ours.side == EINSPUL_WHITE ? EGDB_WHITE : EGDB_BLACK;
}

static bool has_capture(const einspul_position &position)
{
    einspul_move move;
    return einspul_moves("international", &position, &move, 1, nullptr) > 0 && move.captured != 0;
}

static void compare_values(EGDB_DRIVER *driver, einspul *tables)
{
    int n[6] = {}; /* by value, EGDB_SUBDB_UNAVAILABLE at 5 */
    int n_captures = 0;

    for (int i = 0; i < n_positions; i++) {
        const both_forms position = random_position(2 + i % 4);
        einspul_outcome outcome;
        const einspul_status status =
            einspul_probe(tables, &position.ours, 0, &outcome, nullptr, nullptr);
        const int value = egdb_lookup(driver, &position.egdb, color_of(position), 0);
        const int expected = status == EINSPUL_NO_TABLE ? EGDB_SUBDB_UNAVAILABLE
                             : outcome == EINSPUL_WIN   ? EGDB_WIN
                             : outcome == EINSPUL_LOSS  ? EGDB_LOSS
                                                        : EGDB_DRAW;
        CHECK(status == EINSPUL_OK || status == EINSPUL_NO_TABLE, "%d: status %d", i, (int)status);
        CHECK(value == expected, "position %d: value %d, expected %d", i, value, expected);
        CHECK(egdb_lookup_with_search(driver, &position.egdb, color_of(position)) == value,
              "position %d: another value with search", i);
        n[value < 0 ? 5 : value]++;
        n_captures += value > 0 && has_capture(position.ours);
    }
    CHECK(n[EGDB_WIN] > 500 && n[EGDB_LOSS] > 500 && n[EGDB_DRAW] > 500 && n[5] > 500,
          "too few for a comparison: %d won, %d lost, %d drawn, %d unavailable", n[EGDB_WIN],
          n[EGDB_LOSS], n[EGDB_DRAW], n[5]);
    CHECK(n_captures > 500, "only %d captures", n_captures);
}

/* Fails if an unavailable value is returned as any other, or an error is not reported. */
static void check_missing(const char *folder)
{
    both_forms four = {};
    both_forms three = {};
    EGDB_DRIVER *driver = egdb_open("maxkings_1side_8pcs = 3; maxpieces = 2", 8, folder, nullptr);
    CHECK(driver != nullptr, "not opened");
    for (int i = 0; i < 2; i++) {
        put(&four, 46 + i, EINSPUL_WHITE, true);
        put(&four, 4 + i, EINSPUL_BLACK, true);
    }
    put(&three, 46, EINSPUL_WHITE, true);
    put(&three, 47, EINSPUL_WHITE, true);
    put(&three, 4, EINSPUL_BLACK, true);
    CHECK(egdb_lookup(driver, &three.egdb, EGDB_WHITE, 0) == EGDB_SUBDB_UNAVAILABLE,
          "maxpieces is ignored");
    egdb_close(driver);

    driver = egdb_open(nullptr, 8, folder, count_message);
    CHECK(egdb_lookup(driver, &four.egdb, EGDB_WHITE, 0) == EGDB_SUBDB_UNAVAILABLE,
          "a value without a table");
    CHECK(egdb_lookup(driver, &three.egdb, EGDB_BLACK, 1) == EGDB_NOT_IN_CACHE,
          "a conditional lookup reads from disk");
    CHECK(egdb_lookup(driver, &three.egdb, EGDB_BLACK, 0) == EGDB_DRAW, "not read");
    CHECK(egdb_lookup(driver, &three.egdb, EGDB_BLACK, 1) == EGDB_DRAW, "not cached");
    three.egdb.black |= three.egdb.white;
    CHECK(n_messages == 0, "%d messages without an error", n_messages);
    CHECK(egdb_lookup(driver, &three.egdb, EGDB_BLACK, 0) == EGDB_UNKNOWN && n_messages == 1,
          "two pieces on a square, %d messages", n_messages);
    egdb_close(driver);
    CHECK(egdb_open(nullptr, 8, "no such folder", count_message) == nullptr && n_messages == 2,
          "a missing folder, %d messages", n_messages);
}

static void check_sizes(EGDB_DRIVER const *driver, const char *folder)
{
    EGDB_TYPE type;
    int pieces = 0;
    int one_side, kings_of_nine, kings_of_eight;
    CHECK(egdb_identify(folder, &type, &pieces) == 0 && pieces == 3 && type == EGDB_WLD_TUN_V2,
          "identified as %d pieces", pieces);
    CHECK(egdb_identify("no such folder", &type, &pieces) != 0, "a missing folder has tables");
    CHECK(egdb_get_pieces(driver, &pieces, &one_side, &kings_of_nine, &kings_of_eight) == 0 &&
              pieces == 3 && one_side == 2 && kings_of_nine == 0 && kings_of_eight == 0,
          "sizes %d %d %d %d", pieces, one_side, kings_of_nine, kings_of_eight);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "";
    einspul *tables = nullptr;
    einspul_error error;
    EGDB_DRIVER *driver = egdb_open("", 8, folder, nullptr);

    CHECK(driver != nullptr, "%s is not opened", folder);
    CHECK(einspul_open(folder, "international", 1 << 23, nullptr, &tables, &error) == EINSPUL_OK,
          "%s", error.text);
    compare_values(driver, tables);
    check_missing(folder);
    check_sizes(driver, folder);
    einspul_close(tables);
    return egdb_close(driver);
}
