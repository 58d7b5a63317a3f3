/* The steps of opening a handle. */
#ifndef EINSPUL_PROBE_HANDLE_OPEN_H
#define EINSPUL_PROBE_HANDLE_OPEN_H

#include "probe/handle.h"

/* A handle without tables yet. BAD_RULES, BAD_ARGUMENT, NO_MEMORY. */
einspul_status handle_create(const char *rules, size_t cache_bytes,
                             const einspul_callbacks *callbacks, einspul **handle,
                             einspul_error *error);

/* Looks for the files not yet found in `root`, a folder or a pack that must exist. NO_FOLDER, IO,
 * NO_MEMORY, errors of pack_open. */
einspul_status handle_look_in(einspul *handle, const char *root, einspul_error *error);

/* The last step of opening: sets *handle, or closes the handle after an error or, with NO_FOLDER,
 * if it has no tables. `where` is named in that message. */
einspul_status handle_finish(einspul *opened, einspul_status status, const char *where,
                             einspul **handle, einspul_error *error);

#endif
