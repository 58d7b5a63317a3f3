/* The API without sockets, as a WebAssembly module for a page without a server: calls about positions,
 * games and proofs, on packs that JavaScript reads (serve/site/site.js). Calls about whole materials are
 * left out; a site has their answers as files. */
#include "serve/endpoints.h"

#include "core/program/os_write.h"
#include "probe/position.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("site"), import_name(#name)))

enum { CACHE_BYTES = 8 << 20, PROVER_BYTES = 64 << 20 }; /* of each rule set; of a search */

IMPORT(open) void *site_file_open(void *user, const char *name);
IMPORT(size) int64_t site_file_size(void *user, void *file);
IMPORT(read_at)
int site_file_read_at(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes);
IMPORT(close) void site_file_close(void *user, void *file);
IMPORT(now) double site_now(void); /* milliseconds */

uint64_t os_now_ns(void)
{
    return (uint64_t)(site_now() * 1e6);
}

static struct service service = {.options = {.prover_bytes = PROVER_BYTES}};
static struct reply reply;

/* Opens the pack of a rule set, which has its name. */
EXPORT(site_open) int site_open(const char *rules)
{
    static const einspul_callbacks files = {.open = site_file_open,
                                            .size = site_file_size,
                                            .read_at = site_file_read_at,
                                            .close = site_file_close};
    struct rule_set *set = &service.sets[service.n_sets];
    einspul_error error = {.text = ""};
    if (service_find(&service, rules) != NULL)
        return EINSPUL_OK;
    const int status = rules_by_name(&set->rules, rules, &error);
    if (status != EINSPUL_OK || einspul_open(rules, set->rules.name, CACHE_BYTES, &files,
                                             &set->handle, &error) != EINSPUL_OK) {
        free(reply.text);
        reply_error(&reply, error.status, error.text);
        return error.status;
    }
    service.n_sets++;
    return EINSPUL_OK;
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

/* Adds the arguments, names and values that end with zero bytes; an empty name ends them. */
static bool take_arguments(struct request *request, const char *at)
{
    while (*at != '\0') {
        const char *value = at + strlen(at) + 1;
        if (!request_take(request, at, strlen(at), value, strlen(value), &reply))
            return false;
        at = value + strlen(value) + 1;
    }
    return true;
}

/* Answers a call; returns its HTTP status. */
EXPORT(site_call)
int site_call(const char *rules, const char *name, const char *arguments, const char *body,
              size_t n_body)
{
    struct request request = {.body = body, .n_body = n_body, .go_on = go_on};
    const struct call call = {&service, service_find(&service, rules), "", &request};
    const struct endpoint *endpoint = endpoint_find(position_calls, name);
    free(reply.text);
    reply = (struct reply){.code = 0};
    request.names = endpoint != NULL ? endpoint->arguments : NULL;
    if (endpoint == NULL || call.set == NULL)
        reply_text(&reply, HTTP_NOT_FOUND, "no such call of a page without a server");
    else if (take_arguments(&request, arguments))
        endpoint->call(&call, &reply);
    return (int)reply.code;
}

/* The JSON of the last answer. */
EXPORT(site_answer) const char *site_answer(void)
{
    return reply.text != NULL ? reply.text : reply.fixed;
}
EXPORT(site_answer_bytes) size_t site_answer_bytes(void)
{
    return reply.n_bytes;
}
