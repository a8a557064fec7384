/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of cables: CSV, or words between blanks, one cable to a line. Its two ends are host[:port]
 * or host[/port], in the columns that a header names, or else in the first two. Its lanes are in
 * the column of that name, or in the third of three columns of numbers without a header; otherwise
 * it has one lane.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sort.h"
#include "import/reader.h"
#include "sim/human.h"

enum side { NO_SIDE = -1, SIDE_A, SIDE_B };

struct row {
	char **field;
	int n, line;
};

struct list {
	char delimiter;
	int end[2], lanes; /* columns; lanes -1: none */
	bool status[READER_FIELDS]; /* the column says whether the cable is there */
	const char *flag[READER_FIELDS]; /* the title of a column of yes and no; or NULL */
	bool gone[READER_FIELDS]; /* yes says that the cable is not there */
	enum side of[READER_FIELDS]; /* the end that a column is about, but for its name */
	int width; /* how many columns a header names; 0: there is none */
	int nheaders; /* the first rows, which are headers: a cutsheet has two */
	struct row *row, *marked; /* marked: those that begin with # */
	int nrows, nmarked;
	struct row comment; /* a header in a comment above all rows */
	int ncables, loops; /* loops: those of a node to itself */
	const char *cut; /* what ends a name in its column */
	char *open; /* a line that ends inside of quotes */
	int open_line;
};

/* --- lines into fields --------------------------------------------------------------------- */

char reader_delimiter(const char *text)
{
	bool inside = false;

	for (; *text; text++) {
		inside ^= *text == '"';
		if (!inside && strchr(",;\t|", *text))
			return *text;
	}
	return ' ';
}

/* Unpack a field in quotes, in place. Returns what follows, or NULL: it does not end. */
static char *unquote(char *text, char **field)
{
	char *to = text;

	*field = text;
	for (char *from = text + 1; *from; from++) {
		if (*from == '"' && *++from != '"') {
			*to = '\0';
			return from;
		}
		*to++ = *from;
	}
	return NULL;
}

/* Cut off the blanks before the end of a text. */
static void cut_blanks(const char *text, char *end)
{
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
}

int reader_split(char *text, char delimiter, char *field[READER_FIELDS])
{
	const char *blank = delimiter == '\t' ? " " : " \t";
	const char stop[] = {delimiter, delimiter == ' ' ? '\t' : '\0', '\0'};
	bool more = true;
	int n = 0;

	while (more && n < READER_FIELDS) {
		text += strspn(text, blank);
		if (delimiter == ' ' && !*text)
			break;
		field[n] = text;
		if (*text == '"' && !(text = unquote(text, &field[n])))
			return -1;
		text += strcspn(text, stop);
		more = *text;
		cut_blanks(field[n++], text++);
	}
	return n;
}

bool reader_rule(const char *text)
{
	return strstr(text, "--") && !text[strspn(text, "-|:+= \t")];
}

bool reader_blank(char *const *field, int n)
{
	while (n > 0 && !*field[n - 1])
		n--;
	return !n;
}

/* A copy of the text as a row; `delimiter` 0: find it. The row's n is -1: it ends in quotes. */
static struct row make_row(struct reader *r, const char *text, int line, char delimiter)
{
	char *copy = need_text(&r->arena, text), *field[READER_FIELDS];
	int n = reader_split(copy, delimiter ? delimiter : reader_delimiter(copy), field);
	struct row row = {.n = n, .line = line};

	need_array(&r->arena, row.field, n > 0 ? n : 0);
	for (int i = 0; i < n; i++)
		row.field[i] = field[i];
	return row;
}

static void add_row(struct reader *r, const char *text, int line)
{
	struct list *list = r->state;
	struct row row;

	list->delimiter = list->delimiter ? list->delimiter : reader_delimiter(text);
	row = make_row(r, text, line, list->delimiter);
	list->open = row.n < 0 ? need_text(&r->arena, text) : NULL;
	list->open_line = line;
	if (row.n > 0 && !reader_blank(row.field, row.n))
		need_append(&r->arena, list->row, list->nrows, row);
}

/* Continue a field in quotes that has line ends in it. Each time all of it is copied. */
static int go_on(struct reader *r, const char *text)
{
	enum { LINES = 100, CHARACTERS = 1 << 16 };
	struct list *list = r->state;
	size_t size = strlen(list->open) + strlen(text) + 2;
	char *all;

	if (size > CHARACTERS || r->line - list->open_line > LINES)
		return reader_bad(r, list->open_line, "quotes that do not end within %d lines and "
			"%d characters", LINES, CHARACTERS);
	need_array(&r->arena, all, (int64_t)size);
	snprintf(all, size, "%s %s", list->open, text);
	add_row(r, all, list->open_line);
	return 0;
}

