// SPDX-License-Identifier: GPL-2.0
/* The log of events, and the functions whose calls are logged. */
#include <linux/module.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "module.h"

#define EVENTS 4096
#define FIRST_HOOK (FUNCTIONS + SECOND_FUNCTIONS)
#define FIRST_TARGET ALL_FUNCTIONS

static struct recorder_event *events;
static u32 logged;

/* Of each function: whether this history has it, the number that enters its hash, and where it is. */
static struct {
	bool bound;
	u32 id;
	unsigned long address;
} known[ALL_FUNCTIONS + TARGETS_MOST + TRACEPOINTS];

/* Behind the beginning of a symbol, so that it is no function's either. */
static u64 nowhere[2];

/* The numbers of those that are bound: with all of the kernel traced, every call of it is looked up. */
static s32 bound[ARRAY_SIZE(known)];
static int bound_count;

int recorder_logs(void)
{
	int i;

	events = vzalloc(sizeof(*events) * EVENTS);
	for (i = 0; i < FUNCTIONS; i++)
		known[i].address = (unsigned long)recorder_functions[i];
	for (i = 0; i < HOOKS; i++)
		known[FIRST_HOOK + i].address = recorder_lsm_hook(i);
	for (i = 0; i < TRACEPOINTS; i++)
		known[FIRST_TARGET + TARGETS_MOST + i].address = recorder_hit(i);
	return events ? 0 : -ENOMEM;
}

struct recorder_event *recorder_log(u32 who, s32 fn, u32 object)
{
	struct recorder_event *e = &events[logged++ % EVENTS];

	e->time = ktime_get_mono_fast_ns();
	e->who = who;
	e->fn = fn;
	e->object = object;
	e->count = 0;
	e->ret = 0;
	e->data = 0;
	return e;
}

void recorder_registers(struct recorder_event *e, const u64 *from, int count)
{
	int i;

	for (i = 0; i < count; i++)
		e->arg[i] = from[i];
	e->count = count;
}

/* Without a copy between: room for every event costs more than the call that is logged. */
s64 recorder_take(struct recorder_event __user *to, u32 most)
{
	u32 count = min_t(u32, logged, min_t(u32, most, EVENTS));

	logged = 0;
	return copy_to_user(to, events, count * sizeof(*events)) ? -EFAULT : count;
}

/* A handler is given the address of the function, or of its call site behind endbr64. */
s32 recorder_function_at(unsigned long ip)
{
	int i;

	for (i = 0; i < bound_count; i++) {
		unsigned long start = known[bound[i]].address;

		if (ip >= start && ip < start + 16)
			return bound[i];
	}
	return NO_FUNCTION;
}

/* Whether an address is between the first and the last of its functions, bound or not; the second module may be gone. */
static bool is_between(unsigned long ip, int from, int until)
{
	unsigned long first = ULONG_MAX, last = 0;
	int i;

	for (i = from; i < until; i++) {
		first = min(first, known[i].address);
		last = max(last, known[i].address);
	}
	return ip >= first && ip < last + 16;
}

static bool is_hook(unsigned long ip)
{
	int i;

	for (i = FIRST_HOOK; i < FIRST_TARGET; i++)
		if (is_between(ip, i, i + 1))
			return true;
	return false;
}

bool recorder_has(unsigned long ip)
{
	if (ip < MODULES_VADDR)
		return is_hook(ip);
	return is_between(ip, 0, FUNCTIONS) || is_between(ip, FUNCTIONS, FIRST_HOOK);
}

bool recorder_bind(s32 fn, u32 id)
{
	if (!known[fn].address)
		return false;
	if (!known[fn].bound)
		bound[bound_count++] = fn;
	known[fn].bound = true;
	known[fn].id = id;
	recorder_bound();
	return true;
}

void recorder_bind_target(s32 fn, unsigned long address, u32 id)
{
	if (fn < FIRST_TARGET || fn >= FIRST_TARGET + TARGETS_MOST)
		return;
	known[fn].address = address;
	recorder_bind(fn, id);
}

void recorder_unbind(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		known[i].bound = false;
	for (i = FIRST_TARGET; i < FIRST_TARGET + TARGETS_MOST; i++)
		known[i].address = 0;
	bound_count = 0;
	recorder_unbound();
}

/* What is no function is an address where no call site is. */
unsigned long recorder_address(s64 fn)
{
	return fn < 0 || fn >= ARRAY_SIZE(known) || !known[fn].address ? (unsigned long)&nowhere[1] : known[fn].address;
}

/* Every traced function comes here with its arguments, as words of eight bytes. */
u64 recorder_body(s32 fn, const u64 *value, int count)
{
	struct recorder_event *e;
	u64 hash = 0x1000 + known[fn].id;
	int i;

	for (i = 0; i < count; i++)
		hash = (((hash << 7) | (hash >> 57)) ^ value[i]) * 0x100000001b3ULL + i + 1;
	if (known[fn].bound) {
		e = recorder_log(SAW_BODY, fn, 0);
		recorder_registers(e, value, count);
		e->ret = hash;
	}
	return hash;
}

/* The second module is there: its functions have these addresses until it is loaded again. */
struct module *recorder_second_module;

void recorder_second(void *const *functions, struct module *module)
{
	int i;

	recorder_second_module = module;
	for (i = 0; i < SECOND_FUNCTIONS; i++)
		known[FUNCTIONS + i].address = (unsigned long)functions[i];
	if (bound_count)
		recorder_bound();
}

/* Nothing is exported: the second module is given this address when it is loaded. */
const struct recorder_hooks recorder_hooks = { recorder_body, recorder_second };
