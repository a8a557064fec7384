/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tenstorrent's cluster descriptors: a file for each host, whose name is the file's:
 *
 * chip_unique_ids: {0: 17811904539885282606}
 * ethernet_connections_to_remote_devices:
 *   - [{chip: 0, chan: 1}, {remote_chip_id: 1408778462404599637, chan: 1}]
 *
 * Both hosts list each channel between them; a channel is a lane. Channels between chips of one
 * host do not count. A host with several files (slots) is one host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/textfile.h"
#include "base/sort.h"
#include "import/yamldoc.h"

enum { MAX_CHAN = 255 };

struct chip {
	uint64_t id;
	int vertex;
};

/* A channel, by the id of the chip at each end. */
struct channel {
	uint64_t chip[2], chan[2];
};

struct chips {
	struct yamldoc_text text;
	struct chip *chip;
	struct channel *channel;
	int nchips, nchannels;
	int vertex; /* of the current file */
};

/* --- a file ------------------------------------------------------------------------------- */

/* The host in .../anything_cluster_desc_HOST_rank_3.yaml or .../HOST.yaml */
static void host_name(const char *path, char name[READER_NAME])
{
	static const char *const end[] = {".yaml", ".yml", "_rank_", "_slot_"};
	const char *from = textfile_name(path), *at;

	for (at = from; (at = strstr(at, "desc_")); from = at)
		at += strlen("desc_");
	snprintf(name, READER_NAME, "%s", from);
	for (size_t i = 0; i < sizeof(end) / sizeof(*end); i++) {
		char *cut = strstr(name, end[i]);

		if (cut && !cut[strlen(end[i]) + strspn(cut + strlen(end[i]), "0123456789")])
			*cut = '\0';
	}
}

static int take_ids(struct reader *r, const yaml_node_t *ids)
{
	struct chips *c = r->state;

	if (!ids || ids->type != YAML_MAPPING_NODE)
		return yamldoc_bad(r, ids, "expected chip_unique_ids: with the id of each chip");
	yamldoc_pairs(p, ids) {
		const yaml_node_t *value = yaml_document_get_node(r->yaml, p->value);
		uint64_t id;

		if (!yamldoc_number(value, UINT64_MAX, &id))
			return yamldoc_bad(r, value ? value : ids, "expected a chip's unique id");
		need_append(&r->arena, c->chip, c->nchips, (struct chip){id, c->vertex});
	}
	return 0;
}

/* Take a channel between a local chip and a remote one. */
static int take_channel(struct reader *r, const yaml_node_t *pair, const yaml_node_t *ids)
{
	const yaml_node_t *here = yamldoc_item(r, pair, 0), *there = yamldoc_item(r, pair, 1);
	const char *chip = yamldoc_scalar(yamldoc_get(r, here, "chip"));
	struct chips *c = r->state;
	struct channel channel;

	if (!chip || !yamldoc_number(yamldoc_get(r, ids, chip), UINT64_MAX, &channel.chip[0]) ||
		!yamldoc_number(yamldoc_get(r, here, "chan"), MAX_CHAN, &channel.chan[0]) ||
		!yamldoc_number(yamldoc_get(r, there, "remote_chip_id"), UINT64_MAX,
			&channel.chip[1]) ||
		!yamldoc_number(yamldoc_get(r, there, "chan"), MAX_CHAN, &channel.chan[1]))
		return yamldoc_bad(r, pair, "expected {chip, chan} of a chip that has a unique id, "
			"and {remote_chip_id, chan}");
	need_append(&r->arena, c->channel, c->nchannels, channel);
	return 0;
}

static int take_root(struct reader *r, const yaml_node_t *root)
{
	const yaml_node_t *ids = yamldoc_get(r, root, "chip_unique_ids"), *pair;
	const yaml_node_t *list = yamldoc_get(r, root, "ethernet_connections_to_remote_devices");

	if (take_ids(r, ids))
		return -1;
	for (int i = 0; (pair = yamldoc_item(r, list, i)); i++)
		if (take_channel(r, pair, ids))
			return -1;
	return 0;
}

static int chips_file_end(struct reader *r)
{
	struct chips *c = r->state;
	char name[READER_NAME];

	host_name(r->path, name);
	c->vertex = cables_host(r->cables, name, r->err);
	return c->vertex < 0 ? -1 : yamldoc_read(r, take_root);
}

/* --- all of them -------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
	return sort_compare_u64(&((const struct chip *)a)->id, &((const struct chip *)b)->id);
}

/* A port is a channel of a chip. */
static void add_channel(struct reader *r, const struct channel *channel)
{
	const struct chips *c = r->state;
	struct cable_end end[2];

	for (int i = 0; i < 2; i++) {
		const struct chip key = {channel->chip[i], 0}, *chip =
			bsearch(&key, c->chip, (size_t)c->nchips, sizeof(key), by_id);

		if (!chip) {
			r->import->unknown++;
			return;
		}
		end[i].vertex = chip->vertex;
		end[i].port = hash_add(hash_add(HASH_BEGIN, chip->id), channel->chan[i]);
	}
	cables_add(r->cables, end, 1);
}

static int chips_end(struct reader *r)
{
	struct chips *c = r->state;

	if (c->nchips)
		qsort(c->chip, (size_t)c->nchips, sizeof(*c->chip), by_id);
	for (int i = 1; i < c->nchips; i++)
		if (c->chip[i].id == c->chip[i - 1].id &&
			c->chip[i].vertex != c->chip[i - 1].vertex)
			return err_printf(r->err, "chip %llu is in two hosts",
				(unsigned long long)c->chip[i].id);
	for (int i = 0; i < c->nchannels; i++)
		add_channel(r, &c->channel[i]);
	return 0;
}

const struct import_reader import_clusterdesc = {.name = "clusterdesc",
	.state = sizeof(struct chips), .line = yamldoc_line, .file_end = chips_file_end,
	.end = chips_end};
