/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Users of a log whom this machine does not know: one a line in the file FILE.users beside the
 * table. slurmctld and slurmdbd want a user id for each association.
 */
#include "self.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_UID = 2000000 };

REAL_OF(getpwnam_r)
REAL_OF(getpwuid_r)

static struct {
	char **name; /* user FIRST_UID + i */
	int count;
	bool read;
} users;

static void read_users(void)
{
	const char *table = getenv(CLOCK_ENV);
	char path[4096], *line = NULL;
	size_t room = 0;
	FILE *file;

	users.read = true;
	if (!table || (size_t)snprintf(path, sizeof(path), "%s.users", table) >= sizeof(path))
		return;
	file = fopen(path, "re");
	while (file && getline(&line, &room, file) > 0) {
		char **more = realloc(users.name, ((size_t)users.count + 1) * sizeof(*more));

		if (!more)
			break;
		users.name = more;
		line[strcspn(line, "\n")] = '\0';
		users.name[users.count] = strdup(line);
		users.count += users.name[users.count] != NULL;
	}
	free(line);
	if (file)
		fclose(file);
}

/* 0 and *found, or ERANGE. */
static int fill(int user, struct passwd *entry, char *text, size_t room, struct passwd **found)
{
	static char none[] = "x", home[] = "/", shell[] = "/bin/sh", empty[] = "";
	size_t size = strlen(users.name[user]) + 1;

	if (size > room)
		return ERANGE;
	memcpy(text, users.name[user], size);
	*entry = (struct passwd){.pw_name = text,
		.pw_passwd = none,
		.pw_uid = (uid_t)(FIRST_UID + user),
		.pw_gid = (gid_t)(FIRST_UID + user),
		.pw_gecos = empty,
		.pw_dir = home,
		.pw_shell = shell};
	*found = entry;
	return 0;
}

EXPORT int getpwnam_r(
	const char *name, struct passwd *entry, char *text, size_t room, struct passwd **found)
{
	int rc = REAL(getpwnam_r)(name, entry, text, room, found);

	if (!self_table || (!rc && *found))
		return rc;
	if (!users.read)
		read_users();
	for (int i = 0; i < users.count; i++)
		if (!strcmp(users.name[i], name))
			return fill(i, entry, text, room, found);
	return rc;
}

EXPORT int getpwuid_r(
	uid_t uid, struct passwd *entry, char *text, size_t room, struct passwd **found)
{
	if (self_table && !users.read)
		read_users();
	if (self_table && uid >= FIRST_UID && uid - FIRST_UID < (uid_t)users.count)
		return fill((int)(uid - FIRST_UID), entry, text, room, found);
	return REAL(getpwuid_r)(uid, entry, text, room, found);
}

static struct passwd entry_of;
static char text_of[256];

EXPORT struct passwd *getpwnam(const char *name)
{
	struct passwd *found = NULL;

	return getpwnam_r(name, &entry_of, text_of, sizeof(text_of), &found) ? NULL : found;
}

EXPORT struct passwd *getpwuid(uid_t uid)
{
	struct passwd *found = NULL;

	return getpwuid_r(uid, &entry_of, text_of, sizeof(text_of), &found) ? NULL : found;
}
