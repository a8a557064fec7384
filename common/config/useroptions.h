/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a user asked for with --mesh-strategy, --mesh-shape, --mesh-segment, --mesh-max-wait,
 * --mesh-hint and --mesh-pattern.
 * The SPANK plugin checks it where it is typed; slurmctld reads it again from the job's
 * spank environment, which any user can forge. No Slurm header here: this is one function
 * over untrusted text, the same on both sides and under the fuzzer.
 */
#ifndef MESH_WISH_H
#define MESH_WISH_H

#include <stdint.h>

#include "base/err.h"
#include "config/jobpattern.h"
#include "strategy/strategy.h"

/* Longer values are nonsense. */
#define MESH_WISH_MAX 128

struct mesh_wish {
	const struct strategy_ops *ops; /* NULL: not said */
	struct mesh_shape shape;	/* ndims 0: not said */
	int segment;			/* nodes of each group; 0: not said */
	int64_t max_wait;		/* seconds, -1 infinite; -2: not said */
	enum mesh_hint hint;
	struct mesh_pattern pattern;	/* may be unsaid */
};

/* The options in order of their bits (MESH_USER_...). */
struct mesh_wish_option {
	const char *option;	/* mesh-shape */
	const char *variable;	/* in the job's spank environment */
	const char *argument;	/* what the value is, for --help */
	const char *usage;
	unsigned bit;
};
extern const struct mesh_wish_option mesh_wish_options[]; /* ends with a NULL name */

void mesh_wish_init(struct mesh_wish *wish);

/*
 * The option that a `NAME=VALUE` string is about, *value behind its `=`; NULL: it is none of ours.
 */
const struct mesh_wish_option *mesh_wish_find(const char *pair, const char **value);

/*
 * One option's value. 0, or -1 with text of printable ASCII; *wish is untouched then.
 */
int mesh_wish_take(struct mesh_wish *wish, const struct mesh_wish_option *option,
	const char *value, struct mesh_err *err);

/*
 * All of an environment of `NAME=VALUE` strings; names that are not ours are skipped, and
 * so are entries that are NULL. What is wrong or not in `allowed` counts as not said, the
 * last of it is told in err. How many were wrong.
 */
int mesh_wish_read(struct mesh_wish *wish, char *const *env, uint32_t count, unsigned allowed,
	struct mesh_err *err);

#endif
