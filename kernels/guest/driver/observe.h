/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OBSERVE_H
#define OBSERVE_H
#include "runtime.h"

void observe_start(void);
/* c fn, six registers, words on the stack: who saw the call, in order */
void say_call(const s64 *w, int count);
/* o fn: where its entry goes, and its line in enabled_functions */
void say_entry(s64 fn);
/* Which functions are still patched, and which do not accept a direct call. */
void say_left(void);
/* WARNs and worse since the last time, if any. */
void say_warnings(void);
/* The kernel's release and version, and which functions have BTF. */
void say_build(void);
#endif
