/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/jobenv_field.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/textfile.h"

#define AS_TEXT(name) #name,
const char *const jobenv_names[] = {JOBENV_NAMES(AS_TEXT) NULL};

int jobenv_field(const char **at, struct jobenv_field *field, struct mesh_err *err)
{
	const char *name = *at + 1, *end = name + strcspn(name, ":*%};{");
	size_t length = (size_t)(end - name);
	char how = *end;

	*field = (struct jobenv_field){.comma = ','};
	if (how == ':' && end[1]) {
		field->comma = end[1];
		end += 2;
	} else if (how == '*' || how == '%') {
		end++;
		field->number = textfile_number(&end, MESH_MAX_SIDE);
	}
	if (*end != '}')
		return err_printf(err, "'%.32s' has no closing brace", *at);
	*at = end + 1;
	if ((how == '*' && strncmp(name, "JOB_CHIPS*", length + 1)) ||
		(how == '%' && strncmp(name, "JOB_WRAP%", length + 1)) || field->number < 0 ||
		(strchr("*%", how) && !field->number))
		return err_printf(
			err, "'%.32s': expected {JOB_CHIPS*N} or {JOB_WRAP%%N}", name - 1);
	for (; jobenv_names[field->which]; field->which++)
		if (!strncmp(name, jobenv_names[field->which], length) &&
			!jobenv_names[field->which][length])
			return 0;
	return err_printf(err,
		"unknown field {%.*s}: expected JOB_HOSTS or a variable of select_mesh(7), as "
		"JOB_RANK",
		(int)(length < 32 ? length : 32), name);
}

int jobenv_name(const char **at, char name[JOBENV_NAME], struct mesh_err *err)
{
	int length = 0;

	if (sscanf(*at, "%63[A-Za-z0-9_]%n", name, &length) != 1 ||
		isdigit((unsigned char)*name) || (*at)[length] != '=')
		return err_printf(err, "expected NAME=VALUE at '%.32s'", *at);
	*at += length + 1;
	return 0;
}

int jobenv_check(const char *templates, struct mesh_err *err)
{
	char name[JOBENV_NAME];
	struct jobenv_field field;

	do {
		if (jobenv_name(&templates, name, err))
			return -1;
		while (*templates && *templates != ';')
			if (*templates != '{')
				templates++;
			else if (jobenv_field(&templates, &field, err))
				return -1;
	} while (*templates++);
	return 0;
}
