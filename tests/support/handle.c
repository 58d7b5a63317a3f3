#include "tests/support/handle.h"

#include "tests/support/must.h"

static einspul *open_one(const char *root, einspul_options *options)
{
    const char *const folders[] = {root};
    einspul_error error = {0};
    einspul *handle = NULL;
    options->folders = folders;
    options->n_folders = 1;
    must(einspul_open(options, &handle, &error) == EINSPUL_OK, "%s", error.text);
    return handle;
}

einspul *open_tables(const char *root, const char *rules, size_t cache_bytes, einspul_io io)
{
    einspul_options options;
    einspul_options_init(&options);
    options.rules = rules;
    options.cache_bytes = cache_bytes;
    options.io = io;
    return open_one(root, &options);
}

einspul *open_default(const char *root, const char *rules)
{
    einspul_options options;
    einspul_options_init(&options);
    options.rules = rules;
    return open_one(root, &options);
}
