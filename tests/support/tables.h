/* Generates tables in the test's folder, and compresses them. */
#ifndef EINSPUL_TESTS_SUPPORT_TABLES_H
#define EINSPUL_TESTS_SUPPORT_TABLES_H

#include "gen/run/plan.h"
#include "table/bytes.h"
#include "table/table_format.h"
#include "table/write/table_compress.h"
#include "tests/support/folder.h"
#include "tests/support/moves_text.h"

enum { PATH_SIZE = 1024 };

/* Default options: all tables of two and three pieces, two threads. */
struct generate_options small_options(const struct rules *rules, const char *root);

/* Like the above, for a folder inside the test's; `path` receives its path. */
struct generate_options options_in(const struct rules *rules, const char *name,
                                   char path[PATH_SIZE]);

/* Generates tables; aborts on failure. */
void generate_with(const struct generate_options *options);

/* Generates tables of 2..pieces in the folder, or those of a material and of its successors. */
void generate(const struct rules *rules, int pieces, const char *name, unsigned metrics);

/* The path of a table in the folder; overwritten by the next call of path_of. */
const char *table_name(const struct rules *rules, const char *name, einspul_metric metric);

struct table *open_table(const struct rules *rules, const struct material *material,
                         einspul_metric metric, const char *path);
struct table *open_whole(const struct rules *rules, const char *name, einspul_metric metric,
                         const char *path);

/* Compresses a table over itself, on two threads; returns its new size. */
uint64_t compress_table(const struct rules *rules, const struct material *material,
                        einspul_metric metric, enum compress_form form, const char *path);

/* Compresses the distances of a material under a root; returns the omitted side to move, -1 for
 * none. */
int leave_out(const struct rules *rules, const struct material *material, const char *root);

/* Like the above, for all tables of two and three pieces under a root; at least six omit a side. */
void leave_all_out(const struct rules *rules, const char *root);

/* Checks that two tables have the same values wherever one is stored. */
void expect_same_values(const struct rules *rules, const struct table *a, const struct table *b);

/* The header of a table that is coded with a model. */
void expect_header(const char *path);

#endif
