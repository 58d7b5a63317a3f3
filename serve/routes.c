/* Paths are of these forms: a file of the page; /v1/RULES/CALL[/REST], which is the API; and
 * /VARIANT[/mainline], the shape of lila-tablebase, or /lidraughts/VARIANT[/mainline] for clients of
 * that site, whose rules may be other ones. */
#include "serve/routes.h"

#include "core/program/game.h"
#include "study/annotate_write.h"
#include "study/fen_lenient.h"
#include "study/verdict.h"

#include <stdio.h>
#include <string.h>

static const struct endpoint rules_endpoint = {.call = api_rules};
/* Calls about whole materials. */
static const struct endpoint material_calls[] = {
    {"tables", api_tables, .post = false},
    {"material", api_material, .rest = true},
    {"find", api_find, .of_search = true},
    {"progress", api_progress, .of_search = true},
    {"lists", api_lists, .post = false},
    {"list", api_list, {"name", "from", "limit"}, .post = false},
    {0},
};

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

/* Finds a rule set by its own name or a game's name; with `of_site`, the lidraughts.org variant of
 * it. Replies 404 if the name is unknown or its tables are missing; never falls back to another
 * rule set. */
static struct rule_set *find_set(struct service *service, const char *name, bool of_site,
                                 struct reply *reply)
{
    const char *own = rules_name_of_game(name);
    char names[SERVICE_NAMES_SIZE];
    struct rules rules;
    if (own == NULL) {
        reply_text(reply, HTTP_NOT_FOUND, "no such page or rule set");
        return NULL;
    }
    if (of_site && rules_by_name(&rules, own, NULL) == EINSPUL_OK && rules.lidraughts_rules != 0)
        own = einspul_rules_list()[rules.lidraughts_rules - 1];
    struct rule_set *set = service_find(service, own);
    service_names(service, names);
    if (set == NULL)
        reply_fail(reply, HTTP_NOT_FOUND, "NO_RULES", own, names,
                   "this server has no '%s' tables; available: %s", own, names);
    return set;
}

static bool set_route(const struct endpoint *endpoint, const char *rest, struct route *route,
                      struct reply *reply)
{
    if (endpoint == NULL || rest == NULL ||
        (endpoint->rest ? rest[0] != '/' || rest[1] == '\0' : rest[0] != '\0')) {
        reply_text(reply, HTTP_NOT_FOUND, "unknown API call; see docs/api.md");
        return false;
    }
    route->endpoint = endpoint;
    route->rest = endpoint->rest ? rest + 1 : rest;
    return true;
}

/* Routes to the call of a name about a rule set; `rest` is what follows it in the path. */
static bool route_to(const char *name, const char *rest, struct route *route, struct reply *reply)
{
    const struct endpoint *endpoint = endpoint_find(position_calls, name);
    if (endpoint == NULL)
        endpoint = endpoint_find(material_calls, name);
    return set_route(endpoint, rest, route, reply);
}

/* Crawlers may read the page and its help, but no answers: there are billions. */
static unsigned char robots[] = "User-agent: *\nAllow: /$\nAllow: /help\nDisallow: /\n";
static const struct page_file robots_file = {.path = "/robots.txt",
                                             .type = "text/plain; charset=utf-8",
                                             .tag = "W/\"robots\"",
                                             .bytes = robots,
                                             .n_bytes = sizeof robots - 1};

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
    return strcmp(path, robots_file.path) == 0 ? &robots_file : NULL;
}

bool route_preview(struct service *service, const struct page_file *page, const char *rules,
                   const char *fen, struct reply *reply)
{
    static const char mark[] = "og:title\" content=\"";
    const char *html = (const char *)page->bytes;
    const char *at = strstr(html, mark) + sizeof mark - 1;
    char note[FEN_NOTE_SIZE];
    char value[NOTE_SIZE] = "";
    struct state state;
    struct verdict verdict;
    pthread_rwlock_rdlock(&service->in_use);
    const struct rule_set *set = rules != NULL ? service_find(service, rules) : service->sets;
    const bool read = set != NULL && fen_read_lenient(&set->rules, fen, &state, note, NULL, NULL,
                                                      NULL) == EINSPUL_OK;
    if (read && verdict_of(set->handle, &state, &verdict, NULL) == EINSPUL_OK && verdict.known)
        annotate_value(state.at.side, &verdict, value);
    pthread_rwlock_unlock(&service->in_use);
    FILE *out = read ? open_memstream(&reply->text, &reply->n_bytes) : NULL;
    if (out == NULL)
        return false;
    char written[FEN_SIZE];
    fen_write(&set->rules, &state, written);
    fprintf(out, "%.*s%s to move: %s%s%s (%s)%s", (int)(at - html), html, side_name(state.at.side),
            value, value[0] != '\0' ? ". " : "", written, set->rules.name, strchr(at, '"'));
    reply->code = fclose(out) == 0 ? HTTP_DONE : HTTP_FAULT;
    reply->type = page->type;
    return true;
}

bool route_find(struct service *service, const char *path, struct route *route, struct reply *reply)
{
    static const char site[] = "/lidraughts/";
    char part[32];
    const char *rest = NULL;

    *route = (struct route){.file = find_file(path), .rest = path};
    if (route->file != NULL)
        return true;
    const bool versioned = strncmp(path, "/v1/", 4) == 0;
    const bool of_site = strncmp(path, site, strlen(site)) == 0;
    rest = path[0] == '/' ? split(path + (versioned ? 4 : of_site ? strlen(site) : 1), part) : NULL;
    if (rest == NULL || part[0] == '\0') {
        reply_text(reply, HTTP_NOT_FOUND, "no such page");
        return false;
    }
    if (versioned && strcmp(part, "rules") == 0)
        return set_route(&rules_endpoint, rest, route, reply);
    route->set = find_set(service, part, of_site, reply);
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
