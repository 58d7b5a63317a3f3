/* Each check is a short reading of one header, without a copy. */
#include "serve/headers.h"

#include "core/characters.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

/* --- requests --------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Counts the headers that give the length of the body. */
static enum MHD_Result count_length(void *context, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    int *n_lengths = context;
    (void)kind;
    (void)value;
    *n_lengths +=
        strcasecmp(name, "Content-Length") == 0 || strcasecmp(name, "Transfer-Encoding") == 0;
    return MHD_YES;
}

/* True for localhost and for addresses of this machine, 127.x.x.x and ::1, with any port. */
static bool is_local_name(const char *host)
{
    static const char name[] = "localhost";
    if (strncmp(host, "[::1]", 5) == 0)
        return host[5] == '\0' || host[5] == ':';
    const size_t n = strcspn(host, ":");
    if (n == strlen(name) && strncasecmp(host, name, n) == 0)
        return true;
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == n;
}

bool headers_check(struct MHD_Connection *connection, bool local, struct reply *reply)
{
    const char *host = header(connection, "Host");
    const char *coding = header(connection, "Content-Encoding");
    const char *type = header(connection, "Content-Type");
    int n_lengths = 0;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_length, &n_lengths);
    if (n_lengths > 1)
        reply_text(reply, HTTP_BAD_REQUEST,
                   "conflicting Content-Length or Transfer-Encoding headers");
    else if (local && host != NULL && !is_local_name(host))
        reply_text(reply, HTTP_MISDIRECTED,
                   "this server answers as localhost only; a proxy has to send such a Host");
    else if (coding != NULL && strcasecmp(coding, "identity") != 0)
        reply_text(reply, HTTP_UNSUPPORTED, "Content-Encoding %.40s: send the body as it is",
                   coding);
    else if (type != NULL && strncasecmp(type, "multipart/", 10) == 0)
        reply_text(reply, HTTP_UNSUPPORTED, "Content-Type %.40s: send the body as it is", type);
    return reply->code == 0;
}

bool headers_accept_gzip(struct MHD_Connection *connection)
{
    const char *coding = header(connection, "Accept-Encoding");
    return coding != NULL && strstr(coding, "gzip") != NULL && strstr(coding, "gzip;q=0") == NULL;
}

/* --- answers ---------------------------------------------------------------------------------- */

void reply_pack(struct reply *reply)
{
    enum { MIN_BYTES = 1000, GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    z_stream stream = {.next_in = (unsigned char *)reply->text};
    if (reply->text == NULL || reply->n_bytes < MIN_BYTES || reply->n_bytes > UINT32_MAX ||
        deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    char *packed = malloc(reply->n_bytes);
    stream.avail_in = stream.avail_out = (unsigned)reply->n_bytes;
    stream.next_out = (unsigned char *)packed;
    const bool fits = packed != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (fits) {
        free(reply->text);
        reply->text = packed;
        reply->n_bytes = stream.total_out;
        reply->packed = true;
    } else {
        free(packed);
    }
    deflateEnd(&stream);
}

void headers_add(struct MHD_Response *response, const struct reply *reply)
{
    char fresh[32] = "no-cache";
    const bool allows = reply->allow != NULL;
    if (reply->seconds > 0)
        snprintf(fresh, sizeof fresh, "max-age=%d", reply->seconds);
    const char *const rows[][2] = {
        {"Access-Control-Allow-Origin", "*"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
         "connect-src "
         "'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors *"},
        {"Cache-Control", fresh},
        {"Content-Type", reply->type},
        {"ETag", reply->tag},
        {"Vary", reply->type != NULL ? "Accept-Encoding" : NULL},
        {"Content-Encoding", reply->packed ? "gzip" : NULL},
        {"Location", reply->location},
        {"Allow", reply->allow},
        {"Access-Control-Allow-Methods", reply->allow},
        {"Access-Control-Allow-Headers", allows ? "Content-Type" : NULL},
        {"Access-Control-Max-Age", allows ? "86400" : NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i][1] != NULL)
            MHD_add_response_header(response, rows[i][0], rows[i][1]);
}
