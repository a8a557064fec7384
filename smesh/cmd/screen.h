/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Draws a text again and again on the whole terminal (ncurses). Keys scroll the text, and choose
 * rows of its tables and their order.
 */
#ifndef SMESH_SCREEN_H
#define SMESH_SCREEN_H

#include "view/picture.h"

struct screen {
	/* Write the text in this width, with these rows. SMESH_OK; another code after a message
	 * ends the screen. */
	int (*draw)(const void *arg, FILE *to, const struct text_style *style);
	const void *arg;
	int delay; /* seconds between two drawings */
};

/* May this process use the terminal: are input and output a terminal of a known kind? */
bool screen_may(void);
/* Draw until the user ends it. SMESH_OK, or the code of a drawing that failed. */
int screen_run(const struct screen *screen);

#endif
