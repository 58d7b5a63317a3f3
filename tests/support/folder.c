#include "tests/support/folder.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/require.h"

char folder[512];

void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s/files-XXXXXX", EINSPUL_BINARY_DIR);
    must(mkdtemp(folder) != NULL, "%s cannot be made", folder);
}

void drop_folder(void)
{
    remove_folder(folder);
}

const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int folder_entries(void)
{
    int n = 0;
    DIR *directory = opendir(folder);
    must(directory != NULL, "%s cannot be read", folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return n;
}

void shell(const char *format, ...)
{
    char command[2048];
    char line[3072];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    must(length < (int)sizeof command, "%s", command);
    snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
    must(system(line) == 0, "%s", line);
}

void expect_same(const char *a, const char *b)
{
    shell("diff -r -q '%s' '%s'", a, b);
}
