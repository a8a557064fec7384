// SPDX-License-Identifier: GPL-2.0-or-later
// Bytes to messages and back. slurmctld reaches a node through its port; a message that it wants
// passed on to more nodes (the header's forward list) is answered for all of them at once, which
// is what makes a job of a thousand nodes cheap. The way back (registrations, completions) goes
// through a bounded number of connections to slurmctld.
#include "standin.h"

#include "standin_compat.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/common/forward.h"
#include "src/common/pack.h"
#include "src/common/slurm_protocol_pack.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

enum {
	LARGEST_MESSAGE = 64 << 20, // a batch script may be 4 MB; nothing larger is sent to a node
	RETRY_MS = 1000,
};

// ---- Reading one message ----

// Slurm's framing: four bytes of length in network order, then the message.
struct reader {
	char head[4];
	uint32_t want, have; // of the message
	unsigned head_have;
	char *data; // xmalloc'd
};

// 1: the message is complete; 0: more to come; -1: the connection has ended or is not Slurm's
static int reader_step(struct reader *r, int fd)
{
	for (;;) {
		bool head = r->head_have < sizeof(r->head);
		char *to = head ? r->head + r->head_have : r->data + r->have;
		size_t room = head ? sizeof(r->head) - r->head_have : r->want - r->have;
		ssize_t got = recv(fd, to, room, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if (got <= 0)
			return -1;
		if (!head) {
			r->have += (uint32_t)got;
			if (r->have == r->want)
				return 1;
			continue;
		}
		r->head_have += (unsigned)got;
		if (r->head_have < sizeof(r->head))
			continue;
		memcpy(&r->want, r->head, sizeof(r->want));
		r->want = ntohl(r->want);
		if (r->want == 0 || r->want > LARGEST_MESSAGE)
			return -1;
		r->data = xmalloc(r->want);
	}
}

// A node obeys root, SlurmUser and whoever started it, as slurmd does.
static bool may_command(uid_t uid)
{
	return uid == 0 || uid == slurm_conf.slurm_user_id || uid == getuid();
}

// The sender of a message, if it is one that may command.
static bool authorized(const header_t *header, slurm_msg_t *msg, buf_t *buffer)
{
	void *cred = auth_g_unpack(buffer, header->version);
	bool good = cred && auth_g_verify(cred, slurm_conf.authinfo) == SLURM_SUCCESS;

	if (good)
		compat_sender(msg, cred);
	if (cred)
		auth_g_destroy(cred);
	return good && may_command(msg->auth_uid);
}

static int unpack_body(header_t *header, slurm_msg_t *msg, buf_t *buffer, bool answer)
{
	if (!(answer && compat_anonymous(header->flags)) && !authorized(header, msg, buffer))
		return -1;
	msg->protocol_version = header->version;
	msg->msg_type = header->msg_type;
	msg->flags = header->flags;
	if (header->body_length != remaining_buf(buffer))
		return -1;
	return unpack_msg(msg, buffer) == SLURM_SUCCESS ? 0 : -1;
}

// The message in r, which is emptied; an answer to ours may come without a credential. header's
// forward list and msg's data are the caller's.
static int message_unpack(struct reader *r, header_t *header, slurm_msg_t *msg, bool answer)
{
	buf_t *buffer = create_buf(r->data, r->want);
	int rc = -1;

	memset(r, 0, sizeof(*r));
	memset(header, 0, sizeof(*header));
	slurm_msg_t_init(msg);
	if (unpack_header(header, buffer) == SLURM_SUCCESS)
		rc = unpack_body(header, msg, buffer, answer);
	free_buf(buffer);
	return rc;
}

static void message_free(header_t *header, slurm_msg_t *msg)
{
	if (msg->data)
		slurm_free_msg_data(msg->msg_type, msg->data);
	FREE_NULL_LIST(header->ret_list);
	destroy_forward(&header->forward);
}

// ---- slurmctld to node ----

struct inbound {
	struct watch watch; // first: what the loop knows
	struct standin_node *node;
	struct reader reader;
};

static void inbound_free(struct inbound *in)
{
	close(in->watch.fd);
	xfree(in->reader.data);
	free(in);
}

// Answers of the nodes that the message should be passed on to.
static list_t *forwarded_answers(const forward_t *forward, slurm_msg_t *msg)
{
	list_t *list = list_create(destroy_data_info);
	host_list hosts = hostlist_create(forward->nodelist);
	char *name;

	while (hosts && (name = hostlist_shift(hosts))) {
		struct standin_node *node = node_find(name);
		ret_data_info_t *ret = xmalloc(sizeof(*ret));

		ret->node_name = xstrdup(name);
		if (node) {
			struct answer answer = node_answer(node, msg);

			ret->type = answer.type;
			ret->data = answer.data;
		} else {
			ret->type = RESPONSE_FORWARD_FAILED;
			ret->err = SLURM_COMMUNICATIONS_CONNECTION_ERROR;
		}
		list_append(list, ret);
		free(name);
	}
	if (hosts)
		hostlist_destroy(hosts);
	return list;
}

static void inbound_answer(struct inbound *in, header_t *header, slurm_msg_t *msg)
{
	struct answer own = node_answer(in->node, msg);
	list_t *others = NULL;
	slurm_msg_t reply;

	if (header->forward.cnt > 0 && header->forward.nodelist)
		others = forwarded_answers(&header->forward, msg);
	slurm_msg_t_init(&reply);
	reply.protocol_version = msg->protocol_version;
	reply.auth_index = msg->auth_index;
	slurm_msg_set_r_uid(&reply, msg->auth_uid);
	reply.msg_type = own.type;
	reply.data = own.data;
	reply.ret_list = others;
	if (compat_send(in->watch.fd, &reply) < 0)
		fprintf(stderr, "standin: %s: cannot answer: %s\n", in->node->name,
			strerror(errno));
	slurm_free_msg_data(own.type, own.data);
	FREE_NULL_LIST(others);
}

static void inbound_event(struct watch *watch, uint32_t events)
{
	struct inbound *in = (struct inbound *)watch;
	int state = reader_step(&in->reader, watch->fd);
	header_t header;
	slurm_msg_t msg;

	(void)events;
	if (state == 0)
		return;
	if (state > 0) {
		standin.messages++;
		if (message_unpack(&in->reader, &header, &msg, false) == 0)
			inbound_answer(in, &header, &msg);
		else
			fprintf(stderr, "standin: %s: a message that cannot be read\n",
				in->node->name);
		message_free(&header, &msg);
	}
	inbound_free(in);
}

// Nodes by port, and by address where they share one.
static struct standin_node **by_place;

static int place_compare(const void *a, const void *b)
{
	const struct standin_node *x = *(struct standin_node *const *)a;
	const struct standin_node *y = *(struct standin_node *const *)b;

	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

struct listener {
	struct watch watch;
	struct standin_node *only; // NULL: which node is meant is told by the address
	uint16_t port;
};

// The node that a connection is for; NULL when there is none at that address.
static struct standin_node *listener_node(const struct listener *listener, int fd)
{
	struct sockaddr_in at = {0};
	socklen_t size = sizeof(at);
	struct standin_node key = {.port = listener->port}, *wanted = &key, **found;

	if (listener->only)
		return listener->only;
	if (getsockname(fd, (struct sockaddr *)&at, &size) < 0)
		return NULL;
	key.address = ntohl(at.sin_addr.s_addr);
	found = bsearch(&wanted, by_place, standin.node_count, sizeof(*by_place), place_compare);
	return found ? *found : NULL;
}

static void listener_event(struct watch *watch, uint32_t events)
{
	struct listener *listener = (struct listener *)watch;
	int fd;

	(void)events;
	while ((fd = accept4(watch->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		struct standin_node *node = listener_node(listener, fd);
		struct inbound *in = node ? calloc(1, sizeof(*in)) : NULL;

		if (!in) {
			close(fd);
			continue;
		}
		in->watch = (struct watch){.fn = inbound_event, .fd = fd};
		in->node = node;
		if (!watch_add(&in->watch, EPOLLIN))
			inbound_free(in);
	}
}

// One socket for the nodes from first on, so many of which have its port.
static bool port_listen(struct standin_node **first, size_t count)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(first[0]->port)};
	struct listener *listener = calloc(1, sizeof(*listener));
	int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	at.sin_addr.s_addr = htonl(count == 1 ? INADDR_LOOPBACK : INADDR_ANY);
	if (!listener || fd < 0)
		goto fail;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(fd, SOMAXCONN) < 0)
		goto fail;
	listener->watch = (struct watch){.fn = listener_event, .fd = fd};
	listener->only = count == 1 ? first[0] : NULL;
	listener->port = first[0]->port;
	if (watch_add(&listener->watch, EPOLLIN))
		return true; // the listener lives as long as the process
fail:
	fprintf(stderr, "standin: %s: port %u: %s\n", first[0]->name, first[0]->port,
		strerror(errno));
	if (fd >= 0)
		close(fd);
	free(listener);
	return false;
}

size_t nodes_by_port(void)
{
	size_t ports = 0;

	by_place = xcalloc(standin.node_count, sizeof(*by_place));
	for (size_t i = 0; i < standin.node_count; i++)
		by_place[i] = &standin.nodes[i];
	qsort(by_place, standin.node_count, sizeof(*by_place), place_compare);
	for (size_t i = 0; i < standin.node_count; i++)
		ports += i == 0 || by_place[i - 1]->port != by_place[i]->port;
	return ports;
}

bool nodes_listen(void)
{
	size_t count = standin.node_count;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && by_place[end]->port == by_place[i]->port; end++)
			if (!place_compare(&by_place[end - 1], &by_place[end])) {
				fprintf(stderr, "standin: %s and %s have one address and port\n",
					by_place[end - 1]->name, by_place[end]->name);
				return false;
			}
		if (!port_listen(&by_place[i], end - i))
			return false;
	}
	return true;
}

