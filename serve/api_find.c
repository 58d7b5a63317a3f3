/* Search: positions of whole materials that answer a query, with study/find.h. Its texts are read
 * by study/find_text.h, as the program reads them. */
#include "serve/endpoints.h"

#include "serve/position.h"

#include "core/program/materials.h"
#include "core/program/random.h"
#include "core/rank.h"
#include "study/find_text.h"
#include "study/verdict.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEPT = 500, DEFAULT_KEPT = 50, MAX_NAMED = 16, MAX_TRIES = 1000000 };

/* A query being read. */
struct search {
    const struct call *call;
    struct find_query query;
    const struct rule_set *other;
    int n_materials;
    struct find_material materials[MAX_NAMED];
    const char *name, *text; /* the argument being read */
};

void api_find_arguments(const char *names[MAX_ARGUMENTS])
{
    static const char *const own[] = {"material", "differs_from", "limit", "sample",
                                      "seed",     "tries",        NULL};
    enum { N_OWN = sizeof own / sizeof own[0] };
    static_assert((int)N_FIND_PARTS + (int)N_OWN <= (int)MAX_ARGUMENTS, "room for all arguments");
    for (int i = 0; i < N_FIND_PARTS; i++)
        names[i] = find_texts[i].name;
    memcpy(names + N_FIND_PARTS, own, sizeof own);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Names separated by commas. */
static einspul_status read_materials(struct search *search, const char *text, einspul_error *error)
{
    for (const char *end = text; *end != '\0'; text = end + 1) {
        char name[MATERIAL_NAME_SIZE + 1];
        struct find_material *material = &search->materials[search->n_materials];
        int i = 0;
        end = text + strcspn(text, ",");
        if (search->n_materials == MAX_NAMED)
            return error_set(error, EINSPUL_BAD_ARGUMENT, "at most %d materials", MAX_NAMED);
        snprintf(name, sizeof name, "%.*s", (int)(end - text), text);
        const einspul_status status =
            material_read_canonical(name, &material->material, &material->flipped, error);
        if (status != EINSPUL_OK)
            return status;
        while (!material_equal(&search->materials[i].material, &material->material))
            i++;
        search->n_materials += i == search->n_materials; /* a material named twice counts once */
    }
    return EINSPUL_OK;
}

static einspul_status read_differs(struct search *search, const char *text, einspul_error *error)
{
    search->other = service_find(search->call->service, text);
    if (search->other == NULL)
        return error_set(error, EINSPUL_NO_TABLE, "this server has no '%.40s' tables", text);
    search->query.other = search->other->handle;
    return EINSPUL_OK;
}

/* The text of an argument, which the search remembers for errors; NULL if it is absent. */
static const char *next_text(struct search *search, const char *name)
{
    search->name = name;
    search->text = request_argument(search->call->request, name);
    return search->text != NULL && search->text[0] != '\0' ? search->text : NULL;
}

static einspul_status read_conditions(struct search *search, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    const char *text = next_text(search, "material");
    if (text != NULL)
        status = read_materials(search, text, error);
    if (status == EINSPUL_OK && (text = next_text(search, "differs_from")) != NULL)
        status = read_differs(search, text, error);
    for (int part = 0; part < N_FIND_PARTS && status == EINSPUL_OK; part++) {
        einspul_error own;
        text = next_text(search, find_texts[part].name);
        if (text == NULL)
            continue;
        status =
            find_read(&search->query, (enum find_part)part, &search->call->set->rules, text, &own);
        if (status != EINSPUL_OK)
            error_set(error, status, "%s=%.40s: %s", search->name, text, own.text);
    }
    return status;
}

/* Refuses searches that would take more than seconds, unless `tries` limits them. */
static bool check_size(const struct search *search, struct reply *reply)
{
    uint64_t n_placements = 0;
    if (search->n_materials == 0)
        reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", "material", NULL,
                   "missing argument material, e.g. material=KMvK");
    for (int i = 0; i < search->n_materials; i++) {
        struct shape shape;
        shape_init(&shape, &search->call->set->rules, &search->materials[i].material);
        n_placements += shape.n_placements * (uint64_t)shape.n_sides;
    }
    if (n_placements > MAX_COUNTED && search->query.max_placements == 0)
        reply_fail(reply, HTTP_BAD_REQUEST, "TOO_MANY_POSITIONS", NULL, NULL,
                   "too many positions for this server; set tries, or use 'einspul find'");
    return reply->code == 0;
}

