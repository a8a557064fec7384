/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lines of plugstack.conf, by which Slurm's commands have options of plugins.
 */
#ifndef SMESH_PLUGSTACK_H
#define SMESH_PLUGSTACK_H

struct plugstack_line {
	const char *path; /* the file that has the line: plugstack.conf, or one that it includes */
	int line;
	const char *kind, *plugin; /* as written; kind: required, optional, or a mistake */
	char *words;		   /* behind the plugin; "" */
};

typedef void plugstack_take(void *data, const struct plugstack_line *line);

/* Call take() for each line, those of included files too. Files that cannot be read have none. */
void plugstack_each(const char *path, plugstack_take *take, void *data);

#endif
