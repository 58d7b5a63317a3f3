#include "table/write/pattern.h"

void table_signs(const value_t *values, size_t n, value_t *pattern)
{
    for (size_t i = 0; i < n; i++)
        pattern[i] = values[i] == VALUE_NONE ? VALUE_NONE : value_sign(values[i]);
}
