/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Script and style of our pages, made from machine.js, page.js and page.css when smesh is built.
 */
#ifndef SMESH_SCRIPT_H
#define SMESH_SCRIPT_H

/* Lines; NULL ends them. */
extern const char *const script_machine[];
extern const char *const script_page[];
extern const char *const style_page[];

#endif
