/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hostlist.h"

#include <slurm/slurm.h>
#include <stdlib.h>

/* hostlist_t became a struct in 24.05; before that it was a pointer. This type fits both. */
typedef __typeof__(slurm_hostlist_create((const char *)NULL)) slurm_hosts;

static int expand(const char *text, struct arena *arena, char ***name, struct mesh_err *err)
{
	slurm_hosts hosts = slurm_hostlist_create(text);
	char *host;
	int n = 0, count;

	if (!hosts)
		return err_printf(err,
			"not a host list to Slurm: '%.64s' (it may take nothing behind the last "
			"bracket, and 65536 hosts a range at most: n[0-65535,65536-99999])",
			text);
	count = slurm_hostlist_count(hosts);
	arena_array(arena, *name, count);
	for (; !arena->out && n < count && (host = slurm_hostlist_shift(hosts)); n++) {
		(*name)[n] = arena_text(arena, host);
		free(host);
	}
	slurm_hostlist_destroy(hosts);
	return arena->out || n < count ? err_printf(err, "out of memory") : n;
}

static char *compress(char *const *name, int count)
{
	slurm_hosts hosts = slurm_hostlist_create("");
	char *text = NULL;

	if (!hosts)
		return NULL;
	for (int i = 0; i < count; i++)
		slurm_hostlist_push_host(hosts, name[i]);
	/* slurm_hostlist_ranged_string() returns -1 if the buffer is too small. */
	for (size_t size = 1024; size < (size_t)1 << 31; size *= 4) {
		char *bigger = realloc(text, size);

		if (!bigger)
			break;
		text = bigger;
		if (slurm_hostlist_ranged_string(hosts, size, text) >= 0) {
			slurm_hostlist_destroy(hosts);
			return text;
		}
	}
	free(text);
	slurm_hostlist_destroy(hosts);
	return NULL;
}

const struct mesh_hostlist_ops hostlist_libslurm = {expand, compress};
