/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes figures as people say them: 4.5 d, 29 s, 85.1%.
 */
#ifndef SMESH_HUMAN_H
#define SMESH_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum human_unit {
	HUMAN_NUMBER,	    /* unchanged */
	HUMAN_COUNT,	    /* 12,345 */
	HUMAN_SECONDS,	    /* 0.3 s, 29 s, 12 min, 3.4 h, 4.5 d */
	HUMAN_MICROSECONDS, /* 0.7 us, 12 us, 1.2 ms */
	HUMAN_SHARE,	    /* a share of 1: 85.1% */
};

/* Write two to three digits and the unit; "-" if value is not a number. */
void human_text(enum human_unit unit, double value, char *text, size_t size);

/*
 * Write the change in percent: -39%, +4%, 0%; x3.2 for HUMAN_TIMES percent more and above; "-" if
 * there is none. exact: always with a decimal, as beside an interval: -39.2%.
 */
enum { HUMAN_TIMES = 200 };
void human_percent(double value, double against, bool exact, char *text, size_t size);

/* The end of a noun of which there are n: "" or "s". */
static inline const char *human_s(int64_t n)
{
	return n == 1 ? "" : "s";
}

/* Append to text, which is cut if it becomes too long. */
void human_add(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Write the sides of a box: 8x8x4. */
void human_sides(int ndims, const int *side, char *text, size_t size);

/*
 * Put ? in place of each control character, of ASCII and of UTF-8, but those to keep: what users
 * wrote is to move no cursor and change no colours. Returns text, which may be NULL.
 */
char *human_clean(char *text, const char *keep);

/* Write the time now, or SOURCE_DATE_EPOCH for reproducible pages: 2026-11-22 05:40 UTC. */
void human_date(char *text, size_t size);

#endif
