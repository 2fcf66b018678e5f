// SPDX-License-Identifier: GPL-2.0
/*
 * Which functions an ops without a filter traces: all of a kernel, tens of thousands, or those of the recorder alone. The
 * others are then marked as ftrace marks functions that it cannot trace.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "module.h"

/* As kernel/trace/ftrace.c begins it. */
struct page_of_records {
	struct page_of_records *next;
	struct dyn_ftrace *records;
	int count;
};

/* Those that were marked. */
static struct dyn_ftrace **marked;
static u32 marks;

static bool is_own(unsigned long ip)
{
	return within_module(ip, THIS_MODULE) ||
	       (recorder_second_module && within_module(ip, recorder_second_module));
}

/* Calls for each record that is not the recorder's, and not marked yet; how many there are. */
static u32 each_other(struct page_of_records *first, void (*each)(struct dyn_ftrace *))
{
	struct page_of_records *page;
	u32 found = 0;
	int i;

	for (page = first; page; page = page->next)
		for (i = 0; i < page->count; i++) {
			struct dyn_ftrace *record = &page->records[i];

			if (is_own(record->ip) || record->flags & (FTRACE_FL_DISABLED | FTRACE_FL_ENABLED))
				continue;
			if (each)
				each(record);
			found++;
		}
	return found;
}

static void mark(struct dyn_ftrace *record)
{
	record->flags |= FTRACE_FL_DISABLED;
	marked[marks++] = record;
}

static s64 own_alone(void)
{
	struct page_of_records **first = (void *)recorder_symbol("ftrace_pages_start");

	if (marked)
		return 0;
	if (!first)
		return -ENOENT;
	marked = kvmalloc_array(each_other(*first, NULL), sizeof(*marked), GFP_KERNEL);
	if (!marked)
		return -ENOMEM;
	each_other(*first, mark);
	return 0;
}

static s64 all_again(void)
{
	while (marks)
		marked[--marks]->flags &= ~FTRACE_FL_DISABLED;
	kvfree(marked);
	marked = NULL;
	return 0;
}

s64 recorder_scope(struct recorder_request *r)
{
	if (r->op != OP_SCOPE)
		return -ENOSYS;
	return r->word[0] ? own_alone() : all_again();
}
