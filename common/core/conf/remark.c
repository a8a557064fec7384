/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/remark.h"

#include <string.h>

#include "conf/strategies.h"
#include "conf/strategynames.h"

static const char *skip(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncmp(text, word, n) ? NULL : text + n;
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* Skip the strategy's name. The plugin writes stock where no strategy chose. */
static const char *skip_name(const char *text)
{
	char name[STRATEGYNAMES_LENGTH] = "";
	size_t n = strcspn(text, " ;");

	if (n == strlen("stock") && !strncmp(text, "stock", n))
		return text + n;
	if (n >= sizeof(name))
		return NULL;
	memcpy(name, text, n);
	return strategynames_has(name) || strategy_find(name) ? text + n : NULL;
}

/* Skip " mean_hops=1.234" or the like, if it is there. */
static const char *skip_hops(const char *text, const char *word)
{
	const char *number = skip(text, word), *point;

	if (!number || !digits(number))
		return text;
	point = number + digits(number);
	return *point == '.' && digits(point + 1) == 3 ? point + 4 : text;
}

/* The length of the remark at text; 0: there is none. */
static size_t remark_at(const char *text)
{
	const char *end = skip(text, "mesh: strategy=");

	if (end)
		end = skip_name(end);
	if (!end)
		return 0;
	end = skip_hops(skip_hops(end, " mean_hops="), " best=");
	return !*end || skip(end, "; ") ? (size_t)(end - text) : 0;
}

bool mesh_remark_find(const char *text, size_t *at, size_t *length)
{
	const char *part = text, *next;

	*length = 0;
	for (;;) {
		size_t n = remark_at(part);

		if (n) {
			*at = (size_t)(part - text);
			*length = n;
		}
		next = strstr(part, "; ");
		if (!next)
			return *length;
		part = next + strlen("; ");
	}
}

static bool is_word(char c)
{
	return c && !strchr(" ;,.", c);
}

bool mesh_remark_none(const char *text)
{
	static const char none[] = "mesh: none";
	const char *at = text;

	while (at && (at = strstr(at, none))) {
		if ((at == text || !is_word(at[-1])) && !is_word(at[sizeof(none) - 1]))
			return true;
		at++;
	}
	return false;
}
