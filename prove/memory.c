/* An entry is half a cache line: the three words of the key, of which states without clock leave 24
 * bits free, and a fourth. A reader copies an entry without a lock and copies it again if the version
 * of its group has changed since (seqlock); a writer makes the version odd first. */
#include "prove/memory.h"

#include "core/compiler.h"
#include "core/os.h"
#include "core/program/extensions.h"
#include "core/program/random.h"
#include "table/bytes.h"

#include <stdlib.h>

enum {
    LINE_BYTES = 64,
    LINE_ENTRIES = 2,
    PAIR_ENTRIES = 2 * LINE_ENTRIES,
    N_VERSIONS = 1 << 16,
    FIRST_PAIRS = 1 << 12,
    HUGE_PAGE = 1 << 21,
    MAX_WORK = 63,
    PROVED_WORK = 16, /* added for a proof, because others rely on its rank */
    /* Bits of the words of an entry: the answer in the first, the work in the second, the shallowest
     * ply in the third. The fourth has proof numbers or a rank; or the deepest ply, rounded proof
     * numbers and the upper bits of the path. */
    AT_ANSWER = 60,
    AT_WORK = 58,
    AT_SHALLOWEST = 50,
    AT_PHI = 12,
    AT_DELTA = 18,
    AT_PATH = 24
};

#define BELOW(bit) (((uint64_t)1 << (bit)) - 1)

/* Of the first word of a key, the squares and the side to move. */
#define PLACEMENT_0 (BELOW(KEY_SQUARE) | (uint64_t)1 << KEY_SIDE)

struct packed {
    uint64_t word[4];
};

struct memory_line {
    _Atomic uint64_t word[LINE_ENTRIES][4];
};

static uint64_t hash_of(uint64_t word_0, uint64_t word_1, uint64_t word_2)
{
    return random_mix(word_0 * 0x9e3779b97f4a7c15u + word_1 * 0xd1b54a32d192ed03u +
                      word_2 * 0x8cb92ba72f3d8dd7u);
}

uint64_t goal_hash(const struct state_key *goal)
{
    return hash_of(goal->word[0] & ~((uint64_t)1 << KEY_FREE), goal->word[1], goal->word[2]);
}

uint64_t memory_path(uint64_t hash)
{
    return hash & ~BELOW(AT_PATH);
}

/* --- entries ---------------------------------------------------------------------------------- */

static bool is_used(const struct packed *entry)
{
    return entry->word[1] >> AT_WORK != 0;
}

static bool has_goal(const struct packed *entry, const struct state_key *goal)
{
    return is_used(entry) && (entry->word[0] & BELOW(AT_ANSWER)) == goal->word[0] &&
           (entry->word[1] & BELOW(AT_WORK)) == goal->word[1] &&
           (entry->word[2] & BELOW(AT_SHALLOWEST)) == goal->word[2];
}

static struct state_key goal_in(const struct packed *entry)
{
    return (struct state_key){{entry->word[0] & BELOW(AT_ANSWER), entry->word[1] & BELOW(AT_WORK),
                               entry->word[2] & BELOW(AT_SHALLOWEST)}};
}

static enum answer answer_of(const struct packed *entry)
{
    return (enum answer)(entry->word[0] >> AT_ANSWER & 3);
}

/* Rounds a number below 2^32 down to 6 bits: all below 2, then two a power of two. */
static uint64_t rounded(uint32_t number)
{
    const int last = bits_last(number | 1);
    return number < 2 ? number : 2 * (uint64_t)last + (number >> (last - 1) & 1);
}

static uint32_t unrounded(uint64_t six_bits)
{
    const uint64_t last = six_bits / 2;
    return six_bits < 2 ? (uint32_t)six_bits
                        : (uint32_t)(((uint64_t)2 + six_bits % 2) << (last - 1));
}

static struct value unpack(const struct packed *entry)
{
    const uint64_t data = entry->word[3];
    struct value value = {.answer = answer_of(entry), .depends = {NO_PLY, 0}};
    if (value.answer == ANSWER_OPEN) {
        value.phi = (uint32_t)data;
        value.delta = (uint32_t)(data >> 32);
    } else if (value.answer == ANSWER_PROVED) {
        value.rank = (uint16_t)data;
    } else if (value.answer == ANSWER_DISPROVED_ON_PATH) {
        value.depends.shallowest = (uint16_t)(entry->word[2] >> AT_SHALLOWEST);
        value.depends.deepest = (uint16_t)(data & BELOW(AT_PHI));
        value.phi = unrounded(data >> AT_PHI & BELOW(AT_DELTA - AT_PHI));
        value.delta = unrounded(data >> AT_DELTA & BELOW(AT_PATH - AT_DELTA));
        value.path = data & ~BELOW(AT_PATH);
    }
    return value;
}

