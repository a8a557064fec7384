/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of the machine: one cell a node, planes of the first two dimensions side by side,
 * a legend of the jobs. One walk (picture_draw()) decides where everything is; what it looks
 * like is up to the back ends: terminal and SVG.
 */
#ifndef MAP_PICTURE_H
#define MAP_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mesh.h"
#include "conf/jobpattern.h"
#include "conf/topoconf.h"
#include "ask/strategy.h"
#include "view/layout.h"

struct picture_job {
	char *id, *user, *partition; /* ours; all but id may be NULL */
	uint32_t number; /* slurmctld's, which id tells of no array's or het job's; 0: none */
	int *node;	 /* [count] ours */
	int count;
	double mean_hops;
	int hue; /* 0..PICTURE_HUES-1, of picture_measure() */
	double left; /* seconds to its limit; negative: not known */
	double ran; /* seconds since its start, of one that may be requeued; negative: it may not */
	char pattern[MESH_PATTERN_WORD]; /* what it sends (jobpattern.h); "": not known */
};

/* A job that waits. */
struct picture_waiting {
	char *id, *user, *why; /* ours; user may be NULL */
	char *reason;  /* ours: the word of squeue's for why, of which slurmctld may say more */
	uint32_t number; /* as of picture_job */
	struct nodeset may, must; /* nodes that it may have, and requires; borrowed. Without words:
				   * all, and none */
	int nodes;
	bool box;      /* it wants nodes that are contiguous, */
	struct mesh_shape shape; /* or this one */
	double since;  /* seconds since its submission; negative: not known */
	double start;  /* seconds until slurmctld expects it to start; negative: not known */
	char pattern[MESH_PATTERN_WORD];
};

enum node_state { NODE_UP, NODE_DRAINED, NODE_DOWN };

struct picture {
	const struct mesh *mesh;
	struct topoconf *conf; /* whose it is, where it is freed with the picture; or NULL */
	struct arena arena;
	char title[160];
	int *job_of;		     /* [nnodes] index of the first job there, or -1 */
	unsigned char *state;	     /* [nnodes] enum node_state */
	struct picture_job *job;     /* [njobs] */
	int njobs;
	struct picture_waiting *waiting; /* [nwaiting] in the order of the queue */
	int nwaiting;
};

/* No jobs, all up, of a zeroed one. 0, or -1 when memory is out; release it in any case. */
int picture_init(struct picture *picture, const struct mesh *mesh);
void picture_release(struct picture *picture);
struct picture_owner {
	const char *id, *user, *partition; /* copied; all but id may be NULL */
	bool shares;	       /* other jobs may be on its nodes */
};

/*
 * A job on these nodes, each once; it is drawn where it is the first. Its index, or -1 with text:
 * memory is out, or a node has a job already and this one does not share.
 */
int picture_add(struct picture *picture, struct picture_owner owner, const int *node, int count,
	struct mesh_err *err);
/* Put a job at the end of the queue; strings are copied. 0, or -1 when memory is out. */
int picture_wait(struct picture *picture, const struct picture_waiting *waiting);
/*
 * Is a job meant by what a user writes? By its id as squeue prints it, by its number, as a task
 * (17_4) of an array that waits (17_[2-9:2%1]), or as any of one (17).
 */
bool picture_is_job(const char *id, uint32_t number, const char *asked);
/* These nodes are in that state. */
void picture_mark(struct picture *picture, const struct nodeset *set, enum node_state state);
/* Once all jobs are there: the mean hops of each, and its hue. 0, or -1 when memory is out. */
int picture_measure(struct picture *picture);

enum cell_kind { CELL_HOLE, CELL_FREE, CELL_JOB, CELL_DRAINED, CELL_DOWN };

/* One node, or one place of a vertex without nodes. */
struct cell {
	int x, y; /* from the top left, in the layout's units */
	enum cell_kind kind;
	int node; /* -1: a hole */
	int job;  /* -1: none; a drained node may still run one */
};

/* How a back end draws. `out` is its own. */
struct draw_ops {
	void (*label)(void *out, int x, int y, const char *text);
	void (*plane)(void *out, int x, int y); /* its edges, before its cells; may be NULL */
	void (*cell)(void *out, const struct cell *cell);
};

void picture_draw(const struct picture *picture, const struct layout *layout,
	const struct draw_ops *ops, void *out);

/* A letter or digit by which a job is told apart, and a hue in degrees: jobs beside each other on a
 * plane have hues that are 30 degrees apart, as far as PICTURE_HUES go. Red is for down. */
enum { PICTURE_HUES = 10 };
char picture_letter(int job);
int picture_hue(const struct picture *picture, int job);

/* Figures below a picture. */
struct picture_count {
	int free, busy, drained, down;
};

struct picture_count picture_count(const struct picture *picture);

/* Of the rows of jobs. Those that wait stay in the order of the queue. */
enum text_order { TEXT_LISTED, TEXT_NODES, TEXT_HOPS, TEXT_LEFT, TEXT_USER, TEXT_NORDERS };
#define TEXT_ORDERS {"as listed", "nodes", "mean hops", "time left", "user"}

struct text_style {
	int width;
	bool colour; /* with escape sequences */
	const char *only; /* rows of jobs whose id, user or partition has this in it; NULL: all */
	enum text_order order;
};

/* The back ends. */
void draw_text(const struct picture *picture, FILE *file, const struct text_style *style);
/* A document of its own, with its own colours. */
void draw_svg(const struct picture *picture, FILE *file, const struct layout_room *room);

#endif
