// SPDX-License-Identifier: GPL-2.0-or-later
// standin: one process that stands in for every slurmd of a slurm.conf.
#include "standin.h"

#include "standin_compat.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/common/slurm_protocol_util.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

struct standin standin = {.epilog_ms = -1, .max_calls = 16};

int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// ---- Timers: a binary heap, the earliest first; equal times in the order they were added ----

struct timer {
	int64_t when;
	uint64_t number;
	void (*fn)(uint32_t id, uint64_t arg);
	uint32_t id;
	uint64_t arg;
};

static struct {
	struct timer *heap;
	size_t count, room;
	uint64_t number;
} timers;

static bool earlier(const struct timer *a, const struct timer *b)
{
	return a->when != b->when ? a->when < b->when : a->number < b->number;
}

void timer_add(int64_t when, void (*fn)(uint32_t, uint64_t), uint32_t id, uint64_t arg)
{
	struct timer t = {when, timers.number++, fn, id, arg};
	size_t at = timers.count++;

	if (timers.count > timers.room) {
		timers.room = timers.room ? 2 * timers.room : 1024;
		xrecalloc(timers.heap, timers.room, sizeof(*timers.heap));
	}
	for (; at > 0 && earlier(&t, &timers.heap[(at - 1) / 2]); at = (at - 1) / 2)
		timers.heap[at] = timers.heap[(at - 1) / 2];
	timers.heap[at] = t;
}

static struct timer timer_take(void)
{
	struct timer first = timers.heap[0], last = timers.heap[--timers.count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < timers.count) {
		if (child + 1 < timers.count &&
			earlier(&timers.heap[child + 1], &timers.heap[child]))
			child++;
		if (!earlier(&timers.heap[child], &last))
			break;
		timers.heap[at] = timers.heap[child];
		at = child;
	}
	timers.heap[at] = last;
	return first;
}

// Run what is due. Returns the milliseconds until the next one, -1 when there is none.
static int timers_run(void)
{
	while (timers.count) {
		int64_t wait = timers.heap[0].when - now_ms();
		struct timer t;

		if (wait > 0)
			return wait > 60000 ? 60000 : (int)wait;
		t = timer_take();
		t.fn(t.id, t.arg);
	}
	return -1;
}

// ---- The loop ----

bool watch_add(struct watch *watch, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = watch};

	return epoll_ctl(standin.epoll_fd, EPOLL_CTL_ADD, watch->fd, &event) == 0;
}

bool watch_change(struct watch *watch, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.ptr = watch};

	return epoll_ctl(standin.epoll_fd, EPOLL_CTL_MOD, watch->fd, &event) == 0;
}

static void loop(void)
{
	struct epoll_event events[256];

	while (!standin.stop) {
		int wait = timers_run();
		int count = epoll_wait(standin.epoll_fd, events, 256, wait);

		for (int i = 0; i < count; i++) {
			struct watch *watch = events[i].data.ptr;

			watch->fn(watch, events[i].events);
		}
	}
}

static void signal_event(struct watch *watch, uint32_t events)
{
	struct signalfd_siginfo info;

	(void)events;
	if (read(watch->fd, &info, sizeof(info)) < 0)
		return;
	if (info.ssi_signo == SIGHUP) {
		for (size_t i = 0; i < standin.node_count; i++)
			node_register(&standin.nodes[i]);
		return;
	}
	standin.stop = true;
}

static bool watch_signals(void)
{
	static struct watch watch = {.fn = signal_event};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	watch.fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return watch.fd >= 0 && watch_add(&watch, EPOLLIN);
}

// ---- Nodes ----

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct standin_node *)a)->name, ((const struct standin_node *)b)->name);
}

struct standin_node *node_find(const char *name)
{
	struct standin_node key = {.name = (char *)(uintptr_t)name};

	return bsearch(&key, standin.nodes, standin.node_count, sizeof(key), by_name);
}

static void find_place(struct standin_node *node)
{
	slurm_addr_t addr;

	if (slurm_conf_get_addr(node->name, &addr, 0) != SLURM_SUCCESS)
		return;
	node->port = slurm_get_port(&addr);
	if (addr.ss_family == AF_INET)
		node->address = ntohl(((struct sockaddr_in *)&addr)->sin_addr.s_addr);
}

