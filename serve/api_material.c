/* Statistics of a material, and the list of materials. Small materials are counted from their
 * tables; for larger ones the published counts are used, if they exist. */
#include "serve/endpoints.h"

#include "serve/position.h"
#include "serve/routes.h"

#include "core/fen.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/rank.h"
#include "gen/material/stats.h"
#include "gen/material/stats_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_LONGEST = 10 };

/* --- the files of a material ------------------------------------------------------------------ */

/* The table's entry in the handle's list; NULL when it has no file. */
static const einspul_table_info *find_info(const einspul_table_info *list, size_t n,
                                           const char *material)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].material, material) == 0)
            return &list[i];
    return NULL;
}

static void files_add(json_t *object, const einspul_table_info *info)
{
    const bool wdl = info != NULL && info->has_wdl != 0;
    const bool dtw = info != NULL && info->has_dtw != 0;
    json_object_update_new(
        object,
        json_pack("{s:o,s:o}", "wdl_bytes", json_number(wdl, wdl ? (json_int_t)info->wdl_bytes : 0),
                  "dtw_bytes", json_number(dtw, dtw ? (json_int_t)info->dtw_bytes : 0)));
}

/* --- counts ----------------------------------------------------------------------------------- */

/* How many states have each distance: [plies, states], longest losses and wins included. */
static json_t *histogram_json(const struct stats_counts *counts, bool wins)
{
    json_t *list = json_array();
    for (int i = 0; i < STATS_VALUES; i++) {
        const int value = wins ? VALUE_WIN_IN_1 - i : i;
        if (value < 0 || value > VALUE_WIN_IN_1 || (value > VALUE_DRAW) != wins ||
            value == VALUE_DRAW || counts->n_by_value[value] == 0)
            continue;
        json_array_append_new(list, json_pack("[i,I]", value_plies((value_t)value),
                                              (json_int_t)counts->n_by_value[value]));
    }
    return list;
}

static json_t *counts_json(const struct stats_counts *counts, bool distances)
{
    return json_pack("{s:I,s:I,s:I,s:o,s:o,s:o?,s:o?}", "wins", (json_int_t)counts->wins, "draws",
                     (json_int_t)counts->draws, "losses", (json_int_t)counts->losses, "max_win",
                     json_number(counts->max_win >= 0, counts->max_win), "max_loss",
                     json_number(counts->max_loss >= 0, counts->max_loss), "win_plies",
                     distances ? histogram_json(counts, true) : NULL, "loss_plies",
                     distances ? histogram_json(counts, false) : NULL);
}

static json_t *longest_json(const struct rule_set *set, const struct stats_top *top)
{
    json_t *list = json_array();
    for (int i = 0; i < top->n; i++) {
        char fen[FEN_SIZE];
        fen_write(&set->rules, &top->win[i].state, fen);
        json_array_append_new(list, json_pack("{s:s,s:i}", "fen", fen, "plies", top->win[i].plies));
    }
    return list;
}

static json_t *sides_counted(const struct rule_set *set, const struct stats *stats)
{
    json_t *sides = json_object();
    for (int side = WHITE; side <= BLACK; side++) {
        const bool distances = stats->all[side].max_win >= 0 || stats->all[side].max_loss >= 0;
        json_object_set_new(
            sides, side_word((enum side)side),
            json_pack("{s:o,s:o,s:o?,s:o}", "fresh", counts_json(&stats->fresh[side], distances),
                      "all", counts_json(&stats->all[side], distances), "raw",
                      stats->limited ? counts_json(&stats->raw[side], true) : NULL, "longest",
                      distances ? longest_json(set, &stats->top[side]) : json_array()));
    }
    return sides;
}

/* --- published counts ------------------------------------------------------------------------- */

/* Finds the published row of a rule set. */
static bool published_find(const char *rules, const char *material, const char *side,
                           const char *states, struct stats_row *row)
{
    const size_t n_rules = strlen(rules);
    for (const struct page_file *file = published_files; file->path != NULL; file++)
        if (strncmp(file->path, rules, n_rules) == 0 && file->path[n_rules] == '-' &&
            strspn(file->path + n_rules, "-0123456789") + n_rules == strcspn(file->path, ".") &&
            stats_row_find((const char *)file->bytes, material, side, states, row))
            return true;
    return false;
}

/* Like the counts from tables, from the published rows; NULL without them. */
static json_t *sides_published(const struct rule_set *set, const char *name)
{
    static const char *const kinds[] = {"fresh", "all", "raw"};
    json_t *sides = json_object();
    bool found = false;
    for (int side = WHITE; side <= BLACK; side++) {
        const char *side_name = side_word((enum side)side);
        json_t *object = json_object();
        json_t *longest = json_array();
        for (size_t i = 0; i < 3; i++) {
            struct stats_row row;
            const bool there = published_find(set->rules.name, name, side_name, kinds[i], &row);
            json_object_set_new(object, kinds[i],
                                there ? counts_json(&row.counts, false) : json_null());
            if (there && i == 0 && row.fen[0] != '\0' && row.counts.max_win >= 0)
                json_array_append_new(
                    longest, json_pack("{s:s,s:i}", "fen", row.fen, "plies", row.counts.max_win));
            found = found || there;
        }
        json_object_set_new(object, "longest", longest);
        json_object_set_new(sides, side_name, object);
    }
    if (found)
        return sides;
    json_decref(sides);
    return NULL;
}

