#include "tests/support/named.h"

#include "tests/support/must.h"

struct rules rules_named(const char *name)
{
    struct rules rules;
    struct error error = {0};
    must(rules_by_name(&rules, name, &error) == STATUS_OK, "%s", error.text);
    return rules;
}

struct material material_named(const char *name)
{
    struct material material;
    struct error error = {0};
    must(material_read(name, &material, &error) == STATUS_OK, "%s", error.text);
    return material;
}

struct state state_named(const struct rules *rules, const char *fen)
{
    struct state state;
    struct error error = {0};
    must(fen_read(rules, fen, &state, &error) == STATUS_OK, "%s: %s", fen, error.text);
    return state;
}
