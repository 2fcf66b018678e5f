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

/* p program kind fn second sleepable reads words ip returns cookie: loads one */
s64 program_load(const s64 *w);
s64 program_close(s64 program);
/* l link program symbols fn …: links it; r link program: by BPF_RAW_TRACEPOINT_OPEN */
s64 link_create(const s64 *w, int count);
s64 link_open(const s64 *w);
s64 link_close(s64 link);
/* v 0 event on_return fn; v 1 event program; v 2 event link program; v 3 event: opened, with a program, linked, closed */
s64 perf_event(const s64 *w);
void programs_off(void);
/* Why the verifier refused the last program. */
const char *verifier_log(void);
#endif
