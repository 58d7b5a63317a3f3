/* What the files and the memory of a run are expected to take. */
#ifndef EINSPUL_GEN_PLAN_H
#define EINSPUL_GEN_PLAN_H

#include "gen/generate.h"
#include "gen/solve.h"

/* The solver a run asks for. */
const struct solver_type *plan_solver(enum solver_choice solver);

/* The metric a material's values are computed in: a limited material and what it leads to keep
 * their distances even in a run for WDL tables. */
enum metric plan_metric(const struct rules *rules, const struct material *material,
                        unsigned metrics);

/* The metric of the tables a run reads values from. */
static inline enum metric plan_read_metric(const struct generate_options *options)
{
    return (options->metrics & METRICS_DTW) != 0 ? METRIC_DTW : METRIC_WDL;
}

enum { MAX_WRITINGS = 4 };

/* True when a material's tables are written while the next ones are solved. Large ones are not:
 * they would be held in memory longer, and writing them keeps all threads busy. */
bool plan_writes_behind(const struct generate_options *options, const struct material *material);

/* The first material whose tables may still be being written while number `index` is solved, or
 * `index`: at most MAX_WRITINGS of them, and together no more than what counts as large. */
int plan_first_behind(const struct generate_options *options, const struct generate_plan *plan,
                      int index);

/* True when what is solved of a material goes to a file at once, so that a run that is stopped loses
 * no more than the frames in work. */
bool plan_keeps_part(const struct generate_options *options, const struct material *material);

/* The first material after number `after` that is not complete and needs number `index`;
 * n_materials if there is none. */
int plan_next_need(const struct generate_plan *plan, int index, int after);

/* Per material of the plan: whether material number `index` leads to it in one move. */
void plan_needs(const struct generate_plan *plan, int index, enum succession succession,
                bool needs[MAX_MATERIALS]);

/* How much of a file is looked at: what table_open checks, or every block too. */
enum plan_depth { PLAN_HEADER, PLAN_BLOCKS };

/* Looks for a material's table in the root and the further roots and notes the first that is sound:
 * folder, identity, solved_again. Errors as table_open and table_decode_block; of damaged ones that of
 * the first. */
enum status plan_look(const struct generate_options *options, struct generate_plan *plan, int index,
                      enum metric metric, enum plan_depth depth, struct error *error);

/* The same for a table that is to be made where it is missing or damaged, which the plan then says. */
enum status plan_look_at_own(const struct generate_options *options, struct generate_plan *plan,
                             int index, enum metric metric, enum plan_depth depth,
                             struct error *error);

/* The path of a material's table where the plan found it, or where it will be. */
enum status plan_path(const struct generate_options *options, const struct generate_plan *plan,
                      int index, enum metric metric, char *path, size_t size, struct error *error);

/* Sets what the plan's files, and values besides, take on disk. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan);

/* Free bytes where `root` is or will be; UINT64_MAX where nobody says. */
uint64_t plan_disk_free(const char *root);

/* Bytes the files of a material's tables are expected to take, of a set of metrics. */
uint64_t plan_file_bytes(const struct rules *rules, const struct shape *shape, unsigned metrics);

/* Makes a plan one that holds no more than a limit leaves room for, where that can be. */
void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit);

/* Whether a status says of a file that it was read and is not a whole table. All others leave that
 * open: it could not be read, or it is an intact table of something else. */
bool plan_is_damage(enum status status);

/* That so many bytes are there, of memory as the plan found it, and of disk below `root`: NO_MEMORY,
 * NO_SPACE. What the refusal names is enough. */
enum status plan_check_memory(const struct generate_plan *plan, uint64_t n_bytes,
                              struct error *error);
enum status plan_check_disk(const char *root, uint64_t n_bytes, uint64_t n_free,
                            struct error *error);

/* The moves whose materials it takes to bring a complete material in. */
enum succession plan_succession(const struct generate_plan *plan, int index);

#endif
