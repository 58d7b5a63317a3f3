/* The names of table files, and which tables always have distances. */
#include "table/metric.h"

#include <stdio.h>

bool table_always_has_distances(const struct rules *rules, const struct material *material)
{
    return rules->two_kings_limit > 0 && material->men[WHITE] + material->men[BLACK] == 0 &&
           material_pieces(material) <= 3;
}

struct table_name table_file_name(struct table_id id)
{
    struct table_name name;
    snprintf(name.text, sizeof name.text, "%s/%s.%s", table_rules_name(id.rules, &id.material),
             material_name(&id.material).text, metric_suffix(id.metric));
    return name;
}
