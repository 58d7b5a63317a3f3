/* WebAssembly glue: einspul_callbacks that call JavaScript imports (module "files"), and static checks
 * of the struct layouts that einspul.js reads. Everything else in einspul.h is exported directly. */
#include "einspul.h"

#include <stddef.h>

#define IMPORT(name) __attribute__((import_module("files"), import_name(#name)))

IMPORT(open) void *files_open(void *user, const char *name);
IMPORT(size) int64_t files_size(void *user, void *file);
IMPORT(read_at)
int files_read_at(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes);
IMPORT(close) void files_close(void *user, void *file);

__attribute__((export_name("einspul_files"))) const einspul_callbacks *einspul_files(void)
{
    static const einspul_callbacks files = {
        .open = files_open, .size = files_size, .read_at = files_read_at, .close = files_close};
    return &files;
}

_Static_assert(sizeof(einspul_position) == 40, "POSITION_SIZE");
_Static_assert(sizeof(einspul_move) == 56 && offsetof(einspul_move, captured) == 40 &&
                   offsetof(einspul_move, from) == 48 && offsetof(einspul_move, to) == 49 &&
                   offsetof(einspul_move, outcome) == 50 && offsetof(einspul_move, plies) == 52,
               "MOVE_SIZE, readMove");
_Static_assert(sizeof(einspul_error) == 324 && offsetof(einspul_error, text) == 4, "ERROR_SIZE");
_Static_assert(sizeof(einspul_table_info) == 40, "TABLE_INFO_SIZE");
_Static_assert(EINSPUL_FEN_SIZE == 320 && EINSPUL_MOVE_TEXT_SIZE <= 320, "TEXT_SIZE");
