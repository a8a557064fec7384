/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a user asks for with --mesh-strategy, --mesh-shape, --mesh-segment, --mesh-max-wait,
 * --mesh-hint and --mesh-pattern. The SPANK plugin checks an option where it is typed. slurmctld
 * reads it again from the job's SPANK environment, which any user can forge. So the text is
 * untrusted: the same code reads it on both sides, and the fuzzer tests it.
 */
#ifndef MESH_USEROPTIONS_H
#define MESH_USEROPTIONS_H

#include <stdint.h>

#include "ask/mesh_shape.h"
#include "conf/jobpattern.h"
#include "conf/strategynames.h"

/* The options, as bits (mesh_user_options=). */
enum {
	MESH_USER_STRATEGY = 1,
	MESH_USER_SHAPE = 2,
	MESH_USER_MAX_WAIT = 4,
	MESH_USER_HINT = 8,
	MESH_USER_SEGMENT = 16,
	MESH_USER_PATTERN = 32,
	MESH_USER_ALL = 63
};

/* The longest value in bytes. */
#define USEROPTIONS_MAX 128

struct useroptions {
	char strategy[STRATEGYNAMES_LENGTH]; /* its name; "": not given */
	struct mesh_shape shape;	/* ndims 0: not given */
	int segment;			/* nodes of each segment; 0: not given */
	int64_t max_wait;		/* seconds, -1 infinite; -2: not given */
	enum mesh_hint hint;
	struct mesh_pattern pattern;	/* may be unsaid */
};

/* One option. */
struct useroption {
	const char *option;	/* mesh-shape; in mesh_user_options= without mesh- */
	const char *variable;	/* in the job's SPANK environment */
	const char *argument;	/* the form of the value, for --help */
	const char *usage;
	unsigned bit;		/* MESH_USER_... */
	/* 0, or -1 with text and *asked untouched; called by useroptions_take(). */
	int (*take)(struct useroptions *asked, const char *value, struct mesh_err *err);
};
extern const struct useroption useroptions_table[]; /* ends with a row whose option is NULL */

/* Set *asked to no options. */
void useroptions_init(struct useroptions *asked);

/* The option of a `NAME=VALUE` string, with *value set to VALUE; NULL: not one of ours. */
const struct useroption *useroptions_find(const char *pair, const char **value);

/* Set one option. 0, or -1 with text of printable ASCII and *asked unchanged. */
int useroptions_take(struct useroptions *asked, const struct useroption *option,
	const char *value, struct mesh_err *err);

/*
 * Read all options of env[count], strings `NAME=VALUE`, into *asked, which need not be
 * initialised. Other names and NULL entries are skipped. An option that is wrong, or not in
 * `allowed` (MESH_USER_... bits), counts as not given; err has the last one. Returns how many were
 * wrong or not allowed.
 */
int useroptions_read(struct useroptions *asked, char *const *env, uint32_t count, unsigned allowed,
	struct mesh_err *err);

#endif
