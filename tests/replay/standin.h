// SPDX-License-Identifier: GPL-2.0-or-later
// One process in the place of thousands of slurmd: what its three files share.
//
// standin.c     configuration, options, the epoll loop, timers
// standin_net.c connections in both directions: bytes to Slurm messages and back
// standin_job.c what a node answers, and the jobs that "run" on the nodes
// standin_ctl.c the way in for a replay: what happens is told, jobs end on command
//
// Nothing is executed: a job is a timer. Messages, credentials and configuration are Slurm's own
// code (libslurmfull with the headers of the matching source tree), so slurmctld cannot tell.
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/common/read_config.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"

struct standin_node {
	char *name;
	char *hostname;
	const slurm_conf_node_t *conf; // the line of slurm.conf it came from; borrowed
	uint32_t address;	       // IPv4, in the machine's order of bytes
	uint16_t port;
	bool registering; // a registration is queued or on its way
};

// All there is, in one place: the process is the machine.
struct standin {
	struct standin_node *nodes;
	size_t node_count;
	int epoll_fd;
	time_t started;
	int64_t epilog_ms;   // what an epilog takes on each node; < 0 without one
	double default_time; // seconds, for jobs that do not say how long they run
	int max_calls;       // connections to slurmctld at a time
	bool stop;
	uint64_t messages, launches, completions; // since the start
};
extern struct standin standin;

// ---- standin.c ----

int64_t now_ms(void); // monotonic
struct standin_node *node_find(const char *name);

// Call fn(id, arg) at that time. Timers are never cancelled: the function looks whether it still
// applies (id is a job's, arg tells its launches apart).
void timer_add(int64_t when_ms, void (*fn)(uint32_t id, uint64_t arg), uint32_t id, uint64_t arg);

// Wait for events of fd on the loop; data is handed to fn. Returns false when it cannot.
struct watch {
	void (*fn)(struct watch *self, uint32_t events);
	int fd;
};
bool watch_add(struct watch *watch, uint32_t events);
bool watch_change(struct watch *watch, uint32_t events);

// ---- standin_net.c ----

// Sort the nodes by port, once. Returns how many ports there are: nodes may share one, each with an
// address of its own in 127.0.0.0/8, as ports are too few for a hundred thousand.
size_t nodes_by_port(void);

// Accept connections to every node: the ports are opened. False (and a message) when one is taken.
bool nodes_listen(void);

// Send a message to slurmctld on behalf of a node, when its turn comes; again until it is taken.
// make() packs the data when it is sent, so that a retry tells what is true then; done() hears the
// answer's return code. Both get (node, id, arg).
struct call {
	uint16_t type;
	void *(*make)(const struct call *call);
	void (*done)(const struct call *call, int rc);
	bool one_way; // slurmctld closes the connection without an answer; done() hears 0
	struct standin_node *node;
	uint32_t id;
	uint64_t arg;
};
void call_queue(const struct call *call);

// ---- standin_job.c ----

// What the node says to a message: a new message's type and data (xmalloc'd, as Slurm frees it).
struct answer {
	uint16_t type;
	void *data;
};
struct answer node_answer(struct standin_node *node, slurm_msg_t *msg);

void node_register(struct standin_node *node);

// Make slurmctld look at its queue now. It starts batch jobs only when its scheduler runs: once a
// second, or when an epilog is over, which is what it is told here of a job that it does not know,
// or (25.11) that it knows to be over.
void nudge(void);

// End a running job as if its run time were over. False when there is none.
bool job_end(uint32_t id);

// ---- standin_ctl.c ----

// Open a Unix socket for one client at a time, which reads lines
//
//   start ID NODES    the batch script of job ID was launched on NODES (a host list)
//   over ID           it has ended, and slurmctld knows
//   free ID           every node of it has told slurmctld that it is done with the job
//
// and writes lines `end ID` and `nudge`. With epilogs (-e), which are one message a node, slurmctld
// has the nodes free when we say so. Without, which is many times faster, `free` says that the
// nodes have answered, and slurmctld may not have read the last answer yet: ask it.
bool control_open(const char *path);
void control_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
