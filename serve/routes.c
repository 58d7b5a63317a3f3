/* Paths are of three forms: a file of the page; /v1/RULES/CALL[/REST], which is the API; and
 * /VARIANT[/mainline], the shape of lila-tablebase. */
#include "serve/routes.h"

#include <stdio.h>
#include <string.h>

struct api_row {
    const char *name;
    enum endpoint endpoint;
    api_call *call;
    bool post;
    bool rest; /* a name follows */
    const char *arguments[MOST_ARGUMENTS];
};

#define FIND_ARGUMENTS                                                                             \
    "material", "outcome", "distance", "moves", "side", "quiet", "only_move", "zugzwang",          \
        "depends_on", "differs_from", "instead_of", "shortest", "on", "limit", "sample", "seed",   \
        "study", "tries"

static const struct api_row rows[] = {
    {"position", ENDPOINT_POSITION, api_position, false, false, {"fen", "partial"}},
    {"mainline", ENDPOINT_MAINLINE, api_mainline, false, false, {"fen", "plies"}},
    {"compare", ENDPOINT_COMPARE, api_compare, false, false, {"fen"}},
    {"map", ENDPOINT_MAP, api_map, false, false, {"fen", "square"}},
    {"batch", ENDPOINT_BATCH, api_batch, true, false, {NULL}},
    {"tables", ENDPOINT_TABLES, api_tables, false, false, {NULL}},
    {"material", ENDPOINT_MATERIAL, api_material, false, true, {NULL}},
    {"lists", ENDPOINT_LISTS, api_lists, false, false, {NULL}},
    {"list", ENDPOINT_LIST, api_list, false, false, {"name", "from", "limit"}},
    {"find", ENDPOINT_FIND, api_find, false, false, {FIND_ARGUMENTS}},
    {"progress", ENDPOINT_PROGRESS, api_progress, false, false, {FIND_ARGUMENTS}},
};

const char *endpoint_name(enum endpoint endpoint)
{
    static const char *const names[N_ENDPOINTS] = {
        [ENDPOINT_PAGE] = "page",         [ENDPOINT_RULES] = "rules",
        [ENDPOINT_POSITION] = "position", [ENDPOINT_MAINLINE] = "mainline",
        [ENDPOINT_COMPARE] = "compare",   [ENDPOINT_MAP] = "map",
        [ENDPOINT_BATCH] = "batch",       [ENDPOINT_TABLES] = "tables",
        [ENDPOINT_MATERIAL] = "material", [ENDPOINT_MONITOR] = "monitor",
        [ENDPOINT_FIND] = "find",         [ENDPOINT_LISTS] = "lists",
        [ENDPOINT_LIST] = "list",         [ENDPOINT_PROGRESS] = "progress",
        [ENDPOINT_NONE] = "none",
    };
    return names[endpoint];
}

/* Copies the first part of a path to `part` and returns the rest; NULL if the part is too long. */
static const char *split(const char *path, char part[32])
{
    const size_t n = strcspn(path, "/");
    if (n >= 32)
        return NULL;
    memcpy(part, path, n);
    part[n] = '\0';
    return path + n;
}

/* The rule set named by a part of the path; a 404 says whether the name is unknown or the tables
 * are missing. */
static struct rule_set *find_set(struct service *service, const char *name, struct reply *reply)
{
    struct rule_set *set = service_find(service, name);
    if (set != NULL)
        return set;
    for (const char *const *known = rules_names(); *known != NULL; known++)
        if (strcmp(*known, name) == 0) {
            reply_text(reply, HTTP_NOT_FOUND, "no tables of rule set %s here", name);
            return NULL;
        }
    reply_text(reply, HTTP_NOT_FOUND, "no such page, and no such rule set");
    return NULL;
}

static bool set_route(struct route *route, const struct api_row *row, const char *rest,
                      struct reply *reply)
{
    route->endpoint = row->endpoint;
    route->call = row->call;
    route->arguments = row->arguments;
    route->post = row->post;
    route->methods = row->post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
    if (row->rest ? rest[0] == '/' && rest[1] != '\0' : rest[0] == '\0') {
        route->rest = row->rest ? rest + 1 : rest;
        return true;
    }
    reply_text(reply, HTTP_NOT_FOUND, "no such call: see docs/api.md");
    return false;
}

/* Routes to the call of a name; `rest` is what follows it in the path. */
static bool route_to(const char *name, const char *rest, struct route *route, struct reply *reply)
{
    for (size_t i = 0; rest != NULL && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return set_route(route, &rows[i], rest, reply);
    reply_text(reply, HTTP_NOT_FOUND, "no such call: see docs/api.md");
    return false;
}

bool route_find(struct service *service, const char *path, struct route *route, struct reply *reply)
{
    static const struct api_row rules_row = {"rules", ENDPOINT_RULES, api_rules,
                                             false,   false,          {NULL}};
    char part[32];
    const char *rest = NULL;

    *route = (struct route){.endpoint = ENDPOINT_NONE, .methods = "GET, HEAD, OPTIONS", .rest = ""};
    route->file = page_find(path);
    if (route->file != NULL) {
        route->endpoint = ENDPOINT_PAGE;
        return true;
    }
    if (strcmp(path, "/monitor") == 0) {
        route->endpoint = ENDPOINT_MONITOR;
        return true;
    }
    const bool versioned = strncmp(path, "/v1/", 4) == 0;
    rest = path[0] == '/' ? split(path + (versioned ? 4 : 1), part) : NULL;
    if (rest == NULL || part[0] == '\0') {
        reply_text(reply, HTTP_NOT_FOUND, "no such page");
        return false;
    }
    if (versioned && strcmp(part, "rules") == 0)
        return set_route(route, &rules_row, rest, reply);
    route->set = find_set(service, part, reply);
    if (route->set == NULL)
        return false;
    if (versioned) {
        rest = rest[0] == '/' ? split(rest + 1, part) : NULL;
        return route_to(part, rest, route, reply);
    }
    if (strcmp(rest, "/mainline") == 0)
        return route_to("mainline", "", route, reply);
    return route_to("position", rest, route, reply);
}

bool route_is_slow(struct service *service, const struct route *route,
                   const struct request *request)
{
    return (route->endpoint == ENDPOINT_FIND && api_find_is_slow(service, route->set, request)) ||
           (route->endpoint == ENDPOINT_MATERIAL && api_material_is_slow(route->set, route->rest));
}
