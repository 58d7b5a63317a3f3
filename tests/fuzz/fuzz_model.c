/* Models that no training would make: a first byte that says of which table, then two bytes that
 * say how many bytes of weights follow, repeated as often as the model is large, then a block.
 * Files hardly get there, for weights lie compressed in them. Any block decodes to values that can
 * be. */
#include "tests/fuzz/fuzz.h"

#include "table/model.h"
#include "table/table_format.h"

static const struct {
    const char *rules;
    const char *material;
    bool distances;
} kinds[] = {
    {"english", "KvM", true},          {"frisian", "KMvK", true},     {"frisian", "KMvKM", false},
    {"international", "KKvMM", false}, {"frisian-free", "MvM", true}, {"frisian", "KKMvM", true},
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0], N_PLACEMENTS = 1024 };

static bool is_left_out(const struct model *model, enum side side, size_t run_state)
{
    return model->left_out.runs && format_is_last_run(&model->shape, side, (int)run_state);
}

/* Any bytes as weights: what model_unpack reads, of just its size. */
static void set_weights(struct model *model, struct fuzz_input *input)
{
    const size_t n_section = model_section_size(model);
    const size_t n_given = (size_t)fuzz_byte(input) << 8 | fuzz_byte(input);
    const size_t n = n_given < input->n_bytes ? n_given : input->n_bytes;
    uint8_t *section = calloc(n_section, 1);
    if (section == NULL)
        abort();
    for (size_t i = 0; i < n_section && n > 0; i++)
        section[i] = input->bytes[i % n];
    input->bytes += n;
    input->n_bytes -= n;
    if (!model_unpack(model, section))
        abort();
    free(section);
}

static void expect_values(const struct model *model, enum side side, uint32_t n,
                          const struct model_room *room)
{
    const size_t length = (size_t)model->shape.n_run_states;
    for (size_t place = 0; place < n; place++) {
        if (room->signature[place] == 0)
            continue;
        for (size_t i = 0; i < length; i++) {
            const value_t value = room->values[place * length + i];
            fuzz_expect((value == VALUE_NONE) == is_left_out(model, side, i),
                        "every place has a value, unless it is left out");
            fuzz_expect(model->plans[side].distances || value == VALUE_NONE ||
                            value == value_sign(value),
                        "no distances where there are none");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct rules rules;
    struct material material;
    struct shape shape;
    struct model model;
    struct model_room room;
    struct left_out left_out = {0};
    const uint8_t choice = fuzz_byte(&input);
    const int kind = choice % N_KINDS;

    if (rules_by_name(&rules, kinds[kind].rules, NULL) != EINSPUL_OK ||
        material_read(kinds[kind].material, &material, NULL) != EINSPUL_OK)
        abort();
    shape_init(&shape, &rules, &material);
    left_out.runs = choice / N_KINDS / 2 % 2 == 1 && format_may_leave_runs_out(&shape);
    model_init(&model, &rules, &shape, kinds[kind].distances, &left_out);
    set_weights(&model, &input);
    const enum side side = choice / N_KINDS % 2 == 1 && shape.n_sides == 2 ? BLACK : WHITE;
    const uint64_t n_blocks = (shape.n_placements + N_PLACEMENTS - 1) / N_PLACEMENTS;
    const uint64_t first = n_bytes * 2654435761u % n_blocks * N_PLACEMENTS;
    const uint64_t left = shape.n_placements - first;
    const uint32_t n = left < N_PLACEMENTS ? (uint32_t)left : N_PLACEMENTS;
    if (!model_room_init(&room, &model.plans[side], n))
        abort();
    model_decode(&model, side, first, n, n, input.bytes, input.n_bytes, &room);
    expect_values(&model, side, n, &room);
    model_room_free(&room);
    model_free(&model);
    return 0;
}

/* Weights of all kinds, then bytes of all kinds. */
size_t fuzz_seed(int number, uint8_t *bytes)
{
    enum { N_WEIGHTS = 257, N_BLOCK = 400 };
    uint32_t random = (uint32_t)number + 1;
    if (number >= 4 * N_KINDS)
        return 0;
    bytes[0] = (uint8_t)number;
    bytes[1] = N_WEIGHTS >> 8;
    bytes[2] = N_WEIGHTS & 0xff;
    for (size_t i = 3; i < 3 + N_WEIGHTS + N_BLOCK; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = number < 2 * N_KINDS ? (uint8_t)(random >> 24) : random >> 31 ? 0x7f : 0x80;
    }
    return 3 + N_WEIGHTS + N_BLOCK;
}
