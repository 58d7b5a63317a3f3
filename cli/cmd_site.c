/* `einspul site`: the page of `einspul serve` as a folder for any web server. Positions and games are
 * answered by the library as WebAssembly (serve/site), from packs; answers about whole materials are
 * written here, by the calls of the API. */
#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "core/program/sha256.h"
#include "probe/program_handle.h"
#include "serve/endpoints.h"
#include "serve/routes.h"
#include "table/bytes.h"
#include "table/table_open.h"
#include "table/write/pack_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, NAME_SIZE = 128 };

static const char sums_name[] = "SHA256SUMS";

static struct {
    const char *module; /* path */
    const char *lists;  /* folder */
} own = {.module = EINSPUL_MODULE};

static const struct option_row own_options[] = {
    {"lists", "DIR", "folder of saved lists, DIR/RULES/NAME.tsv", TEXT(&own.lists)},
    {"module", "FILE", "the page's WebAssembly module (default: the installed one)",
     TEXT(&own.module)},
    {0},
};

/* A site being written. */
struct site {
    const struct options *options;
    const char *folder;
    FILE *sums;            /* a line for each file */
    struct sha256 version; /* of these checksums */
    uint64_t n_files, n_bytes;
    int n_packs;
    char *packs[N_RULES];   /* their paths */
    json_t *layouts;        /* of the packs, by rule set */
    struct service service; /* on the packs */
    einspul_error error;
};

/* --- files ------------------------------------------------------------------------------------ */

static einspul_status path_of(struct site *site, const char *name, char path[PATH_SIZE])
{
    return snprintf(path, PATH_SIZE, "%s/%s", site->folder, name) < PATH_SIZE
               ? EINSPUL_OK
               : error_set(&site->error, EINSPUL_BAD_ARGUMENT,
                           "the path of the folder is too long");
}

static einspul_status io_error(struct site *site, const char *path)
{
    return error_set(&site->error, EINSPUL_IO, "%s: %s", path_tail(path), strerror(errno));
}

static einspul_status make_folder(struct site *site, const char *name)
{
    char path[PATH_SIZE];
    const einspul_status status = path_of(site, name, path);
    if (status != EINSPUL_OK || os_make_folder(path) == 0 || errno == EEXIST)
        return status;
    return io_error(site, path);
}

/* Enters a file that has been written into the checksums. */
static einspul_status enter_file(struct site *site, const char *name)
{
    char path[PATH_SIZE];
    char text[SHA256_TEXT_SIZE];
    uint8_t bytes[1 << 14];
    struct sha256 sum;
    einspul_status status = path_of(site, name, path);
    FILE *file = status == EINSPUL_OK ? fopen(path, "rb") : NULL;
    if (status == EINSPUL_OK && file == NULL)
        status = io_error(site, path);
    if (status != EINSPUL_OK)
        return status;
    sha256_begin(&sum);
    for (size_t n = sizeof bytes; n == sizeof bytes;) {
        n = fread(bytes, 1, sizeof bytes, file);
        sha256_add(&sum, bytes, n);
    }
    if (ferror(file))
        status = io_error(site, path);
    fclose(file);
    site->n_files++;
    site->n_bytes += sum.n_bytes;
    sha256_end(&sum, text);
    sha256_add(&site->version, text, strlen(text));
    if (status == EINSPUL_OK && fprintf(site->sums, "%s  %s\n", text, name) < 0)
        status = io_error(site, sums_name);
    return status;
}

/* Writes a file of two parts. */
static einspul_status write_file(struct site *site, const char *name, const char *first,
                                 const void *bytes, size_t n_bytes)
{
    char path[PATH_SIZE];
    einspul_status status = path_of(site, name, path);
    FILE *file = status == EINSPUL_OK ? fopen(path, "wb") : NULL;
    if (status != EINSPUL_OK)
        return status;
    const bool written =
        file != NULL && fputs(first, file) >= 0 && fwrite(bytes, 1, n_bytes, file) == n_bytes;
    if ((file != NULL && fclose(file) != 0) || !written)
        return io_error(site, path);
    return enter_file(site, name);
}