static void add_nodes(const slurm_conf_node_t *line)
{
	host_list names = hostlist_create(line->nodenames);
	char *name, *host;

	while ((name = hostlist_shift(names))) {
		xrecalloc(standin.nodes, standin.node_count + 1, sizeof(*standin.nodes));
		host = slurm_conf_get_hostname(name);
		standin.nodes[standin.node_count++] = (struct standin_node){
			.name = xstrdup(name),
			.hostname = host ? host : xstrdup(name),
			.conf = line};
		find_place(&standin.nodes[standin.node_count - 1]);
		free(name);
	}
	hostlist_destroy(names);
}

static void read_nodes(void)
{
	slurm_conf_node_t **lines;
	int count = slurm_conf_nodename_array(&lines);

	for (int i = 0; i < count; i++)
		if (strcmp(lines[i]->nodenames, "DEFAULT"))
			add_nodes(lines[i]);
	qsort(standin.nodes, standin.node_count, sizeof(*standin.nodes), by_name);
}

// A listening socket per port and the connections on top.
static bool raise_limit(size_t ports)
{
	struct rlimit limit;
	rlim_t need = ports + 1024;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur >= need)
		return true;
	limit.rlim_cur = need;
	if (limit.rlim_max < need)
		limit.rlim_max = need;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return true;
	fprintf(stderr, "standin: %zu ports need %ju open files: %s\n", ports,
		(uintmax_t)need, strerror(errno));
	return false;
}

static bool start(const char *conf, const char *control)
{
	size_t ports;

	if (!compat_init(conf)) {
		fprintf(stderr, "standin: slurm.conf or AuthType=%s: cannot be used\n",
			slurm_conf.authtype ? slurm_conf.authtype : "");
		return false;
	}
	read_nodes();
	standin.started = time(NULL);
	standin.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	ports = nodes_by_port();
	if (standin.epoll_fd < 0 || !raise_limit(ports) || !watch_signals())
		return false;
	if (control && !control_open(control))
		return false;
	if (!nodes_listen())
		return false;
	printf("%zu nodes at %zu ports\n", standin.node_count, ports);
	fflush(stdout);
	for (size_t i = 0; i < standin.node_count; i++)
		node_register(&standin.nodes[i]);
	return true;
}

static const char usage[] =
	"Usage: standin [OPTION]...\n"
	"One process in the place of every slurmd of a slurm.conf whose nodes have the address\n"
	"127.0.0.1 and a port each, or one port and each an address in 127.0.0.0/8. Batch jobs are "
	"not run: they end after MESH_RUNTIME seconds (a\n"
	"variable in their environment), or after the first `sleep SECONDS` in their script.\n"
	"\n"
	"  -f, --conf=FILE        slurm.conf (default: $SLURM_CONF or Slurm's own)\n"
	"  -e, --epilog=SECONDS   every node of a job runs an epilog for so long\n"
	"  -t, --time=SECONDS     run time of jobs that do not tell theirs (default 0)\n"
	"  -c, --connections=N    to slurmctld at a time (default 16)\n"
	"  -s, --socket=PATH      tell what happens and take orders on a Unix socket\n"
	"  -h, --help\n"
	"\n"
	"SIGHUP registers all nodes again, SIGTERM ends it.\n";

static bool number(const char *text, double low, double high, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (*text && !*end && *value >= low && *value <= high)
		return true;
	fprintf(stderr, "standin: %s: not a number from %g to %g\n", text, low, high);
	return false;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"conf", 1, NULL, 'f'},
						{"epilog", 1, NULL, 'e'},
						{"time", 1, NULL, 't'},
						{"connections", 1, NULL, 'c'},
						{"socket", 1, NULL, 's'},
						{"help", 0, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	const char *conf = NULL, *control = NULL;
	double value = 0;
	int c;

	while ((c = getopt_long(argc, argv, "f:e:t:c:s:h", options, NULL)) != -1) {
		if (c == 'h')
			return fputs(usage, stdout) < 0;
		if (c == '?' ||
			(!strchr("fs", c) && !number(optarg, c == 'c' ? 1 : 0, 1e6, &value)))
			return 1;
		if (c == 'f')
			conf = optarg;
		if (c == 's')
			control = optarg;
		if (c == 'e')
			standin.epilog_ms = (int64_t)(value * 1000);
		if (c == 't')
			standin.default_time = value;
		if (c == 'c')
			standin.max_calls = (int)value;
	}
	if (!start(conf, control))
		return 2;
	loop();
	printf("%zu nodes, %ju messages, %ju launches, %ju completions\n", standin.node_count,
	       (uintmax_t)standin.messages, (uintmax_t)standin.launches,
	       (uintmax_t)standin.completions);
	return 0;
}
