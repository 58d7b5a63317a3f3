/* Opening, probing, checking and counting tables while every call in turn that asks for memory or
 * touches a file fails, alone or with all after it. An answer must be right or a named error, and
 * the same handle must answer rightly afterwards. With a main of its own, so that a leak checker
 * sees all its memory. */
#include "tests/faults.h"

#include "core/fen.h"
#include "gen/stats.h"
#include "gen/verify.h"
#include "tests/synthetic.h"

enum { N_STATES = 12 };

/* Made-up tables, and what they say of some states. */
static struct {
    struct world world;
    struct state states[N_STATES];
    einspul_position positions[N_STATES];
    value_t values[N_STATES];
    size_t n_moves[N_STATES];
} known;

static void make_known(void)
{
    uint64_t seed = 5;
    world_create(&known.world, "english", "/tmp/einspul-faults-XXXXXX", 3);
    for (int i = 0; i < N_STATES; i++) {
        struct move_list list;
        known.states[i] = world_random_state(&known.world, &seed);
        known.values[i] = world_value(&known.world, &known.states[i], false);
        probe_position_from_state(&known.states[i], &known.positions[i]);
        move_list_init(&list);
        if (moves_generate(&known.world.rules, &known.states[i], &list) != STATUS_OK)
            abort();
        known.n_moves[i] = (size_t)list.n_moves;
        move_list_free(&list);
    }
}

static struct error inner_error(const einspul_error *error)
{
    struct error inner = {.status = (enum status)error->status};
    memcpy(inner.text, error->text, sizeof inner.text);
    return inner;
}

/* An answer is right, or, where faults are allowed, a named error. */
static void expect_status(const char *scenario, einspul_status status, const einspul_error *error,
                          bool faults)
{
    const struct error inner = inner_error(error);
    if (status == EINSPUL_OK)
        return;
    faults_expect(scenario, faults, "no fault, but: %s", error->text);
    faults_expect_named(scenario, (enum status)status, &inner);
}

static void probe_all(const char *scenario, einspul *handle, bool faults)
{
    for (int i = 0; i < N_STATES; i++) {
        einspul_error error = {0};
        einspul_outcome outcome = EINSPUL_DRAW;
        einspul_move moves[64];
        size_t n_moves = 0;
        int plies = 0;
        einspul_status status = einspul_probe_wdl(handle, &known.positions[i], 0, &outcome, &error);
        expect_status(scenario, status, &error, faults);
        if (status == EINSPUL_OK)
            faults_expect(scenario, (int)outcome == (int)value_outcome(known.values[i]),
                          "a wrong outcome");
        status = einspul_probe_dtw(handle, &known.positions[i], 0, &outcome, &plies, &error);
        expect_status(scenario, status, &error, faults);
        if (status == EINSPUL_OK)
            faults_expect(scenario, plies == value_plies(known.values[i]), "wrong plies");
        status = einspul_probe_moves(handle, &known.positions[i], moves, 64, &n_moves, &error);
        expect_status(scenario, status, &error, faults);
        if (status == EINSPUL_OK)
            faults_expect(scenario, n_moves == known.n_moves[i], "wrong moves");
    }
}

/* --- scenarios: each is run with faults, then without in the same handle ------------------------
 */

static einspul *open_tables(const char *scenario, einspul_io io, bool faults)
{
    const char *const folders[] = {known.world.root};
    einspul_options options;
    einspul_error error = {0};
    einspul *handle = NULL;
    einspul_options_init(&options);
    options.folders = folders;
    options.n_folders = 1;
    options.rules = "english";
    options.cache_bytes = 20000; /* some blocks */
    options.io = io;
    const einspul_status status = einspul_open(&options, &handle, &error);
    expect_status(scenario, status, &error, faults);
    faults_expect(scenario, (status == EINSPUL_OK) == (handle != NULL), "a handle, or an error");
    return handle;
}

static void probe_mapped(einspul *handle, bool faults)
{
    probe_all("mapped", handle, faults);
}

static void probe_read(einspul *handle, bool faults)
{
    probe_all("read", handle, faults);
}

/* Made-up values are wrong nearly everywhere: the first fault is known. */
static void verify(einspul *handle, bool faults)
{
    static struct verify_report good;
    struct verify_report report;
    struct error error = {0};
    struct material material;
    const struct verify_options options = {.level = VERIFY_VALUES, .n_threads = 1};
    if (material_read("MvM", &material, NULL) != STATUS_OK)
        abort();
    const enum status status =
        verify_table(handle, &material, METRIC_DTW, &options, &report, &error);
    if (status != STATUS_OK) {
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

static void count(einspul *handle, bool faults)
{
    static struct stats good;
    struct stats stats;
    struct stats_run *run = NULL;
    struct error error = {0};
    struct material material;
    if (material_read("KvM", &material, NULL) != STATUS_OK)
        abort();
    enum status status = stats_begin(handle, 3, 1, &run, &error);
    if (status == STATUS_OK)
        status = stats_table(run, &material, METRIC_DTW, &stats, &error);
    stats_end(run);
    if (status != STATUS_OK) {
        faults_expect("stats", faults, "no fault, but: %s", error.text);
        faults_expect_named("stats", status, &error);
        return;
    }
    if (!faults)
        good = stats;
    faults_expect("stats",
                  good.all[WHITE].wins == 0 || (stats.all[WHITE].wins == good.all[WHITE].wins &&
                                                stats.all[BLACK].draws == good.all[BLACK].draws),
                  "other counts");
}

/* More moves than a list has room for. */
static void list_moves(einspul *handle, bool faults)
{
    struct rules rules;
    struct state state;
    uint64_t n_lines = 0;
    (void)handle;
    if (rules_by_name(&rules, "international", NULL) != STATUS_OK ||
        fen_read(&rules, "W:WK50,K11,K34,K26,K24,K32:BK2", &state, NULL) != STATUS_OK)
        abort();
    const enum status status = moves_perft(&rules, &state, 1, &n_lines);
    if (status == STATUS_OK)
        faults_expect("moves", n_lines > MOVES_INLINE, "%llu moves", (unsigned long long)n_lines);
    else
        faults_expect("moves", faults && status == STATUS_NO_MEMORY, "%s", status_name(status));
}

static const struct scenario {
    const char *name;
    einspul_io io;
    void (*run)(einspul *handle, bool faults);
} scenarios[] = {
    {"mapped", EINSPUL_IO_MAP, probe_mapped}, {"read", EINSPUL_IO_READ, probe_read},
    {"verify", EINSPUL_IO_READ, verify},      {"stats", EINSPUL_IO_MAP, count},
    {"moves", EINSPUL_IO_MAP, list_moves},
};

/* False when no call failed. */
static bool run_once(const struct scenario *scenario, const struct fault_mode *mode, uint64_t n)
{
    faults_begin(mode, n);
    einspul *handle = open_tables(scenario->name, scenario->io, true);
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
    make_known();
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *scenario = &scenarios[i];
        einspul *handle = open_tables(scenario->name, scenario->io, false);
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
    world_free(&known.world);
    return 0;
}