// ---- Node to slurmctld ----

struct outbound {
	struct watch watch;
	struct call call;
	struct outbound *next; // in the queue
	struct reader reader;
	bool sent;
};

static struct {
	struct outbound *first, **last;
	int open;
	int64_t refused_until; // slurmctld is not there: a hundred thousand nodes do not all knock
} queue = {NULL, &queue.first, 0, 0};

static void queue_run(void);

static void outbound_queue(struct outbound *out)
{
	out->next = NULL;
	*queue.last = out;
	queue.last = &out->next;
}

static void outbound_retry(uint32_t id, uint64_t arg)
{
	(void)id;
	outbound_queue((struct outbound *)(uintptr_t)arg);
	queue_run();
}

// The connection is over: the call is done, or comes again later.
static void outbound_end(struct outbound *out, bool heard, int rc)
{
	if (out->watch.fd >= 0) {
		close(out->watch.fd);
		out->watch.fd = -1;
	}
	queue.open--;
	xfree(out->reader.data);
	memset(&out->reader, 0, sizeof(out->reader));
	if (!heard) {
		timer_add(now_ms() + RETRY_MS, outbound_retry, 0, (uintptr_t)out);
	} else {
		if (out->call.done)
			out->call.done(&out->call, rc);
		free(out);
	}
	queue_run();
}