static bool read_header(const struct row *row, int column[2], bool strict);

/* Take a comment that is a header. Its delimiter may differ from that of the rows. */
static bool take_comment(struct reader *r, const char *text)
{
	struct list *list = r->state;
	struct row row = make_row(r, text, r->line, list->delimiter);
	int column[2];

	list->delimiter = '\0';
	if (row.n < 2 || !read_header(&row, column, true))
		return false;
	list->comment = row;
	return true;
}

static int cable_line(struct reader *r, char *text)
{
	struct list *list = r->state;
	const char *word = text + strspn(text, " \t");

	if (list->open)
		return go_on(r, text);
	if (reader_rule(text))
		return 0;
	if (*word && *word != '#')
		add_row(r, text, r->line);
	else if (*word && (list->nrows || (!take_comment(r, word + strspn(word, "# \t")) &&
				list->comment.n)))
		/* Below a header it may be a cable with such a label. */
		need_append(&r->arena, list->marked, list->nmarked,
			make_row(r, text, r->line, list->delimiter));
	return 0;
}

/* --- headers ------------------------------------------------------------------------------- */

/* How good a column is for an end. */
enum { NOT_KNOWN, PORT, NAMED, BARE, DEVICE, HOST };

struct title {
	enum side side;
	int rank;
	bool strange; /* it has unknown words */
	bool status; /* its last word is status or state */
};

static const char *const sides[2][24] = {
	{"a", "1", "source", "src", "from", "local", "left", "near", "first", "start", "upstream",
		"parent"},
	{"b", "2", "destination", "dest", "dst", "to", "remote", "right", "far", "second", "end",
		"downstream", "child", "z", "target", "peer", "neighbor", "neighbour", "nbr",
		"other"}};
static const char *const devices[] = {"device", "devicename", "system", "sysname", "switch",
	"machine", "chassis", "router", NULL};
/* A chassis, switch or device may be what a host is in, is cabled to, or has. */
static const char *const hosts[] = {"host", "hostname", "node", "nodename", "server", NULL};
static const char *const ports[] = {"port", "nport", "interface", "if", "ifname", "intf", "type",
	"kind", "nic", "slot", "lane", "lanes", "speed", "rack", "location", "length", "label",
	"guid", "id", "lid", "tray", "shelf", "hall", "aisle", "status", "state", "platform",
	"version", "color", "mac", "ip", "address", "site", "unit", "u", "termination", "module",
	"card", "channel", "cable", "link", "note", "notes", "comment", "dname", "vlan", "mtu",
	"protocol", "count", "number", "width", NULL};
static const char *const fillers[] = {"side", "point", "endpoint", "description", "desc", "of",
	"the", NULL};

bool reader_knows(const char *const *list, const char *word)
{
	while (*list && strcasecmp(*list, word) != 0)
		list++;
	return *list;
}

/* HOST, DEVICE, or NOT_KNOWN. */
static int device_of(const char *word)
{
	return reader_knows(hosts, word) ? HOST : reader_knows(devices, word) ? DEVICE : NOT_KNOWN;
}

/* The side of a word, also of a prefix of a device's name: srchost, hosta. */
static enum side side_of(const char *word, int *device)
{
	int last = (int)strlen(word) - 1;
	char front[32];

	for (int s = SIDE_A; s <= SIDE_B; s++)
		for (const char *const *w = sides[s]; *w; w++) {
			size_t n = strlen(*w);

			*device = n > 1 && !strncmp(word, *w, n) ? device_of(word + n) : NOT_KNOWN;
			if (*device || !strcmp(word, *w))
				return s;
		}
	snprintf(front, sizeof(front), "%.*s", last, word);
	*device = strchr("ab", word[last]) ? device_of(front) : NOT_KNOWN;
	return !*device ? NO_SIDE : word[last] == 'a' ? SIDE_A : SIDE_B;
}

bool reader_no_host(const char *name)
{
	static const char *const words[] = {"tbd", "tba", "tbc", "n/a", "n.a.", "na", "none",
		"null", "nil", "nc", "-", "--", "?", "spare", "unused", "empty", "unconnected",
		"not connected", "disconnected", "total", NULL};

	return reader_knows(words, name);
}

const char *reader_word(const char *text, char word[32])
{
	int n = 0;

	while (*text && !isalnum((unsigned char)*text) && !strchr(":/", *text))
		text++;
	for (; isalnum((unsigned char)*text) && n < 31; text++) {
		word[n++] = (char)tolower((unsigned char)*text);
		if (!isdigit((unsigned char)*text) != !isdigit((unsigned char)text[1]) ||
			(islower((unsigned char)*text) && isupper((unsigned char)text[1]))) {
			text++;
			break;
		}
	}
	word[n] = '\0';
	return text;
}

