/* HTTP headers: those of a request are checked, those of an answer are written. */
#ifndef EINSPUL_SERVE_HEADERS_H
#define EINSPUL_SERVE_HEADERS_H

#include "serve/http.h"

struct MHD_Connection;
struct MHD_Response;

/* Checks the headers of a request. False, with the reply filled, for
 *
 *   400  more than one length, which a proxy might read differently (request smuggling)
 *   415  a body that is compressed or in parts
 *   421  the name of another host, if `local`: a page whose name was pointed at this machine (DNS
 *        rebinding) must not query a server that only this machine can reach */
bool headers_check(struct MHD_Connection *connection, bool local, struct reply *reply);

/* True if the client accepts gzip. */
bool headers_accept_gzip(struct MHD_Connection *connection);

/* Replaces the text of a reply by its gzip form, if that is worth it. */
void reply_pack(struct reply *reply);

/* Writes the headers of an answer. */
void headers_add(struct MHD_Response *response, const struct reply *reply);

#endif
