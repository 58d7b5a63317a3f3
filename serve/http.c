/* Requests and answers: reading arguments, filling replies. */
#include "serve/http.h"

#include "core/program/text.h"
#include "study/notation.h"
#include "study/utf8.h"
#include "table/table_open.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *http_code_name(enum http_code http)
{
    return http == HTTP_BAD_REQUEST   ? "BAD_REQUEST"
           : http == HTTP_NOT_FOUND   ? "NOT_FOUND"
           : http == HTTP_NOT_ALLOWED ? "NOT_ALLOWED"
           : http == HTTP_BUSY        ? "BUSY"
           : http == HTTP_FAULT       ? "FAULT"
           : http == HTTP_UNSUPPORTED ? "UNSUPPORTED"
           : http == HTTP_MISDIRECTED ? "MISDIRECTED"
                                      : "TOO_LARGE";
}

void reply_fail(struct reply *reply, enum http_code http, const char *code, const char *first,
                const char *second, const char *format, ...)
{
    char text[1024];
    va_list values;
    json_t *arguments = json_array();
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (first != NULL)
        json_array_append_new(arguments, json_any_text(first));
    if (second != NULL)
        json_array_append_new(arguments, json_any_text(second));
    reply_json(reply, json_pack("{s:o,s:s,s:o}", "error", json_any_text(text), "code", code,
                                "arguments", arguments));
    reply->code = http;
}

void reply_json(struct reply *reply, json_t *json)
{
    static char no_memory[] =
        "{\"error\":\"not enough memory\",\"code\":\"NO_MEMORY\",\"arguments\":[]}";
    char *text = json == NULL ? NULL : json_dumps(json, JSON_COMPACT);
    json_decref(json);
    *reply = (struct reply){.code = text != NULL ? HTTP_DONE : HTTP_FAULT,
                            .type = "application/json",
                            .text = text,
                            .fixed = no_memory,
                            .n_bytes = strlen(text != NULL ? text : no_memory)};
}

enum http_code http_code_of(einspul_status status)
{
    if (status >= EINSPUL_BAD_FEN && status < EINSPUL_NO_TABLE)
        return HTTP_BAD_REQUEST;
    return status_is_missing(status) ? HTTP_NOT_FOUND : HTTP_FAULT;
}

void reply_error(struct reply *reply, einspul_status status, const char *text)
{
    reply_fail(reply, http_code_of(status), einspul_status_name(status), NULL, NULL, "%s", text);
}

void reply_result(struct reply *reply, json_t *json, einspul_status status,
                  const einspul_error *error)
{
    if (status == EINSPUL_OK) {
        reply_json(reply, json);
        return;
    }
    json_decref(json);
    reply_error(reply, status, error->text);
}

const char *request_argument(const struct request *request, const char *name)
{
    for (int i = 0; request->names[i] != NULL; i++)
        if (strcmp(request->names[i], name) == 0)
            return request->values[i];
    return NULL;
}

/* Replies with the names of the known arguments. */
static void reply_unknown(const struct request *request, const char *name, struct reply *reply)
{
    char known[256] = "";
    for (int i = 0; request->names[i] != NULL; i++)
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", request->names[i]);
    reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", name, NULL,
               "%.40s: unknown argument (known: %s)", name, known[0] != '\0' ? known : "none");
}

bool request_take(struct request *request, const char *name, size_t n_name, const char *value,
                  size_t n_value, struct reply *reply)
{
    int place = 0;
    while (request->names[place] != NULL && (strlen(request->names[place]) != n_name ||
                                             memcmp(request->names[place], name, n_name) != 0))
        place++;
    if (request->names[place] == NULL)
        reply_unknown(request, name, reply);
    else if (request->values[place] != NULL)
        reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", name, value, "%s: given twice", name);
    else if (value != NULL && strlen(value) != n_value)
        reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", name, value, "%s: contains a NUL byte",
                   name);
    else
        request->values[place] = value != NULL ? value : "";
    return reply->code == 0;
}

bool request_number(const struct request *request, const char *name, uint64_t min, uint64_t max,
                    uint64_t *number, struct reply *reply)
{
    const char *text = request_argument(request, name);
    if (text == NULL || text_read_number(text, min, max, number))
        return true;
    reply_fail(reply, HTTP_BAD_REQUEST, "BAD_ARGUMENT", name, text,
               "%s=%.40s: expected a whole number from %" PRIu64 " to %" PRIu64, name, text, min,
               max);
    return false;
}

json_t *json_any_bytes(const char *text, size_t n_bytes)
{
    n_bytes = strnlen(text, n_bytes);
    char *copy = utf8_valid(text, &n_bytes);
    json_t *json = copy == NULL ? NULL : json_stringn(copy, n_bytes);
    free(copy);
    return json;
}