/* Read a column's title: which side, and whether its names are hosts. */
static struct title read_title(const char *text)
{
	struct title title = {.side = NO_SIDE};
	bool name = false, letter = false, filler = false, end = false;
	/* The last noun counts: a device's port is a port, a port's device a device. */
	int noun = NOT_KNOWN;
	char word[32];

	while ((text = reader_word(text, word)) && *word) {
		bool port = reader_knows(ports, word), fills;
		int device;
		enum side side = side_of(word, &device);

		device = device ? device : device_of(word);
		fills = reader_knows(fillers, word);
		if (device || port)
			noun = device ? device : PORT;
		filler |= fills || (side != NO_SIDE && title.side != NO_SIDE);
		/* Alone it is the far end, but there are end A and end B. */
		if (side != NO_SIDE && (title.side == NO_SIDE || end)) {
			title.side = side;
			letter = !word[1];
			end = !strcmp(word, "end");
		}
		name |= !strcmp(word, "name");
		title.status = !strcmp(word, "status") || !strcmp(word, "state");
		title.strange |= side == NO_SIDE && !device && !port && !fills &&
			strcmp(word, "name") != 0;
	}
	if (noun)
		title.rank = noun;
	else if (title.side != NO_SIDE && !title.strange && (!letter || filler) && !name)
		title.rank = BARE;
	else if (name && !title.strange)
		title.rank = NAMED;
	return title;
}

/* The first column of each rank for side A, side B and no side, and the second for no side. */
struct ends {
	int at[4][HOST + 1]; /* -1: there is none */
};
enum { NONE = SIDE_B + 1, SECOND };

/* The best column of a kind, or -1. */
static int best_of(const int at[HOST + 1])
{
	int rank = HOST;

	while (rank > PORT && at[rank] < 0)
		rank--;
	return rank > PORT ? at[rank] : -1;
}

/*
 * Choose two columns of one rank, hosts first: a chassis and its host are no two ends. False: there
 * are none.
 */
static bool choose_alike(const struct ends *ends, int column[2])
{
	int a = best_of(ends->at[SIDE_A]) < 0 ? NONE : SIDE_A;
	int b = a == NONE && best_of(ends->at[SIDE_B]) < 0 ? SECOND : SIDE_B;

	for (int rank = HOST; rank >= DEVICE; rank--) {
		column[0] = ends->at[a][rank];
		column[1] = ends->at[b][rank];
		if (column[0] >= 0 && column[1] >= 0)
			return true;
	}
	return false;
}

/*
 * Find the columns of the two ends by their titles: two of one rank, or the best one of each side;
 * one without a side beside one of the far side (switch,port,neighbor,nport); or two that both name
 * no side. False: unknown.
 */
static bool read_header(const struct row *row, int column[2], bool strict)
{
	int plain[2] = {-1, -1}, nplain = 0;
	struct ends ends;

	memset(&ends, 0xff, sizeof(ends));
	for (int i = 0; i < row->n; i++) {
		struct title title = read_title(row->field[i]);
		int kind = title.side == NO_SIDE ? NONE : title.side;

		if (strict && title.strange)
			return false;
		if (kind == NONE && nplain < 2 && (title.rank >= DEVICE ||
				(title.rank == NAMED && !nplain)))
			plain[nplain++] = i;
		if (kind == NONE && ends.at[NONE][title.rank] >= 0)
			kind = SECOND;
		if (ends.at[kind][title.rank] < 0)
			ends.at[kind][title.rank] = i;
	}
	if (choose_alike(&ends, column))
		return true;
	column[SIDE_A] = best_of(ends.at[SIDE_A]);
	column[SIDE_B] = best_of(ends.at[SIDE_B]);
	if (column[SIDE_A] < 0)
		column[SIDE_A] = plain[0];
	if (column[SIDE_B] < 0 && column[SIDE_A] == plain[0])
		column[SIDE_B] = plain[1];
	return column[0] >= 0 && column[1] >= 0 && column[0] != column[1];
}

/* --- what the rows are --------------------------------------------------------------------- */

static const char *const would_do = "from,to; src_host,src_port,dst_host,dst_port; "
	"device_a,device_b; switch,port,neighbor,port";

/* Are n12:p1 and n3:p4 of one kind? Compares what is left without digits and ports. */
static bool alike(const char *a, const char *b)
{
	while (*a || *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
		} else if (*a != *b) {
			return false;
		} else {
			a++;
			b++;
		}
	}
	return true;
}

