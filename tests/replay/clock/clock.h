/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A clock of our own for unmodified daemons: weeks of a job log in minutes.
 *
 * clock.so is preloaded into slurmctld, slurmdbd, standin and the driver (not munged: credentials
 * are made and read within a moment, by munged's own clock). Together they are one machine with
 * one processor:
 *
 *   turn    One thread of all processes runs at a time: it has the turn. It keeps it until it has
 *           to wait: sleep, a condition, a lock that is held, an empty socket, the end of a thread.
 *           Then the thread that has been ready longest gets the turn, so that the order of all
 *           that happens is a function of what happened before, and two runs are the same.
 *   time    stands while any thread is ready or any message unread. When all wait, it jumps to the
 *           earliest deadline among them. Work takes no time. All clocks tell the same (seconds
 *           since 1970, from the moment that the keeper was given), except those of processor time.
 *   network What a thread wrote is in the reader's socket at once: TCP connections become
 *           connections of Unix sockets (net.c), which the kernel passes on within the call.
 *   outside Unix sockets to processes that are not on the clock (munged, a database) are waited for
 *           in real time, with the turn kept: what is outside takes no time either.
 *
 * All of it is a table in a file that every process maps: a slot for each thread with what it
 * waits for. Who gives up the turn picks the next one from the table and wakes it by a futex.
 *
 *   table.c    the table: turn, ready threads, deadlines (in clock.so and in the keeper)
 *   self.c     this process and thread in it; scanning sockets when its turn to scan comes
 *   switch.c   from thread to thread of a process without the kernel
 *   thread.c   pthread_*()                      time.c  what tells time, and sleeps
 *   io.c       poll(), read(), write(), ...     net.c   sockets
 *   process.c  fork(), exec*(), wait*(), exit()
 *   users.c    users of a log whom this machine does not know
 *   keeper.c   the program beside them: makes the table, looks in real time whether all goes well
 *              and ends everything with one line when it does not
 */
#ifndef CLOCK_CLOCK_H
#define CLOCK_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_NEVER INT64_MAX
#define CLOCK_SECOND INT64_C(1000000000)
/* File of the table; in the environment of every process on the clock. */
#define CLOCK_ENV "MESH_CLOCK"
/* Set for the last process that joins: time, which stands until then, may run. */
#define CLOCK_ENV_GO "MESH_CLOCK_GO"

enum {
	CLOCK_MAGIC = 0x4d434b33,
	CLOCK_SLOTS = 4096,    /* threads */
	CLOCK_PROCESSES = 256,
	CLOCK_NOBODY = -1,
	CLOCK_SLOT = 4,
	CLOCK_GONE = 75,       /* exit status of what is on a clock that ends */
};

enum clock_state {
	CLOCK_FREE,
	CLOCK_RUNS,    /* has the turn */
	CLOCK_READY,   /* wants it: in the queue */
	CLOCK_WAITS,
	CLOCK_OUTSIDE, /* for something that is not on the clock: a signal from elsewhere */
};

/* What a thread waits for. */
enum clock_why { CLOCK_SLEEP, CLOCK_CONDITION, CLOCK_LOCK, CLOCK_JOIN, CLOCK_IO };

/* How its wait ended. */
enum clock_end { CLOCK_WOKEN, CLOCK_TIMED_OUT, CLOCK_INTERRUPTED };

/* What a futex tells a thread. */
enum clock_go { CLOCK_STAY, CLOCK_RUN, CLOCK_SCAN };

struct clock_slot {
	_Atomic uint32_t go; /* futex: enum clock_go, where the process does not switch */
	int process;	     /* index; CLOCK_NOBODY: free */
	uint8_t state, why, end;
	bool writes;	  /* it waits for room to write */
	int next;	  /* in the queue of the ready */
	uint64_t order;	  /* when it began to wait: a count */
	uintptr_t object; /* condition, lock or thread that it waits for, in its process */
	uintptr_t thread; /* pthread_t */
};

struct clock_process {
	int pid;	      /* 0: free */
	bool switches;	      /* between its threads by itself (switch.h): */
	_Atomic uint32_t go;  /* futex: 0, or enum clock_go + CLOCK_SLOT times the slot */
	int slots;	      /* threads */
	int reading, writing; /* threads that wait for sockets; those that want to write */
	_Atomic bool dirty;   /* something may have come for it */
	char name[16];
};

struct clock_table {
	uint32_t magic;
	int keeper;	       /* its process id */
	_Atomic uint32_t lock; /* 0 or the process id that has it */
	_Atomic int64_t now;
	int64_t until;	  /* time jumps no further, work goes on; CLOCK_NEVER: time is free */
	_Atomic bool ended;
	int holder;	  /* slot that has the turn, or CLOCK_NOBODY */
	int first, last;  /* queue of the ready */
	int scanning;	  /* process whose turn to scan it is next, or CLOCK_NOBODY */
	int high;	  /* slots in use are below */
	int processes;	  /* likewise */
	_Atomic bool dirty; /* some process is */
	uint64_t order;
	_Atomic uint64_t turns; /* the watchdog looks at it */
	uint64_t jumps, scans;	/* statistics */
	_Atomic uint32_t ports; /* for bind() to port 0 */
	/* Of each slot, nanoseconds of the clock; CLOCK_NEVER unless it waits with one. The
	 * earliest is looked for at every jump, so they stand side by side. */
	int64_t deadline[CLOCK_SLOTS];
	struct clock_slot slot[CLOCK_SLOTS];
	struct clock_process process[CLOCK_PROCESSES];
};

/* What a thread waits for, and until when. */
struct clock_wait {
	enum clock_why why;
	int64_t deadline; /* or CLOCK_NEVER */
	uintptr_t object; /* for CLOCK_CONDITION, _LOCK and _JOIN */
	bool writes;	  /* CLOCK_IO: for room to write */
};

/* ---- table.c ---- */

long clock_futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *timeout);

