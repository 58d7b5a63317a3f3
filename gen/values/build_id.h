/* Which program this is, beyond its version: hashes of its sources, made by build_id.cmake and the
 * same on every system. Values made by two programs of one build are the same bytes. */
#ifndef EINSPUL_GEN_VALUES_BUILD_ID_H
#define EINSPUL_GEN_VALUES_BUILD_ID_H

#include <stdint.h>

extern const uint64_t build_id;      /* of all that decides values and files */
extern const uint64_t build_form_id; /* of what decides the form of files of chunks */

#endif