static bool is_same(const struct row *a, const struct row *b)
{
	int i = 0;

	while (i < a->n && i < b->n && !strcmp(a->field[i], b->field[i]))
		i++;
	return i == a->n && i == b->n;
}

/*
 * The next row behind `below` that differs from a row, or list->nrows: there is none. Where lists
 * were put together, a header comes again as it is, and says nothing.
 */
static int next_other(const struct list *list, int row, int below)
{
	do
		below++;
	while (below < list->nrows && is_same(&list->row[row], &list->row[below]));
	return below;
}

/* Are there rows below, and all equal to this one? Then it is no header: nothing would be left. */
static bool only_again(const struct list *list, int row)
{
	return row + 1 < list->nrows && next_other(list, row, row) == list->nrows;
}

/* Are two fields of one column alike? */
static bool is_like(const struct row *a, const struct row *b)
{
	int f = 0;

	while (f < a->n && f < b->n && !(*a->field[f] && alike(a->field[f], b->field[f])))
		f++;
	return f < a->n && f < b->n;
}

/*
 * Does a field of a row come again below in its column, if digits are not compared? The fields of a
 * cable do, a header's do not.
 */
static bool comes_again(const struct list *list, int row)
{
	const struct row *first = &list->row[row];

	for (int i = next_other(list, row, row); i < list->nrows; i = next_other(list, row, i))
		if (is_like(first, &list->row[i]))
			return true;
	return only_again(list, row);
}

/* Has another row one of the row's two ends, as a whole word and in either column? */
static bool shares_end(const struct row *row, const struct row *other, const int column[2])
{
	for (int f = 0; f < 4; f++)
		if (column[f % 2] < row->n && column[f / 2] < other->n &&
			!strcmp(row->field[column[f % 2]], other->field[column[f / 2]]))
			return true;
	return false;
}

/* The same for the rows below. */
static bool ends_again(const struct list *list, int row, const int column[2])
{
	const struct row *first = &list->row[row];

	for (int i = next_other(list, row, row); i < list->nrows; i = next_other(list, row, i))
		if (shares_end(first, &list->row[i], column))
			return true;
	return only_again(list, row);
}

/* Is it one of the headers once more, as where lists were put together? */
static bool is_header(const struct list *list, const struct row *row)
{
	int h = 0;

	while (h < list->nheaders && !is_same(&list->row[h], row))
		h++;
	return h < list->nheaders;
}

/* The field of a row, or "" where the row is shorter. */
static const char *field_of(const struct row *row, int column)
{
	return column < row->n ? row->field[column] : "";
}

/* A copy of the name in a field, without its port. */
static char *name_of(struct reader *r, const struct list *list, const char *field)
{
	char *name = need_text(&r->arena, field);

	name[strcspn(name, list->cut)] = '\0';
	return name;
}

/* Have two columns a name in common? */
static bool share(struct reader *r, const struct list *list, int a, int b)
{
	char **name = need_get(&r->arena, list->nrows, sizeof(*name));
	bool any = false;

	for (int i = 0; i < list->nrows; i++)
		name[i] = name_of(r, list, field_of(&list->row[i], a));
	sort_texts(name, list->nrows);
	for (int i = 0; i < list->nrows && !any; i++) {
		const char *other = name_of(r, list, field_of(&list->row[i], b));

		any = *other && sort_has(name, list->nrows, other);
	}
	return any;
}

/* Does a column have hosts that are neither end: names like the second end's? */
static bool has_hosts(const struct list *list, int column)
{
	bool any = false;

	for (int i = list->nheaders; i < list->nrows; i++) {
		const struct row *row = &list->row[i];
		const char *field = field_of(row, column), *a = field_of(row, list->end[0]),
			*b = field_of(row, list->end[1]);

		if (!*field || is_header(list, row))
			continue;
		if (!field[strspn(field, "0123456789")] || !alike(field, b))
			return false;
		any |= strcmp(field, a) && strcmp(field, b);
	}
	return any;
}

/* Refuse lines that list all neighbours of a host. `header` may be the first row, if none is. */
static int check_others(struct reader *r, const struct list *list, const struct row *header)
{
	for (int c = 0; c < READER_FIELDS; c++)
		if (c != list->end[0] && c != list->end[1] && has_hosts(list, c) &&
			(c >= list->width || read_title(header->field[c]).rank != PORT))
			return reader_bad(r, header->line, "column %d has hosts, too: expected a "
				"line for each cable, with two", c + 1);
	return 0;
}

