// SPDX-License-Identifier: GPL-2.0
/*
 * Live patches. An ops with the flags of one and a single function in its filter is registered by klp_enable_patch(),
 * whose own ops then stands for it:
 *
 *   OP_LIVE_PATCH ──▶ which function     driver: loads or disables the module      OP_PATCHED ──▶ the ops of klp
 */
#include <linux/module.h>
#include "module.h"

#define LIVE_PATCH (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT)

static struct patch {
	DECLARE_BITMAP(in_filter, ALL_FUNCTIONS);
	struct ftrace_ops *ops; /* of klp, while it is enabled */
	u64 fn; /* that it was enabled for */
} patches[OBJECTS];

static struct patch *patch(u64 number)
{
	return number < OBJECTS ? &patches[number] : NULL;
}

struct ftrace_ops *recorder_patch(u64 number)
{
	return patch(number) ? patch(number)->ops : NULL;
}

/* A filter was changed, or there is none any more. */
void recorder_patch_filter(u64 number, s64 fn, bool remove, bool reset)
{
	struct patch *p = patch(number);

	if (!p)
		return;
	if (reset)
		bitmap_zero(p->in_filter, ALL_FUNCTIONS);
	if (fn < 0 || fn >= ALL_FUNCTIONS)
		return;
	__assign_bit(fn, p->in_filter, !remove);
}

/* ftrace refuses what klp does not pass on: the ops is then unregistered without it. */
static bool is_dead(void)
{
	int (*dead)(void) = (void *)recorder_symbol("ftrace_is_dead");

	return dead && dead();
}

/* klp has one ops for all patches of a function: a second ops for it cannot be one of klp's. */
static bool is_patched(u64 fn)
{
	int i;

	for (i = 0; i < OBJECTS; i++)
		if (patches[i].ops && patches[i].fn == fn)
			return true;
	return false;
}

/* An ops as klp makes them, for one function that klp does not patch yet. A module that goes takes its patch with it. */
static bool can_be_patch(const struct patch *p, const struct ftrace_ops *ops)
{
	u64 fn = find_first_bit(p->in_filter, ALL_FUNCTIONS);

	if (fn >= FUNCTIONS && fn < FUNCTIONS + SECOND_FUNCTIONS)
		return false;
	if ((ops->flags & (LIVE_PATCH | FTRACE_OPS_FL_SAVE_REGS)) != LIVE_PATCH || ops->flags & FTRACE_OPS_FL_ENABLED)
		return false;
	return bitmap_weight(p->in_filter, ALL_FUNCTIONS) == 1 && !is_patched(fn);
}

static s64 which(struct recorder_request *r)
{
	struct patch *p = patch(r->word[0]);

	if (!p || is_dead())
		return -ENOENT;
	if (!p->ops) {
		if (recorder_failure_is_ordered() || !can_be_patch(p, recorder_ops(r->word[0])))
			return -ENOENT;
		p->fn = find_first_bit(p->in_filter, ALL_FUNCTIONS);
	}
	r->word[1] = p->fn;
	r->word[2] = (unsigned long)recorder_replacement;
	r->word[3] = !!p->ops;
	return 0;
}

/* The newest ops is first on the list. */
static s64 patched(u64 number, bool on)
{
	struct ftrace_ops **list = (void *)recorder_symbol("ftrace_ops_list");
	ftrace_func_t handler = (void *)recorder_symbol("klp_ftrace_handler");

	if (!patch(number) || (on && (!list || (*list)->func != handler)))
		return -ENOENT;
	patch(number)->ops = on ? *list : NULL;
	return 0;
}

s64 recorder_patches(struct recorder_request *r)
{
	switch (r->op) {
	case OP_LIVE_PATCH:
		return which(r);
	case OP_PATCHED:
		return patched(r->word[0], r->word[1]);
	}
	return -ENOSYS;
}

void recorder_patches_off(void)
{
	memset(patches, 0, sizeof(patches));
}
