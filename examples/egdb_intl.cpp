/* egdb_intl's calls on einspul's international tables, for programs that use that interface:
 * compile this file with the program in place of the driver, and link libeinspul. Differences:
 *
 * - Positions with captures, of either side, have a value. A search of captures before the lookup
 *   is unnecessary, but harmless.
 * - Values are exact: never EGDB_DRAW_OR_LOSS or EGDB_WIN_OR_DRAW. EGDB_UNKNOWN means an invalid
 *   position, or a file or memory error; `msg_fn` receives the reason.
 * - The rule state is always fresh, as EGDB_POSITION has none. */
#include "egdb_intl.h"
#include "layouts.h"

#include "egdb_value.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace egdb_interface
{

struct EGDB_DRIVER {
    einspul *tables;
    int most_pieces;
    void (*msg_fn)(char const *msg);
};

static const char rules[] = "international";
static const int no_limit = 50;

static int max_pieces_option(char const *options)
{
    const char *option = options == nullptr ? nullptr : std::strstr(options, "maxpieces");
    const char *equals = option == nullptr ? nullptr : std::strchr(option, '=');
    return equals == nullptr ? no_limit : std::atoi(equals + 1);
}

static void report(void (*msg_fn)(char const *msg), const einspul_error &error)
{
    if (msg_fn != nullptr)
        msg_fn((std::string(error.text) + "\n").c_str());
}

EGDB_DRIVER *egdb_open(char const *options, int cache_mb, char const *directory,
                       void (*msg_fn)(char const *msg))
{
    const size_t cache_bytes = (size_t)std::max(cache_mb, 0) << 20;
    einspul *tables;
    einspul_error error;

    if (einspul_open(directory, rules, cache_bytes, nullptr, &tables, &error) != EINSPUL_OK) {
        report(msg_fn, error);
        return nullptr;
    }
    return new EGDB_DRIVER{tables, max_pieces_option(options), msg_fn};
}

static einspul_position converted(EGDB_POSITION const *position, int color)
{
    const EGDB_BITBOARD pieces[2] = {position->white, position->black};
    einspul_position to = {};

    for (int side = 0; side < 2; side++) {
        to.men[side] = squares_from_kingsrow(pieces[side] & ~position->king);
        to.kings[side] = squares_from_kingsrow(pieces[side] & position->king);
    }
    to.side = color == EGDB_WHITE ? EINSPUL_WHITE : EINSPUL_BLACK;
    return to;
}

int egdb_lookup(EGDB_DRIVER *handle, EGDB_POSITION const *position, int color, int cl)
{
    const einspul_position probed = converted(position, color);
    einspul_error error;
    const int value = egdb_value(handle->tables, &probed, handle->most_pieces, cl, &error);

    if (value == EGDB_UNKNOWN)
        report(handle->msg_fn, error);
    return value;
}

int egdb_lookup_with_search(EGDB_DRIVER *handle, EGDB_POSITION const *position, int color)
{
    return egdb_lookup(handle, position, color, 0);
}

int egdb_close(EGDB_DRIVER *handle)
{
    einspul_close(handle->tables);
    delete handle;
    return 0;
}

int egdb_get_pieces(EGDB_DRIVER const *handle, int *max_pieces, int *max_pieces_1side,
                    int *max_9pc_kings, int *max_8pc_kings_1side)
{
    einspul_table_info tables[210];
    const size_t n_tables = einspul_list(handle->tables, tables, 210);

    *max_pieces = *max_pieces_1side = *max_9pc_kings = *max_8pc_kings_1side = 0;
    for (size_t i = 0; i < n_tables; i++) {
        const std::string material = tables[i].material; /* such as "KKMvKM" */
        const size_t versus = material.find('v');
        if (tables[i].pieces > handle->most_pieces)
            continue;
        *max_pieces = std::max(*max_pieces, tables[i].pieces);
        for (const std::string &side : {material.substr(0, versus), material.substr(versus + 1)}) {
            const int n_kings = (int)std::count(side.begin(), side.end(), 'K');
            *max_pieces_1side = std::max(*max_pieces_1side, (int)side.size());
            if (tables[i].pieces == 8)
                *max_8pc_kings_1side = std::max(*max_8pc_kings_1side, n_kings);
        }
    }
    return 0;
}

int egdb_identify(char const *directory, EGDB_TYPE *egdb_type, int *max_pieces)
{
    EGDB_DRIVER *handle = egdb_open(nullptr, 0, directory, nullptr);
    int others[3];

    if (handle == nullptr)
        return 1;
    *egdb_type = EGDB_WLD_TUN_V2;
    egdb_get_pieces(handle, max_pieces, &others[0], &others[1], &others[2]);
    return egdb_close(handle);
}

} // namespace egdb_interface
