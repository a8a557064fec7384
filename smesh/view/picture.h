/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A picture of the machine: one cell for each node, planes of the first two dimensions side by
 * side, and a legend of the jobs. picture_draw() decides where everything is. The back ends,
 * terminal and SVG, decide how it looks.
 */
#ifndef SMESH_PICTURE_H
#define SMESH_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/mesh.h"
#include "conf/jobpattern.h"
#include "conf/topoconf.h"
#include "ask/strategy.h"
#include "view/layout.h"

struct picture_job {
	char *id, *user, *partition; /* owned; all but id may be NULL */
	uint32_t number; /* slurmctld's: id does not tell that of array and het jobs; 0: none */
	int *node;	 /* [count] owned */
	int count;
	double mean_hops;
	int hue; /* 0..PICTURE_HUES-1, set by picture_measure() */
	double left; /* seconds to its limit; negative: unknown */
	double ran; /* seconds since its start, if it may be requeued; negative: it may not */
	char pattern[MESH_PATTERN_WORD]; /* what it sends (jobpattern.h); "": not known */
};

/* A job that waits. */
struct picture_waiting {
	const char *id, *user, *why; /* owned; user may be NULL */
	const char *reason; /* owned: squeue's word for why, of which slurmctld may say more */
	uint32_t number; /* as in picture_job */
	struct nodeset may, must; /* nodes that it may have, and requires; borrowed. Without
				   * words: all, and none */
	int nodes;
	bool box;      /* it wants contiguous nodes, */
	struct mesh_shape shape; /* or this one */
	double since;  /* seconds since its submission; negative: unknown */
	double start;  /* seconds until its start as slurmctld expects; negative: unknown */
	char pattern[MESH_PATTERN_WORD];
};

/* Write "contiguous", "a box of 4x2", or nothing: what a job that waits wants beside nodes. */
void picture_wish(const struct picture_waiting *waiting, char *text, size_t size);

enum node_state { NODE_UP, NODE_DRAINED, NODE_DOWN };

struct picture {
	const struct mesh *mesh;
	struct topoconf *conf; /* freed with the picture; or NULL */
	struct arena arena;
	char title[160];
	int *job_of;		     /* [nnodes] index of the first job there, or -1 */
	unsigned char *state;	     /* [nnodes] enum node_state */
	struct picture_job *job;     /* [njobs] */
	int njobs;
	struct picture_waiting *waiting; /* [nwaiting] in the order of the queue */
	int nwaiting;
};

/* Make a zeroed picture one without jobs, all nodes up; picture_release() it. */
void picture_init(struct picture *picture, const struct mesh *mesh);
void picture_release(struct picture *picture);
struct picture_owner {
	/* Copied, without control characters; all but id may be NULL. */
	const char *id, *user, *partition;
};

/*
 * Add a job on these nodes, each once, which may have other jobs; it is drawn on nodes where it is
 * the first. Returns the job, until the next is added.
 */
struct picture_job *picture_add(
	struct picture *picture, struct picture_owner owner, const int *node, int count);
/* Put a job at the end of the queue; strings are copied as above. */
void picture_wait(struct picture *picture, const struct picture_waiting *waiting);
/*
 * Does what a user wrote mean this job? By its id as squeue prints it, by its number, as a task
 * (17_4) of a waiting array (17_[2-9:2%1]), or as any task (17).
 */
bool picture_is_job(const char *id, uint32_t number, const char *asked);
/* Set the state of these nodes. */
void picture_mark(struct picture *picture, const struct nodeset *set, enum node_state state);
/* When all jobs are there: compute the mean hops of each, and its hue. */
void picture_measure(struct picture *picture);

enum cell_kind { CELL_HOLE, CELL_FREE, CELL_JOB, CELL_DRAINED, CELL_DOWN };

/* A node, or a place of a vertex that has no node. */
struct cell {
	int x, y; /* from the top left, in the layout's units */
	enum cell_kind kind;
	int node; /* -1: a hole */
	int job;  /* -1: none; a drained node may still run one */
};

/* How a back end draws. `out` is its own data. */
struct draw_ops {
	void (*label)(void *out, int x, int y, const char *text);
	void (*plane)(void *out, int x, int y); /* the edges, before the cells; may be NULL */
	void (*cell)(void *out, const struct cell *cell);
};

void picture_draw(const struct picture *picture, const struct layout *layout,
	const struct draw_ops *ops, void *out);

/*
 * A letter or digit that marks a job, and a hue in degrees. Jobs beside each other on a plane have
 * hues at least 30 degrees apart, as far as PICTURE_HUES allow. Red means down.
 */
enum { PICTURE_HUES = 10 };
char picture_letter(int job);
int picture_hue(const struct picture *picture, int job);

/* The figures below a picture. */
struct picture_count {
	int free, busy, drained, down;
};

struct picture_count picture_count(const struct picture *picture);

/* The order of the rows of jobs. Waiting jobs stay in the order of the queue. */
enum text_order { TEXT_LISTED, TEXT_NODES, TEXT_HOPS, TEXT_LEFT, TEXT_USER, TEXT_NORDERS };
#define TEXT_ORDERS {"as listed", "nodes", "mean hops", "time left", "user"}

struct text_style {
	int width;
	bool colour; /* with escape sequences */
	const char *only; /* rows of jobs with this in their id, user or partition; NULL: all */
	enum text_order order;
};

/* Draw for a terminal. */
void draw_text(const struct picture *picture, FILE *file, const struct text_style *style);
/* Draw an SVG document of its own, with its own colours. */
void draw_svg(const struct picture *picture, FILE *file, const struct layout_room *room);

#endif
