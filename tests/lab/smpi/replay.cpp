/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Traced MPI programs side by side on a mesh or torus, run by SimGrid's SMPI.
 *
 *	replay DIMS[/mesh] JOBS [free | once] [--cfg=...]
 *
 * JOBS has a line for each job: ID TRACE REPEATS SCALE VERTEX VERTEX ...; rank i is on the i-th
 * vertex, and computes SCALE times the flops of the trace. All jobs begin at once. Each runs over
 * and over until every one has been run once. Prints for each job ID RANKS RUNS SECONDS (of a run).
 * free: the network takes hardly any time.
 *
 * TRACE: the number of ranks, then for each a line of operations. An operation is a letter and its
 * numbers:
 *
 *	cFLOPS			computes
 *	dSECONDS		does nothing
 *	sTO,BYTES,TAG		sends; S: without waiting
 *	rFROM,BYTES,TAG		receives; R: without waiting
 *	wK, W			waits for the K-th of those without waiting, or for all
 *	xTO,BYTES,FROM,BYTES	sends and receives at once
 *	b, BBYTES,ROOT		barrier, broadcast
 *	eBYTES,ROOT, ABYTES	reduce, allreduce
 *	tBYTES, gBYTES		all-to-all, allgather
 *	vBYTES,...		all-to-all of other sizes: those sent, those received
 *
 * Each vertex has a host of 1 Gf/s, whose interface carries 10 GB/s each way in 1 us. Links carry
 * 5 GB/s each way in 0.1 us.
 */
#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace sg = simgrid::s4u;

void smpi_init_options(); // SMPI's keys, so that the command line may set them

static const double speed = 1e9, bandwidth = 5e9, hop = 1e-7, interface = 1e10, message = 1e-6;
static const size_t most_bytes = 1ul << 31;

[[noreturn]] static void fail(const std::string &what)
{
	fprintf(stderr, "replay: %s\n", what.c_str());
	exit(1);
}

/* ---- Traces ---- */

struct Operation {
	char what;
	double flops; /* or seconds */
	std::vector<int> number;
};

using Rank = std::vector<Operation>;
using Program = std::vector<Rank>;

static Rank read_rank(const std::string &line)
{
	static const std::map<char, size_t> numbers = {{'c', 0}, {'d', 0}, {'s', 3}, {'S', 3}, {'r', 3},
		{'R', 3}, {'w', 1}, {'W', 0}, {'x', 4}, {'b', 0}, {'B', 2}, {'e', 2}, {'A', 1},
		{'t', 1}, {'g', 1}, {'v', 0}};
	std::istringstream words(line);
	Rank rank;

	for (std::string word; words >> word;) {
		Operation o{word[0], 0, {}};
		const auto known = numbers.find(o.what);

		if (o.what == 'c' || o.what == 'd')
			o.flops = strtod(word.c_str() + 1, nullptr);
		else
			for (const char *at = word.c_str() + 1; *at;) {
				char *end;

				o.number.push_back((int)strtol(at, &end, 10));
				at = *end ? end + 1 : end;
			}
		if (known == numbers.end() || o.number.size() < known->second)
			fail("not an operation: " + word);
		rank.push_back(o);
	}
	return rank;
}

static const Program &read_program(const std::string &path)
{
	static std::map<std::string, Program> all;
	Program &program = all[path];
	std::ifstream in(path);
	std::string line;
	size_t ranks;

	if (!program.empty())
		return program;
	if (!(in >> ranks) || !std::getline(in, line))
		fail("no trace: " + path);
	while (program.size() < ranks && std::getline(in, line))
		program.push_back(read_rank(line));
	if (program.size() != ranks)
		fail("a short trace: " + path);
	return program;
}

/* ---- Jobs ---- */

struct Job {
	std::string id;
	const Program *program;
	int repeats;
	double scale;
	std::vector<int> vertex;
	std::vector<int> done; /* ranks, by run */
	int runs = 0;
	double last = 0; /* end */
};

static std::vector<std::unique_ptr<Job>> jobs;
static size_t unfinished;
static bool once;
static char *outgoing, *incoming; /* what is in them does not matter */

