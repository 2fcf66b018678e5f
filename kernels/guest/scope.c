// SPDX-License-Identifier: GPL-2.0
/*
 * What an ops without a filter traces: all functions of the kernel, tens of thousands, or those of the history alone. The
 * others are then marked as ftrace marks those that it cannot trace, as if the kernel had none; between two histories, the
 * recorder's own are not.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include "module.h"

/* As kernel/trace/ftrace.c begins it. */
struct page_of_records {
	struct page_of_records *next;
	struct dyn_ftrace *records;
	int count;
};

static struct page_of_records **first;
static bool bound_alone;

static void each_record(void (*each)(struct dyn_ftrace *))
{
	struct page_of_records *page;
	int i;

	for (page = *first; page; page = page->next)
		for (i = 0; i < page->count; i++)
			each(&page->records[i]);
}

static void leave_out(struct dyn_ftrace *record)
{
	if (!(record->flags & FTRACE_FL_ENABLED))
		record->flags |= FTRACE_FL_DISABLED;
}

static void leave_unbound_out(struct dyn_ftrace *record)
{
	if (!recorder_has(record->ip))
		return;
	if (recorder_function_at(record->ip) == NO_FUNCTION)
		leave_out(record);
	else
		record->flags &= ~FTRACE_FL_DISABLED;
}

static void take_in(struct dyn_ftrace *record)
{
	if (recorder_has(record->ip))
		record->flags &= ~FTRACE_FL_DISABLED;
}

void recorder_bound(void)
{
	if (bound_alone)
		each_record(leave_unbound_out);
}

void recorder_unbound(void)
{
	if (bound_alone)
		each_record(take_in);
}

s64 recorder_scope(struct recorder_request *r)
{
	if (r->op != OP_SCOPE)
		return -ENOSYS;
	first = (void *)recorder_symbol("ftrace_pages_start");
	if (!first)
		return -ENOENT;
	bound_alone = true;
	each_record(leave_out);
	recorder_unbound();
	return 0;
}
