/* A request and its answer, independent of the connection. */
#ifndef EINSPUL_SERVE_HTTP_H
#define EINSPUL_SERVE_HTTP_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Status codes this server answers with. */
enum http_code {
    HTTP_DONE = 200,
    HTTP_NO_CONTENT = 204,
    HTTP_MOVED = 301,
    HTTP_NOT_MODIFIED = 304,
    HTTP_BAD_REQUEST = 400,
    HTTP_NOT_FOUND = 404,
    HTTP_NOT_ALLOWED = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_UNSUPPORTED = 415,
    HTTP_MISDIRECTED = 421,
    HTTP_FAULT = 500,
    HTTP_BUSY = 503
};

enum { MAX_ARGUMENTS = 20 };

/* A request whose body has arrived. Its pointers are valid until it is answered. */
struct request {
    const char *body;
    size_t n_body;
    const char *const *names;          /* of all possible arguments, ended by NULL */
    const char *values[MAX_ARGUMENTS]; /* in the order of `names`; NULL: not given */
    bool (*go_on)(void *context);      /* of a job; false if all clients have disconnected */
    void *context;
};

/* An answer: `text`, which is released after sending, or `fixed`, which is constant. */
struct reply {
    enum http_code code;
    const char *type; /* media type */
    char *text;
    void *fixed; /* never modified; non-const only because libmicrohttpd requires it */
    size_t n_bytes;
    const char *tag;      /* of a page file, or NULL */
    bool packed;          /* with gzip, which the client accepts */
    int seconds;          /* Cache-Control max-age in seconds */
    bool is_partial;      /* a repeated request may find more: must not be cached */
    const char *location; /* of a redirect */
    const char *allow;    /* methods, with HTTP_NOT_ALLOWED and HTTP_NO_CONTENT */
};

/* The value of an argument, or NULL. */
const char *request_argument(const struct request *request, const char *name);

/* Adds an argument; `value` may be NULL. False, with a 400 in `reply`, which must be empty, if it
 * is unknown or repeated, or has a zero byte in it. */
bool request_take(struct request *request, const char *name, size_t n_name, const char *value,
                  size_t n_value, struct reply *reply);

/* Reads an integer from `min` to `max` from an argument; `*number` is unchanged if the argument
 * is absent. False, with a 400 in `reply`, for any other text. */
bool request_number(const struct request *request, const char *name, uint64_t min, uint64_t max,
                    uint64_t *number, struct reply *reply);

/* Fills a reply with a JSON error: a code for translation, up to two arguments (NULL if absent) and
 * an English text in printf format. */
PRINTF_LIKE(6, 7)
void reply_fail(struct reply *reply, enum http_code http, const char *code, const char *first,
                const char *second, const char *format, ...);

/* Like reply_fail, with the name of the HTTP status as the code. */
#define reply_text(reply, http, ...)                                                               \
    reply_fail(reply, http, http_code_name(http), NULL, NULL, __VA_ARGS__)
const char *http_code_name(enum http_code http);

/* Fills a reply with JSON and releases the JSON. NULL, which jansson returns without memory, gives
 * a 500. */
void reply_json(struct reply *reply, json_t *json);

/* The HTTP status of an error: 400 for bad input, 404 for something missing, otherwise 500. */
enum http_code http_code_of(einspul_status status);

/* Fills a reply with an error, whose code is the name of its status. */
void reply_error(struct reply *reply, einspul_status status, const char *text);

/* Fills a reply with JSON, or with the error of a status that is not OK; releases the JSON. */
void reply_result(struct reply *reply, json_t *json, einspul_status status,
                  const einspul_error *error);

/* A text as JSON, up to its first zero byte; invalid bytes of UTF-8 become U+FFFD. */
json_t *json_any_bytes(const char *text, size_t n_bytes);
static inline json_t *json_any_text(const char *text)
{
    return json_any_bytes(text, SIZE_MAX);
}

/* A number where there is one, else null. */
static inline json_t *json_number(bool there, json_int_t number)
{
    return there ? json_integer(number) : json_null();
}

#endif
