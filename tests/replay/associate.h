/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Users, groups and queues of a log as Slurm's users, accounts, QOS, partitions and wishes for
 * features of nodes.
 *
 * A map is a file of rules; the first that fits a job counts, and a part that no rule gives is
 * Slurm's default:
 *
 *   # of the log               of Slurm
 *   user=u4 queue=q1       ->  account=physics qos=high
 *   group=g2               ->  account=chemistry partition=long feature=big
 *   *                      ->  account=%group
 *
 * What is known of a job: user=, group= (sacct: Account), queue= (sacct: QOS), in= (partition).
 * Logs in Standard Workload Format have numbers: u4, g2, q1, p1. %user, %group, %queue and %in
 * stand for the log's own name. user= on the right is for replays in real time, where Slurm knows
 * the machine's own users only. Without a map: account=%group, or "log" where there is no group.
 */
#ifndef REPLAY_ASSOCIATE_H
#define REPLAY_ASSOCIATE_H

#include "base/err.h"
#include "sim/trace.h"

struct associate_map; /* rules */

/* Slurm's names for a job; borrowed, NULL: the default. */
struct association {
	const char *user, *account, *qos, *partition, *feature;
};

/* path NULL: the rule above. NULL with `FILE:LINE: what is wrong`. */
struct associate_map *associate_read(const char *path, struct mesh_err *err);
void associate_free(struct associate_map *map);
struct association associate_job(
	const struct associate_map *map, const struct trace *trace, int job);

/*
 * All that the jobs of a log need: names of users, one a line, to `users`; commands for sacctmgr,
 * one a line, to `commands`. 0, or -1 with text.
 */
int associate_write(const struct associate_map *map, const struct trace *trace, const char *users,
	const char *commands, struct mesh_err *err);

#endif
