/* SPDX-License-Identifier: GPL-2.0 */
/* BPF programs that others are attached to: a global function of words each, which hashes them as the traced functions do. */
#ifndef TARGETS_H
#define TARGETS_H
#include "functions.h"

/* Numbers of functions: those of targets follow the table. Of programs, in the events of their bodies. */
#define TARGETS TARGETS_MOST
#define TARGET_PROGRAMS 32

struct target {
	struct function function;
	int fd, btf; /* 0: none */
	u32 id; /* of the function in its BTF */
	u32 count;
	u32 bytes[5], returned; /* of each argument, and of what it returns; 256 more: it is signed */
};

/* g fn id returned argument …: loads one, and binds it to its number */
s64 target_load(const s64 *w, int count);
/* 0: the number is another function's. */
const struct target *target(s64 fn);
void targets_off(void);
/* The arguments of a function of words, before anything else is done: onto the stack. */
void save_arguments(const struct target *t);
/* What was saved, whole or extended as the types say: into the event. */
enum width { WHOLE, OF_TYPE };
void keep_arguments(const struct target *t, enum width width);
/* BPF_PROG_LOAD of what was put together, as a function of this name with the types of a target. */
s64 load_extension(u64 *attr, const struct target *t, const char *name);
#endif
