/* What an opponent may reply to a move: the measure among moves that the tables value alike. */
#ifndef EINSPUL_PROBE_REPLIES_H
#define EINSPUL_PROBE_REPLIES_H

#include "probe/probe.h"
#include "probe/query.h"

struct probe_replies {
    int n;         /* legal ones; 0: not weighed */
    int n_holding; /* of these, keep the outcome of the move */
    int balance;   /* in men, of who made the move, after the reply that is worst for it */
};

/* Replies to a move whose outcome for its maker is `outcome`; `after` is the state they are made
 * in. `query` may be NULL; then every reply counts as holding, as do replies whose value is not
 * in the tables. If the replies cannot be listed, there is one, which changes nothing. */
void replies_weigh(const struct rules *rules, struct query *query, const struct state *after,
                   einspul_outcome outcome, struct probe_replies *replies);

/* Whether a move with the first replies is to be preferred: most material after the best reply,
 * then most mistakes among the replies. */
bool replies_are_better(const struct probe_replies *one, const struct probe_replies *other);

#endif
