/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/suggest.h"

#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "cli/fail.h"
#include "conf/strategies.h"

static const char *strategy_name(const void *list, int at)
{
	const struct strategy_ops *ops = strategy_at(at);

	(void)list;
	return ops ? ops->name : NULL;
}

const struct strategy_ops *suggest_strategy(const char *name)
{
	const struct strategy_ops *ops = strategy_find(name);
	char text[96];

	if (!ops)
		smesh_fail(SMESH_USAGE, "unknown strategy '%s'%s (smesh strategies lists them)",
			name, suggest(name, strategy_name, NULL, text, sizeof(text)));
	return ops;
}

int suggest_choice(const char *option, const char *value, const char *choices)
{
	size_t length = strlen(value);
	const char *at = choices;

	for (int i = 0;; i++) {
		size_t here = strcspn(at, "|");

		if (here == length && !strncasecmp(at, value, length))
			return i;
		if (!at[here])
			break;
		at += here + 1;
	}
	smesh_fail(SMESH_USAGE, "--%s=%s: one of %s", option, value, choices);
	return -1;
}