static void report()
{
	for (const auto &job : jobs)
		printf("%s %zu %d %.9g\n", job->id.c_str(), job->vertex.size(), job->runs,
			job->last / job->runs);
	fflush(stdout);
	_exit(0);
}

static void exchange(const std::vector<int> &bytes, int ranks)
{
	std::vector<int> at(bytes.size(), 0);

	for (size_t i = 1; i < bytes.size(); i++)
		at[i] = (int)i == ranks ? 0 : at[i - 1] + bytes[i - 1];
	MPI_Alltoallv(outgoing, bytes.data(), at.data(), MPI_CHAR, incoming, bytes.data() + ranks,
		at.data() + ranks, MPI_CHAR, MPI_COMM_WORLD);
}

static void operate(const Job &job, const Operation &o, std::vector<MPI_Request> &open)
{
	const MPI_Comm all = MPI_COMM_WORLD;
	const int *n = o.number.data();
	const size_t ranks = job.program->size();

	switch (o.what) {
	case 'c':
		if (o.flops * job.scale > 0)
			sg::this_actor::execute(o.flops * job.scale);
		break;
	case 'd': sg::this_actor::sleep_for(o.flops); break;
	case 's': MPI_Send(outgoing, n[1], MPI_CHAR, n[0], n[2], all); break;
	case 'r': MPI_Recv(incoming, n[1], MPI_CHAR, n[0], n[2], all, MPI_STATUS_IGNORE); break;
	case 'S':
		open.emplace_back();
		MPI_Isend(outgoing, n[1], MPI_CHAR, n[0], n[2], all, &open.back());
		break;
	case 'R':
		open.emplace_back();
		MPI_Irecv(incoming, n[1], MPI_CHAR, n[0], n[2], all, &open.back());
		break;
	case 'w': MPI_Wait(&open.at((size_t)n[0]), MPI_STATUS_IGNORE); break;
	case 'W': MPI_Waitall((int)open.size(), open.data(), MPI_STATUSES_IGNORE); break;
	case 'x':
		MPI_Sendrecv(outgoing, n[1], MPI_CHAR, n[0], 0, incoming, n[3], MPI_CHAR, n[2], 0,
			all, MPI_STATUS_IGNORE);
		break;
	case 'b': MPI_Barrier(all); break;
	case 'B': MPI_Bcast(outgoing, n[0], MPI_CHAR, n[1], all); break;
	case 'e': MPI_Reduce(outgoing, incoming, n[0], MPI_CHAR, MPI_MAX, n[1], all); break;
	case 'A': MPI_Allreduce(outgoing, incoming, n[0], MPI_CHAR, MPI_MAX, all); break;
	case 't':
		if (ranks & (ranks - 1)) /* in pairs it does not run on others */
			exchange(std::vector<int>(2 * ranks, n[0]), (int)ranks);
		else
			MPI_Alltoall(outgoing, n[0], MPI_CHAR, incoming, n[0], MPI_CHAR, all);
		break;
	case 'g': MPI_Allgather(outgoing, n[0], MPI_CHAR, incoming, n[0], MPI_CHAR, all); break;
	case 'v': exchange(o.number, (int)ranks); break;
	}
}

static void run(Job *job, int rank)
{
	std::vector<MPI_Request> open;

	smpi_replay_init(job->id.c_str(), rank, 0);
	for (size_t run = 0;; run++) {
		for (int k = 0; k < job->repeats; k++) {
			open.clear();
			for (const auto &o : (*job->program)[(size_t)rank])
				operate(*job, o, open);
		}
		if (job->done.size() <= run)
			job->done.push_back(0);
		if (++job->done[run] == (int)job->program->size()) {
			job->runs = (int)run + 1;
			job->last = sg::Engine::get_clock();
			if (!run && !--unfinished)
				report();
		}
		if (once)
			sg::this_actor::suspend();
	}
}

