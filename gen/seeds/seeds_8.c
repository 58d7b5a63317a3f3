/* Seeds with values of one byte (gen/values/sized.h). */
#define VALUE_BITS 8
#include "gen/seeds/seed_fast_template.h"
#include "gen/seeds/seed_plain_template.h"