/* Map the file; NULL (errno) when it is not a table, or is there already. */
struct clock_table *table_open(const char *path);
struct clock_table *table_create(const char *path, int64_t now);
void table_lock(struct clock_table *t);
/* For one that must not wait for what was killed; false after a second. */
bool table_try_lock(struct clock_table *t);
void table_unlock(struct clock_table *t);

/* Something may have come for this process (CLOCK_NOBODY: for all). No lock needed. */
void table_touch(struct clock_table *t, int process);

/* All others with the table locked; table_pass() and table_kick() unlock it. */

/* A process, or CLOCK_NOBODY when there is no room (or, to find, no such process). */
int table_add_process(struct clock_table *t, int pid);
int table_find_process(const struct clock_table *t, int pid);
void table_drop_process(struct clock_table *t, int process);
/* A slot in the state CLOCK_OUTSIDE; CLOCK_NOBODY when there is no room. */
int table_add_slot(struct clock_table *t, int process);
void table_drop_slot(struct clock_table *t, int slot);

/* To the end of the queue. */
void table_ready(struct clock_table *t, int slot, enum clock_end end);
void table_wait(struct clock_table *t, int slot, const struct clock_wait *wait);
/* Wake at most max of those of a process that wait for this object, in the order they came. */
void table_wake(struct clock_table *t, int process, uintptr_t object, int max);

/*
 * Whose turn is it, when nobody has it? A slot that is to run (*go = CLOCK_RUN), or that is to
 * scan the sockets of its process and to pick again (CLOCK_SCAN), or CLOCK_NOBODY: all wait for
 * something outside, or for times beyond the table's `until`. Time jumps here.
 */
int table_pick(struct clock_table *t, enum clock_go *go);
/*
 * Hand the turn to whom table_pick() names, and unlock the table. If that is `self`, or, in a
 * process that switches, any thread of it: what it is to do, and *slot; else CLOCK_STAY.
 */
enum clock_go table_pass(struct clock_table *t, int self, int *slot);
/* The same where somebody comes from outside: only if nobody has the turn. */
void table_kick(struct clock_table *t);

#endif
