/* Search: positions of whole materials that answer a query, with study/find.h. A table has a reader
 * for each argument of the query. */
#include "serve/api.h"

#include "serve/position.h"

#include "core/rank.h"
#include "study/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 500, DEFAULT_KEPT = 50, MOST_NAMED = 16, MOST_RANGE = 10000 };

/* A query being read. */
struct search {
    struct service *service;
    struct rule_set *set;
    struct find_query query;
    const struct rule_set *other;
    int n_materials;
    struct find_material materials[MOST_NAMED];
};

typedef enum status read_argument(struct search *search, const char *text, struct error *error);

/* --- reading ---------------------------------------------------------------------------------- */

/* The index of a word in a list ended by NULL; -1 if it is not in it. */
static int word_place(const char *const *words, const char *text, size_t n_bytes)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strlen(words[i]) == n_bytes && memcmp(words[i], text, n_bytes) == 0)
            return i;
    return -1;
}

/* Calls `take` for each word of a list separated by commas. */
static enum status each_word(struct search *search, const char *text,
                             enum status (*take)(struct search *search, const char *word,
                                                 size_t n_bytes, void *to, struct error *error),
                             void *to, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        const size_t n_bytes = strcspn(text, ",");
        status = take(search, text, n_bytes, to, error);
        if (text[n_bytes] == '\0')
            break;
        text += n_bytes + 1;
    }
    return status;
}

static enum status take_outcome(struct search *search, const char *word, size_t n_bytes, void *to,
                                struct error *error)
{
    static const char *const words[] = {"loss", "draw", "win", NULL};
    const int place = word_place(words, word, n_bytes);
    (void)search;
    if (place < 0)
        return error_set(error, STATUS_BAD_ARGUMENT, "outcome: win, draw or loss is expected");
    *(unsigned *)to |= 1u << place;
    return STATUS_OK;
}

static enum status read_outcome(struct search *search, const char *text, struct error *error)
{
    search->query.outcomes = 0;
    return each_word(search, text, take_outcome, &search->query.outcomes, error);
}

static enum status read_other_outcome(struct search *search, const char *text, struct error *error)
{
    search->query.other_outcomes = 0;
    return each_word(search, text, take_outcome, &search->query.other_outcomes, error);
}

static enum status take_material(struct search *search, const char *word, size_t n_bytes, void *to,
                                 struct error *error)
{
    char name[MATERIAL_NAME_SIZE + 1];
    struct find_material *named = &search->materials[search->n_materials];
    (void)to;
    if (search->n_materials == MOST_NAMED)
        return error_set(error, STATUS_BAD_ARGUMENT, "at most %d materials", MOST_NAMED);
    snprintf(name, sizeof name, "%.*s", (int)(n_bytes < sizeof name ? n_bytes : sizeof name), word);
    const enum status status = material_read(name, &named->material, error);
    if (status != STATUS_OK)
        return status;
    named->turned = !material_is_canonical(&named->material);
    if (named->turned)
        named->material = material_turn(&named->material);
    search->n_materials++;
    return STATUS_OK;
}

static enum status read_materials(struct search *search, const char *text, struct error *error)
{
    return each_word(search, text, take_material, NULL, error);
}

/* `5`, `5-20`, `5-` or `-20`. */
static enum status read_range(const char *name, const char *text, struct find_range *range,
                              struct error *error)
{
    char *end = NULL;
    const size_t n_digits = strspn(text, "0123456789");
    long least = strtol(text, &end, 10);
    long most = least;
    if (text[0] == '-') {
        least = 0;
        end = (char *)(uintptr_t)text;
    }
    if (*end == '-')
        most = end[1] == '\0' ? MOST_RANGE : strtol(end + 1, &end, 10);
    if ((n_digits == 0 && text[0] != '-') || strspn(text, "0123456789-") != strlen(text) ||
        strchr(text, '-') != strrchr(text, '-') || strlen(text) > 11 || strcmp(text, "-") == 0 ||
        least > most || most > MOST_RANGE)
        return error_set(error, STATUS_BAD_ARGUMENT, "%s: a range is expected, as 5-20", name);
    *range = (struct find_range){.given = true, .least = (int)least, .most = (int)most};
    return STATUS_OK;
}

