/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What import_read() and the readers of single formats share. A new format is a row in the table
 * of read.c.
 */
#ifndef SMESH_READER_H
#define SMESH_READER_H

#include "base/hash.h"
#include "import/import.h"
#include "sim/need.h"

struct reader {
	struct import *import;
	struct cables *cables; /* the import's */
	struct mesh_err *err;  /* its text begins with FILE:LINE: , or FILE: if line is 0 */
	struct arena arena;    /* lives until the import is read */
	void *state;	       /* the format's own, zeroed, of size `state` */
	void *yaml;	       /* the document in progress (yamldoc.h) */
	const char *path;      /* of the current file */
	const char *looks;     /* the format that this file seems to have; NULL: not known */
	int file, line;	       /* numbers from 0 and from 1 */
	bool wrap;	       /* for coordinates: all dimensions, if nothing else is said */
};

/* The functions return 0, or -1 with text. */
struct import_reader {
	const char *name;
	size_t state;
	bool placed; /* coordinates, not cables */
	/* Called with a line without its end; may change it. */
	int (*line)(struct reader *r, char *text);
	/* Called behind the last line of each file, and behind all files. NULL: nothing to do. */
	int (*file_end)(struct reader *r);
	int (*end)(struct reader *r);
};

extern const struct import_reader import_ibnetdiscover, import_iblinkinfo, import_cables,
	import_cutsheet, import_textproto, import_clusterdesc, import_coords, import_scontrol,
	import_yaml;

/* -1, with a text about a line of the file. */
#define reader_bad(r, at, ...) ((r)->line = (at), err_printf((r)->err, __VA_ARGS__))

/* --- words of a line: read_cables.c --------------------------------------------------------- */

enum { READER_FIELDS = 64 };

/* What stands between the fields of a line: , ; tab or |, the first outside quotes; or a blank. */
char reader_delimiter(const char *text);
/* Cut a line into fields, without blanks around them and without quotes. Returns how many, or -1:
 * quotes do not end. */
int reader_split(char *text, char delimiter, char *field[READER_FIELDS]);
/* Is a line only dashes and bars, as below the titles of a table? */
bool reader_rule(const char *text);
/* Are all fields empty, as spreadsheets write them below the last row? */
bool reader_blank(char *const *field, int n);
/*
 * Copy the next word of a column's title, in small letters; empty: there is none. Returns the rest
 * of the title. Words end at other characters, between letters and digits, and before a capital
 * that follows a small letter. The title ends at : and /.
 */
const char *reader_word(const char *text, char word[32]);
/* Is a word, in any case, in a list that ends with NULL? */
bool reader_knows(const char *const *list, const char *word);
/* Is it a word that lists have in the place of a host that is not there: TBD, N/A, spare, Total? */
bool reader_no_host(const char *name);

/* --- grids: read_coords.c ------------------------------------------------------------------- */

/* Room for a name of a vertex that files only number. */
enum { READER_NAME = 320 };

/* The grid with this name, made if there is none; NULL with text. */
struct grid *reader_grid(struct reader *r, const char *name);
/* Put a node at coordinates of a grid, which has n dimensions (or none yet) and grows with them. */
int reader_place(struct reader *r, const char *node, struct grid *grid, const int *at, int n);
/*
 * Parse numbers separated by one of the separators. Returns how many, at most MESH_MAX_DIMS; -1:
 * there is something else, too many, or one that is not in 0..MESH_MAX_SIDE - 1.
 */
int reader_numbers(char *text, const char *separators, int *at);

#endif
