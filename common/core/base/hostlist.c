/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hostlist.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What Slurm takes between two names. */
static const char separators[] = "\t, \n";

/* libslurm makes a 64-bit number of the digits at the end of a name, and of more another one. */
enum { MAX_BRACKETS = 6, MAX_NAME = 255, MAX_DIGITS = 18 };

/* Parse a decimal number of at most MAX_DIGITS digits; -1: there is none. */
static int64_t number(const char **at)
{
	const char *start = *at;
	int64_t value = 0;

	for (; isdigit((unsigned char)**at) && *at - start < MAX_DIGITS; ++*at)
		value = 10 * value + (**at - '0');
	return *at == start || isdigit((unsigned char)**at) ? -1 : value;
}

/* Parse `[1-4,7]`, with *at on the bracket. Returns how many numbers it means; -1: malformed. */
static int64_t ranges(const char **at)
{
	int64_t count = 0;

	do {
		(*at)++;
		int64_t low = number(at), high = low;

		if (**at == '-') {
			(*at)++;
			high = number(at);
		}
		if (low < 0 || high < low)
			return -1;
		count += high - low < MESH_MAX_HOSTS ? high - low + 1 : MESH_MAX_HOSTS + 1;
	} while (**at == ',' && count <= MESH_MAX_HOSTS);
	return count > MESH_MAX_HOSTS || *(*at)++ == ']' ? count : -1;
}

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || strchr("._-", c);
}

static bool is_any(char c)
{
	return c != '[' && c != ']' && (unsigned char)c > ' ';
}

/* Has the name text[0 .. n) more digits at its end than libslurm reads? */
static bool is_large(const char *text, ptrdiff_t n)
{
	ptrdiff_t before = n;

	while (before > 0 && isdigit((unsigned char)text[before - 1]))
		before--;
	return n - before > MAX_DIGITS;
}

/* Parse one name with up to MAX_BRACKETS ranges. Returns how many names it means. */
static int64_t one_name(const char **at, bool (*is_good)(char))
{
	int64_t count = 1, in_range;
	const char *start = *at;
	int brackets = 0;

	while (**at && !strchr(separators, **at)) {
		if (is_good(**at)) {
			(*at)++;
			if (!brackets && *at - start > MAX_NAME)
				return -1;
			continue;
		}
		if (**at != '[' || ++brackets > MAX_BRACKETS || (in_range = ranges(at)) < 0)
			return -1;
		count *= in_range;
		if (count > MESH_MAX_HOSTS)
			return count;
	}
	return is_large(start, *at - start) ? -1 : count;
}

static int check(const char *text, bool (*is_good)(char), struct mesh_err *err)
{
	int64_t total = 0;

	for (const char *at = text + strspn(text, separators); *at; at += strspn(at, separators)) {
		const char *start = at;
		int64_t count = one_name(&at, is_good);

		if (count < 0)
			return err_printf(err, "not a host list at '%.32s'%s", start,
				strchr(start, '[') && !strchr(start, ']') ? ": ] is missing" : "");
		total += count;
		if (total > MESH_MAX_HOSTS)
			return err_printf(err, "more than %d hosts", MESH_MAX_HOSTS);
	}
	return (int)total;
}

bool hostlist_is_name(const char *text)
{
	size_t n = 0;

	while (text[n] && is_plain(text[n]))
		n++;
	return n && n <= MAX_NAME && !text[n] && !is_large(text, (ptrdiff_t)n);
}

int hostlist_check(const char *text, struct mesh_err *err)
{
	int n = check(text, is_plain, err);

	return n ? n : err_printf(err, "not a host list: '%.32s'", text);
}

int hostlist_check_any(const char *text, struct mesh_err *err)
{
	return check(text, is_any, err);
}

static int by_number(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

void hostlist_by_number(char **name, int n)
{
	qsort(name, (size_t)n, sizeof(*name), by_number);
}
