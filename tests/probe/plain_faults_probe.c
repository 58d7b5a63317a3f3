/* Fault injection into opening, probing, verifying and counting: the n-th allocation or file call
 * fails, alone, with some or with all later ones. Answers must be right or a named error caused by
 * the fault, and the handle must answer correctly afterwards. A plain main, so that a leak checker
 * sees all memory. */
#include "tests/support/faults.h"

#include "core/fen.h"
#include "core/program/game.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/random.h"
#include "gen/material/stats.h"
#include "gen/run/generate.h"
#include "gen/run/plan_make.h"
#include "probe/list_moves.h"
#include "probe/probe.h"
#include "probe/program_handle.h"
#include "table/table_open.h"
#include "table/write/table_compress.h"
#include "tests/support/files.h"
#include "tests/support/synthetic_set.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { N_STATES = 12, N_LEFT_STATES = 3 };

/* Some states and their values. */
struct known {
    const char *rules;
    const char *root;
    int n_states;
    einspul_position positions[N_STATES];
    value_t values[N_STATES];
    size_t n_moves[N_STATES];
};

static struct synthetic_set synthetic; /* synthetic tables */
static struct known known;             /* some of their values */
static struct known known_pack;        /* of a pack of them */
static struct known known_left;        /* of solved tables of distances that omit sides */
static char left_root[] = "/tmp/einspul-faults-XXXXXX";

static void add_known(struct known *of, const struct rules *rules, const struct state *state,
                      value_t value)
{
    struct move_list list;
    move_list_init(&list);
    if (moves_generate(rules, state, &list) != EINSPUL_OK)
        abort();
    probe_position_from_state(state, &of->positions[of->n_states]);
    of->values[of->n_states] = value;
    of->n_moves[of->n_states++] = (size_t)list.n_moves;
    move_list_free(&list);
}

static void make_known(void)
{
    uint64_t seed = 5;
    synthetic_set_create(&synthetic, "english", "/tmp/einspul-faults-XXXXXX", 3);
    known.rules = "english";
    known.root = synthetic.root;
    for (int i = 0; i < N_STATES; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        add_known(&known, &synthetic.rules, &state, synthetic_set_value(&synthetic, &state, false));
    }
}

static void make_pack(void)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/set.pack", synthetic.root);
    synthetic_set_pack(&synthetic, 1, path);
    known_pack = known;
    known_pack.root = path;
}

static einspul_error inner_error(const einspul_error *error)
{
    einspul_error inner = {.status = error->status};
    memcpy(inner.text, error->text, sizeof inner.text);
    return inner;
}

/* The answer is right or, where faults are allowed, a named error. `*n_before` calls had failed
 * before the probe: an error must come from a later failure, not from an earlier one. */
static void expect_status(const char *scenario, einspul_status status, const einspul_error *error,
                          bool faults, uint64_t *n_before)
{
    const einspul_error inner = inner_error(error);
    const uint64_t n_now = faults_so_far();
    if (status != EINSPUL_OK) {
        faults_expect(scenario, faults, "no fault, but: %s", error->text);
        faults_expect(scenario, n_now > *n_before, "an earlier fault: %s", error->text);
        faults_expect_named(scenario, status, &inner);
    }
    *n_before = n_now;
}

static void probe_all(const char *scenario, const struct known *of, einspul *handle, bool faults)
{
    uint64_t n_failed = faults_so_far();
    for (int i = 0; i < of->n_states; i++) {
        einspul_error error = {0};
        einspul_outcome outcome = EINSPUL_DRAW;
        struct probed_move moves[64];
        size_t n_moves = 0;
        int plies = 0;
        einspul_status status = einspul_probe(handle, &of->positions[i], 0, &outcome, NULL, &error);
        expect_status(scenario, status, &error, faults, &n_failed);
        if (status == EINSPUL_OK)
            faults_expect(scenario, (int)outcome == (int)value_outcome(of->values[i]),
                          "a wrong outcome");
        status = einspul_probe(handle, &of->positions[i], 0, &outcome, &plies, &error);
        expect_status(scenario, status, &error, faults, &n_failed);
        if (status == EINSPUL_OK)
            faults_expect(scenario, plies == value_plies(of->values[i]), "wrong plies");
        status = probe_moves(handle, &of->positions[i], moves, 64, &n_moves, &error);
        expect_status(scenario, status, &error, faults, &n_failed);
        if (status == EINSPUL_OK)
            faults_expect(scenario, n_moves == of->n_moves[i], "wrong moves");
    }
}

