/* Solved tables in the test's folder, and what compressed ones hold. */
#ifndef EINSPUL_TESTS_SUPPORT_TABLES_H
#define EINSPUL_TESTS_SUPPORT_TABLES_H

#include "gen/run/plan.h"
#include "table/bytes.h"
#include "table/table_format.h"
#include "table/write/table_compress.h"
#include "tests/support/folder.h"
#include "tests/support/moves_text.h"

enum { PATH_SIZE = 1024 };

/* What to make where nothing else is said: all tables of two and three pieces, two threads. */
struct generate_options small_options(const struct rules *rules, const char *root);

/* The same in a folder of a name inside the test's; `path` gets where that is. */
struct generate_options options_in(const struct rules *rules, const char *name,
                                   char path[PATH_SIZE]);

/* Makes tables, which must succeed. */
void generate_with(const struct generate_options *options);

/* Makes tables of 2..pieces in the folder, or those of a material and what it needs. */
void generate(const struct rules *rules, int pieces, const char *name, unsigned metrics);

/* The path of a table in the folder; the next call of path_of writes over it. */
const char *table_name(const struct rules *rules, const char *name, einspul_metric metric);

struct table *open_table(const struct rules *rules, const struct material *material,
                         einspul_metric metric, const char *path);
struct table *open_whole(const struct rules *rules, const char *name, einspul_metric metric,
                         const char *path);

/* Compresses a table over itself, on two threads; returns its new size. */
uint64_t compress_table(const struct rules *rules, const struct material *material,
                        einspul_metric metric, enum compress_form form, const char *path);

/* Compresses the distances of a material under a root; returns the side to move that is left
 * out, -1 for none. */
int leave_out(const struct rules *rules, const struct material *material, const char *root);

/* The same with all tables of two and three pieces under a root; at least six leave a side out. */
void leave_all_out(const struct rules *rules, const char *root);

/* Two tables have the same values wherever one is stored. */
void expect_same_values(const struct rules *rules, const struct table *a, const struct table *b);

/* The header of a table that is coded with a model. */
void expect_header(const char *path);

#endif