static einspul_status copy_module(struct site *site)
{
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    einspul_status status = file_open(own.module, NULL, &file, &site->error);
    if (status == EINSPUL_NO_TABLE)
        return error_set(&site->error, EINSPUL_BAD_ARGUMENT,
                         "%s: no such file; scripts/site builds the module", path_tail(own.module));
    if (status == EINSPUL_OK)
        status = file_read(file, 0, file->size, &bytes, &site->error);
    if (status == EINSPUL_OK)
        status = write_file(site, "einspul.wasm.gz", "", bytes, (size_t)file->size);
    file_close(file);
    free(bytes);
    return status;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Adds a table to a pack: that with distances, which has the outcomes too, or else the other. */
static einspul_status add_table(struct site *site, einspul *handle, const einspul_table_info *info,
                                struct pack_item *items, size_t *n_items)
{
    const struct table *table = NULL;
    struct table_id id = {.rules = probe_rules(handle),
                          .metric = info->has_dtw ? EINSPUL_DTW : EINSPUL_WDL};
    if (site->options->pieces > 0 && info->pieces > site->options->pieces)
        return EINSPUL_OK;
    material_read(info->material, &id.material, NULL);
    const einspul_status status =
        probe_table(handle, &id.material, id.metric, &table, &site->error);
    if (status == EINSPUL_OK) {
        strcpy(items[*n_items].name, table_file_name(id).text);
        items[(*n_items)++].file = table->file;
    }
    return status;
}

/* A part of a pack that is read before any values. */
struct part {
    uint64_t at, n_bytes;
};
enum { MAX_PARTS = 1 + 2 * MAX_MATERIALS };

/* Lists the parts: the pack's index, and of each table the header with the model and the block index. */
static einspul_status list_parts(struct file *pack, const struct pack_item *items, size_t n_items,
                                 struct part parts[MAX_PARTS], einspul_error *error)
{
    uint64_t at = PACK_HEADER_SIZE + n_items * PACK_ENTRY_SIZE;
    einspul_status status = EINSPUL_OK;
    *parts++ = (struct part){0, at};
    for (size_t i = 0; i < n_items && status == EINSPUL_OK; i++) {
        uint8_t *header = NULL;
        status = file_read(pack, at, HEADER_SIZE, &header, error);
        if (status != EINSPUL_OK)
            break;
        *parts++ = (struct part){at, load_u64(header + AT_BLOCKS_OFFSET)};
        *parts++ = (struct part){at + load_u64(header + AT_INDEX_OFFSET),
                                 load_u64(header + AT_INDEX_SIZE)};
        free(header);
        at += items[i].file->size;
    }
    return status;
}

/* The size of all parts of at most `most` bytes. */
static uint64_t size_of_parts(const struct part *parts, size_t n_parts, uint64_t most)
{
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < n_parts; i++)
        n_bytes += parts[i].n_bytes <= most ? parts[i].n_bytes : 0;
    return n_bytes;
}

/* Writes the smaller parts of a pack to a file of their own, which a page fetches at once, and enters
 * the layout of the pack. */
static einspul_status write_heads(struct site *site, const char *rules, const char *path,
                                  const struct pack_item *items, size_t n_items)
{
    enum { MAX_HEAD = 16 << 10, MAX_HEADS = 96 << 10 }; /* bytes: of a part, of all of them */
    static struct part parts[MAX_PARTS];
    static uint8_t heads[MAX_HEADS];
    const size_t n_parts = 1 + 2 * n_items;
    char name[NAME_SIZE];
    uint64_t most = MAX_HEAD;
    size_t n_bytes = 0;
    struct file *file = NULL;
    json_t *list = json_array();
    einspul_status status = file_open(path, NULL, &file, &site->error);
    if (status == EINSPUL_OK)
        status = list_parts(file, items, n_items, parts, &site->error);
    while (size_of_parts(parts, n_parts, most) > MAX_HEADS)
        most /= 2;
    for (size_t i = 0; i < n_parts && status == EINSPUL_OK; i++) {
        const struct part *part = &parts[i];
        uint8_t *bytes = NULL;
        json_array_append_new(list,
                              json_pack("[I,I]", (json_int_t)part->at, (json_int_t)part->n_bytes));
        if (part->n_bytes > most)
            continue;
        status = file_read(file, part->at, part->n_bytes, &bytes, &site->error);
        if (status == EINSPUL_OK)
            memcpy(heads + n_bytes, bytes, (size_t)part->n_bytes);
        free(bytes);
        n_bytes += (size_t)part->n_bytes;
    }
    json_object_set_new(site->layouts, rules,
                        json_pack("{s:I,s:I,s:o}", "size",
                                  file != NULL ? (json_int_t)file->size : 0, "most",
                                  (json_int_t)most, "parts", list));
    file_close(file);
    snprintf(name, sizeof name, "tables/%s.heads", rules);
    return status == EINSPUL_OK ? write_file(site, name, "", heads, n_bytes) : status;
}