static bool read_query(struct search *search, struct reply *reply)
{
    const struct request *request = search->call->request;
    einspul_error error;
    struct find_query *query = &search->query;
    if (!request_number(request, "limit", 0, MAX_KEPT, &query->max_results, reply) ||
        !request_number(request, "sample", 0, MAX_KEPT, &query->n_sample, reply) ||
        !request_number(request, "tries", 0, MAX_TRIES, &query->max_placements, reply) ||
        !request_number(request, "seed", 0, 1000000000, &query->seed, reply))
        return false;
    const einspul_status status = read_conditions(search, &error);
    if (status == EINSPUL_OK)
        return check_size(search, reply);
    if (reply->code == 0)
        reply_fail(reply, http_code_of(status), einspul_status_name(status), search->name,
                   search->text, "%s", error.text);
    return false;
}

/* --- the answer ------------------------------------------------------------------------------- */

static json_t *found_json(const struct search *search, const struct found_position *found)
{
    json_t *object =
        json_pack("{s:o,s:s,s:o}", "fen", position_fen(search->call->set, &found->state),
                  "category", outcome_text(found->outcome), "dtw",
                  json_number(found->plies >= 0, (int)found->outcome * found->plies));
    if (search->other != NULL)
        json_object_set_new(object, "instead_of", json_string(outcome_text(found->other)));
    return object;
}

/* --- progress --------------------------------------------------------------------------------- */

/* A hash of a search, which is not 0. */
static uint64_t search_hash(const struct rule_set *set, const struct request *request)
{
    uint64_t hash = (uint64_t)set->rules.id;
    for (int i = 0; request->names[i] != NULL; i++)
        for (const char *at = request->values[i]; at != NULL; at = *at != '\0' ? at + 1 : NULL)
            hash = random_mix(hash + (uint64_t)(i + 1) * 256 + (unsigned char)*at);
    return hash | 1;
}

static bool report_progress(const struct find_progress *progress, void *context)
{
    const struct search *search = context;
    const struct request *request = search->call->request;
    const double share = (double)progress->n_done / (double)(progress->n_all + 1);
    search->call->service->search_share = (int)(1000 * share);
    return request->go_on(request->context);
}

void api_progress(const struct call *call, struct reply *reply)
{
    const bool running = call->service->search == search_hash(call->set, call->request);
    reply_json(reply, json_pack("{s:b,s:f}", "running", running, "share",
                                running ? call->service->search_share / 1000.0 : 0.0));
}

/* --- the search ------------------------------------------------------------------------------- */

void api_find(const struct call *call, struct reply *reply)
{
    struct search search = {.call = call, .query = find_all()};
    struct find_result result = {0};
    einspul_error error;
    search.query.distances = true;
    search.query.max_results = DEFAULT_KEPT;
    search.query.seed = 1;
    search.query.n_threads = call->service->options.n_threads;
    if (!read_query(&search, reply) || call->request->go_on == NULL)
        return;
    call->service->search_share = 0;
    call->service->search = search_hash(call->set, call->request);
    const einspul_status status =
        find_positions(call->set->handle, &search.query, search.materials, search.n_materials,
                       report_progress, &search, &result, &error);
    call->service->search = 0;
    if (status == EINSPUL_OK) {
        json_t *list = json_array();
        for (uint64_t i = 0; i < result.n_kept; i++)
            json_array_append_new(list, found_json(&search, &result.kept[i]));
        reply_json(reply, json_pack("{s:s,s:I,s:I,s:o}", "rules", call->set->rules.name,
                                    "looked_at", (json_int_t)result.n_examined, "found",
                                    (json_int_t)result.n_found, "positions", list));
    } else {
        reply_error(reply, status, error.text);
    }
    free(result.kept);
}
