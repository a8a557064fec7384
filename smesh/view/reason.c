/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/reason.h"

#include <slurm/slurm.h>
#include <stdio.h>
#include <string.h>

/*
 * libslurm has it in all versions, without a declaration; Slurm's Perl binding declares it so too.
 */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
extern const char *slurm_job_state_reason_string(enum job_state_reason number);
#define REASON_STRING slurm_job_state_reason_string
#else
extern char *slurm_job_reason_string(enum job_state_reason number);
#define REASON_STRING slurm_job_reason_string
#endif

const char *reason_word(unsigned number)
{
	return REASON_STRING(number);
}

#define UPDATE "scontrol update JobId=ID "
#define RELEASE "mend that, then scontrol release ID"
#define BY_ADMINISTRATOR "an administrator can tell, and mend it"
#define BY_ITSELF "nothing need be done"

/* All reasons but limits of resources. */
static const struct row {
	const char *word;
	const char *means, *helps;
	enum { OTHER, PLACE, TIMED } kind;
} rows[] = {
	{"None", "slurmctld has not looked at it yet", BY_ITSELF, PLACE},
	{"Priority", "jobs of higher priority come first", BY_ITSELF, PLACE},
	{"Resources", "nodes that it could have are busy", BY_ITSELF, PLACE},
	{"Waits for ", "no such place is free", BY_ITSELF, PLACE},
	{"No suitable topology unit", "no such place is free", BY_ITSELF, PLACE},
	/* the job itself */
	{"JobHeldUser", "its user has held it", "scontrol release ID"},
	{"JobHeldAdmin", "an administrator has held it",
		"only an administrator can release it: scontrol release ID"},
	{"BeginTime", "it may not begin yet: --begin, or it has been requeued just now",
		BY_ITSELF "; or " UPDATE "StartTime=now", TIMED},
	{"Dependency", "jobs that it depends on have not ended",
		"scontrol show job ID names them: Dependency="},
	{"DependencyNeverSatisfied", "a job that it depends on did not end as it wants it to",
		"scancel ID, or " UPDATE "Dependency="},
	{"JobArrayTaskLimit", "as many tasks of its array run as it allows at once",
		UPDATE "ArrayTaskThrottle=N"},
	{"DeadLine", "it could not end before its --deadline", UPDATE "Deadline=TIME, or a shorter "
		"TimeLimit="},
	{"BadConstraints", "no nodes can ever be what it asks for; it is held",
		"ask for what there is (" UPDATE "...), then scontrol release ID"},
	{"Constraints", "no nodes are what it asks for now",
		"ask for what there is: " UPDATE "Features=, or wait for such nodes"},
	{"MaxMemPerLimit", "it asks for more memory a CPU or node than MaxMemPerCPU or "
		"MaxMemPerNode", UPDATE "MinMemoryNode= or MinMemoryCPU="},
	{"Licenses", "licences that it asks for are in use",
		"scontrol show licenses; it starts when jobs give them back"},
	{"BurstBufferResources", "the burst buffer has no room", "scontrol show burstbuffer"},
	{"BurstBufferStageIn", "its files are being copied into the burst buffer", BY_ITSELF},
	{"BurstBufferOperation", "the burst buffer failed", BY_ADMINISTRATOR ", then scontrol "
		"release ID"},
	{"NvidiaImexChannels", "other jobs have all IMEX channels", BY_ITSELF},
	{"MpiPortsBusy", "other jobs have the ports reserved for MPI", BY_ITSELF},
	/* nodes */
	{"ReqNodeNotAvail", "nodes that it needs are down, drained or kept for others",
		"sinfo -R and scontrol show reservation say why; or other nodes: " UPDATE
		"ReqNodeList= or NumNodes="},
	{"NodeDown", "a node that it ran on failed", BY_ITSELF},
	{"FrontEndDown", "no front end node is up", BY_ADMINISTRATOR},
	{"BlockMaxError", "too much of its block has failed", BY_ADMINISTRATOR},
	{"BlockFreeAction", "its block is being freed", BY_ITSELF},
	{"PowerNotAvail", "the machine has no more power for it", BY_ITSELF},
	{"PowerReserved", "power is kept for a reservation", BY_ITSELF},
	{"MaxPoweredUpNodes", "as many nodes are switched on as the site allows", BY_ITSELF},
	/* its partition and reservation */
	{"PartitionNodeLimit", "it asks for more or fewer nodes than its partition allows a job",
		UPDATE "NumNodes= or Partition="},
	{"PartitionTimeLimit", "it asks for more time than its partition allows a job",
		UPDATE "TimeLimit= or Partition="},
	{"PartitionDown", "its partition is closed: no job starts there",
		"another one (" UPDATE "Partition=), or an administrator opens it"},
	{"PartitionInactive", "its partition is closed: it takes no jobs, and starts none",
		"another one (" UPDATE "Partition=), or an administrator opens it"},
	{"PartitionConfig", "its partition does not let such a job in",
		"scontrol show partition says what it takes; " UPDATE "Partition="},
	{"Reservation", "its reservation has not begun, or has no room for it",
		"scontrol show reservation; or without: " UPDATE "Reservation=", TIMED},
	{"ReservationDeleted", "its reservation has been deleted; it is held",
		UPDATE "Reservation=, then scontrol release ID"},
	{"ReservationInvalid", "it may not use its reservation",
		UPDATE "Reservation= with another or none"},
	/* its account and QOS as such */
	{"InvalidAccount", "its account is not known", UPDATE "Account="},
	{"InvalidQOS", "its QOS is not known", UPDATE "QOS="},
	{"AccountNotAllowed", "its partition does not take its account",
		UPDATE "Account= or Partition="},
	{"QOSNotAllowed", "its partition or account does not take its QOS",
		UPDATE "QOS= or Partition="},
	{"QOSUsageThreshold", "its account has too low a fair share for its QOS",
		"another one: " UPDATE "QOS="},
	{"AccountingPolicy", "a limit of its account or QOS is reached",
		"sacctmgr show assoc, sacctmgr show qos"},
	{"AssociationJobLimit", "its account or user has as many jobs running as allowed",
		"it starts when one of them ends"},
	{"AssociationResourceLimit", "its account or user has all resources that are allowed",
		"it starts when jobs of theirs end"},
	{"AssociationTimeLimit", "its account or user has used all time that is allowed",
		BY_ADMINISTRATOR},
	{"QOSJobLimit", "its QOS has as many jobs running as allowed",
		"it starts when one of them ends; or another one: " UPDATE "QOS="},
	{"QOSResourceLimit", "its QOS has all resources that are allowed",
		"it starts when jobs of it end; or another one: " UPDATE "QOS="},
	{"QOSTimeLimit", "its QOS has used all time that is allowed",
		"another one: " UPDATE "QOS="},
	/* slurmctld at work, and jobs that ran before */
	{"Prolog", "its prolog runs", BY_ITSELF},
	{"Cleaning", "it was requeued, and its last run is not cleaned up yet", BY_ITSELF},
	{"SchedDefer", "slurmctld looks at new jobs only in its cycles (defer)", BY_ITSELF},
	{"FedJobLock", "another cluster of the federation looks at it", BY_ITSELF},
	{"JobHoldMaxRequeue", "it was requeued too often (max_batch_requeue); it is held", RELEASE},
	{"JobLaunchFailure", "it could not be launched; it is held",
		"slurmd's log on its node says why; " RELEASE},
	{"SystemFailure", "Slurm or a node failed it",
		BY_ADMINISTRATOR ", then scontrol release ID"},
	{"NonZeroExitCode", "it ended with an error and was requeued", RELEASE},
	{"RaisedSignal", "a signal ended it, and it was requeued", RELEASE},
	{"TimeLimit", "it ran to its time limit and was requeued", UPDATE "TimeLimit="},
	{"InactiveLimit", "its command was silent for too long (InactiveLimit)", RELEASE},
	{"OutOfMemory", "it took more memory than it had asked for, and was requeued",
		UPDATE "MinMemoryNode=, then scontrol release ID"},
};

