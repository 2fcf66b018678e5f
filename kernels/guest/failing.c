// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations that fail, in a kernel that injects none: the call of the allocator is skipped, and answers what it answers
 * without memory. The calls are found in the machine code of the functions that are named, and a kprobe is put on each.
 *
 *   1  __ftrace_hash_move alloc_ftrace_hash __ftrace_hash_move_and_update_ops 0 0
 *   |          |                |                         |                   | what it answers
 *   |       function        what it calls        what has called it, or -     only the nth call, or 0 for each
 *   which of them fails, from now on
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <asm/insn.h>
#include "module.h"

#define SITES 16
#define CALL 0xe8
#define JUMP 0xe9 /* a call at the end of a function */
#define CALL_SIZE 5
#define TEXT_MOST 2048

/* What the compiler calls a function that it has changed. */
static const char *const variants[] = { "", ".part.0", ".isra.0", ".constprop.0" };

/* The machine code of a function: of each variant that there is. */
struct texts {
	struct {
		unsigned long start, end;
	} part[ARRAY_SIZE(variants)];
	int count;
};

static struct site {
	struct kprobe kp;
	struct texts caller; /* none: any */
	long answer;
	bool jumps;
} sites[SITES];
static int count;
static long left;
static bool has_failed;
/* stack_trace_save_regs(): looked up before a call can be reached. */
static unsigned int (*stack_of)(struct pt_regs *, unsigned long *, unsigned int, unsigned int);

static struct texts texts_of(const char *name)
{
	int (*size_of)(unsigned long, unsigned long *, unsigned long *) =
		(void *)recorder_symbol("kallsyms_lookup_size_offset");
	struct texts found = {};
	unsigned long start, size, offset;
	char variant[KSYM_NAME_LEN];
	int i;

	for (i = 0; i < ARRAY_SIZE(variants); i++) {
		snprintf(variant, sizeof(variant), "%s%s", name, variants[i]);
		start = recorder_symbol(variant);
		if (!start || !size_of(start, &size, &offset))
			continue;
		found.part[found.count].start = start;
		found.part[found.count++].end = start + size;
	}
	return found;
}

static bool is_in(const struct texts *texts, unsigned long address)
{
	int i;

	for (i = 0; i < texts->count; i++)
		if (address >= texts->part[i].start && address < texts->part[i].end)
			return true;
	return false;
}

/* The frame above that of the call. */
static bool is_called_by(const struct texts *caller, struct pt_regs *r)
{
	unsigned long frames[2];

	return !caller->count || (stack_of(r, frames, 2, 0) == 2 && is_in(caller, frames[1]));
}

static int reached(struct kprobe *kp, struct pt_regs *r)
{
	struct site *s = container_of(kp, struct site, kp);

	if (left <= 0 || !is_called_by(&s->caller, r) || --left)
		return 0;
	has_failed = true;
	r->ax = s->answer;
	if (s->jumps) {
		r->ip = *(unsigned long *)r->sp;
		r->sp += sizeof(long);
	} else {
		r->ip = (unsigned long)kp->addr + CALL_SIZE;
	}
	return 1;
}

/* The first byte of a call that has a kprobe already is another. */
static bool is_watched(unsigned long call)
{
	int i;

	for (i = 0; i < count; i++)
		if ((unsigned long)sites[i].kp.addr == call)
			return true;
	return false;
}

/* Puts a kprobe on a call. */
static int watch(unsigned long call, bool jumps, const struct texts *caller, long answer)
{
	struct site *s = &sites[count];
	int error;

	if (count == SITES)
		return -ENOSPC;
	memset(s, 0, sizeof(*s));
	s->kp.addr = (void *)call;
	s->kp.pre_handler = reached;
	s->caller = *caller;
	s->answer = answer;
	s->jumps = jumps;
	error = register_kprobe(&s->kp);
	if (!error)
		count++;
	return error;
}

/* The calls of one function in another; there may be none. */
static int watch_all(const char *in, const char *calls, const struct texts *caller, long nth, long answer)
{
	int (*decode)(struct insn *, const void *, int, enum insn_mode) = (void *)recorder_symbol("insn_decode");
	const struct texts function = texts_of(in), called = texts_of(calls);
	struct insn insn;
	int met = 0, i, error = 0;
	bool jumps;

	for (i = 0; i < function.count; i++) {
		unsigned long p = function.part[i].start, next;

		for (; p < function.part[i].end && !error; p = next) {
			next = p + CALL_SIZE;
			if (is_watched(p))
				continue;
			error = decode(&insn, (void *)p, MAX_INSN_SIZE, INSN_MODE_KERN);
			next = p + insn.length;
			jumps = insn.opcode.bytes[0] == JUMP;
			if (error || (!jumps && insn.opcode.bytes[0] != CALL) || !is_in(&called, p + CALL_SIZE + insn.immediate.value))
				continue;
			met++;
			if (!nth || met == nth)
				error = watch(p, jumps, caller, answer);
		}
	}
	return error;
}

static void nothing_fails(void)
{
	left = 0;
	while (count)
		unregister_kprobe(&sites[--count].kp);
}

static s64 order(char *text)
{
	struct texts caller;
	char *word[5];
	int i, error;
	long which, nth, answer;

	if (kstrtol(strsep(&text, " "), 10, &which))
		return -EINVAL;
	while (text) {
		for (i = 0; i < ARRAY_SIZE(word); i++) {
			word[i] = strsep(&text, " ");
			if (!word[i])
				return -EINVAL;
		}
		if (kstrtol(word[3], 10, &nth) || kstrtol(word[4], 10, &answer))
			return -EINVAL;
		caller = texts_of(word[2]);
		if (!caller.count && strcmp(word[2], "-"))
			continue;
		error = watch_all(word[0], word[1], &caller, nth, answer);
		if (error)
			return error;
	}
	left = which;
	/* `0`: nothing fails any more. */
	return count || !which ? 0 : -ENOENT;
}

bool recorder_failure_is_ordered(void)
{
	return count > 0;
}

s64 recorder_failing(struct recorder_request *r)
{
	char *text;
	s64 answer;

	if (r->op == OP_FAILED)
		return xchg(&has_failed, false);
	if (r->op != OP_FAIL)
		return -ENOSYS;
	nothing_fails();
	has_failed = false;
	stack_of = (void *)recorder_symbol("stack_trace_save_regs");
	text = strndup_user((void __user *)r->buffer, TEXT_MOST);
	if (IS_ERR(text))
		return PTR_ERR(text);
	answer = order(text);
	if (answer)
		nothing_fails();
	kfree(text);
	return answer;
}
