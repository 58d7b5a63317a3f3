#include "tests/support/named.h"

#include "tests/support/must.h"

struct rules rules_named(const char *name)
{
    struct rules rules;
    einspul_error error = {0};
    must(rules_by_name(&rules, name, &error) == EINSPUL_OK, "%s", error.text);
    return rules;
}

struct material material_named(const char *name)
{
    struct material material;
    einspul_error error = {0};
    must(material_read(name, &material, &error) == EINSPUL_OK, "%s", error.text);
    return material;
}

struct state state_named(const struct rules *rules, const char *fen)
{
    struct state state;
    einspul_error error = {0};
    must(fen_read(rules, fen, &state, &error) == EINSPUL_OK, "%s: %s", fen, error.text);
    return state;
}