/*
 * Without a header the first two columns have the ends, unless the rows show that they do not; or
 * that lines list all neighbours of a host.
 */
static int check_columns(struct reader *r, const struct list *list)
{
	const struct row *first = list->row;
	bool other = first->n > 2 && !alike(first->field[0], first->field[1]);

	if (share(r, list, 0, 1))
		return check_others(r, list, first);
	if (first->n < 3)
		return 0;
	for (int c = 2; c < first->n && !other; c++)
		other = share(r, list, 0, c);
	return !other ? 0 : reader_bad(r, first->line, "no header, and no name is in both of the "
		"first two columns: expected a line above that names those of the two ends, as %s",
		would_do);
}

/* Is it a matrix: has the first row, behind its first field, the first fields of the others? */
static bool is_matrix(const struct list *list)
{
	int i = 1;

	while (i < list->nrows && i < list->row->n && list->row[i].n == list->row->n &&
		!strcmp(list->row->field[i], list->row[i].field[0]))
		i++;
	return i > 2 && i == list->nrows && i == list->row->n;
}

static int unknown_header(struct reader *r, const struct row *row)
{
	char titles[72] = "";

	for (int i = 0; i < row->n; i++)
		human_add(titles, sizeof(titles), "%s%.32s", i ? "," : "", row->field[i]);
	return reader_bad(r, row->line, "'%s' is taken for a header, as nothing like it comes "
		"below, but names no two ends, as do %s", titles, would_do);
}

/* Is it a whole number, also as 2.0? */
static bool is_whole(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	const char *rest = text + digits;

	return digits && (!*rest || (*rest == '.' && !rest[1 + strspn(rest + 1, "0")]));
}

/* Are these lines A B [LANES], without a header? */
static bool has_lanes(const struct list *list)
{
	int n = 0;

	for (int i = 0; i < list->nrows; i++) {
		const struct row *row = &list->row[i];

		if (row->n < 2 || row->n > 3 ||
			(row->n == 3 && *row->field[2] && !is_whole(row->field[2])))
			return false;
		n += row->n == 3 && *row->field[2];
	}
	return n > 0;
}

/*
 * Does the third column number the rows: N to N + rows - 1, each once? In a long list it is enough
 * that all differ.
 */
static bool counts_rows(struct reader *r, const struct list *list)
{
	enum { LONG = 8 };
	const char **text = need_get(&r->arena, list->nrows, sizeof(*text));
	long low = LONG_MAX, high = 0;

	for (int i = 0; i < list->nrows; i++) {
		long number = strtol(text[i] = field_of(&list->row[i], 2), NULL, 10);

		low = number < low ? number : low;
		high = number > high ? number : high;
	}
	sort_texts(text, list->nrows);
	for (int i = 1; i < list->nrows; i++)
		if (!strcmp(text[i - 1], text[i]))
			return false;
	return list->nrows >= LONG || (list->nrows > 2 && high - low == list->nrows - 1);
}

/* Could a third column tell lanes: numbers like 400G, x2; or networkx's {'weight': 2}? */
static bool may_be_lanes(const struct list *list)
{
	bool differ = false;

	for (int i = 0; i < list->nrows; i++) {
		const struct row *row = &list->row[i], *first = list->row;
		const char *text = field_of(row, 2);

		if (*text != '{' && (row->n != 3 ||
				!isdigit((unsigned char)text[*text == 'x' || *text == 'X'])))
			return false;
		differ |= strcmp(row->field[row->n - 1], first->field[first->n - 1]) != 0;
	}
	return differ;
}

/*
 * Find which other columns are about an end: those whose titles name its side or, if none does,
 * those behind its name.
 */
static void find_ports(struct list *list, const struct row *header)
{
	int low = list->end[list->end[0] > list->end[1]];
	int wide = abs(list->end[1] - list->end[0]);
	bool named = false;

	list->width = header->n;
	for (int i = 0; i < header->n; i++) {
		list->of[i] = read_title(header->field[i]).side;
		named |= list->of[i] != NO_SIDE && i != list->end[0] && i != list->end[1];
	}
	for (int i = 0; i < READER_FIELDS && !named; i++)
		list->of[i] = i < low || i >= low + 2 * wide ? NO_SIDE
			: (i >= low + wide) == (low == list->end[0]) ? SIDE_B : SIDE_A;
	for (int i = 0; i < header->n; i++)
		if (read_title(header->field[i]).status) {
			list->status[i] = true;
			list->of[i] = NO_SIDE;
		}
}

static const char *const yes[] = {"yes", "y", "true", "1", "on", NULL};
static const char *const no[] = {"no", "n", "false", "0", "off", NULL};