static struct packed pack(const struct state_key *goal, const struct value *value, uint64_t work)
{
    struct packed entry = {{goal->word[0] | (uint64_t)value->answer << AT_ANSWER,
                            goal->word[1] | work << AT_WORK, goal->word[2]}};
    if (value->answer == ANSWER_OPEN) {
        entry.word[3] = value->phi | (uint64_t)value->delta << 32;
    } else if (value->answer == ANSWER_PROVED) {
        entry.word[3] = value->rank;
    } else if (value->answer == ANSWER_DISPROVED_ON_PATH) {
        entry.word[2] |= (uint64_t)value->depends.shallowest << AT_SHALLOWEST;
        entry.word[3] = value->path | rounded(value->delta) << AT_DELTA |
                        rounded(value->phi) << AT_PHI | value->depends.deepest;
    }
    return entry;
}

/* --- the table -------------------------------------------------------------------------------- */

bool memory_init(struct memory *memory, size_t n_bytes)
{
    const size_t pair_bytes = 2 * LINE_BYTES;
    n_bytes = n_bytes > MIN_MEMORY_BYTES ? n_bytes : MIN_MEMORY_BYTES;
    memory->max_pairs = n_bytes / pair_bytes < UINT32_MAX ? n_bytes / pair_bytes : UINT32_MAX;
    memory->n_pairs = memory->max_pairs;
    memory->n_threads = 1;
    while (memory->n_pairs > FIRST_PAIRS)
        memory->n_pairs /= 2;
    n_bytes = (size_t)memory->max_pairs * pair_bytes;
    const size_t alignment = n_bytes < HUGE_PAGE ? pair_bytes : HUGE_PAGE;
    n_bytes = (n_bytes + alignment - 1) / alignment * alignment;
    memory->versions = calloc(N_VERSIONS, sizeof *memory->versions);
    memory->lines = os_alloc_aligned(alignment, n_bytes);
    if (memory->versions == NULL || memory->lines == NULL)
        return false;
    if (alignment == HUGE_PAGE)
        os_advise_huge(memory->lines, n_bytes);
    memory_clear(memory);
    return true;
}

void memory_free(struct memory *memory)
{
    os_free_aligned(memory->lines);
    free(memory->versions);
}

void memory_clear(struct memory *memory)
{
    memset(memory->lines, 0, (size_t)memory->n_pairs * 2 * sizeof *memory->lines);
}

/* The pair of a goal; the same for all that differ only in the runs or the attacker. */
static uint64_t pair_of(const struct memory *memory, const struct state_key *goal)
{
    const uint64_t hash = hash_of(goal->word[0] & PLACEMENT_0, goal->word[1] & BELOW(KEY_SQUARE),
                                  goal->word[2] & BELOW(KEY_SQUARE));
    return (hash >> 32) * memory->n_pairs >> 32;
}

void memory_prefetch(const struct memory *memory, const struct state_key *goal)
{
    const uint64_t pair = pair_of(memory, goal);
    PREFETCH(&memory->versions[pair % N_VERSIONS]);
    PREFETCH(&memory->lines[2 * pair]);
    PREFETCH(&memory->lines[2 * pair + 1]);
}

static struct packed load(const struct memory *memory, uint64_t number)
{
    const _Atomic uint64_t *word = memory->lines[number / LINE_ENTRIES].word[number % LINE_ENTRIES];
    return (struct packed){{
        atomic_load_explicit(&word[0], memory_order_relaxed),
        atomic_load_explicit(&word[1], memory_order_relaxed),
        atomic_load_explicit(&word[2], memory_order_relaxed),
        atomic_load_explicit(&word[3], memory_order_relaxed),
    }};
}

static void write_entry(struct memory *memory, uint64_t number, const struct packed *entry)
{
    struct memory_line *line = &memory->lines[number / LINE_ENTRIES];
    for (int i = 0; i < 4; i++)
        atomic_store_explicit(&line->word[number % LINE_ENTRIES][i], entry->word[i],
                              memory_order_relaxed);
}

