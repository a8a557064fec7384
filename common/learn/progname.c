/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "learn/progname.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/textfile.h"

/* A name may end with a version: python3.11. */
static const char *const interpreters[] = {"bash", "sh", "dash", "zsh", "csh", "tcsh", "ksh",
	"fish", "python", "pypy", "perl", "ruby", "julia", "Rscript", "R", "lua", "tclsh", "java",
	"octave", "matlab", "node", NULL};
static const char *const nothing[] = {"a.out", "wrap", "job", "test", "run", "main", "script",
	"submit", "sbatch", "srun", "salloc", "interactive", "mpirun", "mpiexec", "mpiexec.hydra",
	"orterun", "prterun", "env", "time", "numactl", NULL};
/* A batch script is named by its job, if it has no other name. */
static const char *const of_scripts[] = {".sh", ".bash", ".slurm", ".sbatch", ".job", ".pbs",
	".batch", ".csh", ".cmd", NULL};

static bool is_interpreter(const char *name)
{
	for (int i = 0; interpreters[i]; i++) {
		size_t n = strlen(interpreters[i]);

		if (!strncmp(name, interpreters[i], n) &&
			name[n + strspn(name + n, ".0123456789")] == '\0')
			return true;
	}
	return false;
}

bool progname_says(const char *job)
{
	size_t length = strlen(job);

	if (is_interpreter(job))
		return false;
	for (int i = 0; nothing[i]; i++)
		if (!strcmp(job, nothing[i]))
			return false;
	for (int i = 0; of_scripts[i]; i++) {
		size_t n = strlen(of_scripts[i]);

		if (length >= n && !strcmp(job + length - n, of_scripts[i]))
			return false;
	}
	return length > 0;
}

void progname_clean(const char *text, char name[PROGNAME])
{
	int n = 0;

	for (text = textfile_name(text); *text && n < PROGNAME - 1; text++)
		name[n++] =
			isascii(*text) && (isalnum(*text) || strchr("-_.", *text)) ? *text : '_';
	name[n] = '\0';
	if (!*name || *name == '.')
		*name = '_';
	name[n ? n : 1] = '\0';
}

int progname_file(int argc, char *const argv[])
{
	int i = 1;

	if (argc < 1 || !is_interpreter(textfile_name(argv[0])))
		return 0;
	while (i < argc && *argv[i] == '-' && strcmp(argv[i], "-c") != 0)
		i++;
	return i < argc && *argv[i] != '-' ? i : 0;
}

/*
 * Hash a word so that all numbers are alike, and so are all characters that are no part of a name.
 */
static uint64_t hash_word(uint64_t hash, const char *word)
{
	for (int i = 0; i < PROGNAME_WORD && word[i]; i++) {
		unsigned char c = (unsigned char)word[i];

		if (isdigit(c) && i && isdigit((unsigned char)word[i - 1]))
			continue;
		if (isdigit(c))
			c = '#';
		else if (!isascii(c) || (!isalnum(c) && !strchr("-_./=:,", c)))
			c = '_';
		hash = hash_add(hash, c);
	}
	return hash_add(hash, ' ');
}

void progname_of(int argc, char *const argv[], struct progname *program)
{
	int file = progname_file(argc, argv);
	uint64_t hash = HASH_BEGIN;

	*program = (struct progname){{0}, {0}};
	if (argc < 1 || !*textfile_name(argv[file]))
		return;
	progname_clean(argv[file], program->file);
	for (int i = file + 1; i < argc && i <= PROGNAME_WORDS; i++)
		hash = hash_word(hash, argv[i]);
	if (file + 1 < argc)
		snprintf(program->detailed, PROGNAME, "%.54s-%08x", program->file,
			(unsigned)(hash >> 32));
	else
		memcpy(program->detailed, program->file, PROGNAME);
}
