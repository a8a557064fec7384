/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sends the messages of jobs through BookSim2's torus, flit by flit, and says when each job's rounds
 * end. It is compiled with a checkout of github.com/booksim/booksim2 and linked with its objects, in
 * place of its main().
 *
 * usage: replay ROUTING <INPUT; ROUTING: dim_order or min_adapt. INPUT:
 *
 *   SIDE DIMENSIONS ROUNDS JOBS, then for each job
 *   DRAWS, then for each of these rounds
 *   MESSAGES, then for each
 *   FROM TO PACKETS
 *
 * A rank puts the packets of its messages into the network one after the other. A job's next round
 * begins when all packets of one have arrived; all jobs go on until each has made ROUNDS. Output: a
 * line for each job, ROUNDS FIRST LAST: how many it has made, and the cycles at which the first and
 * the last of them ended.
 */
#include <cstdlib>
#include <iostream>
#include <list>
#include <string>
#include <vector>

#include "booksim_config.hpp"
#include "network.hpp"
#include "routefunc.hpp"
#include "trafficmanager.hpp"

using namespace std;

/* What BookSim's other files expect of a main file. */
TrafficManager *trafficManager;
bool gPrintActivity, gTrace;
int gK, gN, gC, gNodes;
ostream *gWatchOut;

int GetSimTime()
{
	return trafficManager->getTime();
}

Stats *GetStats(const string &name)
{
	return trafficManager->getStats(name);
}

namespace {

struct message {
	int from, to, packets;
};

struct job {
	vector<vector<message>> draw;
	int rounds, left; /* left: packets of this round on their way or to come */
	int first, last;
};

struct input {
	int side, ndims, rounds;
	vector<job> jobs;
};

/* Where the next packet of each node goes. */
class Destinations : public TrafficPattern {
public:
	vector<list<message>> queue;

	explicit Destinations(int nodes) : TrafficPattern(nodes), queue(nodes)
	{
	}
	int dest(int source) override
	{
		message &m = queue[source].front();
		int to = m.to;

		if (!--m.packets)
			queue[source].pop_front();
		return to;
	}
};

class Replay : public TrafficManager {
	input &in;
	Destinations *to;
	vector<int> job_of;
	int unfinished;

	void begin_round(job &j)
	{
		for (const message &m : j.draw[j.rounds % j.draw.size()]) {
			to->queue[m.from].push_back(m);
			j.left += m.packets;
		}
	}

	void end_packet(job &j)
	{
		if (--j.left)
			return;
		j.last = _time + 1;
		if (!j.rounds++)
			j.first = j.last;
		unfinished -= j.rounds == in.rounds;
		begin_round(j);
	}

protected:
	int _IssuePacket(int source, int) override
	{
		return !to->queue[source].empty();
	}

	void _RetireFlit(Flit *f, int dest) override
	{
		bool tail = f->tail;
		int from = f->src;

		TrafficManager::_RetireFlit(f, dest);
		if (tail)
			end_packet(in.jobs[job_of[from]]);
	}

public:
	Replay(const Configuration &config, const vector<Network *> &net, input &what)
	    : TrafficManager(config, net), in(what), to(new Destinations(_nodes)), job_of(_nodes, -1),
	      unfinished(0)
	{
		delete _traffic_pattern[0];
		_traffic_pattern[0] = to;
		_sim_state = running;
	}

	void go()
	{
		for (size_t i = 0; i < in.jobs.size(); i++) {
			for (const vector<message> &draw : in.jobs[i].draw)
				for (const message &m : draw)
					job_of[m.from] = (int)i;
			unfinished += !in.jobs[i].draw[0].empty();
			begin_round(in.jobs[i]);
		}
		while (unfinished)
			_Step();
	}
};

bool read(input &in)
{
	size_t n;

	if (!(cin >> in.side >> in.ndims >> in.rounds >> n))
		return false;
	in.jobs.resize(n);
	for (job &j : in.jobs) {
		j = job();
		cin >> n;
		j.draw.resize(n);
		for (vector<message> &draw : j.draw) {
			cin >> n;
			draw.resize(cin ? n : 0);
			for (message &m : draw)
				cin >> m.from >> m.to >> m.packets;
		}
	}
	return bool(cin);
}

void configure(BookSimConfig &config, const input &in, const string &routing)
{
	config.Assign("topology", string("torus"));
	config.Assign("k", in.side);
	config.Assign("n", in.ndims);
	config.Assign("routing_function", routing);
	config.Assign("num_vcs", 8);
	config.Assign("vc_buf_size", 16);
	config.Assign("packet_size", 8);
	config.Assign("use_noc_latency", 0);
	config.Assign("sim_count", 1);
	config.Assign("seed", 1);
}

} // namespace

int main(int argc, char **argv)
{
	BookSimConfig config;
	input in;

	if (argc != 2 || !read(in)) {
		cerr << "usage: replay dim_order|min_adapt <INPUT" << endl;
		return 1;
	}
	configure(config, in, argv[1]);
	InitializeRoutingMap(config);
	vector<Network *> net(1, Network::New(config, "network"));
	Replay *replay = new Replay(config, net, in);

	trafficManager = replay;
	replay->go();
	for (const job &j : in.jobs)
		cout << j.rounds << ' ' << j.first << ' ' << j.last << endl;
	return 0;
}
