/* The stages of generating a material, each timed by itself. */
#include "bench/stages.h"

#include "bench/measure.h"

#include <stdlib.h>
#include <string.h>

/* A clock is read once for a batch of neighbouring frames, since some have but one placement; a
 * dictionary of patterns lasts as long as a task of material_solve. */
enum {
    BATCH_PLACEMENTS = 1024,
    TASK_PLACEMENTS = 65536,
    LEAST_PLACEMENTS = 65536,
    APART_PLACEMENTS = 1000
};

struct stages {
    struct frame_context context;
    uint64_t *numbers; /* of all frames, in the order they are solved */
    uint64_t n_numbers;
    const struct solver_type *type;
    const struct solver_functions *functions; /* for values of one byte */
    void *solver;
    void *seeders;
    struct frame *frames;
    uint64_t n_frames; /* of a batch */
    struct pattern_set patterns[2];
    uint64_t n_numbered; /* placements in the dictionaries */
    uint16_t *low;
    uint8_t *high;
    uint64_t *quiet;
};

static void stages_free(struct stages *stages)
{
    for (uint64_t i = 0; stages->frames != NULL && i < stages->n_frames; i++)
        frame_free(&stages->frames[i]);
    free(stages->frames);
    if (stages->solver != NULL)
        stages->functions->destroy(stages->solver);
    free(stages->seeders);
    pattern_set_free(&stages->patterns[WHITE]);
    pattern_set_free(&stages->patterns[BLACK]);
    free(stages->low);
    free(stages->high);
    free(stages->quiet);
    free(stages->numbers);
    frame_context_free(&stages->context);
}

static einspul_status list_frames(struct stages *stages, const struct rules *rules)
{
    const struct frame_context *context = &stages->context;
    const uint64_t n_black = context->shape.n_men_sets[BLACK];
    struct levels levels;
    einspul_status status = levels_create(&levels, rules, &context->shape, LEVELS_TO_SOLVE);
    if (status != EINSPUL_OK)
        return status;
    stages->numbers = malloc(context->shape.n_frames * sizeof *stages->numbers);
    if (stages->numbers == NULL)
        status = EINSPUL_NO_MEMORY;
    for (int level = 0; level < levels.n_levels && status == EINSPUL_OK; level++) {
        struct levels_cursor cursor;
        if (levels.n_frames[level] == 0)
            continue;
        levels_seek(&cursor, &levels, level, levels.start[level]);
        do {
            if ((context->men_sets[WHITE][cursor.frame / n_black] &
                 context->men_sets[BLACK][cursor.frame % n_black]) == 0)
                stages->numbers[stages->n_numbers++] = cursor.frame;
        } while (levels_next(&cursor));
    }
    levels_free(&levels);
    return status;
}

static einspul_status stages_start(struct stages *stages, const struct store *store,
                                   const struct material *material, einspul_metric metric)
{
    const struct shape *shape = &stages->context.shape;
    struct shape known; /* before the context is made */
    shape_init(&known, store->rules, material);
    einspul_status status = frame_context_init(&stages->context, store, material, metric,
                                               solver_form(stages->type, &known, metric, false), 1);
    if (status == EINSPUL_OK)
        status = list_frames(stages, store->rules);
    if (status == EINSPUL_OK)
        status = stages->functions->create(&stages->context, 1, &stages->solver);
    if (status == EINSPUL_OK && stages->functions->seeds->create != NULL)
        status = stages->functions->seeds->create(&stages->context, 1, &stages->seeders);
    for (int side = WHITE; side <= BLACK && status == EINSPUL_OK; side++)
        status =
            pattern_set_init(&stages->patterns[side], stages->context.pattern_bytes, 128, 1 << 24);
    if (status != EINSPUL_OK)
        return status;
    stages->n_frames = BATCH_PLACEMENTS / shape->frame_size + 1;
    stages->frames = calloc(stages->n_frames, sizeof *stages->frames);
    stages->low = malloc(shape->frame_size * sizeof *stages->low);
    stages->high = malloc(shape->frame_size);
    stages->quiet = malloc((shape->frame_size + 63) / 64 * sizeof *stages->quiet);
    if (stages->frames == NULL || stages->low == NULL || stages->high == NULL ||
        stages->quiet == NULL)
        return EINSPUL_NO_MEMORY;
    for (uint64_t i = 0; i < stages->n_frames && status == EINSPUL_OK; i++)
        status = frame_create(&stages->frames[i], &stages->context, 1);
    return status;
}

