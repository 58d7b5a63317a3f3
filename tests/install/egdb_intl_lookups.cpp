/* egdb_intl_lookups FOLDER: fails if the calls of egdb_intl give other values than einspul_probe.
 * FOLDER has the international tables of two and three pieces. */
#include "examples/egdb_intl.h"

#include "egdb_test.h"

using namespace egdb_interface;

struct both_forms {
    EGDB_POSITION egdb;
    einspul_position ours;
};

/* Adds a piece, with the bit that the driver's documentation gives. */
static void put(both_forms *to, const piece &piece)
{
    const EGDB_BITBOARD bit = (EGDB_BITBOARD)1 << (piece.square - 1 + (piece.square - 1) / 10);
    (piece.side == EINSPUL_WHITE ? to->egdb.white : to->egdb.black) |= bit;
    if (piece.is_king)
        to->egdb.king |= bit;
    put(&to->ours, piece);
}

static both_forms random_position(int n_pieces)
{
    both_forms to = {};
    for (const piece &piece : random_pieces(n_pieces, 50, 5))
        put(&to, piece);
    to.ours.side = (uint8_t)random_below(2);
    return to;
}

static int color_of(const both_forms &position)
{
    return position.ours.side == EINSPUL_WHITE ? EGDB_WHITE : EGDB_BLACK;
}

static void compare_values(EGDB_DRIVER *driver, einspul *tables)
{
    value_counts counts;

    for (int i = 0; i < n_positions; i++) {
        const both_forms position = random_position(2 + i % 4);
        const int value = egdb_lookup(driver, &position.egdb, color_of(position), 0);
        const int expected = expected_value(tables, position.ours);
        CHECK(value == expected, "position %d: value %d, expected %d", i, value, expected);
        CHECK(egdb_lookup_with_search(driver, &position.egdb, color_of(position)) == value,
              "position %d: another value with search", i);
        counts.add(value, has_capture("international", position.ours));
    }
    counts.check_enough();
}

/* Fails if an unavailable value is returned as any other, or an error is not reported. */
static void check_missing(const char *folder)
{
    both_forms four = {};
    both_forms three = {};
    EGDB_DRIVER *driver = egdb_open("maxkings_1side_8pcs = 3; maxpieces = 2", 8, folder, nullptr);
    CHECK(driver != nullptr, "not opened");
    for (int i = 0; i < 2; i++) {
        put(&four, {46 + i, EINSPUL_WHITE, true});
        put(&four, {4 + i, EINSPUL_BLACK, true});
    }
    put(&three, {46, EINSPUL_WHITE, true});
    put(&three, {47, EINSPUL_WHITE, true});
    put(&three, {4, EINSPUL_BLACK, true});
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
