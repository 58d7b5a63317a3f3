/* The seeds. */
#include "gen/seeds/seed_fast_template.h"
#include "gen/seeds/seed_plain_template.h"