/* Does a title ask yes or no: Installed, is_up? *gone: yes is bad, as in broken. */
static bool asks(const char *title, bool *gone)
{
	static const char *const there[] = {"active", "connected", "enabled", "installed", "online",
		"operational", "plugged", "present", "up", "working", NULL};
	static const char *const not_there[] = {"broken", "dead", "decommissioned", "disabled",
		"disconnected", "down", "failed", "faulty", "missing", "removed", "retired", NULL};
	static const char *const beside[] = {"is", "link", "cable", NULL};
	int n = 0;
	char word[32];

	while ((title = reader_word(title, word)) && *word) {
		*gone = reader_knows(not_there, word);
		if (*gone || reader_knows(there, word))
			n++;
		else if (n || !reader_knows(beside, word))
			return false;
	}
	return n == 1;
}

/* Find the columns that say by yes or no whether a cable is there, and nothing else. */
static void find_flags(struct list *list, const struct row *header)
{
	for (int i = 0; i < header->n; i++) {
		bool only = asks(header->field[i], &list->gone[i]);

		for (int k = list->nheaders; k < list->nrows && only; k++) {
			const char *field = field_of(&list->row[k], i);

			only = !*field || reader_knows(yes, field) || reader_knows(no, field) ||
				is_header(list, &list->row[k]);
		}
		if (only && i != list->end[0] && i != list->end[1]) {
			list->flag[i] = header->field[i];
			list->of[i] = NO_SIDE;
		}
	}
}

/* Does a title say that its column counts cables: count, num_links, No. of lanes? */
static bool is_count(const char *title)
{
	static const char *const counts[] = {
		"count", "lanes", "links", "cables", "quantity", "qty", "width", NULL};
	static const char *const beside[] = {"num", "number", "no", "nr", "of", "lane", "link",
		"cable", NULL};
	bool any = false;
	char word[32];

	while ((title = reader_word(title, word)) && *word) {
		if (!reader_knows(counts, word) && !reader_knows(beside, word))
			return false;
		any |= reader_knows(counts, word);
	}
	return any;
}

/* Is it a header below cables, as where a list was sorted: nothing like it is in another row? */
static bool is_stray(const struct list *list, const struct row *row)
{
	int found[2];

	if (!read_header(row, found, false) || is_header(list, row))
		return false;
	for (int i = 0; i < list->nrows; i++)
		if (&list->row[i] != row && (is_like(row, &list->row[i]) ||
				shares_end(row, &list->row[i], list->end)))
			return false;
	return true;
}

/*
 * Can the numbers in a column be of cables side by side: few, and some of them the same? Numbers of
 * cables come once each.
 */
static bool counts_cables(const struct list *list, int column)
{
	enum { MOST = 64 };
	int rows[MOST + 1] = {0}, n = 0, different = 0;

	for (int i = list->nheaders; i < list->nrows; i++) {
		const char *text = field_of(&list->row[i], column);
		int value = atoi(text);

		if (!*text || is_header(list, &list->row[i]))
			continue;
		if (!is_whole(text) || value < 1 || value > MOST)
			return false;
		different += !rows[value]++;
		n++;
	}
	return n && (n < 3 || different < n);
}

/* Does a column say how fast the cables are, and not the same of all? */
static bool tells_speed(const struct list *list, int column, const char *title)
{
	static const char *const speeds[] = {"speed", "bandwidth", "bw", "capacity", "rate",
		"gbps", "gbit", "weight", "width", NULL};
	const char *first = "", *field;
	bool speed = false;
	char word[32];

	while ((title = reader_word(title, word)) && *word)
		speed |= reader_knows(speeds, word);
	for (int i = list->nheaders; i < list->nrows && speed; i++) {
		field = is_header(list, &list->row[i]) ? "" : field_of(&list->row[i], column);
		if (*first && *field && strcasecmp(first, field) != 0)
			return true;
		first = *first ? first : field;
	}
	return false;
}

/* Keep the title of a column that could count cables, and say whether it was taken to do so. */
static void keep_title(struct reader *r, bool taken, char *title)
{
	char *list = taken ? r->import->counts : r->import->unread;

	human_add(list, sizeof(r->import->unread), "%s%.32s", *list ? ", " : "",
		human_clean(title, ""));
}

