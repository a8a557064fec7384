/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/useroptions.h"

#include <string.h>

#include "base/textfile.h"
#include "conf/shape.h"

void useroptions_init(struct useroptions *asked)
{
	*asked = (struct useroptions){.max_wait = -2, .pattern = {.kind = MESH_PATTERN_UNSAID}};
}

static int take_strategy(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	size_t n = strspn(value, STRATEGYNAMES_LETTERS);

	if (value[n] || n >= sizeof(asked->strategy))
		return err_printf(err, "unknown strategy '%.64s' (smesh strategies lists them)",
			value);
	strcpy(asked->strategy, value);
	return 0;
}

static int take_max_wait(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	int64_t seconds = textfile_seconds(value);

	if (seconds < -1)
		return err_printf(err, "not a time like 30 (minutes) or 2:00:00: '%s'", value);
	asked->max_wait = seconds;
	return 0;
}

static int take_shape(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	return shape_parse(value, &asked->shape, err);
}

static int take_pattern(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	return mesh_pattern_parse(value, &asked->pattern, err);
}

static int take_segment(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	const char *end = value;
	int n = textfile_number(&end, 65535);

	if (n < 1 || *end)
		return err_printf(err, "not a number of nodes (1 to 65535): '%s'", value);
	asked->segment = n;
	return 0;
}

static int take_hint(struct useroptions *asked, const char *value, struct mesh_err *err)
{
	static const struct {
		const char *name;
		enum mesh_hint hint;
	} known[] = {{"compact", MESH_HINT_COMPACT}, {"scatter", MESH_HINT_SCATTER},
		{"isolated", MESH_HINT_ISOLATED}};

	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(value, known[i].name)) {
			asked->hint = known[i].hint;
			return 0;
		}
	return err_printf(err, "expected compact, scatter or isolated, not '%s'", value);
}

const struct useroption useroptions_table[] = {
	{"mesh-strategy", "MESH_STRATEGY", "NAME", "place the job by this strategy",
		MESH_USER_STRATEGY, take_strategy},
	{"mesh-shape", "MESH_SHAPE", "[TYPE:]AxBxC[:WORD]...|line:N|ring:N[:lanes=L]",
		"the job's nodes form a box of these sides. norotate: do not turn it; torus: it "
		"wraps around itself; fold: any box that it can be folded into; chips: sides count "
		"chips, as with TYPE: before them, which asks for a mesh of that type; anylinks: "
		"broken links may be inside. line, ring: N nodes, each next to the one before",
		MESH_USER_SHAPE, take_shape},
	{"mesh-segment", "MESH_SEGMENT", "N",
		"the job consists of groups of N nodes: each compact, or a box", MESH_USER_SEGMENT,
		take_segment},
	{"mesh-max-wait", "MESH_MAX_WAIT", "TIME",
		"give up the box after TIME in the queue (minutes, or H:MM:SS), and take nodes "
		"near each other",
		MESH_USER_MAX_WAIT, take_max_wait},
	{"mesh-hint", "MESH_HINT", "compact|scatter|isolated",
		"compact: nodes near each other; scatter: leave the good places to others; "
		"isolated: a box that no running job's messages cross when this job starts",
		MESH_USER_HINT, take_hint},
	{"mesh-pattern", "MESH_PATTERN", MESH_PATTERN_FORMS,
		"what the job's ranks send each other: its nodes are chosen for that",
		MESH_USER_PATTERN, take_pattern},
	{NULL, NULL, NULL, NULL, 0, NULL},
};

static int printable(const char *value)
{
	for (; *value; value++)
		if (*value <= ' ' || *value > '~')
			return 0;
	return 1;
}

int useroptions_take(struct useroptions *asked, const struct useroption *option,
	const char *value, struct mesh_err *err)
{
	struct mesh_err why = {{0}};
	int result = -1;

	/* Messages must carry nothing but printable ASCII. */
	if (!*value)
		err_printf(&why, "no value");
	else if (strnlen(value, USEROPTIONS_MAX + 1) > USEROPTIONS_MAX)
		err_printf(&why, "longer than %d characters", USEROPTIONS_MAX);
	else if (!printable(value))
		err_printf(&why, "characters that do not belong there");
	else
		result = option->take(asked, value, &why);
	return result ? err_printf(err, "--%s: %s", option->option, why.text) : 0;
}

/* The value of `NAME=VALUE`, or NULL if it has another name. */
static const char *value_of(const char *pair, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(pair, name, length) && pair[length] == '=' ? pair + length + 1 : NULL;
}

const struct useroption *useroptions_find(const char *pair, const char **value)
{
	for (const struct useroption *o = useroptions_table; pair && o->option; o++)
		if ((*value = value_of(pair, o->variable)))
			return o;
	return NULL;
}

int useroptions_read(struct useroptions *asked, char *const *env, uint32_t count, unsigned allowed,
	struct mesh_err *err)
{
	const char *value;
	int wrong = 0;

	useroptions_init(asked);
	for (uint32_t i = 0; env && i < count; i++) {
		const struct useroption *o = useroptions_find(env[i], &value);

		if (o && !(allowed & o->bit)) {
			err_printf(err, "--%s is not allowed here", o->option);
			wrong++;
		} else if (o && useroptions_take(asked, o, value, err)) {
			wrong++;
		}
	}
	return wrong;
}
