/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cores.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

/* Caches, packages and groups that do not branch say nothing about distance. */
static int load(hwloc_topology_t *topology, const char *xml, struct mesh_err *err)
{
	int bad;

	if (hwloc_topology_init(topology))
		return err_printf(err, "out of memory");
	if (xml && hwloc_topology_set_xml(*topology, xml)) {
		err_printf(err, "%s: %s", xml, errno ? strerror(errno) : "not hwloc's XML");
		hwloc_topology_destroy(*topology);
		return -1;
	}
	hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
	hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
	bad = hwloc_topology_load(*topology);
	if (!bad)
		return 0;
	hwloc_topology_destroy(*topology);
	return err_printf(err, "%s: hwloc cannot read this topology", xml ? xml : "this machine");
}

static int by_logical(const void *a, const void *b)
{
	const hwloc_obj_t x = *(const hwloc_obj_t *)a, y = *(const hwloc_obj_t *)b;

	return (x->logical_index > y->logical_index) - (x->logical_index < y->logical_index);
}

/*
 * n objects of one type, spread over the machine: hwloc_distrib() gives each process a set,
 * and it gets the first object in it. When that would give one twice (uneven machines), the
 * first n in order.
 */
static int choose(hwloc_topology_t topology, hwloc_obj_type_t type, int n, hwloc_obj_t *object)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	hwloc_bitmap_t *set = calloc((size_t)n, sizeof(hwloc_bitmap_t));
	bool distinct;

	if (!set)
		return -1;
	distinct = !hwloc_distrib(topology, &root, 1, set, (unsigned)n,
		hwloc_get_type_depth(topology, type), 0);
	for (int i = 0; distinct && i < n; i++)
		object[i] =
			hwloc_get_next_obj_covering_cpuset_by_type(topology, set[i], type, NULL);
	for (int i = 0; i < n; i++) {
		distinct = distinct && object[i];
		hwloc_bitmap_free(set[i]);
	}
	free(set);
	if (distinct)
		qsort(object, (size_t)n, sizeof(*object), by_logical);
	for (int i = 1; distinct && i < n; i++)
		distinct = object[i] != object[i - 1];
	for (int i = 0; !distinct && i < n; i++)
		object[i] = hwloc_get_obj_by_type(topology, type, (unsigned)i);
	return 0;
}

/* What a rank file or a binding calls an object. */
static struct core name_core(hwloc_topology_t topology, hwloc_obj_t object)
{
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
	hwloc_obj_t pu = hwloc_get_obj_inside_cpuset_by_type(topology, object->cpuset,
		HWLOC_OBJ_PU, 0);
	struct core core = {.in_package = -1};

	core.package = package ? (int)package->logical_index : 0;
	core.cpu = pu ? (int)pu->os_index : -1;
	if (object->type == HWLOC_OBJ_CORE)
		core.in_package = package
			? hwloc_get_obj_index_inside_cpuset(topology, package->cpuset, object)
			: (int)object->logical_index;
	return core;
}

static int fill(struct cores *cores, hwloc_topology_t topology, hwloc_obj_t *object)
{
	size_t n = (size_t)cores->n;

	arena_array(&cores->arena, cores->core, cores->n);
	cores->table = (struct assign_sites){.n = cores->n};
	if (!arena_array(&cores->arena, cores->table.hops, (int64_t)cores->n * cores->n))
		return -1;
	for (size_t i = 0; i < n; i++)
		cores->core[i] = name_core(topology, object[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			hwloc_obj_t top = object[i];

			if (i != j)
				top = hwloc_get_common_ancestor_obj(topology, object[i], object[j]);
			cores->table.hops[i * n + j] = (uint16_t)(object[i]->depth - top->depth);
		}
	return 0;
}

static int take(struct cores *cores, hwloc_topology_t topology, struct mesh_err *err)
{
	int nthreads = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	hwloc_obj_t *object;

	cores->ncores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
	cores->threads = cores->n > cores->ncores;
	if (cores->n > nthreads)
		return err_printf(err, "%d processes on a node of %d cores and %d hardware threads",
			cores->n, cores->ncores, nthreads);
	object = arena_get(&cores->arena, cores->n, sizeof(*object));
	return !object || choose(topology, cores->threads ? HWLOC_OBJ_PU : HWLOC_OBJ_CORE,
				    cores->n, object) || fill(cores, topology, object)
		? err_printf(err, "out of memory") : 0;
}

int cores_read(struct cores *cores, const char *xml, int n, struct mesh_err *err)
{
	hwloc_topology_t topology;
	int result;

	*cores = (struct cores){.n = n};
	if (load(&topology, xml, err))
		return -1;
	result = take(cores, topology, err);
	hwloc_topology_destroy(topology);
	return result;
}

