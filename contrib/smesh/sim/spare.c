/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spare.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct spare {
	struct mesh_aside aside; /* first: begin() and end() know it by that */
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t change;
	void (*work)(void *data); /* NULL: none, or it is done */
	void *data;
	int64_t spent;
	bool quit;
};

static void begin(struct mesh_aside *aside, void (*work)(void *data), void *data)
{
	struct spare *s = (struct spare *)aside;

	pthread_mutex_lock(&s->lock);
	s->work = work;
	s->data = data;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->lock);
}

static void end(struct mesh_aside *aside)
{
	struct spare *s = (struct spare *)aside;

	pthread_mutex_lock(&s->lock);
	while (s->work)
		pthread_cond_wait(&s->change, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

static void *run(void *data)
{
	struct spare *s = data;

	pthread_mutex_lock(&s->lock);
	for (;;) {
		struct timespec now;

		while (!s->work && !s->quit)
			pthread_cond_wait(&s->change, &s->lock);
		if (s->quit)
			break;
		pthread_mutex_unlock(&s->lock);
		s->work(s->data);
		pthread_mutex_lock(&s->lock);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		s->spent = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
		s->work = NULL;
		pthread_cond_broadcast(&s->change);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

struct spare *spare_new(void)
{
	struct spare *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->aside = (struct mesh_aside){begin, end};
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->change, NULL);
	if (!pthread_create(&s->thread, NULL, run, s))
		return s;
	pthread_cond_destroy(&s->change);
	pthread_mutex_destroy(&s->lock);
	free(s);
	return NULL;
}

void spare_free(struct spare *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->quit = true;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->change);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct mesh_aside *spare_aside(struct spare *spare)
{
	return spare ? &spare->aside : NULL;
}

int64_t spare_spent(const struct mesh_aside *aside)
{
	return aside ? ((const struct spare *)aside)->spent : 0;
}