/* Packs the tables of a rule set that has some. */
static einspul_status write_pack(struct site *site, const char *rules)
{
    static einspul_table_info infos[MAX_MATERIALS];
    static struct pack_item items[MAX_MATERIALS];
    const struct options *options = site->options;
    char name[NAME_SIZE];
    char path[PATH_SIZE];
    einspul *handle = NULL;
    size_t n_items = 0;
    uint64_t n_bytes = 0;
    einspul_status status =
        probe_open(options->folders, options->n_folders, rules, 0, &handle, &site->error);
    const size_t n_tables = handle != NULL ? einspul_list(handle, infos, MAX_MATERIALS) : 0;
    for (size_t i = 0; i < n_tables && status == EINSPUL_OK; i++)
        status = add_table(site, handle, &infos[i], items, &n_items);
    snprintf(name, sizeof name, "tables/%s.pack", rules);
    if (status == EINSPUL_OK)
        status = path_of(site, name, path);
    if (status == EINSPUL_OK && n_items > 0) {
        status = pack_write(path, items, n_items, &n_bytes, &site->error);
        if (status == EINSPUL_OK)
            status = enter_file(site, name);
        if (status == EINSPUL_OK)
            status = write_heads(site, rules, path, items, n_items);
        site->packs[site->n_packs++] = strdup(path);
    }
    einspul_close(handle);
    if (status == EINSPUL_NO_FOLDER && !options->rules_given)
        status = site->error.status = EINSPUL_OK;
    return status;
}

static einspul_status write_packs(struct site *site)
{
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < N_RULES && status == EINSPUL_OK; i++)
        if (!site->options->rules_given || site->options->rules.id == (enum rules_id)(i + 1))
            status = write_pack(site, einspul_rules_list()[i]);
    if (status == EINSPUL_OK && site->n_packs == 0)
        status = error_set(&site->error, EINSPUL_NO_FOLDER, "no tables found in %s",
                           path_tail(site->options->folders[0]));
    return status;
}

/* --- answers ---------------------------------------------------------------------------------- */

static bool go_on(void *context)
{
    (void)context;
    return true;
}

/* Makes a call of the API with arguments, pairs of name and value that NULL ends. NULL for what is
 * not here, after an error, and for an error, which becomes that of the site. */
static json_t *ask(struct site *site, api_call *run, struct rule_set *set, const char *rest,
                   const char *const *arguments)
{
    const char *names[MAX_ARGUMENTS] = {NULL};
    struct request request = {.names = names, .go_on = go_on};
    const struct call call = {&site->service, set, rest, &request};
    struct reply reply = {.code = 0};
    if (site->error.status != EINSPUL_OK)
        return NULL;
    for (int i = 0; arguments != NULL && arguments[2 * i] != NULL; i++) {
        names[i] = arguments[2 * i];
        request.values[i] = arguments[2 * i + 1];
    }
    run(&call, &reply);
    json_t *json = reply.text != NULL ? json_loadb(reply.text, reply.n_bytes, 0, NULL) : NULL;
    if (reply.code != HTTP_DONE || json == NULL) {
        const char *text = json_string_value(json_object_get(json, "error"));
        if (reply.code != HTTP_NOT_FOUND)
            error_set(&site->error, EINSPUL_IO, "%s", text != NULL ? text : "not enough memory");
        json_decref(json);
        json = NULL;
    }
    free(reply.text);
    return json;
}

