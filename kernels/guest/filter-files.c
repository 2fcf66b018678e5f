// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_filter and set_ftrace_notrace of an ops, as those of an instance: while a file of the recorder's instance is
 * opened, the instance has that ops in place of its own. What has opened the file keeps it.
 */
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/uaccess.h>
#include "module.h"

/* `struct trace_array` is the kernel's own: its pointer to the ops of its function tracer is searched for. */
#define WORDS_OF_INSTANCE 1024

static struct ftrace_ops **slot, *own;

static bool is_its_ops(struct ftrace_ops *ops, void *instance)
{
	struct ftrace_ops read;

	return !copy_from_kernel_nofault(&read, ops, sizeof(read)) && read.private == instance &&
	       (unsigned long)read.func == recorder_symbol("function_trace_call");
}

static s64 find_slot(void)
{
	struct ftrace_ops **(*get)(const char *, const char *) = (void *)recorder_symbol("trace_array_get_by_name");
	struct ftrace_ops **instance = get ? get("attachcheck", NULL) : NULL, *found;
	int i;

	if (IS_ERR_OR_NULL(instance))
		return -EOPNOTSUPP;
	for (i = 0; i < WORDS_OF_INSTANCE; i++)
		if (!copy_from_kernel_nofault(&found, &instance[i], sizeof(found)) && is_its_ops(found, instance)) {
			slot = &instance[i];
			own = found;
			return 0;
		}
	return -EOPNOTSUPP;
}

/* Until 2025 the files were of the ops of the instance, whatever it had; opening one initialises the ops. */
static s64 put_back(void)
{
	bool is_used = (*slot)->flags & FTRACE_OPS_FL_INITIALIZED;

	*slot = own;
	return is_used ? 0 : -EOPNOTSUPP;
}

s64 recorder_filter_files(struct recorder_request *r)
{
	s64 answer = 0;

	if (r->op != OP_FILTER_FILES)
		return -ENOSYS;
	if ((s64)r->word[0] < 0)
		return put_back();
	if (!slot)
		answer = find_slot();
	if (!answer)
		*slot = recorder_ops(r->word[0]);
	return answer;
}
