/* The record of tables that were found sound, so that a run need not decode them again.
 *
 * A folder of tables has one, `.checked`, with a line a table: what the header hashes to, and
 * what the system says of its file. A line says that this program wrote the file, or read the
 * whole of it and found it sound, when the system said so. It counts only while both are still
 * the same. What is missing, damaged or older costs another check and nothing else. */
#ifndef EINSPUL_GEN_SYSTEM_CHECKED_H
#define EINSPUL_GEN_SYSTEM_CHECKED_H

#include "table/file.h"

#include <stdbool.h>

/* Whether the table at `path` is on record with this identity (table_identity) and stamp. */
bool checked_has(const char *path, uint64_t identity, const struct file_stamp *stamp);

/* Enters a table, or takes it out. Nothing comes of it where the record cannot be written. One
 * thread of a process at a time; of several processes one may undo what another has entered. */
void checked_note(const char *path, uint64_t identity, const struct file_stamp *stamp);
void checked_forget(const char *path);

#endif