/* Writes an answer to v1/RULES/NAME.json; none is written for what is not here. */
static void write_answer(struct site *site, const struct rule_set *set, const char *name,
                         json_t *json)
{
    char path[NAME_SIZE];
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    snprintf(path, sizeof path, "v1/%s/%s.json", set->rules.name, name);
    if (text != NULL)
        write_file(site, path, "", text, strlen(text));
    else if (json != NULL)
        error_set(&site->error, EINSPUL_NO_MEMORY, "not enough memory");
    json_decref(json);
    free(text);
}

static void write_materials(struct site *site, struct rule_set *set)
{
    size_t i;
    json_t *material;
    json_t *tables = ask(site, api_tables, set, "", NULL);
    json_array_foreach(json_object_get(tables, "materials"), i, material)
    {
        char path[NAME_SIZE];
        const char *name = json_string_value(json_object_get(material, "material"));
        snprintf(path, sizeof path, "material/%s", name);
        write_answer(site, set, path, ask(site, api_material, set, name, NULL));
    }
    write_answer(site, set, "tables", tables);
}

/* A whole list, whose parts are asked for one after the other. */
static json_t *list_json(struct site *site, struct rule_set *set, const char *name)
{
    json_t *whole = NULL;
    for (size_t from = 0, n = 1; n > 0; from += n) {
        char first[24];
        char limit[24];
        snprintf(first, sizeof first, "%zu", from);
        snprintf(limit, sizeof limit, "%d", MAX_ROWS);
        const char *const arguments[] = {"name", name, "from", first, "limit", limit, NULL};
        json_t *part = ask(site, api_list, set, "", arguments);
        json_t *rows = json_object_get(part, "positions");
        n = json_array_size(rows);
        if (whole == NULL)
            whole = json_incref(part);
        else
            json_array_extend(json_object_get(whole, "positions"), rows);
        json_decref(part);
    }
    return whole;
}

static void write_lists(struct site *site, struct rule_set *set)
{
    size_t i;
    json_t *name;
    json_t *lists = ask(site, api_lists, set, "", NULL);
    json_array_foreach(json_object_get(lists, "lists"), i, name)
    {
        char path[NAME_SIZE];
        snprintf(path, sizeof path, "list-%zu", i);
        write_answer(site, set, path, list_json(site, set, json_string_value(name)));
    }
    write_answer(site, set, "lists", lists);
}

static einspul_status write_answers(struct site *site, struct rule_set *set)
{
    /* The positions that the page trains with. */
    static const char *const training[] = {"material", "KMvK",  "outcome", "win",    "only_move",
                                           "1",        "moves", "5-",      "sample", "500",
                                           "limit",    "500",   NULL};
    char folder[NAME_SIZE];
    snprintf(folder, sizeof folder, "v1/%s", set->rules.name);
    einspul_status status = make_folder(site, folder);
    snprintf(folder, sizeof folder, "v1/%s/material", set->rules.name);
    if (status == EINSPUL_OK)
        status = make_folder(site, folder);
    if (status != EINSPUL_OK)
        return status;
    write_materials(site, set);
    write_lists(site, set);
    write_answer(site, set, "train", ask(site, api_find, set, "", training));
    return site->error.status;
}

/* --- the site --------------------------------------------------------------------------------- */

/* The files of the page; its scripts begin with what they have to know of the site. */
static einspul_status write_page(struct site *site)
{
    char version[SHA256_TEXT_SIZE];
    for (const struct page_file *file = site_files; file->path != NULL; file++)
        sha256_add(&site->version, file->tag, strlen(file->tag));
    sha256_end(&site->version, version);
    json_t *json =
        json_pack("{s:o?,s:b,s:O,s:s}", "rules", ask(site, api_rules, NULL, "", NULL), "lists",
                  own.lists != NULL, "packs", site->layouts, "version", version);
    char *text = json_dumps(json, JSON_COMPACT);
    const size_t n = text != NULL ? strlen(text) + 20 : 1;
    char *line = malloc(n);
    einspul_status status = site->error.status;
    json_decref(json);
    if (status == EINSPUL_OK && (text == NULL || line == NULL))
        status = error_set(&site->error, EINSPUL_NO_MEMORY, "not enough memory");
    for (const struct page_file *file = site_files; file->path != NULL && status == EINSPUL_OK;
         file++) {
        line[0] = '\0';
        if (strstr(file->path, ".js") != NULL)
            snprintf(line, n, "const site = %s;\n", text);
        status = write_file(site, file->path, line, file->bytes, file->n_bytes);
    }
    free(text);
    free(line);
    return status;
}

