/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/shape.h"

#include <ctype.h>
#include <string.h>

#include "base/textfile.h"

static bool take_word(const char **at, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) || ((*at)[length] && (*at)[length] != ':'))
		return false;
	*at += length;
	return true;
}

int shape_sides(const char **at, int side[MESH_MAX_DIMS])
{
	int n = 0;

	do {
		*at += n > 0;
		if (n == MESH_MAX_DIMS || (side[n++] = textfile_number(at, INT16_MAX)) < 1)
			return 0;
	} while (**at == 'x');
	return n;
}

static enum walk_kind take_walk(const char **at)
{
	for (enum walk_kind kind = WALK_LINE; walk_name(kind); kind++)
		if (take_word(at, walk_name(kind)))
			return kind;
	return WALK_NONE;
}

/* Parse what follows the kind of a walk: :16 or :16:lanes=8. */
static int parse_walk(
	const char *at, struct mesh_shape s, struct mesh_shape *shape, struct mesh_err *err)
{
	static const char lanes[] = ":lanes=";
	bool wrong;

	s.ndims = 1;
	wrong = *at++ != ':' || (s.side[0] = textfile_number(&at, INT16_MAX)) < 1;
	if (!wrong && !strncmp(at, lanes, sizeof(lanes) - 1)) {
		at += sizeof(lanes) - 1;
		wrong = (s.lanes = textfile_number(&at, UINT16_MAX)) < 1;
	}
	if (wrong || *at)
		return err_printf(err, "expected %s:N or %s:N:lanes=L, N from 1 to %d",
			walk_name(s.walk), walk_name(s.walk), INT16_MAX);
	*shape = s;
	return 0;
}

size_t shape_type(const char *text, char end)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) ||
		(text[length] && strchr("._-", text[length])))
		length++;
	return isalpha((unsigned char)*text) && length < MESH_MAX_TYPE && text[length] == end
		? length : 0;
}

int shape_parse(const char *text, struct mesh_shape *shape, struct mesh_err *err)
{
	struct mesh_shape s = {.side = {1, 1, 1, 1, 1, 1}};
	const char *at = text;
	size_t length;

	s.walk = take_walk(&at);
	if (!s.walk && (length = shape_type(text, ':'))) {
		memcpy(s.type, text, length);
		at += length + 1;
		s.walk = take_walk(&at);
		s.chips = !s.walk;
	}
	if (s.walk)
		return parse_walk(at, s, shape, err);
	if (!(s.ndims = shape_sides(&at, s.side)))
		return err_printf(err, "a shape has 1 to %d sides of 1 to %d, like 4x4x2",
			MESH_MAX_DIMS, INT16_MAX);
	while (*at == ':') {
		at++;
		if (take_word(&at, "norotate"))
			s.norotate = true;
		else if (take_word(&at, "torus"))
			s.torus = true;
		else if (take_word(&at, "fold"))
			s.fold = true;
		else if (take_word(&at, "chips"))
			s.chips = true;
		else if (take_word(&at, "anylinks"))
			s.any_links = true;
		else
			return err_printf(err,
				"after a shape: expected :norotate, :torus, :fold, :chips or "
				":anylinks");
	}
	if (*at)
		return err_printf(
			err, "a shape is [TYPE:]" MESH_SHAPE_FORMS);
	if (s.fold && s.norotate)
		return err_printf(err, ":fold and :norotate: a folded shape may be turned");
	if (s.fold && s.chips)
		return err_printf(err, ":fold and :chips: whole nodes are folded");
	*shape = s;
	return 0;
}
