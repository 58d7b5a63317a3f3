/* Lists of paths as in PATH, and names that contain the separator. */
#include "core/path_list.h"

#include "core/os.h"
#include "tests/support/folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(path_list, .init = make_folder, .fini = drop_folder);

/* The paths of a list, written with ':' between them, joined by '|'. */
static const char *cut(const char *text, bool of_files)
{
    static char joined[2048];
    char list[2048];
    strcpy(list, text);
    for (char *at = list; *at != '\0'; at++)
        if (*at == ':')
            *at = OS_LIST_SEPARATOR;
    joined[0] = '\0';
    char *next = list;
    for (char *path = path_list_next(&next, of_files); path != NULL;
         path = path_list_next(&next, of_files)) {
        strcat(joined, path);
        strcat(joined, "|");
    }
    return joined;
}

/* Fails if a list is cut elsewhere than at its separators, or an empty path is the current
 * folder. */
Test(path_list, paths_are_cut_at_separators)
{
    cr_assert_str_eq(cut("", true), "");
    cr_assert_str_eq(cut(":::", true), "");
    cr_assert_str_eq(cut("no-such-a", true), "no-such-a|");
    cr_assert_str_eq(cut("no-such-a:no-such-b", true), "no-such-a|no-such-b|");
    cr_assert_str_eq(cut(":no-such-a::no-such-b:", true), "no-such-a|no-such-b|");
}

/* Fails if a folder whose name contains the separator cannot be read, or names that callers read by
 * functions of their own are looked for in the file system. */
Test(path_list, existing_names_are_not_cut)
{
    char list[2048];
    char expected[2048];
    shell("mkdir run:10 a b a:b");
    snprintf(list, sizeof list, "%s/run:10:%s/none:%s/a:b", folder, folder, folder);
    snprintf(expected, sizeof expected, "%s/run:10|%s/none|%s/a:b|", folder, folder, folder);
    cr_assert(OS_LIST_SEPARATOR != ':' || strcmp(cut(list, true), expected) == 0, "%s",
              cut(list, true));
    snprintf(list, sizeof list, "%s/run:10", folder);
    snprintf(expected, sizeof expected, "%s/run|10|", folder);
    cr_assert_str_eq(cut(list, false), expected);
}