/* Moves the entries of a pair to two pairs of the doubled table. */
static void split_pair(struct memory *memory, uint64_t pair)
{
    struct packed entries[PAIR_ENTRIES];
    uint64_t n_moved[2] = {0};
    for (uint64_t i = 0; i < PAIR_ENTRIES; i++)
        entries[i] = load(memory, PAIR_ENTRIES * pair + i);
    memset(&memory->lines[4 * pair], 0, 4 * sizeof *memory->lines);
    for (int i = 0; i < PAIR_ENTRIES; i++) {
        const struct state_key goal = goal_in(&entries[i]);
        const uint64_t to = pair_of(memory, &goal);
        if (is_used(&entries[i]))
            write_entry(memory, PAIR_ENTRIES * to + n_moved[to % 2]++, &entries[i]);
    }
}

/* Doubles the table in place. The pairs from `begin` to `end` move beyond `end`, so no pair is
 * overwritten before it has moved, and threads can divide them. */
static void enlarge(struct memory *memory)
{
    const uint64_t n_before = memory->n_pairs;
    memory->n_pairs *= 2;
    for (uint64_t end = n_before; end > 0;) {
        const uint64_t begin = end > 1 ? (end + 1) / 2 : 0;
#pragma omp parallel for schedule(static) num_threads(memory->n_threads) if (end > FIRST_PAIRS)
        for (uint64_t pair = begin; pair < end; pair++)
            split_pair(memory, pair);
        end = begin;
    }
}

/* The number of entries in use, estimated from a part of the table. */
static uint64_t estimate_used(const struct memory *memory)
{
    const uint64_t n_pairs = memory->n_pairs < FIRST_PAIRS ? memory->n_pairs : FIRST_PAIRS;
    uint64_t n_used = 0;
    for (uint64_t i = 0; i < PAIR_ENTRIES * n_pairs; i++) {
        const struct packed entry = load(memory, i);
        n_used += is_used(&entry);
    }
    return n_used * memory->n_pairs / n_pairs;
}

void memory_reserve(struct memory *memory, uint64_t n_more)
{
    const uint64_t n_entries = estimate_used(memory) + n_more;
    while (PAIR_ENTRIES * memory->n_pairs < 2 * n_entries &&
           2 * memory->n_pairs <= memory->max_pairs)
        enlarge(memory);
}

/* True if the run in a word of a key is none, or of the same king and not longer than in another. */
static bool run_at_most(uint64_t word, uint64_t other)
{
    const uint64_t count = word >> KEY_COUNT & 3;
    return count == 0 || (count <= (other >> KEY_COUNT & 3) &&
                          ((word ^ other) >> KEY_SQUARE & BELOW(KEY_COUNT - KEY_SQUARE)) == 0);
}

/* True if `more` and `less` differ at most in runs: for `side` in a longer one, for its opponent in a
 * shorter one. A run of less never hurts its owner. */
static bool is_harder(const uint64_t *more, const uint64_t *less, enum side side)
{
    return run_at_most(less[side], more[side]) &&
           run_at_most(more[side_other(side)], less[side_other(side)]);
}

static bool has_placement(const struct packed *entry, const struct state_key *goal)
{
    return is_used(entry) && ((entry->word[0] ^ goal->word[0]) & PLACEMENT_0) == 0 &&
           ((entry->word[1] ^ goal->word[1]) & BELOW(KEY_SQUARE)) == 0 &&
           ((entry->word[2] ^ goal->word[2]) & BELOW(KEY_SQUARE)) == 0;
}

/* Reads the value of a goal from its pair. A side that wins answers the other one's question too, and
 * an answer that runs made harder holds without them. */
static bool find_in_pair(const struct memory *memory, uint64_t pair, const struct state_key *goal,
                         struct value *value)
{
    bool found = false;
    for (uint64_t i = 0; i < PAIR_ENTRIES; i++) {
        const struct packed entry = load(memory, PAIR_ENTRIES * pair + i);
        if (!has_placement(&entry, goal))
            continue;
        const struct state_key of_entry = goal_in(&entry);
        const enum side attacker = goal_attacker(&of_entry);
        const bool same_question = attacker == goal_attacker(goal);
        const struct value stored = unpack(&entry);
        const bool is_proved = found && value->answer == ANSWER_PROVED;
        if (stored.answer == ANSWER_PROVED && is_harder(entry.word, goal->word, attacker)) {
            if (!same_question) {
                *value = (struct value){.answer = ANSWER_DISPROVED, .depends = {NO_PLY, 0}};
                return true;
            }
            if (!is_proved || stored.rank < value->rank)
                *value = stored;
            found = true;
        } else if (same_question && stored.answer == ANSWER_DISPROVED &&
                   is_harder(entry.word, goal->word, side_other(attacker))) {
            *value = stored;
            return true;
        } else if (!is_proved && has_goal(&entry, goal)) {
            *value = stored;
            found = true;
        }
    }
    return found;
}

