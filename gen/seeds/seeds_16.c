/* Seeds with values of two bytes (gen/values/sized.h). */
#define VALUE_BITS 16
#include "gen/seeds/seed_fast_template.h"
#include "gen/seeds/seed_plain_template.h"
