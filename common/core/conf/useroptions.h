/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a user asked for with --mesh-strategy, --mesh-shape, --mesh-segment, --mesh-max-wait,
 * --mesh-hint and --mesh-pattern.
 * The SPANK plugin checks it where it is typed; slurmctld reads it again from the job's spank
 * environment, which any user can forge. So this is untrusted text, read by the same code on both
 * sides and under the fuzzer.
 */
#ifndef MESH_USEROPTIONS_H
#define MESH_USEROPTIONS_H

#include <stdint.h>

#include "base/err.h"
#include "conf/jobpattern.h"
#include "ask/strategy.h"
#include "conf/strategynames.h"

/* What users may say (mesh_user_options=). */
enum {
	MESH_USER_STRATEGY = 1,
	MESH_USER_SHAPE = 2,
	MESH_USER_MAX_WAIT = 4,
	MESH_USER_HINT = 8,
	MESH_USER_SEGMENT = 16,
	MESH_USER_PATTERN = 32,
	MESH_USER_ALL = 63
};

/* Longer values are nonsense. */
#define USEROPTIONS_MAX 128

struct useroptions {
	char strategy[STRATEGYNAMES_LENGTH]; /* its name; "": not said */
	struct mesh_shape shape;	/* ndims 0: not said */
	int segment;			/* nodes of each group; 0: not said */
	int64_t max_wait;		/* seconds, -1 infinite; -2: not said */
	enum mesh_hint hint;
	struct mesh_pattern pattern;	/* may be unsaid */
};

/* One option. */
struct useroption {
	const char *option;	/* mesh-shape; in mesh_user_options= without mesh- */
	const char *variable;	/* in the job's spank environment */
	const char *argument;	/* what the value is, for --help */
	const char *usage;
	unsigned bit;		/* MESH_USER_... */
	/* 0, or -1 with text and *asked untouched; called by useroptions_take(). */
	int (*take)(struct useroptions *asked, const char *value, struct mesh_err *err);
};
extern const struct useroption useroptions_table[]; /* ends with a row whose option is NULL */

/* Nothing said. */
void useroptions_init(struct useroptions *asked);

/* The option that a `NAME=VALUE` string is about, with *value set to its VALUE; NULL: none of
 * ours. */
const struct useroption *useroptions_find(const char *pair, const char **value);

/* Take one option's value over. 0, or -1 with text of printable ASCII; *asked is untouched then. */
int useroptions_take(struct useroptions *asked, const struct useroption *option,
	const char *value, struct mesh_err *err);

/*
 * Read all options out of env[count], `NAME=VALUE` strings, into *asked, which need not be
 * initialised. Other names and NULL entries are skipped. What is wrong, or not in `allowed`
 * (MESH_USER_... bits), counts as not said; the last such is in err. Returns how many there were.
 */
int useroptions_read(struct useroptions *asked, char *const *env, uint32_t count, unsigned allowed,
	struct mesh_err *err);

#endif
