/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 40, ROWS = 3 };

static int least(int a, int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Damerau (1964) and Levenshtein (1966), optimal string alignment; rows i, i - 1, i - 2 in turn. */
static int distance(const char *a, const char *b)
{
	int m = (int)strlen(a), n = (int)strlen(b), d[ROWS][LONGEST + 1];

	if (m > LONGEST || n > LONGEST)
		return INT_MAX;
	for (int j = 0; j <= n; j++)
		d[0][j] = j;
	for (int i = 1; i <= m; i++) {
		int *row = d[i % ROWS], *above = d[(i - 1) % ROWS];

		row[0] = i;
		for (int j = 1; j <= n; j++) {
			row[j] = least(least(row[j - 1], above[j]) + 1,
				above[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], d[(i - 2) % ROWS][j - 2] + 1);
		}
	}
	return d[m % ROWS][n];
}

const char *suggest(const char *word, suggest_name name, const void *list, char *text, size_t size)
{
	int best = strlen(word) > 1 ? 1 + ((int)strlen(word) - 1) / 3 : 0;
	const char *at;

	*text = '\0';
	for (int i = 0; (at = name(list, i)); i++) {
		int far = distance(word, at);

		/* The beginning of a name counts as one slip. */
		if (far > 1 && strlen(word) > 2 && !strncasecmp(word, at, strlen(word)))
			far = 1;
		if (far < best || (far == best && !*text)) {
			best = far;
			snprintf(text, size, ", did you mean '%s'?", at);
		}
	}
	return text;
}
