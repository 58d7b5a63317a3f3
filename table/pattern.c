#include "table/pattern.h"

#include "table/bytes.h"

#include <string.h>

void table_pattern(const void *values, int from_bytes, size_t n, int to_bytes, uint8_t *pattern)
{
    if (from_bytes == 1 && to_bytes == 1) {
        memcpy(pattern, values, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const value_t value = value_load(values, from_bytes, i);
        if (to_bytes == 1)
            pattern[i] = byte_of_value(value);
        else
            store_u16(pattern + 2 * i, value);
    }
}

void table_signs(const void *values, int from_bytes, size_t n, uint8_t *pattern)
{
    const uint8_t *bytes = values;
    for (size_t i = 0; i < n && from_bytes == 1; i++)
        pattern[i] = bytes[i] == BYTE_NONE ? BYTE_NONE : byte_sign(bytes[i]);
    for (size_t i = 0; i < n && from_bytes > 1; i++) {
        const value_t value = value_load(values, from_bytes, i);
        pattern[i] = value == VALUE_NONE ? BYTE_NONE : byte_of_value(value_sign(value));
    }
}
