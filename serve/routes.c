/* Paths are of three forms: a file of the page; /v1/RULES/CALL[/REST], which is the API; and
 * /VARIANT[/mainline], the shape of lila-tablebase. */
#include "serve/routes.h"

#include <stdio.h>
#include <string.h>

/* A kind of request. */
struct endpoint_row {
    const char *name;
    api_call *call; /* NULL: no call of the API */
    bool post;
    bool rest; /* a name follows */
    const char *arguments[MOST_ARGUMENTS];
};

#define FIND_ARGUMENTS                                                                             \
    "material", "outcome", "distance", "moves", "side", "quiet", "only_move", "zugzwang",          \
        "depends_on", "differs_from", "instead_of", "shortest", "on", "limit", "sample", "seed",   \
        "study", "tries"

static const struct endpoint_row rows[N_ENDPOINTS] = {
    [ENDPOINT_PAGE] = {"page", NULL, false, false, {NULL}},
    [ENDPOINT_RULES] = {"rules", api_rules, false, false, {NULL}},
    [ENDPOINT_POSITION] = {"position", api_position, false, false, {"fen", "partial"}},
    [ENDPOINT_MAINLINE] = {"mainline", api_mainline, false, false, {"fen", "plies"}},
    [ENDPOINT_COMPARE] = {"compare", api_compare, false, false, {"fen"}},
    [ENDPOINT_MAP] = {"map", api_map, false, false, {"fen", "square"}},
    [ENDPOINT_BATCH] = {"batch", api_batch, true, false, {NULL}},
    [ENDPOINT_TABLES] = {"tables", api_tables, false, false, {NULL}},
    [ENDPOINT_MATERIAL] = {"material", api_material, false, true, {NULL}},
    [ENDPOINT_FIND] = {"find", api_find, false, false, {FIND_ARGUMENTS}},
    [ENDPOINT_PROGRESS] = {"progress", api_progress, false, false, {FIND_ARGUMENTS}},
    [ENDPOINT_LISTS] = {"lists", api_lists, false, false, {NULL}},
    [ENDPOINT_LIST] = {"list", api_list, false, false, {"name", "from", "limit"}},
    [ENDPOINT_MONITOR] = {"monitor", NULL, false, false, {NULL}},
    [ENDPOINT_NONE] = {"none", NULL, false, false, {NULL}},
};

const char *endpoint_name(enum endpoint endpoint)
{
    return rows[endpoint].name;
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

static bool set_route(struct route *route, enum endpoint endpoint, const char *rest,
                      struct reply *reply)
{
    const struct endpoint_row *row = &rows[endpoint];
    route->endpoint = endpoint;
    route->call = row->call;
    route->arguments = row->arguments;
    route->post = row->post;
    if (row->rest ? rest[0] == '/' && rest[1] != '\0' : rest[0] == '\0') {
        route->rest = row->rest ? rest + 1 : rest;
        return true;
    }
    reply_text(reply, HTTP_NOT_FOUND, "no such call: see docs/api.md");
    return false;
}

/* Routes to the call of a name about a rule set; `rest` is what follows it in the path. */
static bool route_to(const char *name, const char *rest, struct route *route, struct reply *reply)
{
    for (int i = ENDPOINT_POSITION; rest != NULL && i < ENDPOINT_MONITOR; i++)
        if (strcmp(rows[i].name, name) == 0)
            return set_route(route, (enum endpoint)i, rest, reply);
    reply_text(reply, HTTP_NOT_FOUND, "no such call: see docs/api.md");
    return false;
}

/* The file of the page at a path, or NULL. Views have paths of their own, so that an address can be
 * shared; all of them are the one HTML file. */
static const struct page_file *find_file(const char *path)
{
    static const char *const views[] = {"/",       "/game",  "/material", "/materials",
                                        "/search", "/train", "/help"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
        if (strcmp(path, views[i]) == 0)
            path = "/index.html";
    for (const struct page_file *file = page_files; file->path != NULL; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

bool route_find(struct service *service, const char *path, struct route *route, struct reply *reply)
{
    char part[32];
    const char *rest = NULL;

    *route = (struct route){.endpoint = ENDPOINT_NONE, .rest = ""};
    route->file = find_file(path);
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
        return set_route(route, ENDPOINT_RULES, rest, reply);
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

bool route_is_slow(const struct route *route, const struct call *call)
{
    return (route->endpoint == ENDPOINT_FIND && api_find_is_slow(call)) ||
           (route->endpoint == ENDPOINT_MATERIAL && api_material_is_slow(call));
}