static einspul_status write_site(struct site *site)
{
    struct server_options options = {.lists = own.lists, .n_threads = site->options->n_threads};
    char path[PATH_SIZE];
    einspul_status status = make_folder(site, "");
    if (status == EINSPUL_OK)
        status = path_of(site, sums_name, path);
    if (status == EINSPUL_OK && (site->sums = fopen(path, "w")) == NULL)
        status = io_error(site, path);
    if (status == EINSPUL_OK)
        status = copy_module(site);
    if (status == EINSPUL_OK)
        status = make_folder(site, "tables");
    if (status == EINSPUL_OK)
        status = make_folder(site, "v1");
    if (status == EINSPUL_OK)
        status = write_packs(site);
    if (status != EINSPUL_OK)
        return status;
    options.folders = (const char *const *)site->packs;
    options.n_folders = (size_t)site->n_packs;
    options.cache_bytes = SMALL_CACHE;
    status = service_open(&site->service, &options, &site->error);
    if (status != EINSPUL_OK)
        return status;
    api_find_arguments(site->service.find_arguments);
    for (int i = 0; i < site->service.n_sets && status == EINSPUL_OK; i++)
        status = write_answers(site, &site->service.sets[i]);
    if (status == EINSPUL_OK)
        status = write_page(site);
    service_close(&site->service);
    return status;
}

static int run(const struct options *options)
{
    static struct site site;
    site = (struct site){
        .options = options, .folder = options->arguments[0], .layouts = json_object()};
    sha256_begin(&site.version);
    einspul_status status = write_site(&site);
    if (site.sums != NULL && fclose(site.sums) != 0 && status == EINSPUL_OK)
        status = io_error(&site, sums_name);
    json_decref(site.layouts);
    for (int i = 0; i < site.n_packs; i++)
        free(site.packs[i]);
    if (status == EINSPUL_NO_FOLDER)
        return command_message(options, "%s%s", site.error.text, tables_hint(options).text);
    if (status != EINSPUL_OK)
        return command_error(options, NULL, &site.error);
    row_header("site\trule-sets\tfiles\tbytes");
    row_text("site", site.folder);
    row_count("rule-sets", (uint64_t)site.n_packs);
    row_count("files", site.n_files);
    row_count("bytes", site.n_bytes);
    row_end();
    return EXIT_OK;
}

const struct command command_site = {
    .name = "site",
    .group = COMMAND_SERVES,
    .summary = "write the web page and its tables to a folder for any web server",
    .synopsis = "FOLDER [OPTION…]",
    .about = "Write the page of 'einspul serve' and the tables to a folder that any web server\n"
             "can publish; the page looks up positions in the reader's browser. The folder\n"
             "contains the tables of every rule set, or only those of --rules.",
    .details = "Such a page cannot search whole materials; with --lists, it offers saved lists\n"
               "of positions, as 'einspul serve' does. The command also computes the statistics\n"
               "that the page shows. For all materials of up to four pieces, this takes a\n"
               "minute.\n"
               "\n"
               "FOLDER/tables contains a pack for each rule set, and FOLDER/SHA256SUMS the\n"
               "checksums of all files. docs/study.md explains how to publish the folder.\n"
               "\n"
               "Output: a header, then one line, with folder, number of rule sets and files, and\n"
               "bytes.",
    .examples = "  einspul site public\n"
                "  einspul site public --rules frisian --pieces 4 --tables data/tables",
    .takes = TAKES_ONLY_RULES | TAKES_FOLDERS | TAKES_JSON | TAKES_PIECES | TAKES_THREADS,
    .missing_argument = "missing the name of the folder to write",
    .max_arguments = 1,
    .own = own_options,
    .run = run,
};