/* --- limits: QOSGrpCpuLimit, AssocMaxNodeMinutesPerJob, MaxMemoryRunMinsPerUser ------------ */

enum limit_kind { GROUP, MOST, LEAST };

struct limit {
	const char *whose, *of, *what;
	enum limit_kind kind;
	enum { COUNT, MINUTES, RUN_MINUTES } measure;
	bool per_job;
};

/* Skip the first of some words that text begins with. Returns its index; -1: none. */
static int skip_one(const char **text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strncmp(*text, words[i], strlen(words[i]))) {
			*text += strlen(words[i]);
			return i;
		}
	return -1;
}

/* Parse a limit. False: it is none. */
static bool read_limit(const char *text, struct limit *limit)
{
	static const char *const owners[] = {"QOS", "Assoc", NULL};
	static const char *const kinds[] = {"Grp", "Max", "Min", NULL}; /* as limit->kind */
	static const char *const whats[] = {"SubmitJobs", "SubmitJob", "Jobs", "WallDuration",
		"Wall", "CPU", "Cpu", "Memory", "Mem", "Node", "Energy", "GRES", "License", "BB",
		"Billing", "Unknown", NULL};
	static const char *const names[] = {"jobs in the queue", "jobs in the queue",
		"running jobs", "time", "time", "CPUs", "CPUs", "memory", "memory", "nodes",
		"energy", "GRES", "licences", "burst buffer", "billing units",
		"units of a resource"};
	static const char *const measures[] = {"RunMinutes", "RunMins", "Minutes", NULL};
	static const char *const pers[] = {"PerJob", "PerNode", "PerUser", "PerAccount", NULL};
	static const char *const ends[] = {"Limit", "NotSatisfied", NULL};
	int owner = skip_one(&text, owners), kind = skip_one(&text, kinds);
	int what = kind < 0 ? -1 : skip_one(&text, whats);
	int measure = skip_one(&text, measures), per = skip_one(&text, pers);

	if (what < 0)
		return false;
	skip_one(&text, ends);
	*limit = (struct limit){.whose = owner == 1 ? "its account or user" : "its QOS",
		.of = per == 2 ? " for a user" : per == 3 ? " for an account" : "",
		.what = names[what], .kind = (enum limit_kind)kind,
		.measure = measure < 0 ? COUNT : measure == 2 ? MINUTES : RUN_MINUTES,
		.per_job = per == 0 || per == 1};
	return *text == '\0' && (owner >= 0 || per >= 2);
}