/* --- one material ----------------------------------------------------------------------------- */

static json_t *names_json(const struct material *list, int n)
{
    json_t *names = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(names, json_string(material_name(&list[i]).text));
    return names;
}

/* The fields that need no counting. */
static json_t *material_json(const struct rule_set *set, const struct material *material,
                             const char *name)
{
    einspul_table_info infos[MAX_MATERIALS];
    struct material list[MAX_MATERIALS];
    struct shape shape;
    const size_t n_infos = einspul_list(set->handle, infos, MAX_MATERIALS);
    const int n_next = material_successors(material, CAPTURES_AND_PROMOTIONS, list);
    json_t *next = names_json(list, n_next);
    json_t *missing = json_array();
    shape_init(&shape, &set->rules, material);
    const int n_needed = material_closure(material, list);
    for (int i = 0; i < n_needed; i++) {
        const struct material_name needed = material_name(&list[i]);
        if (find_info(infos, n_infos, needed.text) == NULL)
            json_array_append_new(missing, json_string(needed.text));
    }
    json_t *object =
        json_pack("{s:s,s:s,s:i,s:I,s:o,s:o,s:o}", "rules", set->rules.name, "material", name,
                  "pieces", material_pieces(material), "states", (json_int_t)shape_states(&shape),
                  "leads_to", next, "needs", names_json(list, n_needed), "missing", missing);
    files_add(object, find_info(infos, n_infos, name));
    return object;
}

static bool is_small(const struct rule_set *set, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, &set->rules, material);
    return shape.n_placements * (uint64_t)shape.n_sides <= MAX_COUNTED;
}

static einspul_status count_material(struct service *service, const struct rule_set *set,
                                     const struct material *material, json_t *object,
                                     einspul_error *error)
{
    struct stats_session *session = NULL;
    struct stats *stats = malloc(sizeof *stats);
    einspul_status status = EINSPUL_NO_MEMORY;
    if (stats != NULL)
        status = stats_begin(set->handle, material_pieces(material), service->options.n_threads,
                             N_LONGEST, &session, error);
    else
        error_set(error, status, "not enough memory to count");
    if (status == EINSPUL_OK) {
        status = stats_table(session, material, EINSPUL_DTW, stats, error);
        if (status == EINSPUL_NO_METRIC)
            status = stats_table(session, material, EINSPUL_WDL, stats, error);
        if (status == EINSPUL_OK)
            json_object_set_new(object, "sides", sides_counted(set, stats));
    }
    stats_end(session);
    free(stats);
    return status;
}

void api_material(const struct call *call, struct reply *reply)
{
    struct material material;
    einspul_error error;
    char name[MATERIAL_NAME_SIZE];
    einspul_status status = material_read_canonical(call->rest, &material, NULL, &error);
    if (status != EINSPUL_OK) {
        reply_error(reply, status, error.text);
        return;
    }
    material_write(&material, name);
    json_t *object = material_json(call->set, &material, name);
    if (is_small(call->set, &material) &&
        json_array_size(json_object_get(object, "missing")) == 0) {
        if (call->request->go_on == NULL) {
            json_decref(object);
            return;
        }
        status = count_material(call->service, call->set, &material, object, &error);
        json_object_set_new(object, "source", json_string("tables"));
    } else {
        json_t *sides = sides_published(call->set, name);
        json_object_set_new(object, "source",
                            sides != NULL ? json_string("published") : json_null());
        json_object_set_new(object, "sides", sides != NULL ? sides : json_null());
    }
    reply_result(reply, object, status, &error);
}

/* --- all materials ---------------------------------------------------------------------------- */

/* Every material with a table or published counts, with its longest win. */
void api_tables(const struct call *call, struct reply *reply)
{
    einspul_table_info infos[MAX_MATERIALS];
    struct material materials[MAX_MATERIALS];
    const size_t n_infos = einspul_list(call->set->handle, infos, MAX_MATERIALS);
    const int n_materials = material_list(2, MAX_PIECES, materials);
    json_t *list = json_array();
    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[i], name);
        const einspul_table_info *info = find_info(infos, n_infos, name);
        json_t *sides = sides_published(call->set, name);
        if (info == NULL && sides == NULL)
            continue;
        json_t *object = json_pack("{s:s,s:i,s:o?}", "material", name, "pieces",
                                   material_pieces(&materials[i]), "published", sides);
        files_add(object, info);
        json_array_append_new(list, object);
    }
    reply_json(reply, json_pack("{s:s,s:o}", "rules", call->set->rules.name, "materials", list));
}
