/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/human.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct scale {
	double one;  /* of the unit, in the base unit */
	double from; /* used from this value on */
	const char *name;
};

static const struct scale seconds[] = {{86400, 2 * 86400, "d"}, {3600, 2 * 3600, "h"},
	{60, 120, "min"}, {1, 0, "s"}};
static const struct scale microseconds[] = {{1e6, 1e6, "s"}, {1e3, 1e3, "ms"}, {1, 0, "us"}};

static void scaled(const struct scale *scale, double value, char *text, size_t size)
{
	while (fabs(value) < scale->from)
		scale++;
	value /= scale->one;
	/* A figure below 10 has a decimal, unless it rounds to 10.0. */
	snprintf(text, size, "%.*f %s", value < 9.95 && value > 0, value, scale->name);
}

static void count(double value, char *text, size_t size)
{
	char plain[64];
	int length = snprintf(plain, sizeof(plain), "%.0f", value);
	size_t used = 0;

	for (int i = 0; i < length && used + 2 < size; i++) {
		if (i && plain[i - 1] != '-' && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = plain[i];
	}
	text[used] = '\0';
}

void human_text(enum human_unit unit, double value, char *text, size_t size)
{
	if (isnan(value)) {
		snprintf(text, size, "-");
		return;
	}
	switch (unit) {
	case HUMAN_COUNT: count(value, text, size); break;
	case HUMAN_SECONDS: scaled(seconds, value, text, size); break;
	case HUMAN_MICROSECONDS: scaled(microseconds, value, text, size); break;
	case HUMAN_SHARE: snprintf(text, size, "%.1f%%", 100 * value); break;
	default: snprintf(text, size, "%.4g", value);
	}
}

void human_percent(double value, double against, bool exact, char *text, size_t size)
{
	double ratio = value / against, percent = 100 * (ratio - 1);

	if (isnan(value) || isnan(against) || (!(fabs(against) > 0) && fabs(value) > 0))
		snprintf(text, size, "-");
	else if (!(fabs(against) > 0) || fabs(percent) < 0.05)
		snprintf(text, size, "0%%");
	else if (percent >= HUMAN_TIMES)
		snprintf(text, size, "x%.1f", ratio);
	else
		snprintf(text, size, exact || fabs(percent) < 9.95 ? "%+.1f%%" : "%+.0f%%",
			percent);
}

void human_add(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

void human_sides(int ndims, const int *side, char *text, size_t size)
{
	*text = '\0';
	for (int d = 0; d < ndims; d++)
		human_add(text, size, "%s%d", d ? "x" : "", side[d]);
}

char *human_clean(char *text, const char *keep)
{
	for (unsigned char *c = (unsigned char *)text; c && *c; c++) {
		bool wide = *c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		if ((*c < ' ' && !strchr(keep, *c)) || *c == 0x7f || wide)
			*c = '?';
		if (wide)
			*++c = '?';
	}
	return text;
}

void human_date(char *text, size_t size)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");
	time_t now = fixed && *fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(text, size, "%Y-%m-%d %H:%M UTC", &tm))
		snprintf(text, size, "-");
}
