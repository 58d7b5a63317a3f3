/* The frames of a material in the order they are solved: by the steps their men still have to go. A
 * man move leads to a frame with one step less, so frames of the same level do not depend on each
 * other. */
#ifndef EINSPUL_GEN_LEVELS_H
#define EINSPUL_GEN_LEVELS_H

#include "gen/frame.h"

enum { MAX_LEVELS = 9 * MAX_PIECES + 1 };

struct levels {
    int n_levels;
    uint64_t start[MAX_LEVELS + 1]; /* level l is frames[start[l]] .. frames[start[l + 1] - 1] */
    uint32_t *frames;               /* numbers of possible frames, ascending within a level */
};

/* For symmetric material only one of a frame and its turned twin is listed, the one with the lower
 * number: with Black to move it is the twin with White to move. NO_MEMORY. */
enum status levels_create(struct levels *levels, const struct frame_context *context);
void levels_free(struct levels *levels);

/* The number of the frame whose men are those of `frame` turned round; symmetric material only. */
uint64_t frame_twin(const struct frame_context *context, uint64_t frame);

/* The frames from front to back instead, as one level; of symmetric material the twins too. */
void levels_list_all(struct levels *levels, const struct frame_context *context);

#endif
