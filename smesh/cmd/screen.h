/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A text that is drawn again and again, on the whole terminal (ncurses). Keys scroll it, and choose
 * which rows its tables have and in which order.
 */
#ifndef SMESH_SCREEN_H
#define SMESH_SCREEN_H

#include "view/picture.h"

struct screen {
	/* Write the text, so wide, with these rows. SMESH_OK; another code after a message ends the
	 * screen. */
	int (*draw)(const void *arg, FILE *to, const struct text_style *style);
	const void *arg;
	int delay; /* seconds from one drawing to the next */
};

/* May this process take the terminal: are input and output one, of a kind that is known? */
bool screen_may(void);
/* Until the user ends it. SMESH_OK, or the code of the drawing that failed. */
int screen_run(const struct screen *screen);

#endif