/* --- scenarios: each is run with faults, then without in the same handle ---------------------- */

static einspul *open_known(const char *scenario, const struct known *of, bool faults)
{
    einspul_error error = {0};
    einspul *handle = NULL;
    uint64_t n_failed = faults_so_far();
    const einspul_status status = /* the cache holds some of the blocks */
        einspul_open(of->root, of->rules, 20000, NULL, &handle, &error);
    expect_status(scenario, status, &error, faults, &n_failed);
    faults_expect(scenario, (status == EINSPUL_OK) == (handle != NULL), "a handle, or an error");
    return handle;
}

static void probe_read(einspul *handle, bool faults)
{
    probe_all("read", &known, handle, faults);
}

static void probe_packed(einspul *handle, bool faults)
{
    probe_all("packed", &known_pack, handle, faults);
}

static void probe_omitted(einspul *handle, bool faults)
{
    probe_all("omitted", &known_left, handle, faults);
}

/* Synthetic values are wrong nearly everywhere: the first fault is known. */
static void verify(einspul *handle, bool faults)
{
    static struct verify_report good;
    struct verify_report report;
    einspul_error error = {0};
    struct material material;
    const struct verify_options options = {.depth = VERIFY_VALUES, .n_threads = 1};
    if (material_read("MvM", &material, NULL) != EINSPUL_OK)
        abort();
    const einspul_status status =
        verify_table(handle, &material, EINSPUL_DTW, &options, &report, &error);
    if (status != EINSPUL_OK) {
        faults_expect("verify", faults, "no fault, but: %s", error.text);
        faults_expect_named("verify", status, &error);
        return;
    }
    if (!faults)
        good = report;
    faults_expect("verify",
                  good.n_states == 0 ||
                      (report.n_states == good.n_states && report.n_faults == good.n_faults),
                  "another report");
}

static void count_in(const char *scenario, struct stats *good, einspul *handle, bool faults)
{
    struct stats stats;
    struct stats_session *session = NULL;
    einspul_error error = {0};
    struct material material;
    if (material_read("KvM", &material, NULL) != EINSPUL_OK)
        abort();
    einspul_status status = stats_begin(handle, 3, 1, 0, &session, &error);
    if (status == EINSPUL_OK)
        status = stats_table(session, &material, EINSPUL_DTW, &stats, &error);
    stats_end(session);
    if (status != EINSPUL_OK) {
        faults_expect(scenario, faults, "no fault, but: %s", error.text);
        faults_expect_named(scenario, status, &error);
        return;
    }
    if (!faults)
        *good = stats;
    faults_expect(scenario,
                  good->all[WHITE].wins == 0 || (stats.all[WHITE].wins == good->all[WHITE].wins &&
                                                 stats.all[BLACK].draws == good->all[BLACK].draws),
                  "other counts");
}

static void count(einspul *handle, bool faults)
{
    static struct stats good;
    count_in("stats", &good, handle, faults);
}

static void count_omitted(einspul *handle, bool faults)
{
    static struct stats good;
    count_in("stats of omitted sides", &good, handle, faults);
}

/* More moves than the capacity of a list. */
static void try_lists(einspul *handle, bool faults)
{
    struct rules rules;
    struct state state;
    uint64_t n_lines = 0;
    (void)handle;
    if (rules_by_name(&rules, "international", NULL) != EINSPUL_OK ||
        fen_read(&rules, "W:WK50,K11,K34,K26,K24,K32:BK2", &state, NULL, NULL) != EINSPUL_OK)
        abort();
    const einspul_status status = moves_perft(&rules, &state, 1, &n_lines);
    if (status == EINSPUL_OK)
        faults_expect("moves", n_lines > MOVES_INLINE, "%llu moves", (unsigned long long)n_lines);
    else
        faults_expect("moves", faults && status == EINSPUL_NO_MEMORY, "%s",
                      einspul_status_name(status));
}

static const struct scenario {
    const char *name;
    const struct known *of;
    void (*run)(einspul *handle, bool faults);
} scenarios[] = {
    {"read", &known, probe_read},
    {"packed", &known_pack, probe_packed},
    {"verify", &known, verify},
    {"stats", &known, count},
    {"moves", &known, try_lists},
    {"omitted", &known_left, probe_omitted},
    {"stats of omitted sides", &known_left, count_omitted},
};

/* --- tables that omit a side ------------------------------------------------------------------ */

