// SPDX-License-Identifier: GPL-2.0
/* The traced functions: their addresses, and their ids in BTF. */
#include "functions.h"
#include "btf.h"
#include "targets.h"
#include "table.h"

#define COUNT ((int)(sizeof(functions) / sizeof(*functions)))
static u32 ids[COUNT];
static int fds[HOMES] = { -1, -1, 0 };

int function_count(void)
{
	return COUNT;
}

const struct function *function(s64 number)
{
	if (target(number))
		return &target(number)->function;
	return number < 0 || number >= COUNT ? 0 : &functions[number];
}

const char *tracepoint_name(s64 number)
{
	const s64 count = sizeof(tracepoints) / sizeof(*tracepoints);

	return number < 0 || number >= count ? "not_a_tracepoint" : tracepoints[number];
}

u32 function_id(s64 number)
{
	if (target(number))
		return target(number)->id;
	return function(number) ? ids[number] : 0;
}

u64 function_address(s64 number)
{
	struct recorder_request r;

	fill(&r, 0, sizeof(r));
	r.op = OP_ADDRESS;
	r.count = 1;
	r.word[0] = number;
	request(&r);
	return r.word[0];
}

int function_btf(enum home home)
{
	return fds[home];
}

static s64 fmod_ret_answer;

s64 functions_fmod_ret(void)
{
	return fmod_ret_answer;
}

static void fmod_ret(enum home home)
{
	static u32 pairs[2 * COUNT];
	struct recorder_request r;
	u64 k;
	int i;

	fill(&r, 0, sizeof(r));
	r.op = OP_FMODRET;
	r.word[0] = home;
	for (i = 0; i < COUNT; i++) {
		if (functions[i].home != home || !functions[i].list || !ids[i])
			continue;
		/* The kernel looks ids up by bisection. */
		for (k = r.length++; k > 0 && pairs[2 * k - 2] > ids[i]; k--) {
			pairs[2 * k] = pairs[2 * k - 2];
			pairs[2 * k + 1] = pairs[2 * k - 1];
		}
		pairs[2 * k] = ids[i];
		pairs[2 * k + 1] = functions[i].list == 2;
	}
	r.buffer = (u64)pairs;
	fmod_ret_answer = request(&r);
}

void functions_start(enum home home)
{
	static const char *const modules[] = { "attachcheck", "attachcheck_second" };
	static const char *const types[] = { "/sys/kernel/btf/attachcheck", "/sys/kernel/btf/attachcheck_second", 0 };
	static const char *names[COUNT];
	static u32 found[COUNT];
	int i, n = 0;

	for (i = 0; i < COUNT; i++)
		if (functions[i].home == home)
			names[n++] = functions[i].symbol;
	btf_ids(types[home], names, found, n);
	for (i = 0, n = 0; i < COUNT; i++)
		if (functions[i].home == home)
			ids[i] = found[n++];
	if (home == KERNEL)
		return;
	if (fds[home] >= 0)
		syscall(SYS_CLOSE, fds[home], 0, 0);
	fds[home] = btf_of_module(modules[home]);
	fmod_ret(home);
}