/* Find the column that counts cables side by side: lanes, else the first that may do so. */
static void find_lanes(struct reader *r, struct list *list, const struct row *header)
{
	for (int i = 0; i < header->n && list->lanes < 0; i++)
		if (!strcasecmp(header->field[i], "lanes"))
			list->lanes = i;
	for (int i = 0; i < header->n; i++) {
		bool taken = false, counts = is_count(header->field[i]), slower;

		if (i == list->end[0] || i == list->end[1] || i == list->lanes)
			continue;
		slower = list->lanes < 0 && tells_speed(list, i, header->field[i]);
		if (counts && list->lanes < 0 && (taken = counts_cables(list, i)))
			list->lanes = i;
		/* In other lists width is of a plug, or 4x. */
		if (taken || slower || (counts && strcasecmp(header->field[i], "width") != 0))
			keep_title(r, taken, header->field[i]);
	}
	if (list->lanes >= 0)
		list->of[list->lanes] = NO_SIDE;
}

/*
 * Between blanks, titles of several words have no end. R gives the names of rows no title. 0, or -1
 * with text.
 */
static int check_titles(struct reader *r, const struct list *list, const struct row *header)
{
	const int *end = list->end;
	int widest = 0;

	for (int i = list->nheaders; i < list->nrows; i++)
		widest = list->row[i].n > widest ? list->row[i].n : widest;
	if (widest > header->n && !share(r, list, end[0], end[1]) &&
		share(r, list, end[0] + 1, end[1] + 1))
		return reader_bad(r, header->line, "a header of %d words, and lines of %d: "
			"expected a title for each column, also for the first", header->n, widest);
	/* A last column may be empty in all lines. */
	if (!list->nheaders || list->delimiter != ' ' || !widest || header->n <= widest + 1)
		return 0;
	return reader_bad(r, header->line, "a header of %d words, and no line below has more than "
		"%d: columns cannot be told apart between blanks: expected CSV", header->n, widest);
}

/* Find the headers and the columns. 0, or -1 with text. */
static int find_columns(struct reader *r, struct list *list)
{
	const struct row *header = list->comment.n ? &list->comment : NULL;
	int found[2];

	for (int n; (n = list->nheaders) < list->nrows &&
		read_header(&list->row[n], found, false) && !ends_again(list, n, found);
		list->nheaders++) {
		header = &list->row[n];
		if (comes_again(list, n))
			return reader_bad(r, header->line, "'%.32s,%.32s' may be a header or a "
				"cable: expected a header that is none, as %s", header->field[0],
				header->field[1], would_do);
	}
	memset(list->of, NO_SIDE, sizeof(list->of));
	list->lanes = -1;
	list->cut = ":/";
	if (header && read_header(header, list->end, false)) {
		if (strcasestr(header->field[list->end[0]], "desc"))
			list->cut = ":/ ";
		find_ports(list, header);
		find_flags(list, header);
		find_lanes(r, list, header);
		return check_titles(r, list, header) || check_others(r, list, header) ? -1 : 0;
	}
	if (is_matrix(list))
		return reader_bad(r, list->row->line, "a matrix: expected a line for each cable");
	list->end[0] = 0;
	list->end[1] = 1;
	if (list->nrows > 1 && !comes_again(list, 0) &&
		(list->row->n < 2 || !ends_again(list, 0, list->end)))
		return unknown_header(r, list->row);
	if (has_lanes(list) && !counts_rows(r, list)) {
		list->lanes = 2;
		return 0;
	}
	if (has_lanes(list) || may_be_lanes(list))
		keep_title(r, false, (char[]){"3"});
	return list->nrows ? check_columns(r, list) : 0;
}

/*
 * A hash of what distinguishes the port at its vertex, or 0: the text behind the name, and other
 * columns.
 */
static uint64_t port_of(const struct list *list, const struct row *row, int side)
{
	const char *name = row->field[list->end[side]], *tail = name + strcspn(name, list->cut);
	uint64_t hash = hash_bytes(HASH_BEGIN, tail, strlen(tail));
	bool any = *tail;

	for (int i = 0; i < row->n; i++)
		if (list->of[i] == side && i != list->end[side]) {
			hash = hash_bytes(hash_add(hash, '\n'), row->field[i],
				strlen(row->field[i]));
			any |= *row->field[i];
		}
	return any ? hash : 0;
}

