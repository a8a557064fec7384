/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

__extension__ typedef unsigned __int128 wide;

struct sha256 {
	uint32_t state[8], constant[ROUNDS];
};

/* 32 bits behind the point of the square (power 2) or cube root of a small number. */
static uint32_t root_bits(unsigned number, int power)
{
	wide target = (wide)number << (32 * power);
	uint64_t low = 0, high = UINT64_C(1) << 37;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		wide value = (wide)middle * middle;

		if (power == 3)
			value *= middle;
		if (value <= target)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void begin(struct sha256 *s)
{
	int found = 0;

	for (unsigned number = 2; found < ROUNDS; number++) {
		unsigned divisor = 2;

		while (number % divisor)
			divisor++;
		if (divisor < number)
			continue;
		if (found < 8)
			s->state[found] = root_bits(number, 2);
		s->constant[found++] = root_bits(number, 3);
	}
}

static uint32_t turn(uint32_t x, int by)
{
	return x >> by | x << (32 - by);
}

static void take_block(struct sha256 *s, const unsigned char *block)
{
	uint32_t w[ROUNDS], v[8];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++)
		w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
		       (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, s->state, sizeof(v));
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		uint32_t a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + choice +
			     s->constant[i] + w[i];
		uint32_t b = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + majority;

		memmove(&v[1], &v[0], 7 * sizeof(*v));
		v[4] += a;
		v[0] = a + b;
	}
	for (int i = 0; i < 8; i++)
		s->state[i] += v[i];
}

/* The last bytes, a one, zeros, and how many bits there were. */
static void end(struct sha256 *s, const unsigned char *rest, size_t n, uint64_t bytes)
{
	unsigned char last[2 * BLOCK] = {0};
	size_t size = n < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	memcpy(last, rest, n);
	last[n] = 0x80;
	for (int i = 0; i < 8; i++)
		last[size - 1 - (size_t)i] = (unsigned char)(bytes * 8 >> 8 * i);
	for (size_t at = 0; at < size; at += BLOCK)
		take_block(s, last + at);
}

int sha256_file(const char *path, char text[SHA256_TEXT])
{
	FILE *file = fopen(path, "rb");
	unsigned char buffer[1024 * BLOCK];
	struct sha256 s;
	uint64_t bytes = 0;
	size_t n, at = 0;

	if (!file)
		return -1;
	begin(&s);
	while ((n = fread(buffer, 1, sizeof(buffer), file)) == sizeof(buffer)) {
		for (at = 0; at < n; at += BLOCK)
			take_block(&s, buffer + at);
		bytes += n;
	}
	for (at = 0; at + BLOCK <= n; at += BLOCK)
		take_block(&s, buffer + at);
	end(&s, buffer + at, n - at, bytes + n);
	int code = ferror(file) ? -1 : 0;

	fclose(file);
	for (int i = 0; i < 8; i++)
		snprintf(text + 8 * i, 9, "%08x", (unsigned)s.state[i]);
	return code;
}
