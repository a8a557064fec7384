/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What our pages and pictures share: escaping, colours for light and dark, and the head and end of
 * a page that needs no network.
 */
#ifndef SMESH_HTML_H
#define SMESH_HTML_H

#include <jansson.h>
#include <stdio.h>

/* Write text with &, <, > and quotes escaped, and without control characters. */
void html_text(FILE *file, const char *text);
/* The same between two pieces of HTML. */
void html_put(FILE *file, const char *before, const char *text, const char *after);
void html_begin(FILE *file, const char *title);
/*
 * End the page, with the data of machine.h, which is taken over, and the script that draws it;
 * NULL: neither.
 */
void html_end(FILE *file, json_t *data);
/* Write the style rules of maps, for pages and for an SVG that stands alone. */
void html_map_style(FILE *file);

/* Scripts and styles, which embed.awk makes when smesh is built: lines, and NULL behind them. */
extern const char *const map_css[]; /* colours, and maps: also of an SVG that stands alone */
extern const char *const page_css[];
extern const char *const machine_js[]; /* one script in this order */
extern const char *const charts_js[];
extern const char *const page_js[];

#endif