static int add_row_cable(struct reader *r, const struct row *row)
{
	struct list *list = r->state;
	const char *lanes = list->lanes < 0 ? "" : field_of(row, list->lanes);
	struct cable_end end[2];
	long n = *lanes ? strtol(lanes, NULL, 10) : 1;

	r->line = row->line;
	for (int i = 0; i < 2; i++) {
		char *name = list->end[i] < row->n ? row->field[list->end[i]] : NULL, *comment;

		if (!name || !*name)
			return err_printf(r->err, "expected a cable's two ends");
		if (reader_no_host(name))
			return err_printf(r->err, "'%.32s' is no host: expected only cables that "
				"have two ends", name);
		if ((comment = strstr(name, " #")))
			cut_blanks(name, comment);
		if (strchr(name, ','))
			return err_printf(r->err, "'%.64s' is several ends: expected a line for "
				"each cable", name);
		end[i].port = port_of(list, row, i);
		end[i].vertex = cables_host(r->cables, name_of(r, list, name), r->err);
		if (end[i].vertex < 0)
			return -1;
	}
	if ((*lanes && !is_whole(lanes)) || n < 1 || n > CABLES_MAX_LANES)
		return err_printf(r->err, "'%.32s': expected 1 to %d lanes", lanes,
			CABLES_MAX_LANES);
	if (end[0].vertex == end[1].vertex && !list->loops++)
		r->import->loop = r->cables->vertex_name[end[0].vertex];
	list->ncables++;
	cables_add(r->cables, end, (int)n);
	return 0;
}

/* What NetBox and others call cables that are there, and those that are not, or do not work. */
static const char *const present[] = {"", "connected", "active", "up", NULL};
static const char *const absent[] = {"planned", "staged", "decommissioning", "decommissioned",
	"retired", "removed", "disconnected", "not connected", "unconnected", "missing", "down",
	"offline", "inactive", "disabled", "failed", "faulty", "broken", NULL};

static void count_status(struct import *import, const char *word, bool out)
{
	struct import_status *status = import->status[out];

	for (int i = 1; i < IMPORT_STATUSES && status->cables; i++, status++)
		if (!strcasecmp(status->word, word))
			break;
	if (!status->cables++)
		status->word = need_text(&import->cables.arena, word);
}

/* Does a column say by yes or no that the cable is not there? */
static bool is_flagged(const struct reader *r, const struct row *row)
{
	const struct list *list = r->state;
	char text[64];

	for (int i = 0; i < row->n; i++) {
		if (!list->flag[i] || !reader_knows(list->gone[i] ? yes : no, row->field[i]))
			continue;
		snprintf(text, sizeof(text), "%.40s %.8s", list->flag[i], row->field[i]);
		count_status(r->import, human_clean(text, ""), true);
		return true;
	}
	return false;
}

/* Does a column say that the cable is not there? Counts statuses that are not plainly so. */
static bool is_absent(const struct reader *r, const struct row *row)
{
	const struct list *list = r->state;
	const char *other = NULL;

	if (is_flagged(r, row))
		return true;
	for (int i = 0; i < row->n; i++) {
		if (!list->status[i] || reader_knows(present, row->field[i]))
			continue;
		other = human_clean(row->field[i], "");
		if (reader_knows(absent, other)) {
			count_status(r->import, other, true);
			return true;
		}
	}
	if (other)
		count_status(r->import, other, false);
	return false;
}

/* Take a row below the headers. */
static int take_row(struct reader *r, const struct row *row)
{
	if (is_stray(r->state, row))
		return reader_bad(r, row->line, "'%.32s,%.32s' looks like a header, below cables: "
			"expected it above them all", row->field[0], row->field[1]);
	return is_header(r->state, row) || is_absent(r, row) ? 0 : add_row_cable(r, row);
}

/*
 * Does a row that begins with # below a header count? Its first column may be a label, as NetBox's
 * #1. If that is an end's column, somebody took the cable out.
 */
static bool is_labelled(struct reader *r, const struct row *row)
{
	const struct list *list = r->state;
	bool label = list->end[0] && list->end[1] && !strchr("# ", row->field[0][1]);

	++*(label ? &r->import->labelled : &r->import->commented);
	return label;
}

static int cables_file_end(struct reader *r)
{
	struct list *list = r->state;

	if (list->open)
		return reader_bad(r, list->open_line, "quotes that do not end");
	if (find_columns(r, list))
		return -1;
	for (int i = list->nheaders; i < list->nrows; i++)
		if (take_row(r, &list->row[i]))
			return -1;
	for (int i = 0; i < list->nmarked; i++)
		if (list->marked[i].n == list->width && is_labelled(r, &list->marked[i]) &&
			take_row(r, &list->marked[i]))
			return -1;
	if (list->loops && list->loops == list->ncables)
		return err_printf(r->err, "each cable is from %.64s or the like to itself: what "
			"follows : or / in a name is taken for a port", r->import->loop);
	r->import->loops += list->loops;
	*list = (struct list){0};
	return 0;
}

#define LIST_READER .state = sizeof(struct list), .line = cable_line, .file_end = cables_file_end

const struct import_reader import_cables = {.name = "cables", LIST_READER},
	import_cutsheet = {.name = "cutsheet", LIST_READER};