static bool outbound_send(struct outbound *out)
{
	slurm_msg_t msg;
	void *data = out->call.make(&out->call);
	int rc;

	slurm_msg_t_init(&msg);
	msg.msg_type = out->call.type;
	msg.data = data;
	slurm_msg_set_r_uid(&msg, slurm_conf.slurm_user_id);
	rc = compat_send(out->watch.fd, &msg);
	slurm_free_msg_data(msg.msg_type, data);
	return rc >= 0;
}

static void outbound_hear(struct outbound *out)
{
	header_t header;
	slurm_msg_t msg;
	int rc = 0;
	bool heard = message_unpack(&out->reader, &header, &msg, true) == 0;

	if (heard && msg.msg_type == RESPONSE_SLURM_RC)
		rc = ((return_code_msg_t *)msg.data)->return_code;
	message_free(&header, &msg);
	outbound_end(out, heard, rc);
}

static void outbound_event(struct watch *watch, uint32_t events)
{
	struct outbound *out = (struct outbound *)watch;
	int state;

	if (!out->sent) {
		bool refused = events & (EPOLLERR | EPOLLHUP);

		out->sent = true;
		if (refused)
			queue.refused_until = now_ms() + RETRY_MS;
		if (refused || !outbound_send(out) || !watch_change(watch, EPOLLIN))
			outbound_end(out, false, 0);
		return;
	}
	state = reader_step(&out->reader, watch->fd);
	if (state > 0)
		outbound_hear(out);
	else if (state < 0)
		outbound_end(out, out->call.one_way, 0);
}

static bool outbound_connect(struct outbound *out)
{
	slurm_addr_t to;
	socklen_t size;

	slurm_set_addr(&to, slurm_conf.slurmctld_port, slurm_conf.control_addr[0]);
	size = to.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	out->sent = false;
	out->watch.fn = outbound_event;
	out->watch.fd = socket(to.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (out->watch.fd < 0)
		return false;
	if (connect(out->watch.fd, (struct sockaddr *)&to, size) < 0 && errno != EINPROGRESS)
		return false;
	return watch_add(&out->watch, EPOLLOUT);
}

static void queue_run(void)
{
	while (queue.first && queue.open < standin.max_calls && now_ms() >= queue.refused_until) {
		struct outbound *out = queue.first;

		queue.first = out->next;
		if (!queue.first)
			queue.last = &queue.first;
		queue.open++;
		if (!outbound_connect(out)) {
			outbound_end(out, false, 0);
			return;
		}
	}
}

void call_queue(const struct call *call)
{
	struct outbound *out = calloc(1, sizeof(*out));

	if (!out)
		return; // slurmctld asks again
	out->call = *call;
	out->watch.fd = -1;
	outbound_queue(out);
	queue_run();
}
