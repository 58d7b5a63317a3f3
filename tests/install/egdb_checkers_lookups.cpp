/* egdb_checkers_lookups FOLDER: fails if the calls of Kingsrow's driver for checkers give other
 * values than einspul_probe. FOLDER has the English tables of two and three pieces. */
#include "examples/egdb_checkers.h"

#include "egdb_test.h"

static void count_text(char *msg)
{
    count_message(msg);
}

struct three_forms {
    EGDB_BITBOARD normal, row_reversed;
    einspul_position ours;
};

/* Adds a piece, with the bits that the driver's documentation gives. */
static void put(three_forms *to, const piece &piece)
{
    const int row = (piece.square - 1) / 4;
    const int column = (piece.square - 1) % 4;
    const unsigned normal = 1u << (4 * row + column);
    const unsigned row_reversed = 1u << (4 * row + 3 - column);
    const bool is_white = piece.side == EINSPUL_WHITE;
    EGDB_ROW_REVERSED_BITBOARD *by_kind = &to->row_reversed.row_reversed;

    (is_white ? to->normal.normal.white : to->normal.normal.black) |= normal;
    if (piece.is_king)
        to->normal.normal.king |= normal;
    (is_white        ? piece.is_king ? by_kind->white_king : by_kind->white_man
     : piece.is_king ? by_kind->black_king
                     : by_kind->black_man) |= row_reversed;
    put(&to->ours, piece);
}

static three_forms position_of(const std::vector<piece> &pieces)
{
    three_forms to = {};
    for (const piece &piece : pieces)
        put(&to, piece);
    return to;
}

static int lookup(EGDB_DRIVER *driver, EGDB_BITBOARD *position, int color, int cl)
{
    return driver->lookup(driver, position, color, cl);
}

static void compare_values(EGDB_DRIVER *normal, EGDB_DRIVER *row_reversed, einspul *tables)
{
    value_counts counts;

    for (int i = 0; i < n_positions; i++) {
        const int n_pieces = 2 + i % 4;
        three_forms position = position_of(random_pieces(n_pieces, 32, 4));
        position.ours.side = (uint8_t)random_below(2);
        const int color = position.ours.side == EINSPUL_WHITE ? EGDB_WHITE : EGDB_BLACK;
        const int value = lookup(normal, &position.normal, color, 0);
        /* The driver is open for three pieces, the library answers some captures of more. */
        const int expected =
            n_pieces > 3 ? EGDB_SUBDB_UNAVAILABLE : expected_value(tables, position.ours);
        CHECK(value == expected, "position %d: value %d, expected %d", i, value, expected);
        CHECK(lookup(row_reversed, &position.row_reversed, color, 0) == expected,
              "position %d: another value of a row-reversed bitboard", i);
        counts.add(value, has_capture("english", position.ours));
    }
    counts.check_enough();
    const EGDB_STATS *stats = normal->get_stats(normal);
    CHECK(stats->db_requests == (unsigned)n_positions &&
              stats->db_returns == (unsigned)(counts.n[1] + counts.n[2] + counts.n[3]) &&
              stats->db_not_present_requests == (unsigned)counts.n[5],
          "%u lookups, %u values, %u without a table", stats->db_requests, stats->db_returns,
          stats->db_not_present_requests);
    normal->reset_stats(normal);
    CHECK(normal->get_stats(normal)->db_requests == 0, "statistics are not reset");
}

static const piece white_king = {29, EINSPUL_WHITE, true};
static const piece other_white_king = {30, EINSPUL_WHITE, true};
static const piece black_king = {4, EINSPUL_BLACK, true};
static const piece other_black_king = {3, EINSPUL_BLACK, true};

/* Fails if the side without pieces has not lost. */
static void check_empty_sides(EGDB_DRIVER *driver)
{
    three_forms white = position_of({white_king, other_white_king});
    CHECK(lookup(driver, &white.normal, EGDB_WHITE, 0) == EGDB_WIN &&
              lookup(driver, &white.normal, EGDB_BLACK, 0) == EGDB_LOSS,
          "a side without pieces has not lost");
}

/* Fails if an unavailable value is returned as any other, or an error is not reported. */
static void check_missing(const char *folder)
{
    three_forms three = position_of({white_king, other_white_king, black_king});
    three_forms four = position_of({white_king, other_white_king, black_king, other_black_king});
    EGDB_DRIVER *driver = egdb_open(EGDB_NORMAL, 2, 8, folder, nullptr);

    CHECK(driver != nullptr, "not opened");
    CHECK(lookup(driver, &three.normal, EGDB_WHITE, 0) == EGDB_SUBDB_UNAVAILABLE,
          "the number of pieces is ignored");
    driver->close(driver);

    driver = egdb_open(EGDB_NORMAL, 3, 8, folder, count_text);
    CHECK(lookup(driver, &four.normal, EGDB_WHITE, 0) == EGDB_SUBDB_UNAVAILABLE,
          "a value without a table");
    CHECK(lookup(driver, &three.normal, EGDB_BLACK, 1) == EGDB_NOT_IN_CACHE,
          "a conditional lookup reads from disk");
    CHECK(lookup(driver, &three.normal, EGDB_BLACK, 0) == EGDB_LOSS, "not read");
    CHECK(lookup(driver, &three.normal, EGDB_BLACK, 1) == EGDB_LOSS, "not cached");
    three.normal.normal.black |= three.normal.normal.white;
    CHECK(n_messages == 0, "%d messages without an error", n_messages);
    CHECK(lookup(driver, &three.normal, EGDB_BLACK, 0) == EGDB_UNKNOWN && n_messages == 1,
          "two pieces on a square, %d messages", n_messages);
    driver->close(driver);
    CHECK(egdb_open(EGDB_NORMAL, 4, 8, folder, count_text) == nullptr && n_messages == 2,
          "opened for more pieces than the tables have, %d messages", n_messages);
    CHECK(egdb_open(EGDB_NORMAL, 2, 8, "no such folder", count_text) == nullptr && n_messages == 3,
          "a missing folder, %d messages", n_messages);
}

static void check_folder(EGDB_DRIVER *driver, const char *folder)
{
    EGDB_TYPE type;
    int pieces = 0;
    CHECK(egdb_identify(folder, &type, &pieces) == 0 && pieces == 3 && type == EGDB_KINGSROW32_WLD,
          "identified as %d pieces", pieces);
    CHECK(egdb_identify("no such folder", &type, &pieces) != 0, "a missing folder has tables");
    CHECK(driver->verify(driver) == 0, "complete tables fail");
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "";
    einspul *tables = nullptr;
    einspul_error error;
    EGDB_DRIVER *normal = egdb_open(EGDB_NORMAL, 3, 8, folder, nullptr);
    EGDB_DRIVER *row_reversed = egdb_open(EGDB_ROW_REVERSED, 3, 8, folder, nullptr);

    CHECK(normal != nullptr && row_reversed != nullptr, "%s is not opened", folder);
    CHECK(einspul_open(folder, "english", 1 << 23, nullptr, &tables, &error) == EINSPUL_OK, "%s",
          error.text);
    compare_values(normal, row_reversed, tables);
    check_empty_sides(normal);
    check_missing(folder);
    check_folder(normal, folder);
    einspul_close(tables);
    return normal->close(normal) + row_reversed->close(row_reversed);
}
