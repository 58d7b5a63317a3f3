/* Status names equal the constants of the public header. */
#include "einspul.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 100, NAME_SIZE = 32 };

/* Reads the constants of an enum from a header, one a line, as `PREFIX_NAME = 12,`: names by
 * number, "" if missing. Returns their number. */
static int read_names(const char *path, const char *first_line, const char *prefix,
                      char names[MOST][NAME_SIZE])
{
    FILE *file = fopen(path, "r");
    char line[256];
    bool inside = false;
    int n = 0;

    cr_assert_not_null(file, "%s", path);
    memset(names, 0, (size_t)MOST * NAME_SIZE);
    while (fgets(line, sizeof line, file) != NULL && !(inside && line[0] == '}')) {
        char name[NAME_SIZE];
        int number = -1;
        if (!inside) {
            inside = strncmp(line, first_line, strlen(first_line)) == 0;
            continue;
        }
        const char *constant = line + strspn(line, " ");
        cr_assert_eq(strncmp(constant, prefix, strlen(prefix)), 0, "%s", line);
        cr_assert_eq(sscanf(constant + strlen(prefix), "%31[A-Z_] = %d", name, &number), 2, "%s",
                     line);
        cr_assert(number >= 0 && number < MOST && names[number][0] == '\0', "%s", line);
        strcpy(names[number], name);
        n++;
    }
    fclose(file);
    return n;
}

/* Fails if a log or another language's binding names a status that no header has, or the library
 * returns a number that means something else to its callers. */
Test(status, names_match_the_constants)
{
    static char published[MOST][NAME_SIZE];
    cr_assert_geq(read_names(EINSPUL_SOURCE_DIR "/include/einspul.h",
                             "typedef enum einspul_status {", "EINSPUL_", published),
                  24);
    for (int number = 0; number < MOST; number++) {
        const char *name = einspul_status_name((einspul_status)number);
        const bool known = published[number][0] != '\0';
        cr_assert_str_eq(name, known ? published[number] : "UNKNOWN", "%d", number);
    }
    cr_assert_str_eq(einspul_status_name((einspul_status)-1), "UNKNOWN");
}