static void read_jobs(const char *path, size_t vertices)
{
	std::ifstream in(path);

	for (std::string line; std::getline(in, line);) {
		std::istringstream words(line);
		auto job = std::make_unique<Job>();
		std::string trace;

		words >> job->id >> trace >> job->repeats >> job->scale;
		job->program = &read_program(trace);
		for (int v; words >> v;) {
			if (v < 0 || (size_t)v >= vertices)
				fail("no such vertex in job " + job->id);
			job->vertex.push_back(v);
		}
		if (job->vertex.size() != job->program->size())
			fail("not a vertex for each rank of job " + job->id);
		jobs.push_back(std::move(job));
	}
	unfinished = jobs.size();
	if (!unfinished)
		fail(std::string("no jobs in ") + path);
}

/* ---- The machine ---- */

struct Machine {
	std::vector<unsigned long> side;
	bool mesh;
	std::vector<sg::Host *> host; /* by place on the torus */

	/* A mesh is cut out of a torus nearly twice as long, where no short way goes round. */
	std::vector<unsigned long> torus() const
	{
		std::vector<unsigned long> longer = side;

		for (auto &s : longer)
			s = mesh ? 2 * s - 1 : s;
		return longer;
	}
	size_t vertices() const
	{
		size_t n = 1;

		for (auto s : side)
			n *= s;
		return n;
	}
	/* The first dimension is the fastest. */
	sg::Host *at(size_t vertex) const
	{
		size_t place = 0, by = 1;

		for (size_t d = 0; d < side.size(); vertex /= side[d], by *= torus()[d], d++)
			place += vertex % side[d] * by;
		return host[place];
	}
};

static Machine read_machine(std::string dims)
{
	Machine machine;
	size_t slash = dims.find('/');

	machine.mesh = slash != std::string::npos;
	std::istringstream sides(dims.substr(0, slash));

	for (std::string side; std::getline(sides, side, 'x');)
		machine.side.push_back(strtoul(side.c_str(), nullptr, 10));
	return machine;
}

static void build(Machine &machine, bool free)
{
	const double wide = free ? 1e3 : 1, quick = free ? 1e-3 : 1;
	auto leaf = [&](const sg::NetZone *torus, const std::vector<unsigned long> &,
			    unsigned long id) {
		const std::string number = std::to_string(id);
		auto *zone = sg::create_star_zone("zone" + number)->set_parent(torus);
		auto *host = zone->create_host("host" + number, speed)->seal();
		auto *link = zone->create_split_duplex_link("link" + number, interface * wide);

		link->set_latency(message / 2 * quick)->seal();
		zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
			{{link, sg::LinkInRoute::Direction::UP}}, true);
		auto *gate = zone->create_router("gate" + number);

		zone->seal();
		if (machine.host.size() <= id)
			machine.host.resize(id + 1);
		machine.host[id] = host;
		return std::make_pair(zone->get_netpoint(), gate);
	};

	sg::create_torus_zone("torus", nullptr, machine.torus(), {leaf, {}, {}}, bandwidth * wide,
		hop * quick, sg::Link::SharingPolicy::SPLITDUPLEX)
		->seal();
}

int main(int argc, char **argv)
{
	smpi_init_options();
	sg::Engine engine(&argc, argv);

	SMPI_init();
	if (argc < 3)
		fail("usage: replay DIMS[/mesh] JOBS [free | once] [--cfg=...]");
	Machine machine = read_machine(argv[1]);

	build(machine, argc > 3 && !strcmp(argv[3], "free"));
	once = argc > 3 && !strcmp(argv[3], "once");
	outgoing = (char *)malloc(most_bytes);
	incoming = (char *)malloc(most_bytes);
	read_jobs(argv[2], machine.vertices());
	for (const auto &job : jobs) {
		SMPI_app_instance_register(job->id.c_str(), nullptr, (int)job->program->size());
		for (size_t r = 0; r < job->program->size(); r++)
			sg::Actor::create(job->id + "." + std::to_string(r),
				machine.at((size_t)job->vertex[r]),
				[j = job.get(), r] { run(j, (int)r); });
	}
	engine.run();
	fail("it ended early: ranks wait for each other");
}
