/* The lookup that egdb_intl.cpp and egdb_checkers.c share. */
#ifndef EXAMPLE_EGDB_VALUE_H
#define EXAMPLE_EGDB_VALUE_H

#include <einspul.h>

static inline int egdb_count(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/* The value of a position as both drivers number it: 1 win, 2 loss, 3 draw for the side to move, 0
 * unknown (`error` has the reason), -1 not in the cache (if `cl` is not 0), -2 no table, or more
 * than `max_pieces` pieces. */
static inline int egdb_value(einspul *tables, const einspul_position *position, int max_pieces,
                             int cl, einspul_error *error)
{
    einspul_outcome outcome;

    if (egdb_count(position->men[0] | position->men[1] | position->kings[0] | position->kings[1]) >
        max_pieces)
        return -2;
    switch (
        einspul_probe(tables, position, cl != 0 ? EINSPUL_CACHE_ONLY : 0, &outcome, NULL, error)) {
    case EINSPUL_OK:
        return outcome == EINSPUL_WIN ? 1 : outcome == EINSPUL_LOSS ? 2 : 3;
    case EINSPUL_NOT_CACHED:
        return -1;
    case EINSPUL_NO_TABLE:
        return -2;
    default:
        return 0;
    }
}

#endif
