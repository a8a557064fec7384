/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh sim: a result that can be had again. --save writes the command, the version, the hashes of
 * the files that it read, and every figure; --again reads that, runs the command and compares.
 */
#ifndef SMESH_SIM_SAVE_H
#define SMESH_SIM_SAVE_H

#include <jansson.h>

struct sim_session;

/* What tells a run from another: {"arguments": [...], "files": {OPTION: {path, sha256}},
 * "version"}. A new object; NULL after a message: a file cannot be read a second time. */
json_t *sim_identity(const struct sim_session *session);

/* Write --save's file: the identity and the result, which is borrowed. An exit code. */
int sim_save(struct sim_session *session, json_t *result);

/*
 * Of a saved file: the arguments, malloc()ed like each of them (argv[argc] is NULL), and the
 * result, new. An exit code after a message: not such a file, or the files it names have changed.
 */
int sim_saved(const char *path, char ***argv, int *argc, json_t **result);

/* Figure by figure, on standard output. SMESH_OK, or SMESH_FAILED: some differ. */
int sim_compare(const json_t *then, const json_t *now);

#endif
