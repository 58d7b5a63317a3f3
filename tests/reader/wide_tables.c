/* Tables with values of two bytes, for reader_check.py: no game of few pieces is long enough for
 * the program to make any. In <folder>/solved are those of two and three pieces, solved with
 * bytes that are taken to tell a few plies only; in <folder>/made tables of made-up values, of
 * any distance that two bytes can tell. */
#include "tests/support/must.h"
#include "tests/support/named.h"
#include "tests/support/synthetic.h"
#include "tests/support/tables.h"

#include <stdio.h>
#include <sys/stat.h>

enum { BYTE_PLIES = 6 };

/* Makes a folder, which may be there, in another one. */
static void make_inside(const char *parent, const char *name, char path[PATH_SIZE])
{
    must(snprintf(path, PATH_SIZE, "%s/%s", parent, name) < PATH_SIZE, "%s: too long", parent);
    mkdir(path, 0777);
}

static void make_solved(const char *root, const char *rule_set)
{
    const struct rules rules = rules_named(rule_set);
    struct generate_options options = small_options(&rules, root);
    options.metrics = METRICS_DTW;
    options.byte_plies = BYTE_PLIES;
    generate_with(&options);
}

static void make_up(const char *root, const char *rule_set, const char *name, uint32_t n_patterns)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    einspul_error error = {0};
    char path[PATH_SIZE];
    synthetic_create(&made, &rules, name, n_patterns, 3);
    synthetic_widen(&made, 5);
    const struct table_id id = {&rules, made.shape.material, EINSPUL_DTW};
    make_inside(root, rule_set, path);
    must(table_path_below(root, id, path, sizeof path, &error) == EINSPUL_OK, "%s", error.text);
    synthetic_write(&made, &rules, EINSPUL_DTW, path, 1);
    synthetic_free(&made);
}

int main(int n_arguments, char **arguments)
{
    must(n_arguments == 2, "wide_tables FOLDER");
    const char *all = arguments[1];
    char root[PATH_SIZE];
    mkdir(all, 0777); /* may be there */
    make_inside(all, "solved", root);
    make_solved(root, "frisian");
    make_solved(root, "english");
    make_inside(all, "made", root);
    make_up(root, "frisian", "KvM", 40);
    make_up(root, "frisian", "KMvM", 0); /* too many for one dictionary */
    make_up(root, "english", "MMvM", 300);
    return 0;
}
