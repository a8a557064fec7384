/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Scripts and styles of our pages, made by embed.awk when smesh is built.
 */
#ifndef SMESH_ASSETS_H
#define SMESH_ASSETS_H

/* Lines; NULL ends them. */
extern const char *const map_css[]; /* colours, and maps: also of an SVG that stands alone */
extern const char *const page_css[];
extern const char *const machine_js[]; /* one script in this order */
extern const char *const charts_js[];
extern const char *const page_js[];

#endif
