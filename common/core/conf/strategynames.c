/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/strategynames.h"

#include <strings.h>

#include "base/suggest.h"

/* The names of the papers' library come first. */
static const char *const names[] = {"mm", "mm+inc", "gen-alg", "mc1x1", "mc", "tbl", "qtree",
	"linear", "scatter", "hilbert-bf", "hilbert-ff", "hilbert-ss", "hilbert-sorted", "snake-bf",
	"snake-ff", "snake-ss", "snake-sorted", "row-bf", "row-ff", "row-ss", "row-sorted", "mbs",
	"gmbs", "ff", "bf", "snug", "snug-box", NULL};

enum { PAPERS = 7 };

const char *strategynames_at(int i)
{
	return names[i];
}

static int row_of(const char *name)
{
	int i = 0;

	while (names[i] && strcasecmp(names[i], name) != 0)
		i++;
	return i;
}

bool strategynames_has(const char *name)
{
	return names[row_of(name)];
}

bool strategynames_of_papers(const char *name)
{
	return row_of(name) < PAPERS;
}

static const char *name_at(const void *list, int i)
{
	(void)list;
	return strategynames_at(i);
}

const char *strategynames_suggest(const char *name, char *text, size_t size)
{
	return suggest(name, name_at, NULL, text, size);
}
