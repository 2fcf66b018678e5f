/* SPDX-License-Identifier: GPL-2.0 */
/* Tasks beside the driver itself, one on a CPU of its own: each does one thing at a time, and may stand in it. */
#ifndef ACTORS_H
#define ACTORS_H
#include "runtime.h"

struct command {
	char verb;
	int count;
	s64 word[WORDS_MOST];
};

/* main.c: what a line says, and doing it */
void read_command(const char *line, struct command *c);
s64 perform(const struct command *c);

/* Begins what a line says, on the CPU of this number. */
void actor_starts(s64 number, const char *line);
/* Whether it has ended, and its answer. */
void actor_says(s64 number);
#endif