/* Compresses a table; returns true if a side to move was omitted, and stores it in *omitted. */
static bool leave_out(const struct material *material, enum side *omitted)
{
    char path[1024];
    struct table *table = NULL;
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    bool left = false;
    const struct table_id id = {&synthetic.rules, *material, EINSPUL_DTW};
    einspul_status status = table_path_below(left_root, id, path, sizeof path, &error);
    for (int i = 0; i < 2; i++) {
        if (status == EINSPUL_OK)
            status = table_open(path, id, NULL, &table, &error);
        if (status == EINSPUL_OK && i == 0)
            status = table_compress(table, &synthetic.rules, COMPRESS_DEFAULT, path, 1, NULL,
                                    &n_bytes, &error);
        faults_expect("leaving out", status == EINSPUL_OK, "%s", error.text);
        left = !table_is_complete(table);
        *omitted = table_stores(table, WHITE) ? BLACK : WHITE;
        table_close(table);
    }
    return left;
}

/* A random state of an omitted side, without captures. */
static struct state omitted_state(const struct material *material, enum side side, uint64_t *seed)
{
    struct shape shape;
    struct state state = {0};
    shape_init(&shape, &synthetic.rules, material);
    while (!shape_unrank(&shape, random_next(seed) % shape.n_placements, side, &state.at) ||
           placement_has_capture(&synthetic.rules, &state.at))
        continue;
    return state;
}

/* Solves all small tables, omits sides from them, and probes states of those sides in the whole
 * tables, which an open handle continues to read. */
static void make_left(void)
{
    struct generate_options options = {
        .rules = &synthetic.rules,
        .root = left_root,
        .pieces = 3,
        .metrics = METRICS_DTW,
        .n_threads = 1,
        .zstd_level = 3,
    };
    struct generate_plan plan;
    einspul_error error = {0};
    struct state states[MAX_MATERIALS];
    int n_states = 0;
    uint64_t seed = 7;

    faults_expect("solving",
                  mkdtemp(left_root) != NULL &&
                      generate_plan(&options, &plan, &error) == EINSPUL_OK &&
                      generate_run(&options, &plan, &error) == EINSPUL_OK,
                  "%s", error.text);
    known_left.rules = "english";
    known_left.root = left_root;
    einspul *handle = open_known("solving", &known_left, false);
    for (int i = 0; i < plan.n_materials; i++) {
        const struct table *table = NULL;
        faults_expect("solving",
                      probe_table(handle, &plan.materials[i].material, EINSPUL_DTW, &table,
                                  &error) == EINSPUL_OK,
                      "%s", error.text);
    }
    for (int i = 0; i < plan.n_materials; i++) {
        enum side side = WHITE;
        if (leave_out(&plan.materials[i].material, &side))
            states[n_states++] = omitted_state(&plan.materials[i].material, side, &seed);
    }
    faults_expect("leaving out", n_states >= N_LEFT_STATES, "%d tables", n_states);
    for (int i = n_states - N_LEFT_STATES; i < n_states; i++) {
        value_t value = VALUE_NONE;
        faults_expect("solving",
                      probe_state(handle, &states[i], EINSPUL_DTW, 0, &value, &error) == EINSPUL_OK,
                      "%s", error.text);
        add_known(&known_left, &synthetic.rules, &states[i], value);
    }
    einspul_close(handle);
}

/* Returns false if no call failed. */
static bool run_once(const struct scenario *scenario, const struct fault_mode *mode, uint64_t n)
{
    faults_begin(mode, n);
    einspul *handle = open_known(scenario->name, scenario->of, true);
    if (handle != NULL)
        scenario->run(handle, true);
    const bool failed = faults_end() > 0;
    if (handle != NULL)
        scenario->run(handle, false);
    einspul_close(handle);
    return failed;
}

int main(void)
{
    faults_check();
    make_known();
    make_pack();
    make_left();
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *scenario = &scenarios[i];
        einspul *handle = open_known(scenario->name, scenario->of, false);
        scenario->run(handle, false);
        faults_stutter(true);
        scenario->run(handle, false);
        faults_stutter(false);
        einspul_close(handle);
        for (int m = 0; m < N_FAULT_MODES; m++) {
            uint64_t n = 1;
            while (run_once(scenario, &fault_modes[m], n))
                n++;
            printf("%s, %s: %llu runs\n", scenario->name, fault_modes[m].name,
                   (unsigned long long)n - 1);
            fflush(stdout);
            faults_expect(scenario->name, n > 1, "no call fails");
        }
    }
    synthetic_set_free(&synthetic);
    remove_folder(left_root);
    return 0;
}
