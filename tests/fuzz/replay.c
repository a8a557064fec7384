/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A small main() for fuzz targets where libFuzzer is not at hand: every file of the seed
 * corpus, then mutations of them, the same ones in every run. Speaks TAP. With files as
 * arguments only those are run (to look at a crash).
 *
 * The corpus is $srcdir/tests/fuzz/corpus/NAME of the program fuzz_NAME.
 */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "fuzz.h"

enum { MUTATIONS = 2000, MAX_INPUTS = 512, MAX_SIZE = 1 << 16, ROOM = MAX_SIZE + 64 };

struct input {
	uint8_t *data;
	size_t size;
};

struct corpus {
	struct input input[MAX_INPUTS];
	int count;
};

static size_t below(uint64_t *seed, size_t limit)
{
	return limit ? (size_t)(random_next(seed) % limit) : 0;
}

static bool load(struct corpus *corpus, const char *path)
{
	FILE *file = fopen(path, "re");
	uint8_t *data = malloc(ROOM);
	size_t size;

	if (!file || !data || corpus->count == MAX_INPUTS) {
		if (file)
			fclose(file);
		free(data);
		return false;
	}
	size = fread(data, 1, MAX_SIZE, file);
	fclose(file);
	corpus->input[corpus->count++] = (struct input){data, size};
	return true;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of their names, so that the mutations are the same everywhere. */
static int load_directory(struct corpus *corpus, const char *path)
{
	struct dirent **entry;
	int count = scandir(path, &entry, NULL, by_name);

	for (int i = 0; i < count; i++) {
		char file[4096 + 256];

		snprintf(file, sizeof(file), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			load(corpus, file);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	return corpus->count;
}

/* Exactly size bytes on the heap: a read past the end is caught by sanitizers and valgrind. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static void flip_byte(uint64_t *seed, uint8_t *data, size_t size)
{
	static const char interesting[] = "\0\n\\#=,;:[]-x0919 \"\xff\x80%";

	if (size)
		data[below(seed, size)] =
			(uint8_t)interesting[below(seed, sizeof(interesting) - 1)];
}

/* Cut a piece out, or put a piece of another input in. */
static size_t move_piece(uint64_t *seed, uint8_t *data, size_t size, const struct input *other)
{
	size_t at = below(seed, size + 1), length;

	if (random_next(seed) & 1) {
		length = below(seed, size - at + 1);
		memmove(data + at, data + at + length, size - at - length);
		return size - length;
	}
	size_t from = below(seed, other->size);

	length = below(seed, other->size - from + 1);
	if (length > ROOM - size)
		length = ROOM - size;
	memmove(data + at + length, data + at, size - at);
	memcpy(data + at, other->data + from, length);
	return size + length;
}

static void mutate_and_run(struct corpus *corpus, int rounds)
{
	static uint8_t data[ROOM];
	uint64_t seed = 1;

	for (int i = 0; i < rounds; i++) {
		const struct input *base = &corpus->input[below(&seed, (size_t)corpus->count)];
		size_t size = base->size;

		memcpy(data, base->data, size);
		for (size_t changes = 1 + below(&seed, 6); changes > 0; changes--) {
			if (below(&seed, 3))
				flip_byte(&seed, data, size);
			else
				size = move_piece(&seed, data, size,
					&corpus->input[below(&seed, (size_t)corpus->count)]);
		}
		run(data, size);
	}
}

static void find_corpus(const char *program, char *path, size_t room)
{
	const char *name = strrchr(program, '/');
	const char *top = getenv("srcdir");

	name = name ? name + 1 : program;
	/* The program is called fuzz_NAME. */
	if (!strncmp(name, "lt-", 3))
		name += 3;
	if (!strncmp(name, "fuzz_", 5))
		name += 5;
	snprintf(path, room, "%s/tests/fuzz/corpus/%s", top ? top : ".", name);
}

int main(int argc, char **argv)
{
	static struct corpus corpus;
	char path[4096];

	find_corpus(argv[0], path, sizeof(path));
	for (int i = 1; i < argc; i++)
		if (!load(&corpus, argv[i]))
			return fprintf(stderr, "%s: cannot be read\n", argv[i]), 1;
	if (argc == 1 && !load_directory(&corpus, path))
		return fprintf(stderr, "%s: no seed corpus\n", path), 1;
	puts(argc == 1 ? "1..2" : "1..1");
	for (int i = 0; i < corpus.count; i++)
		run(corpus.input[i].data, corpus.input[i].size);
	printf("ok 1 - %d inputs\n", corpus.count);
	fflush(stdout);
	if (argc == 1) {
		mutate_and_run(&corpus, MUTATIONS);
		printf("ok 2 - %d mutations of them\n", MUTATIONS);
	}
	for (int i = 0; i < corpus.count; i++)
		free(corpus.input[i].data);
	return 0;
}
