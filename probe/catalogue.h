/* The tables a handle can open: the files there are, in folders and packs, or by the caller's
 * functions. */
#ifndef EINSPUL_PROBE_CATALOGUE_H
#define EINSPUL_PROBE_CATALOGUE_H

#include "probe/handle.h"

/* Sets up the list of materials and finds their files, in the folders and packs of the options or
 * through the callbacks. NO_FOLDER, IO, NO_MEMORY, errors of pack_open. */
enum status handle_find_sources(einspul *handle, const einspul_options *options,
                                struct error *error);

#endif
