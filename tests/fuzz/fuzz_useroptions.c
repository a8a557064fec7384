/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: a job's spank environment (entries are lines), and below an empty line one of
 * SchedulerParameters. Whatever is in them, what was read keeps its promises and what is said
 * about them is printable.
 */
#include "fuzz.h"
#include "conf/settings.h"
#include "conf/useroptions.h"

/* Printable ASCII (useroptions.h). */
static void check_text(const struct mesh_err *err)
{
	fuzz_text(err);
	for (const char *c = err->text; *c; c++)
		fuzz_require((unsigned char)*c <= '~');
}

static void check_options(const struct useroptions *asked)
{
	fuzz_require(asked->max_wait >= -2);
	fuzz_require(asked->shape.ndims >= 0 && asked->shape.ndims <= MESH_MAX_DIMS);
	for (int d = 0; d < asked->shape.ndims; d++)
		fuzz_require(asked->shape.side[d] >= 1);
}

static void read_options(char *text)
{
	enum { MAX_ENV = 64 };
	char *env[MAX_ENV], *save = NULL;
	struct mesh_err err = {{0}};
	struct useroptions asked;
	uint32_t n = 0;
	int wrong;

	for (char *line = strtok_r(text, "\n", &save); line && n < MAX_ENV;
		line = strtok_r(NULL, "\n", &save))
		env[n++] = line;
	wrong = useroptions_read(&asked, env, n, MESH_USER_ALL, &err);
	fuzz_require(wrong >= 0 && (!wrong || *err.text));
	check_text(&err);
	check_options(&asked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *rest;
	struct mesh_settings settings;
	struct mesh_err err = {{0}};

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if ((rest = strstr(text, "\n\n"))) {
		*rest = '\0';
		if (mesh_settings_parse(rest + 2, &settings, &err))
			fuzz_require(*err.text);
		else
			mesh_settings_release(&settings);
	}
	read_options(text);
	free(text);
	return 0;
}
