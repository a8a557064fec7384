/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How commands end: exit codes and messages.
 */
#ifndef SMESH_FAIL_H
#define SMESH_FAIL_H

/* Exit codes: the contract of every subcommand. */
enum {
	SMESH_OK = 0,
	SMESH_USAGE = 1, /* bad usage or bad input; import --check: the map differs */
	SMESH_FAILED = 2, /* smesh itself failed */
	SMESH_NO_FIT = 3,
	SMESH_NEVER = 4,
	SMESH_HOLES = 5, /* check: nodes of a mesh that slurm.conf does not have */
	SMESH_UNUSED = 6, /* check: files have words of ours, but no plugin of ours uses them */
	SMESH_OTHER_MAP = 7, /* check: the slurmctld in control has another map */
	SMESH_NO_START = 8, /* check: slurmctld will not start */
};

/* Print "smesh: ..." on standard error; returns code. */
int smesh_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