static enum status read_distance(struct search *search, const char *text, struct error *error)
{
    return read_range("distance", text, &search->query.plies, error);
}

static enum status read_moves(struct search *search, const char *text, struct error *error)
{
    return read_range("moves", text, &search->query.moves, error);
}

static enum status read_word(const char *name, const char *const *words, const char *text,
                             int *place, struct error *error)
{
    *place = word_place(words, text, strlen(text));
    return *place >= 0 ? STATUS_OK
                       : error_set(error, STATUS_BAD_ARGUMENT, "%s=%.40s: unknown", name, text);
}

static enum status read_side(struct search *search, const char *text, struct error *error)
{
    static const char *const words[] = {"white", "black", NULL};
    int place = 0;
    const enum status status = read_word("side", words, text, &place, error);
    search->query.sides = 1u << (place & 1);
    return status;
}

static enum status read_zugzwang(struct search *search, const char *text, struct error *error)
{
    static const char *const words[] = {"", "full", "half", "any", NULL};
    int place = 0;
    const enum status status = read_word("zugzwang", words, text, &place, error);
    search->query.zugzwang = (enum find_zugzwang)place;
    return status;
}

static enum status read_depends(struct search *search, const char *text, struct error *error)
{
    static const char *const words[] = {"", "run", "clock", NULL};
    int place = 0;
    const enum status status = read_word("depends_on", words, text, &place, error);
    search->query.depends = (enum find_depends)place;
    return status;
}

static enum status read_flag(const char *name, const char *text, bool *flag, struct error *error)
{
    *flag = strcmp(text, "1") == 0;
    return *flag || strcmp(text, "0") == 0
               ? STATUS_OK
               : error_set(error, STATUS_BAD_ARGUMENT, "%s: 0 or 1 is expected", name);
}

static enum status read_quiet(struct search *search, const char *text, struct error *error)
{
    return read_flag("quiet", text, &search->query.quiet, error);
}

static enum status read_only(struct search *search, const char *text, struct error *error)
{
    return read_flag("only_move", text, &search->query.only_move, error);
}

static enum status read_shortest(struct search *search, const char *text, struct error *error)
{
    return read_flag("shortest", text, &search->query.shortest_first, error);
}

static enum status read_differs(struct search *search, const char *text, struct error *error)
{
    search->other = service_find(search->service, text);
    if (search->other == NULL)
        return error_set(error, STATUS_NO_TABLE, "no tables of rule set %.40s here", text);
    search->query.other = search->other->handle;
    return STATUS_OK;
}

/* A piece on its square, as W28 or BK43. */
static enum status take_piece(struct search *search, const char *word, size_t n_bytes, void *to,
                              struct error *error)
{
    const bool king = n_bytes > 1 && word[1] == 'K';
    const size_t n_letters = king ? 2 : 1;
    const size_t n_digits = strspn(word, "WBK0123456789") == n_bytes && n_bytes > n_letters
                                ? strspn(word + n_letters, "0123456789")
                                : 0;
    const long square = n_digits > 0 && n_digits < 3 ? strtol(word + n_letters, NULL, 10) : 0;
    (void)to;
    if ((word[0] != 'W' && word[0] != 'B') || n_letters + n_digits != n_bytes || square < 1 ||
        square > search->set->rules.board.n_squares)
        return error_set(error, STATUS_BAD_ARGUMENT, "on: pieces are expected, as W28,BK43");
    squares_t *set = king ? search->query.kings : search->query.men;
    set[word[0] == 'W' ? WHITE : BLACK] |= square_bit((int)square - 1);
    return STATUS_OK;
}

static enum status read_on(struct search *search, const char *text, struct error *error)
{
    return each_word(search, text, take_piece, NULL, error);
}

