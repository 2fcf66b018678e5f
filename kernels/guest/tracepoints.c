// SPDX-License-Identifier: GPL-2.0
/* Tracepoints of the recorder's own, functions that hit them, and probes of clients. */
#include <linux/module.h>
#include <linux/tracepoint.h>
#include "module.h"

#define CREATE_TRACE_POINTS
#include "recorder_events.h"

/* Clients tell their registrations apart by data: a pointer each. */
static char data[OBJECTS];

static void saw_hit(s32 tracepoint, u32 probe, const void *own, const u64 *value, int count)
{
	struct recorder_event *e =
		recorder_log(SAW_TRACEPOINT, ALL_FUNCTIONS + TARGETS_MOST + tracepoint, probe);

	e->data = (const char *)own - data;
	recorder_registers(e, value, count);
}

#define TRACED noinline __attribute__((noclone, used))
#include "hits.h"

static bool registered[TRACEPOINTS][ARRAY_SIZE(hits[0].probe)][OBJECTS];

static s64 add(const u64 *w)
{
	int answer = tracepoint_probe_register_prio(hits[w[0]].tracepoint, hits[w[0]].probe[w[1] - 1], &data[w[2]], w[3]);

	registered[w[0]][w[1] - 1][w[2]] |= !answer;
	return answer;
}

static s64 take_off(const u64 *w)
{
	registered[w[0]][w[1] - 1][w[2]] = false;
	return tracepoint_probe_unregister(hits[w[0]].tracepoint, hits[w[0]].probe[w[1] - 1], &data[w[2]]);
}

s64 recorder_tracepoints(struct recorder_request *r)
{
	switch (r->op) {
	case OP_TRACEPOINT:
		return add(r->word);
	case OP_TRACEPOINT_UNREGISTER:
		return take_off(r->word);
	}
	return -ENOSYS;
}

void recorder_tracepoints_off(void)
{
	u64 w[3];

	for (w[0] = 0; w[0] < TRACEPOINTS; w[0]++)
		for (w[1] = 1; w[1] <= ARRAY_SIZE(hits[0].probe); w[1]++)
			for (w[2] = 0; w[2] < OBJECTS; w[2]++)
				if (registered[w[0]][w[1] - 1][w[2]])
					take_off(w);
	tracepoint_synchronize_unregister();
}

unsigned long recorder_hit(int tracepoint)
{
	return (unsigned long)hits[tracepoint].hit;
}
