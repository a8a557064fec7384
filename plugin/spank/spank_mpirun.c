/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spank/spank_mpirun.h"

#include <fcntl.h>
#include <slurm/spank.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf/places.h"
#include "spank/spank_implied.h"
#include "spank/spank_opt.h"
#include "spank/spank_place.h"

/* In slurmstepd of a script: its host file for mpirun, which the script's process fills. */
static struct spank_user_hostfile hosts = {.file = -1};
static struct stat hosts_made; /* as the file was made */

/* What Open MPI 4 and 5 read, behind the variable that names the host file. NULL: that name. */
static const struct {
	const char *name, *value;
} mpirun_variables[] = {{"SLURM_MESH_HOSTFILE", NULL}, {"OMPI_MCA_orte_default_hostfile", NULL},
	{"OMPI_MCA_rmaps_base_mapping_policy", "seq"}, {"PRTE_MCA_prte_default_hostfile", NULL},
	{"PRTE_MCA_rmaps_default_mapping_policy", "seq"}};

enum { MPIRUN_VARIABLES = sizeof(mpirun_variables) / sizeof(*mpirun_variables) };

void spank_mpirun_take(void)
{
	const char *path = getenv(mpirun_variables[0].name);
	struct spank_opt said;
	int file;
	char c;

	if (!path || (spank_opt_read(&said) && said.daemons))
		return;
	file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (file >= 0 && read(file, &c, 1) < 0)
		slurm_verbose("spank_mesh: %s: %m", path);
	if (file >= 0)
		close(file);
}

void spank_mpirun_number(spank_t spank)
{
	uint32_t task;
	char number[16], **program;
	int n;

	if (spank_get_item(spank, S_JOB_ARGV, &n, &program) != ESPANK_SUCCESS || n < 1 ||
		!spank_opt_is_proxy(program[0]) ||
		spank_get_item(spank, S_TASK_GLOBAL_ID, &task) != ESPANK_SUCCESS)
		return;
	snprintf(number, sizeof(number), "%u", task);
	spank_setenv(spank, "SLURM_NODEID", number, 1);
}

/* The file is on the script's node, and lives as long as the script. */
static void forget_hostfile(spank_t spank)
{
	const char *ours = spank_place_variable(spank, mpirun_variables[0].name);

	for (int i = 0; ours && i < MPIRUN_VARIABLES; i++) {
		const char *value = mpirun_variables[i].value;

		if (spank_place_has(spank, mpirun_variables[i].name, value ? value : ours))
			spank_unsetenv(spank, mpirun_variables[i].name);
	}
}

/*
 * Open MPI's mpirun takes the nodes of ranks from a host file. So its ranks have the order that
 * srun's tasks would have, in blocks, one on each node. order=auto alone does not reach mpirun:
 * with a host file mpirun refuses some options (-H, --oversubscribe), so somebody has to ask.
 */
static int write_hostfile(
	spank_t spank, const char *ranks, const char *topology, struct mesh_err *err)
{
	const struct spank_user *user = spank_user_load(err);
	const char *count = spank_place_variable(spank, "SLURM_JOB_NUM_NODES");
	struct spank_map map = {.topology = topology, .read = spank_map_read,
		.list = spank_place_variable(spank, "SLURM_JOB_NODELIST"),
		.told = spank_place_variable(spank, PLACES_VARIABLE)};
	struct spank_user_step step = {
		.map = &map, .per_node = spank_place_variable(spank, "SLURM_TASKS_PER_NODE")};
	char *implied = NULL;
	int rc = 0;

	if (!user || !map.list || !count || !step.per_node)
		return -!user;
	if (!ranks)
		ranks = implied = spank_implied_order(atoi(count) * atoi(step.per_node));
	if (ranks && (!implied || strcmp(implied, "auto") != 0))
		rc = spank_map_hosts(&map, err) ||
			user->ranks_hostfile(ranks, &step, &hosts, err);
	spank_map_release(&map);
	free(implied);
	return rc;
}

/*
 * The state of the host file. False: there is none, or the descriptor is none of it. With Slurm's
 * ContainSPANK each hook has a table of descriptors of its own.
 */
static bool find_hostfile(struct stat *now)
{
	return hosts.file >= 0 && !fstat(hosts.file, now) && now->st_dev == hosts_made.st_dev &&
	       now->st_ino == hosts_made.st_ino;
}

void spank_mpirun_make(void)
{
	hosts.file = memfd_create("hosts", MFD_CLOEXEC);
	if (hosts.file >= 0 && fstat(hosts.file, &hosts_made))
		hosts.file = -1;
}

void spank_mpirun_order(spank_t spank, const char *ranks, const char *topology)
{
	struct mesh_err err = {{0}};
	struct stat now;
	int rc;

	forget_hostfile(spank);
	if (!topology || spank_place_has(spank, "SLURM_HET_SIZE", NULL) ||
		spank_place_has(spank, "SLURM_CONTAINER", NULL))
		return;
	if (!find_hostfile(&now))
		hosts.file = -1;
	rc = write_hostfile(spank, ranks, topology, &err);
	for (int i = 0; !rc && *hosts.path && i < MPIRUN_VARIABLES; i++)
		spank_setenv(spank, mpirun_variables[i].name,
			mpirun_variables[i].value ? mpirun_variables[i].value : hosts.path, !i);
	if (rc && ranks && spank_place_has(spank, "SLURM_NTASKS", NULL))
		dprintf(STDERR_FILENO, "slurm-mesh: --" SPANK_RANKS_OPTION "=%s: %s; mpirun's "
			"ranks are in node order\n", ranks, err.text);
	else if (rc)
		slurm_verbose("spank_mesh: %s; mpirun's ranks are in node order", err.text);
}

bool spank_mpirun_unread(spank_t spank)
{
	struct stat file;
	int status;

	return find_hostfile(&file) && file.st_size && !file.st_atime &&
	       spank_get_item(spank, S_TASK_EXIT_STATUS, &status) == ESPANK_SUCCESS && !status;
}