/* --- the whole query -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    read_argument *read;
} arguments[] = {
    {"material", read_materials},
    {"outcome", read_outcome},
    {"distance", read_distance},
    {"moves", read_moves},
    {"side", read_side},
    {"quiet", read_quiet},
    {"only_move", read_only},
    {"zugzwang", read_zugzwang},
    {"depends_on", read_depends},
    {"differs_from", read_differs},
    {"instead_of", read_other_outcome},
    {"shortest", read_shortest},
    {"on", read_on},
};

/* Refuses materials too large to be searched within seconds. */
static enum status check_size(const struct search *search, struct error *error)
{
    uint64_t n_placements = 0;
    if (search->n_materials == 0)
        return error_set(error, STATUS_BAD_ARGUMENT, "material=… is expected, as KMvK");
    for (int i = 0; i < search->n_materials; i++) {
        struct shape shape;
        shape_init(&shape, &search->set->rules, &search->materials[i].material);
        n_placements += shape.n_placements * (uint64_t)shape.n_sides;
    }
    return n_placements <= MOST_COUNTED
               ? STATUS_OK
               : error_set(error, STATUS_BAD_ARGUMENT,
                           "too many positions to be searched here: use einspul find");
}

static bool read_query(struct search *search, const struct request *request, struct reply *reply)
{
    struct error error;
    long most = DEFAULT_KEPT;
    long sample = 0;
    long seed = 1;
    if (!request_number(request, "limit", 0, MOST_KEPT, &most, reply) ||
        !request_number(request, "sample", 0, MOST_KEPT, &sample, reply) ||
        !request_number(request, "seed", 0, 1000000000, &seed, reply))
        return false;
    search->query.most = (uint64_t)most;
    search->query.n_sample = (uint64_t)sample;
    search->query.seed = (uint64_t)seed;
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        const char *text = request_argument(request, arguments[i].name);
        if (text == NULL || text[0] == '\0')
            continue;
        const enum status status = arguments[i].read(search, text, &error);
        if (status != STATUS_OK) {
            reply_error(reply, status, error.text);
            return false;
        }
    }
    const enum status status = check_size(search, &error);
    if (status != STATUS_OK)
        reply_error(reply, status, error.text);
    return status == STATUS_OK;
}

/* --- the answer ------------------------------------------------------------------------------- */

static json_t *found_json(const struct search *search, const struct found *found)
{
    static const char *const categories[] = {"loss", "draw", "win"};
    einspul_position position;
    json_t *object = json_object();
    probe_position_from_state(&found->state, &position);
    json_object_set_new(object, "fen", position_fen(search->set, &position));
    json_object_set_new(object, "category", json_string(categories[found->outcome + 1]));
    json_object_set_new(object, "dtw",
                        found->plies >= 0 ? json_integer((int)found->outcome * found->plies)
                                          : json_null());
    if (search->other != NULL)
        json_object_set_new(object, "instead_of", json_string(categories[found->other + 1]));
    return object;
}

static struct search search_begin(struct service *service, struct rule_set *set)
{
    return (struct search){
        .service = service,
        .set = set,
        .query = {.outcomes = FIND_ANY_OUTCOME,
                  .other_outcomes = FIND_ANY_OUTCOME,
                  .sides = 3,
                  .distances = true,
                  .n_threads = service->n_threads},
    };
}

bool api_find_is_slow(struct service *service, struct rule_set *set, const struct request *request)
{
    struct search search = search_begin(service, set);
    struct reply mistake = {.text = NULL};
    const bool slow = read_query(&search, request, &mistake);
    free(mistake.text);
    return slow;
}

static bool tell(const struct find_progress *progress, void *context)
{
    const struct request *request = context;
    (void)progress;
    return request->go_on == NULL || request->go_on(request->context);
}

void api_find(struct service *service, struct rule_set *set, const char *rest,
              const struct request *request, struct reply *reply)
{
    struct search search = search_begin(service, set);
    struct find_result result = {0};
    struct error error;
    (void)rest;
    if (!read_query(&search, request, reply))
        return;
    const enum status status =
        find_positions(set->handle, &search.query, search.materials, search.n_materials, tell,
                       (void *)(uintptr_t)request, &result, &error);
    if (status == STATUS_OK) {
        json_t *list = json_array();
        for (uint64_t i = 0; i < result.n_kept; i++)
            json_array_append_new(list, found_json(&search, &result.kept[i]));
        reply_json(reply, json_pack("{s:s,s:I,s:I,s:o}", "rules", set->rules.name, "looked_at",
                                    (json_int_t)result.n_looked_at, "found",
                                    (json_int_t)result.n_found, "positions", list));
    } else {
        reply_error(reply, status, error.text);
    }
    find_free(&result);
}
