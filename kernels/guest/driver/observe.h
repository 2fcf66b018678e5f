/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OBSERVE_H
#define OBSERVE_H
#include "runtime.h"

void observe_start(void);
/* c fn, six registers, words on the stack: who saw the call, in order */
void say_call(const s64 *w, int count);
/* o fn: where its entry goes, and its line in enabled_functions */
void say_entry(s64 fn);
/* What was seen since it was last said, by whatever task. */
void say_seen(void);
/* The symbol at an address, with its size; the same of a symbol's name. */
void say_place(u64 address);
void say_lookup(const char *name);
/* Bytes of the kernel, as words: 0 where nothing can be read. */
void say_code(u64 address, u64 length);
/* Which functions are still patched, and which do not accept a direct call. */
void say_left(void);
/* WARNs and worse since the last time, if any. */
void say_warnings(void);
/* The kernel's release and version, and which functions have BTF. */
void say_build(void);
#endif
