/* The model of a table and its range coder: coded values are decoded unchanged, and arbitrary
 * blocks are decoded to something. Weights are random: no training, no tables. */
#define VALUE_BITS 8 /* models code values of one byte */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "table/checksum_parts.h"
#include "table/model.h"
#include "table/range_decoder.h"
#include "table/table_format.h"
#include "table/write/model_encode.h"
#include "table/write/range_encoder.h"
#include "tests/support/moves_text.h"

/* --- the range coder -------------------------------------------------------------------------- */

enum { MAX_DECISIONS = 4000 };

static struct {
    int n;
    uint32_t probability[MAX_DECISIONS];
    bool likely[MAX_DECISIONS];
    uint8_t bytes[2 * MAX_DECISIONS + 16];
    size_t n_bytes;
    int n_carries, n_far_carries; /* changes of bytes already written; of more than the last one */
} coded;

/* `as_told`: decisions are drawn with their probabilities. */
static void make_decisions(int n, bool as_told, uint64_t *seed)
{
    coded.n = n;
    for (int i = 0; i < n; i++) {
        const uint32_t edges[] = {1, 2, 32768, 65534, 65535};
        const int kind = random_below(seed, 16);
        coded.probability[i] = kind < 5 ? edges[kind] : (uint32_t)random_below(seed, 65535) + 1;
        coded.likely[i] = as_told ? (uint32_t)random_below(seed, 65536) < coded.probability[i]
                                  : random_below(seed, 2) == 0;
    }
}

static void encode_decisions(void)
{
    struct range_encoder encoder;
    uint8_t before[sizeof coded.bytes];
    range_encode_start(&encoder, coded.bytes);
    for (int i = 0; i < coded.n; i++) {
        const size_t n = encoder.n;
        const size_t n_seen = n < 8 ? n : 8;
        memcpy(before, coded.bytes + n - n_seen, n_seen);
        range_encode(&encoder, coded.probability[i], coded.likely[i]);
        coded.n_carries += memcmp(before, coded.bytes + n - n_seen, n_seen) != 0;
        coded.n_far_carries += n > 1 && before[n_seen - 2] != coded.bytes[n - 2];
    }
    coded.n_bytes = range_encode_end(&encoder);
}

/* The number of decisions decoded before one differs. */
static int decode_decisions(const uint8_t *bytes, size_t n_bytes)
{
    struct range_decoder decoder;
    int i = 0;
    range_decode_start(&decoder, bytes, n_bytes);
    while (i < coded.n && range_decode(&decoder, coded.probability[i]) == coded.likely[i])
        i++;
    return i;
}

/* Checks that no number with one byte less is in the interval: neither the next below nor the next
 * above. */
static void expect_fewest_bytes(void)
{
    size_t n = coded.n_bytes;
    if (n-- == 0)
        return;
    cr_assert_lt(decode_decisions(coded.bytes, n), coded.n);
    while (n > 0 && ++coded.bytes[n - 1] == 0)
        n--;
    if (n > 0)
        cr_assert_lt(decode_decisions(coded.bytes, n), coded.n);
}

/* Fails if a value depends on how the bits of a block fall; or blocks are longer than they need
 * be. */
Test(range_coder, round_trip)
{
    uint64_t seed = 1;
    for (int run = 0; run < 60000; run++) {
        const int most = run % 100 == 0 ? MAX_DECISIONS : 40;
        make_decisions(random_below(&seed, most + 1), run % 3 > 0, &seed);
        encode_decisions();
        cr_assert_leq(coded.n_bytes, 2 * (size_t)coded.n + 8);
        cr_assert_eq(decode_decisions(coded.bytes, coded.n_bytes), coded.n, "run %d", run);
        expect_fewest_bytes();
    }
    cr_assert_gt(coded.n_carries, 1000, "no carries were met");
    cr_assert_gt(coded.n_far_carries, 10, "no carries through a full byte were met");
}