static einspul_status number_frame(struct stages *stages, const struct frame *frame)
{
    const struct shape *shape = &stages->context.shape;
    const size_t length = stages->context.pattern_bytes;

    for (int side = WHITE; side <= BLACK; side++) {
        memset(stages->quiet, 0, (shape->frame_size + 63) / 64 * sizeof *stages->quiet);
        for (uint64_t kings = 0; kings < shape->frame_size; kings++) {
            uint32_t number = 0;
            const enum placement_class class = frame_class(frame, side, kings);
            if (class == CLASS_IMPOSSIBLE)
                continue;
            const einspul_status status =
                pattern_set_add(&stages->patterns[side],
                                (const uint8_t *)frame->value[side] + kings * length, &number);
            if (status != EINSPUL_OK)
                return status;
            stages->low[kings] = (uint16_t)(number & 0xffff);
            stages->high[kings] = (uint8_t)(number >> 16);
            if (class == CLASS_QUIET)
                stages->quiet[kings / 64] |= (uint64_t)1 << (kings % 64);
        }
    }
    stages->n_numbered += shape->frame_size;
    if (stages->n_numbered >= TASK_PLACEMENTS) {
        pattern_set_clear(&stages->patterns[WHITE]);
        pattern_set_clear(&stages->patterns[BLACK]);
        stages->n_numbered = 0;
    }
    return EINSPUL_OK;
}

/* Waves, and what hands seeds and values over; frames so small that reading the clock would count
 * are timed as waves altogether. */
static einspul_status time_solver(struct stages *stages, uint64_t n, struct stage_times *times,
                                  einspul_error *error)
{
    const bool apart = stages->context.shape.frame_size >= APART_PLACEMENTS;
    einspul_status status = EINSPUL_OK;
    const double start = seconds_thread();
    for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++) {
        struct frame *frame = &stages->frames[i];
        if (!apart) {
            status = solver_solve(stages->functions, stages->solver, frame, error);
            continue;
        }
        double clock[4] = {seconds_thread(), 0, 0, 0};
        status = stages->functions->start(stages->solver, frame, error);
        clock[1] = seconds_thread();
        if (status == EINSPUL_OK)
            status = stages->functions->decide(stages->solver, frame, error);
        clock[2] = seconds_thread();
        if (status == EINSPUL_OK)
            stages->functions->read(stages->solver, frame);
        clock[3] = seconds_thread();
        times->seconds[STAGE_WAVES] += clock[2] - clock[1];
        times->seconds[STAGE_HANDOVER] += clock[1] - clock[0] + clock[3] - clock[2];
    }
    if (!apart)
        times->seconds[STAGE_WAVES] += seconds_thread() - start;
    return status;
}

static einspul_status time_batch(struct stages *stages, uint64_t n, struct stage_times *times,
                                 einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    double start = seconds_thread();
    for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++)
        status = stages->functions->seeds->make(stages->seeders, &stages->frames[i], error);
    times->seconds[STAGE_SEEDS] += seconds_thread() - start;
    if (status == EINSPUL_OK)
        status = time_solver(stages, n, times, error);
    start = seconds_thread();
    for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++)
        if (number_frame(stages, &stages->frames[i]) != EINSPUL_OK)
            status = error_set(error, EINSPUL_NO_MEMORY, "not enough memory for patterns");
    times->seconds[STAGE_PATTERNS] += seconds_thread() - start;
    return status;
}

/* States of one frame, both sides to move. */
static uint64_t frame_states(const struct shape *shape)
{
    const struct material *material = &shape->material;
    const int free_squares = shape->n_squares - material->men[WHITE] - material->men[BLACK];
    return (uint64_t)choose(free_squares, material->kings[WHITE]) *
           choose(free_squares - material->kings[WHITE], material->kings[BLACK]) *
           (uint64_t)shape->n_run_states * 2;
}

einspul_status stages_time(const struct store *store, const struct material *material,
                           einspul_metric metric, const struct solver_type *solver,
                           uint64_t n_frames, struct stage_times *times, einspul_error *error)
{
    struct stages stages = {.type = solver, .functions = solver->sized[0]};
    einspul_status status = stages_start(&stages, store, material, metric);

    memset(times, 0, sizeof *times);
    if (status != EINSPUL_OK)
        error_set(error, status, "not enough memory for the stages");
    else {
        const uint64_t n_all = stages.n_numbers;
        const uint64_t least = LEAST_PLACEMENTS / stages.context.shape.frame_size + 1;
        uint64_t n = n_frames > least ? n_frames : least;
        if (n_frames == 0 || n > n_all)
            n = n_all;
        const uint64_t n_batches = (n + stages.n_frames - 1) / stages.n_frames;
        uint64_t n_done = 0;
        /* Once without counting: memory that is used for the first time is the machine's work. */
        frame_set(&stages.frames[0], stages.numbers[0]);
        status = time_batch(&stages, 1, times, error);
        memset(times, 0, sizeof *times);
        for (uint64_t batch = 0; batch < n_batches && status == EINSPUL_OK; batch++) {
            const uint64_t first = batch * n_all / n_batches;
            uint64_t n_batch = (batch + 1) * n_all / n_batches - first;
            if (n_batch > stages.n_frames)
                n_batch = stages.n_frames;
            for (uint64_t i = 0; i < n_batch; i++)
                frame_set(&stages.frames[i], stages.numbers[first + i]);
            status = time_batch(&stages, n_batch, times, error);
            n_done += n_batch;
        }
        times->n_states = n_done * frame_states(&stages.context.shape);
        times->n_states_in_all = n_all * frame_states(&stages.context.shape);
    }
    stages_free(&stages);
    return status;
}
