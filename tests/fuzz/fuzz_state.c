/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a file for --state of smesh map, top, alloc and others. Whatever the bytes, there is
 * a message, or jobs on nodes of the mesh that can be drawn.
 */
#include <math.h>

#include "base/hostlist.h"
#include "cli/fail.h"
#include "fail.h"
#include "fuzz.h"
#include "sim/need.h"
#include "view/state.h"

/* Two meshes: the file may have jobs of both. Made once. */
static struct topoconf *two_meshes(void)
{
	static const char text[] = "MeshName=a Dims=4x4 Nodes=n[0-15]\n"
				   "MeshName=b Dims=2x2x2 Wrap=yes,yes,yes Nodes=m[0-7]\n";
	static struct topoconf *conf;
	struct mesh_err err;

	if (!conf)
		conf = topoconf_parse(text, sizeof(text) - 1, "t", &hostlist_libslurm, &err);
	fuzz_require(conf && conf->nmeshes == 2);
	return conf;
}

static void check_job(const struct picture *p, int j)
{
	const struct picture_job *job = &p->job[j];

	fuzz_require(job->id && *job->id && job->count > 0);
	fuzz_require(job->left >= -1 && job->ran >= -1 && isfinite(job->left + job->ran));
	fuzz_require(isfinite(job->mean_hops) && job->mean_hops >= 0);
	fuzz_require(job->hue >= 0 && job->hue < PICTURE_HUES);
	for (int i = 0; i < job->count; i++) {
		fuzz_require(job->node[i] >= 0 && job->node[i] < p->mesh->nnodes);
		fuzz_require(!i || job->node[i] > job->node[i - 1]);
		fuzz_require(p->job_of[job->node[i]] >= 0 && p->job_of[job->node[i]] <= j);
	}
	for (int other = 0; other < j && j < 64; other++)
		fuzz_require(strcmp(p->job[other].id, job->id) != 0);
}

static void check_waiting(const struct picture *p, const struct picture_waiting *w)
{
	struct picture_count count = picture_count(p);

	for (int j = 0; j < p->njobs && j < 64; j++)
		fuzz_require(strcmp(p->job[j].id, w->id) != 0);
	fuzz_require(w->id && w->why && w->nodes > 0);
	fuzz_require(isfinite(w->since) && w->since >= -1);
	fuzz_require(!w->may.n || w->may.n == p->mesh->nnodes);
	fuzz_require(!w->must.n || w->must.n == p->mesh->nnodes);
	fuzz_require(count.free >= 0 && count.free + count.busy <= p->mesh->nnodes);
}

/* A terminal gets lines of text, and nothing else. */
static void draw(const struct picture *p)
{
	const struct text_style style = {.width = 80};
	char *text = NULL;
	size_t size = 0;
	FILE *to = need(open_memstream(&text, &size));

	draw_text(p, to, &style);
	fuzz_require(!fclose(to) && size);
	for (size_t i = 0; i < size; i++)
		fuzz_require((text[i] >= ' ' || text[i] == '\n' || text[i] < 0) && text[i] != 0x7f);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct topoconf *conf = two_meshes();
	struct picture picture = {0};
	char path[FUZZ_PATH];
	int fd = fuzz_file(data, size, path), code;

	*fuzz_said = '\0';
	picture_init(&picture, conf->mesh[size & 1]);
	code = state_take(&picture, conf, path);
	fuzz_require(code == SMESH_OK || *fuzz_said);
	for (int j = 0; j < picture.njobs && !code; j++)
		check_job(&picture, j);
	for (int w = 0; w < picture.nwaiting && !code; w++)
		check_waiting(&picture, &picture.waiting[w]);
	if (!code)
		draw(&picture);
	picture_release(&picture);
	close(fd);
	return 0;
}