Test(range_coder, near_certain_bits_are_free)
{
    coded.n = MAX_DECISIONS;
    for (int i = 0; i < coded.n; i++) {
        coded.probability[i] = (uint32_t)(1 + i * 16);
        coded.likely[i] = true;
    }
    encode_decisions();
    cr_assert_eq(coded.n_bytes, 0);
    cr_assert_eq(decode_decisions(NULL, 0), coded.n);
}

/* A carry must propagate through all bytes already written. */
Test(range_coder, carries_through_all_bytes)
{
    struct range_encoder encoder;
    range_encode_start(&encoder, coded.bytes);
    memset(coded.bytes, 0xff, 1000);
    coded.bytes[0] = 0x41;
    encoder.n = 1000;
    encoder.low = UINT64_MAX - 5;
    encoder.range = (uint64_t)1 << 40;
    range_encode(&encoder, 32768, false);
    cr_assert_eq(coded.bytes[0], 0x42);
    for (int i = 1; i < 1000; i++)
        cr_assert_eq(coded.bytes[i], 0);
}

/* --- models ----------------------------------------------------------------------------------- */

struct example {
    const char *rules, *material;
    bool distances;
    uint64_t decoded; /* checksum of the values that random bytes are decoded to */
};

static const struct example examples[] = {
    {"english", "KvM", false, 0x77536ee53c4557d3},
    {"english", "KMvM", true, 0xfe37df54cf9e3f3e},
    {"international", "MMvM", true, 0xcaa56effcd75324d},
    {"international", "KKvK", false, 0xf1ef071f6bf2042d},
    {"frisian", "KMvK", false, 0xaa68df68b10cd319},
    {"frisian", "KMvK", true, 0xe9cd4a5fc0a95619},
    {"frisian", "KMvM", true, 0xec8fdaab347cd8f0},
    {"frisian", "KMvKM", false, 0xbd119486682b7a6a},
    {"frisian", "KMvKM", true, 0x8a7e0d3c479e7c2a},
    {"frisian", "KKMvKKM", false, 0xb5b02eaf7ea48f0d},
    {"frisian", "KKMvKKM", true, 0xc1dcec4342c6aeff},
    {"frisian-no18", "KKKKMvKM", true, 0x836baefc2d3e048f},
    {"frisian", "KKKMvKKM", true, 0xf3e05191484d83b2},
};

enum { N_EXAMPLES = sizeof examples / sizeof examples[0], BLOCK = 700 };

/* A model of random weights, most of them 0. */
static uint8_t *make_model(struct model *model, const struct example *example, bool without_runs,
                           uint64_t *seed)
{
    const struct rules rules = rules_named(example->rules);
    struct material material;
    struct shape shape;
    cr_assert_eq(material_read(example->material, &material, NULL), EINSPUL_OK);
    shape_init(&shape, &rules, &material);
    const struct omitted omitted = {.runs = without_runs && format_may_omit_runs(&shape)};
    model_init(model, &rules, &shape, example->distances, &omitted);
    const size_t n = model_section_size(model);
    uint8_t *section = malloc(n);
    cr_assert_not_null(section);
    for (size_t i = 0; i < n; i++) {
        const uint64_t random = random_next(seed);
        section[i] = random % 4 > 0 ? 0 : (uint8_t)(random >> 8);
    }
    cr_assert(model_unpack(model, section));
    return section;
}

/* Fails if a table is decoded with weights of other pieces than it was coded with. */
Test(model, model_round_trip)
{
    uint64_t seed = 3;
    for (int i = 0; i < N_EXAMPLES; i++) {
        struct model model;
        uint8_t *section = make_model(&model, &examples[i], false, &seed);
        const size_t n = model_section_size(&model);
        const struct model_plan *plan = &model.plans[WHITE];
        uint8_t *again = calloc(n, 1);
        cr_assert_not_null(again);
        model_pack(&model, again);
        cr_assert_eq(memcmp(section, again, n), 0, "%s", examples[i].material);
        /* docs/format.md: lane by lane in the file; here the lanes of a vector are together. */
        for (size_t lane = 0; lane < (size_t)plan->n_lanes; lane++)
            cr_assert_eq(model.weights[WHITE][7 * (size_t)plan->stride + lane],
                         (int8_t)section[lane * plan->n_vectors + 7]);
        free(section);
        free(again);
        model_free(&model);
    }
}

