/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DRIVER_FUNCTIONS_H
#define DRIVER_FUNCTIONS_H
#include "runtime.h"

enum home { RECORDER, SECOND, KERNEL, HOMES };

/* A traced function, as the table that is generated beside the module has it. */
struct function {
	const char *symbol;
	u32 words, returned;
	u32 list; /* 0: no set of fmod_ret has it; 1: one that may not sleep; 2: one that may */
	enum home home;
};

#define FUNCTIONS_MOST 256
/* The name of a tracepoint; of a number that is none, a name that no tracepoint has. */
const char *tracepoint_name(s64 number);
int function_count(void);
const struct function *function(s64 number);
u32 function_id(s64 number); /* in the BTF of its module; 0: it has none */
u64 function_address(s64 number);
/* A file descriptor; that of the kernel is 0. */
int function_btf(enum home home);
/* What the kernel answered to the last set of functions for fmod_ret. */
s64 functions_fmod_ret(void);
/* Looks the ids of a text up: at the start, and when the second module has been loaded. */
void functions_start(enum home home);
#endif
