// SPDX-License-Identifier: GPL-2.0
/* Users of function graph. Each has handlers of its own, so that one which is given another's object shows. */
#include <linux/module.h>
#include <linux/slab.h>
#include "module.h"

static struct graph_user {
	struct fgraph_ops gops;
	bool on;
	u32 number;
} *users[OBJECTS];

#if SINCE(6, 11)
static s64 user_of(struct fgraph_ops *gops)
{
	return container_of(gops, struct graph_user, gops)->number;
}
#endif

static int entered(u32 own, unsigned long ip, s64 given)
{
	s32 fn = recorder_function_at(ip);

	if (fn == NO_FUNCTION)
		return 0;
	recorder_log(SAW_GRAPH_ENTRY, fn, own)->data = given;
	return 1;
}

static struct recorder_event *left(u32 own, unsigned long ip, s64 given)
{
	struct recorder_event *e = recorder_log(SAW_GRAPH_EXIT, recorder_function_at(ip), own);

	e->data = given;
	return e;
}

#if SINCE(6, 14)
#define HANDLERS(n)                                                                                                 \
	static int entry_##n(struct ftrace_graph_ent *t, struct fgraph_ops *g, struct ftrace_regs *r)              \
	{                                                                                                          \
		return entered(n, t->func, user_of(g));                                                            \
	}                                                                                                          \
	static void exit_##n(struct ftrace_graph_ret *t, struct fgraph_ops *g, struct ftrace_regs *r)              \
	{                                                                                                          \
		struct recorder_event *e = left(n, t->func, user_of(g));                                           \
		if (r) {                                                                                           \
			e->ret = ftrace_regs_get_return_value(r);                                                  \
			e->count = 1;                                                                              \
		}                                                                                                  \
	}
#elif SINCE(6, 11)
#define HANDLERS(n)                                                                                                 \
	static int entry_##n(struct ftrace_graph_ent *t, struct fgraph_ops *g)                                     \
	{                                                                                                          \
		return entered(n, t->func, user_of(g));                                                            \
	}                                                                                                          \
	static void exit_##n(struct ftrace_graph_ret *t, struct fgraph_ops *g)                                     \
	{                                                                                                          \
		left(n, t->func, user_of(g));                                                                      \
	}
#else
#define HANDLERS(n)                                                                                                 \
	static int entry_##n(struct ftrace_graph_ent *t)                                                           \
	{                                                                                                          \
		return entered(n, t->func, n);                                                                     \
	}                                                                                                          \
	static void exit_##n(struct ftrace_graph_ret *t)                                                           \
	{                                                                                                          \
		left(n, t->func, n);                                                                               \
	}
#endif

HANDLERS(0)
HANDLERS(1)
HANDLERS(2)
HANDLERS(3)
HANDLERS(4)
HANDLERS(5)
HANDLERS(6)
HANDLERS(7)
HANDLERS(8)
HANDLERS(9)
HANDLERS(10)
HANDLERS(11)
HANDLERS(12)
HANDLERS(13)
HANDLERS(14)
HANDLERS(15)

#define PAIR(n) { entry_##n, exit_##n }
static const struct {
	trace_func_graph_ent_t entry;
	trace_func_graph_ret_t exit;
} handlers[OBJECTS] = { PAIR(0), PAIR(1), PAIR(2),  PAIR(3),  PAIR(4),	PAIR(5),  PAIR(6),  PAIR(7),
			PAIR(8), PAIR(9), PAIR(10), PAIR(11), PAIR(12), PAIR(13), PAIR(14), PAIR(15) };

static struct graph_user *user(u64 number)
{
	if (!users[number]) {
		users[number] = kzalloc(sizeof(struct graph_user), GFP_KERNEL);
		users[number]->number = number;
	}
	return users[number];
}

struct ftrace_ops *recorder_graph_ops(u64 number)
{
#if SINCE(6, 11)
	return &user(number)->gops.ops;
#else
	static struct ftrace_ops none[OBJECTS];

	return &none[number];
#endif
}

static int (*register_graph)(struct fgraph_ops *);
static void (*unregister_graph)(struct fgraph_ops *);

s64 recorder_graph(struct recorder_request *r)
{
	struct graph_user *u;
	s64 answer;

	if (!register_graph) {
		register_graph = (void *)recorder_symbol("register_ftrace_graph");
		unregister_graph = (void *)recorder_symbol("unregister_ftrace_graph");
	}
	switch (r->op) {
	case OP_GRAPH:
		u = user(r->word[0]);
		u->gops.entryfunc = handlers[u->number].entry;
		u->gops.retfunc = handlers[u->number].exit;
		answer = register_graph(&u->gops);
		u->on |= !answer;
		return answer;
	case OP_GRAPH_UNREGISTER:
		u = user(r->word[0]);
		unregister_graph(&u->gops);
		u->on = false;
		return 0;
	case OP_KFREE:
		if (r->word[0] != 2)
			return -ENOSYS;
		kfree(users[r->word[1]]);
		users[r->word[1]] = NULL;
		return 0;
	}
	return -ENOSYS;
}

void recorder_graph_off(void)
{
	int i;

	for (i = 0; i < OBJECTS; i++) {
		if (users[i] && users[i]->on)
			unregister_graph(&users[i]->gops);
#if SINCE(6, 11)
		if (users[i] && users[i]->gops.ops.flags & FTRACE_OPS_FL_INITIALIZED)
			ftrace_free_filter(&users[i]->gops.ops);
#endif
		users[i] = NULL;
	}
}