/* --- values that the rules could give --------------------------------------------------------- */

/* A run that leaves its side at least the moves that another run leaves. */
static bool is_freer(int a, int b)
{
    return a == 0 || (b > 0 && run_king(a) == run_king(b) && a <= b);
}

static bool is_no_worse(const struct shape *shape, enum side side, int a, int b)
{
    const enum side other = side_other(side);
    return is_freer(shape_run(shape, side, a), shape_run(shape, side, b)) &&
           is_freer(shape_run(shape, other, b), shape_run(shape, other, a));
}

static value_t random_value(bool distances, int kind, uint64_t *seed)
{
    const int random = random_below(seed, 255);
    if (!distances)
        return (value_t)(random % 3 * VALUE_DRAW);
    if (kind == 0)
        return (value_t)random;
    return (value_t)(random < 60    ? VALUE_DRAW
                     : random < 150 ? 250 - random % 8
                     : random < 250 ? 10 + random % 8
                                    : random);
}

/* Random values, each raised to the best one of a rule state that is no better. */
static void make_values(const struct model *model, enum side side, value_t *values, uint64_t *seed)
{
    const struct shape *shape = &model->shape;
    const int n = shape->n_rule_states;
    value_t random[MAX_RULE_STATES];
    const int kind = random_below(seed, 3);
    const bool few = random_below(seed, 3) > 0; /* rule states that differ */
    const value_t most = random_value(model->plans[side].distances, kind, seed);
    for (int i = 0; i < n; i++)
        random[i] = few && random_below(seed, n) > 1
                        ? most
                        : random_value(model->plans[side].distances, kind, seed);
    for (int i = 0; i < n; i++) {
        values[i] = 0;
        for (int j = 0; j < n; j++)
            if (is_no_worse(shape, side, i, j) && random[j] > values[i])
                values[i] = random[j];
    }
}

static bool is_quiet(const struct model *model, enum side side, uint64_t index)
{
    struct placement at;
    return shape_unrank(&model->shape, index, side, &at) &&
           !placement_has_capture(&model->rules, &at);
}

/* A block of random values, and the data needed to code it. */
struct coded_block {
    enum side side;
    uint64_t first;
    uint32_t n;
    value_t *values;
    struct model_scratch scratch, decoded;
    uint8_t *bytes;
    size_t n_bytes;
};

/* Up to `most` consecutive placements somewhere in the table, some of them stored. */
static void block_init(struct coded_block *block, const struct model *model, uint32_t most,
                       uint64_t *seed)
{
    const struct model_plan *plan = &model->plans[WHITE];
    const size_t length = (size_t)plan->n_rule_states;
    const uint64_t n = model->shape.n_placements;
    uint32_t n_stored = 0;
    block->values = calloc(most, length);
    block->bytes = malloc(model_encode_bound(plan, most));
    cr_assert(block->values != NULL && block->bytes != NULL &&
              model_scratch_init(&block->scratch, plan, most) &&
              model_scratch_init(&block->decoded, plan, most));
    while (n_stored == 0) {
        block->side = random_below(seed, model->shape.n_sides) == 0 ? WHITE : BLACK;
        block->first = n < most ? 0 : random_next(seed) % (n - most / 2);
        block->n = n - block->first < most ? (uint32_t)(n - block->first) : most;
        for (uint32_t i = 0; i < block->n; i++) {
            if (!is_quiet(model, block->side, block->first + i))
                continue;
            make_values(model, block->side, block->values + i * length, seed);
            n_stored++;
        }
    }
}

