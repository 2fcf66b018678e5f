/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include "runtime.h"

/* What a program puts down about one run. */
struct program_event {
	u64 time;
	u32 program, count;
	u64 cookie, ip, ret;
	u64 has_ret;
	u64 arg[16];
};

/* p program kind fn second sleepable reads words ip returns cookie: loads one; on a tracepoint, with whether it reads its cookie, and the arguments that it reads: none: all */
s64 program_load(const s64 *w, int count);
s64 program_close(s64 program);
/* l link program symbols fn …: links it; r link program [tracepoint has_cookie]: by BPF_RAW_TRACEPOINT_OPEN */
s64 link_create(const s64 *w, int count);
s64 link_open(const s64 *w, int count);
s64 link_close(s64 link);
/* v 0 event on_return fn; v 1 event program; v 2 event link program; v 3 event; v 4 event tracepoint: opened, with a program, linked, closed, opened on a tracepoint */
s64 perf_event(const s64 *w);
void programs_off(void);
/* Why the verifier refused the last program. */
const char *verifier_log(void);
#endif
