/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Figures as people say them: 4.5 d, 29 s, 85.1%.
 */
#ifndef SIM_HUMAN_H
#define SIM_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum human_unit {
	HUMAN_NUMBER,	    /* as it is */
	HUMAN_COUNT,	    /* 12,345 */
	HUMAN_SECONDS,	    /* 0.3 s, 29 s, 12 min, 3.4 h, 4.5 d */
	HUMAN_MICROSECONDS, /* 0.7 us, 12 us, 1.2 ms */
	HUMAN_SHARE,	    /* of 1: 85.1% */
};

/* Two to three digits and the unit; "-" for what is not a number. */
void human_text(enum human_unit unit, double value, char *text, size_t size);

/* -39%, +4%, 0%; x3.2 from HUMAN_TIMES percent more on; "-" where there is no such share. With
 * `exact`, as where an interval is told, always a decimal: -39.2%. */
enum { HUMAN_TIMES = 200 };
void human_percent(double value, double against, bool exact, char *text, size_t size);

/* Add to what is in text, which is cut if it gets too long. */
void human_add(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sides of a box: 8x8x4. */
void human_sides(int ndims, const int *side, char *text, size_t size);

/* The last part of a path. */
const char *human_file(const char *path);

/* Now, or SOURCE_DATE_EPOCH for pages that must be the same again: 2026-11-22 05:40 UTC. */
void human_date(char *text, size_t size);

#endif