static void block_free(struct coded_block *block)
{
    free(block->values);
    free(block->bytes);
    model_scratch_free(&block->scratch);
    model_scratch_free(&block->decoded);
}

static bool block_encode(struct coded_block *block, const struct model *model)
{
    memcpy(block->scratch.values, block->values, block->n * (size_t)model->shape.n_rule_states);
    return model_encode(model, block->side, block->first, block->n, &block->scratch, block->bytes,
                        &block->n_bytes);
}

static void block_decode(struct coded_block *block, const struct model *model, size_t n_bytes)
{
    model_decode(model, block->side, block->first, block->n, block->n, block->bytes, n_bytes,
                 &block->decoded);
}

/* Fails if memory before a block is read as neighbours: the last block of a table may be shorter
 * than a step on the board. */
Test(model, codes_blocks_shorter_than_a_step)
{
    uint64_t seed = 6;
    for (int i = 0; i < N_EXAMPLES; i++) {
        struct model model;
        free(make_model(&model, &examples[i], false, &seed));
        const size_t length = (size_t)model.shape.n_rule_states;
        for (uint32_t run = 0; run < 160; run++) {
            struct coded_block block;
            block_init(&block, &model, 1 + run % 8, &seed);
            cr_assert(block_encode(&block, &model), "%s: values are refused", examples[i].material);
            block_decode(&block, &model, block.n_bytes);
            for (uint32_t place = 0; place < block.n; place++)
                cr_assert(block.decoded.outcomes[place] == 0 ||
                          memcmp(block.values + place * length,
                                 block.decoded.values + place * length, length) == 0);
            block_free(&block);
        }
        model_free(&model);
    }
}

/* Fails if a compressed table has other values than its original. */
Test(model, codes_all_legal_values)
{
    uint64_t seed = 5;
    for (int i = 0; i < N_EXAMPLES; i++) {
        struct model model;
        free(make_model(&model, &examples[i], false, &seed));
        const size_t length = (size_t)model.shape.n_rule_states;
        for (int run = 0; run < 6; run++) {
            struct coded_block block;
            block_init(&block, &model, BLOCK, &seed);
            cr_assert(block_encode(&block, &model), "%s: values are refused", examples[i].material);
            cr_assert_leq(block.n_bytes, model_encode_bound(&model.plans[WHITE], block.n));
            block_decode(&block, &model, block.n_bytes);
            for (uint32_t place = 0; place < block.n; place++) {
                const bool quiet = is_quiet(&model, block.side, block.first + place);
                cr_assert_eq(block.decoded.outcomes[place] != 0, quiet);
                cr_assert(!quiet || memcmp(block.values + place * length,
                                           block.decoded.values + place * length, length) == 0,
                          "%s: other values at placement %u", examples[i].material, place);
            }
            block_free(&block);
        }
        model_free(&model);
    }
}

/* Fails if values that the rules cannot give, a mistake of a solver, are coded as others. */
Test(model, refuses_values_beyond_their_bounds)
{
    uint64_t seed = 7;
    for (int i = 0; i < N_EXAMPLES; i++) {
        struct model model;
        struct coded_block block;
        uint32_t place = 0;
        free(make_model(&model, &examples[i], false, &seed));
        const struct shape *shape = &model.shape;
        block_init(&block, &model, BLOCK, &seed);
        while (!is_quiet(&model, block.side, block.first + place))
            place++;
        value_t *values = block.values + place * (size_t)shape->n_rule_states;
        for (int state = 1; state < shape->n_rule_states; state++) {
            const bool no_worse = is_no_worse(shape, block.side, state, 0);
            const bool no_better = is_no_worse(shape, block.side, 0, state);
            memset(values, VALUE_DRAW, (size_t)shape->n_rule_states);
            for (int other = 1; other < shape->n_rule_states; other++) /* so that all are coded */
                values[other] = is_no_worse(shape, block.side, 0, other)   ? VALUE_LOST
                                : is_no_worse(shape, block.side, other, 0) ? VALUE_WIN_IN_1
                                                                           : VALUE_DRAW;
            cr_assert(block_encode(&block, &model));
            if (no_worse)
                values[state] = VALUE_LOST;
            else if (no_better)
                values[state] = VALUE_WIN_IN_1;
            else
                continue;
            cr_assert(!block_encode(&block, &model), "%s: rule state %d", examples[i].material,
                      state);
        }
        block_free(&block);
        model_free(&model);
    }
}