static void explain_limit(const struct limit *l, struct reason *reason)
{
	const char *times = l->measure == COUNT ? "" : " times minutes", *helps;
	size_t size = sizeof(reason->means);
	char *means = reason->means;

	if (l->kind == LEAST) {
		snprintf(means, size, "it asks for less %s than %s wants of a job", l->what,
			l->whose);
		helps = "ask for more, or another QOS: " UPDATE "...";
	} else if (l->per_job) {
		snprintf(means, size, "it asks for more %s%s than %s allows a job", l->what, times,
			l->whose);
		helps = "ask for less, or another QOS or account: " UPDATE "...";
	} else if (l->measure == MINUTES || !strcmp(l->what, "time")) {
		snprintf(means, size, "%s has used up its %s%s", l->whose, l->what, times);
		helps = "another QOS or account: " UPDATE "...; or an administrator raises it";
	} else {
		snprintf(means, size, "%s allows no more %s%s at once%s", l->whose, l->what, times,
			l->of);
		helps = l->measure == RUN_MINUTES
			? "it starts as the time left of running jobs grows less"
			: "it starts when some of their jobs end";
	}
	snprintf(reason->helps, sizeof(reason->helps), "%s", helps);
}

/* ------------------------------------------------------------------------------------------ */

/*
 * Does slurmctld's text begin with a word? More may follow: `ReqNodeNotAvail,
 * UnavailableNodes:n3`.
 */
static bool begins_with(const char *why, const char *word)
{
	size_t length = strlen(word);
	bool open = strchr(word, ' ') != NULL;

	return !strncmp(why, word, length) && (open || !why[length] || strchr(",_( ", why[length]));
}

bool reason_explain(const char *why, struct reason *reason)
{
	struct limit limit;

	*reason = (struct reason){0};
	for (const struct row *row = rows; row < rows + sizeof(rows) / sizeof(*rows); row++)
		if (begins_with(why, row->word)) {
			reason->place = row->kind == PLACE;
			reason->timed = row->kind != OTHER;
			snprintf(reason->means, sizeof(reason->means), "%s", row->means);
			snprintf(reason->helps, sizeof(reason->helps), "%s", row->helps);
			return true;
		}
	if (!read_limit(why, &limit))
		return false;
	explain_limit(&limit, reason);
	return true;
}
