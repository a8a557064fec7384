/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * smesh: simulate, draw, check, partition and map, with the same core as the plugin.
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/output.h"
#include "cli/smesh.h"
#include "base/suggest.h"
#include "cmd/commands.h"
#include "conf/strategies.h"
#include "sim/need.h"

#define COMMAND_ADDRESS(name) &cmd_##name,
static const struct command *const commands[] = {COMMANDS(COMMAND_ADDRESS) NULL};

static void usage(FILE *to)
{
	fputs("usage: smesh [--strategies=FILE]... COMMAND [OPTION]...\n\n", to);
	for (const struct command *const *c = commands; *c; c++)
		fprintf(to, "  %-12s %s\n", (*c)->name, (*c)->summary);
	fputs("\n--strategies=FILE loads a shared object with further strategies.\n"
	      "smesh COMMAND --help says more, and man smesh all. Two to begin with:\n"
	      "    smesh check -t topology.conf          what the map of the machine means\n"
	      "    smesh verdict -t topology.conf LOG    what snug is worth for a job log\n",
		to);
}

static const char *command_name(const void *list, int at)
{
	(void)list;
	return commands[at] ? commands[at]->name : NULL;
}

static const struct command *find_command(const char *name)
{
	char text[96];

	for (const struct command *const *c = commands; *c; c++)
		if (!strcasecmp(name, (*c)->name))
			return *c;
	if (*name == '-')
		smesh_fail(SMESH_USAGE, "unknown option '%s': options of a command stand behind it "
			"(see smesh --help)", name);
	else
		smesh_fail(SMESH_USAGE, "unknown command '%s'%s (see smesh --help)", name,
			suggest(name, command_name, NULL, text, sizeof(text)));
	return NULL;
}

/* smesh help [COMMAND] */
static int help(const char *name)
{
	const struct command *command = name ? find_command(name) : NULL;

	if (name && !command)
		return SMESH_USAGE;
	if (command)
		options_help(command);
	else
		usage(stdout);
	return SMESH_OK;
}

static bool is_either(const char *word, const char *a, const char *b)
{
	return !strcmp(word, a) || !strcmp(word, b);
}

/* Load a file of strategies, of which `files` are loaded. 0, or -1 with text. */
static int load_file(const char *file, int files, struct mesh_err *err)
{
	if (!*file)
		return err_printf(err,
			"--strategies wants a file: --strategies=FILE, before the command");
	if (files == SMESH_STRATEGY_FILES)
		return err_printf(err, "--strategies: at most %d files", files);
	smesh_strategy_files[files] = file;
	return strategies_load(file, err);
}

/* Load each --strategies=FILE.so before the command. How many words, or -1. */
static int load_strategies(int argc, char **argv)
{
	static const char option[] = "--strategies";
	size_t length = strlen(option);
	struct mesh_err err;
	int n = 0, files = 0;

	while (n + 1 < argc && !strncmp(argv[n + 1], option, length)) {
		const char *file = argv[n + 1] + length;

		if (*file && *file != '=')
			break;
		file = *file ? file + 1 : n + 2 < argc ? argv[n++ + 2] : "";
		if (load_file(file, files++, &err)) {
			smesh_fail(SMESH_USAGE, "%s", err.text);
			return -1;
		}
		n++;
	}
	return n;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct command_base *base = need(calloc(1, command->size));
	int code;

	if (command->usual)
		memcpy(base, command->usual, command->size);
	base->argc = argc;
	base->argv = argv;
	base->command = smesh_command_text(argc, argv);
	code = options_read(command, argc, argv, base);
	base->operand = argv + optind;
	base->noperands = argc - optind;
	if (!code && command->table)
		code = table_check(command->table, &base->form);
	if (!code)
		code = command->run(base);
	if (command->end)
		command->end(base);
	picture_release(&base->picture);
	topoconf_free(base->conf);
	arena_release(&base->arena);
	free(base->command);
	free(base);
	return code;
}

static int run(int argc, char **argv)
{
	const struct command *command;

	if (is_either(argv[1], "--version", "-V")) {
		printf("smesh %s\n", PACKAGE_VERSION);
		return SMESH_OK;
	}
	if (is_either(argv[1], "--help", "-h"))
		return help(NULL);
	if (!strcasecmp(argv[1], "help"))
		return help(argv[2]);
	command = find_command(argv[1]);
	return command ? run_command(command, argc - 1, argv + 1) : SMESH_USAGE;
}

int main(int argc, char **argv)
{
	int code, loaded;

	output_catch_signals();
	loaded = load_strategies(argc, argv);
	if (loaded < 0)
		return SMESH_USAGE;
	argc -= loaded;
	argv += loaded;
	if (argc < 2) {
		usage(stderr);
		return SMESH_USAGE;
	}
	code = run(argc, argv);
	/* Output that was not written is a failure too. */
	if (fflush(stdout) || ferror(stdout))
		return smesh_fail(SMESH_FAILED, "cannot write the output");
	return code;
}