/* Fails if bytes that no writer made take the reader down, or give values that cannot be. */
Test(model, decodes_any_bytes)
{
    uint64_t seed = 9;
    for (int i = 0; i < 8 * N_EXAMPLES; i++) {
        struct model model;
        struct coded_block block;
        const bool distances = examples[i / 8].distances;
        free(make_model(&model, &examples[i / 8], i % 8 >= 4, &seed));
        const size_t length = (size_t)model.shape.n_rule_states;
        block_init(&block, &model, BLOCK, &seed);
        cr_assert(block_encode(&block, &model));
        if (i % 2 == 0)
            for (size_t at = 0; at < block.n_bytes; at++)
                block.bytes[at] = (uint8_t)(i % 4 == 0 ? random_next(&seed) : 0xff);
        else
            block.n_bytes = (size_t)random_below(&seed, (int)block.n_bytes + 1);
        /* Of exactly that size, so that a sanitizer reports every byte read beyond. */
        uint8_t *bytes = malloc(block.n_bytes + 1);
        cr_assert_not_null(bytes);
        memcpy(bytes, block.bytes, block.n_bytes);
        free(block.bytes);
        block.bytes = realloc(bytes, block.n_bytes > 0 ? block.n_bytes : 1);
        block_decode(&block, &model, block.n_bytes);
        for (uint32_t place = 0; place < block.n; place++) {
            const bool quiet = is_quiet(&model, block.side, block.first + place);
            cr_assert_eq(block.decoded.outcomes[place] != 0, quiet);
            for (size_t state = 0; quiet && state < length; state++) {
                const value_t value = block.decoded.values[place * length + state];
                const bool omitted =
                    model.omitted.runs &&
                    run_count(shape_run(&model.shape, block.side, (int)state)) == MAX_RUN_COUNT;
                cr_assert(omitted     ? value == VALUE_NONE
                          : distances ? value != VALUE_NONE
                                      : value == value_without_distance(value),
                          "%s: value %d", examples[i / 8].material, value);
            }
        }
        block_free(&block);
        model_free(&model);
    }
}

/* Fails if files that were written before are decoded to other values. Whoever means to change that
 * has to make another dictionary mode and a new read version (docs/format.md). */
Test(model, decoding_is_frozen)
{
    uint64_t seed = 11;
    for (int i = 0; i < N_EXAMPLES; i++) {
        struct model model;
        struct coded_block block;
        struct checksum sum;
        checksum_begin(&sum);
        free(make_model(&model, &examples[i], false, &seed));
        const size_t length = (size_t)model.shape.n_rule_states;
        for (int run = 0; run < 4; run++) {
            uint8_t bytes[512];
            block_init(&block, &model, BLOCK, &seed);
            for (size_t at = 0; at < sizeof bytes; at++)
                bytes[at] = (uint8_t)random_next(&seed);
            model_decode(&model, block.side, block.first, block.n, block.n, bytes, sizeof bytes,
                         &block.decoded);
            checksum_add(&sum, block.decoded.values, BLOCK * length);
            block_free(&block);
        }
        cr_expect_eq(checksum_end(&sum), examples[i].decoded, "%s: 0x%016llx", examples[i].material,
                     (unsigned long long)checksum_end(&sum));
        model_free(&model);
    }
}