bool memory_find(const struct memory *memory, const struct state_key *goal, struct value *value)
{
    const uint64_t pair = pair_of(memory, goal);
    _Atomic uint32_t *version = &memory->versions[pair % N_VERSIONS];
    for (;;) {
        const uint32_t before = atomic_load_explicit(version, memory_order_acquire);
        const bool found = find_in_pair(memory, pair, goal, value);
        atomic_thread_fence(memory_order_acquire);
        if (before % 2 == 0 && atomic_load_explicit(version, memory_order_relaxed) == before)
            return found;
    }
}

/* The new content of the entry of a goal, from its old one. */
static struct packed merged(const struct packed *old, const struct state_key *goal,
                            const struct value *value, uint64_t work)
{
    struct value kept = unpack(old);
    const uint64_t most = old->word[1] >> AT_WORK > work ? old->word[1] >> AT_WORK : work;
    const bool is_final = kept.answer == ANSWER_PROVED || kept.answer == ANSWER_DISPROVED;
    if (!is_final && value->answer == ANSWER_DISPROVED_ON_PATH) {
        struct value on_path = *value;
        on_path.phi = kept.phi;
        on_path.delta = kept.delta;
        return pack(goal, &on_path, most);
    }
    if (!is_final)
        return pack(goal, value, most);
    if (value->answer == ANSWER_PROVED && value->rank < kept.rank)
        kept.rank = value->rank;
    return pack(goal, &kept, most);
}

/* Enters a value in the entry of its goal, or in that of least work. */
static void store(struct memory *memory, const struct state_key *goal, const struct value *value,
                  uint64_t work)
{
    const uint64_t pair = pair_of(memory, goal);
    _Atomic uint32_t *version = &memory->versions[pair % N_VERSIONS];
    uint32_t before = atomic_load_explicit(version, memory_order_relaxed);
    while (before % 2 != 0 ||
           !atomic_compare_exchange_weak_explicit(version, &before, before + 1,
                                                  memory_order_acquire, memory_order_relaxed))
        before = atomic_load_explicit(version, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    uint64_t number = PAIR_ENTRIES * pair;
    struct packed old = load(memory, number);
    for (uint64_t i = 1; i < PAIR_ENTRIES && !has_goal(&old, goal); i++) {
        const struct packed other = load(memory, PAIR_ENTRIES * pair + i);
        if (has_goal(&other, goal) || other.word[1] >> AT_WORK < old.word[1] >> AT_WORK) {
            number = PAIR_ENTRIES * pair + i;
            old = other;
        }
    }
    const struct packed entry =
        has_goal(&old, goal) ? merged(&old, goal, value, work) : pack(goal, value, work);
    write_entry(memory, number, &entry);
    atomic_store_explicit(version, before + 2, memory_order_release);
}

void memory_store(struct memory *memory, const struct state_key *goal, const struct value *value,
                  uint64_t n_positions)
{
    const uint64_t work = 1 + (uint64_t)bits_last(n_positions | 1) +
                          (value->answer == ANSWER_PROVED ? PROVED_WORK : 0);
    store(memory, goal, value, work < MAX_WORK ? work : MAX_WORK);
}

uint64_t memory_n_entries(const struct memory *memory)
{
    return PAIR_ENTRIES * memory->n_pairs;
}

bool memory_entry(const struct memory *memory, uint64_t i, struct state_key *goal,
                  struct value *value)
{
    const struct packed entry = load(memory, i);
    *goal = goal_in(&entry);
    *value = unpack(&entry);
    return is_used(&entry);
}

/* --- files ------------------------------------------------------------------------------------ */

bool memory_export(const struct memory *memory, uint64_t i, uint8_t bytes[ENTRY_BYTES])
{
    const struct packed entry = load(memory, i);
    if (!is_used(&entry) || answer_of(&entry) == ANSWER_DISPROVED_ON_PATH)
        return false;
    for (int word = 0; word < 4; word++)
        store_u64(bytes + 8 * word, entry.word[word]);
    return true;
}

bool memory_import(struct memory *memory, const uint8_t bytes[ENTRY_BYTES])
{
    struct packed entry;
    for (int word = 0; word < 4; word++)
        entry.word[word] = load_u64(bytes + 8 * word);
    const struct state_key goal = goal_in(&entry);
    const struct value value = unpack(&entry);
    if (!is_used(&entry) || entry.word[0] >> (AT_ANSWER + 2) != 0 ||
        entry.word[2] >> AT_SHALLOWEST != 0 || value.answer == ANSWER_DISPROVED_ON_PATH)
        return false;
    store(memory, &goal, &value, entry.word[1] >> AT_WORK);
    return true;
}
