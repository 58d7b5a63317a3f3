/* A game with its variations, comments and marks in JSON. */
#ifndef EINSPUL_SERVE_API_TREE_H
#define EINSPUL_SERVE_API_TREE_H

#include "serve/service.h"
#include "study/game_tree.h"

#include <jansson.h>

/* The nodes of a game's tree; moves in a notation. */
json_t *tree_json(const struct rule_set *set, const struct pdn_game *game,
                  const struct annotation *annotation, enum notation notation);

/* Adds the tags of a game as they are written, and its result. */
void tags_and_result_add(json_t *object, const struct pdn_game *game);

#endif
