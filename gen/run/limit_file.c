/* Apart from its callers, so that tests can put synthetic systems in its place. */
#include "gen/run/limit_file.h"

FILE *limit_file_open(const char *path)
{
    return fopen(path, "r");
}
