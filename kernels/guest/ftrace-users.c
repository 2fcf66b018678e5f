// SPDX-License-Identifier: GPL-2.0
/* Clients of ftrace itself: ops with handlers, live patches, direct calls, and tables of them. */
#include <linux/module.h>
#include <linux/slab.h>
#include "module.h"

#if !SINCE(6, 11)
#define ftrace_regs_set_instruction_pointer ftrace_instruction_pointer_set
#endif

/* An ops with a handler, or one for direct calls. */
#define DIRECTS OBJECTS
static struct client_ops {
	struct ftrace_ops ops;
	u64 number;
	bool on, is_direct;
	u64 tramp;
	u8 table[ALL_FUNCTIONS]; /* the trampoline of each function of a table (7.2) */
} *clients[2 * OBJECTS];

static u64 on_ip[ALL_FUNCTIONS];

static const unsigned long tramps[] = {
	0,
	(unsigned long)recorder_tramp_1,
	(unsigned long)recorder_tramp_2,
	(unsigned long)recorder_tramp_3,
};

static void handler(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	s32 fn = recorder_function_at(ip);
	struct recorder_event *e;
	int i;

	if (fn == NO_FUNCTION)
		return;
	e = recorder_log(SAW_FTRACE, fn, container_of(ops, struct client_ops, ops)->number);
#if SINCE(6, 11)
	for (i = 0; i < 6; i++)
		e->arg[i] = ftrace_regs_get_argument(fregs, i);
#else
	{
		const struct pt_regs *r = &fregs->regs;
		const u64 words[] = { r->di, r->si, r->dx, r->cx, r->r8, r->r9 };

		for (i = 0; i < 6; i++)
			e->arg[i] = words[i];
	}
#endif
	e->count = 6;
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)recorder_replacement);
}

void recorder_direct_hook(u64 tramp, const u64 *saved, u64 returns_to);
void recorder_direct_hook(u64 tramp, const u64 *saved, u64 returns_to)
{
	struct recorder_event *e = recorder_log(SAW_DIRECT, recorder_function_at(returns_to - 5), tramp);

	recorder_registers(e, saved, 6);
	e->ret = returns_to;
}

void recorder_replacement_hook(void);
void recorder_replacement_hook(void)
{
	recorder_log(SAW_REPLACEMENT, NO_FUNCTION, 0);
}

static struct client_ops *client(u64 number)
{
	if (!clients[number]) {
		clients[number] = kzalloc(sizeof(struct client_ops), GFP_KERNEL);
		clients[number]->number = number;
	}
	return clients[number];
}

struct ftrace_ops *recorder_ops(u64 number)
{
	struct ftrace_ops *patch = recorder_patch(number);

	if (patch)
		return patch;
	return number >= GRAPH_OPS ? recorder_graph_ops(number - GRAPH_OPS) : &client(number)->ops;
}

/* Until 6.14 the kernel leaves the pointers to what it has freed: whoever uses the ops again has to clear them. */
static void free_filter(struct ftrace_ops *ops)
{
	ftrace_free_filter(ops);
#if !SINCE(6, 15)
	ops->local_hash.filter_hash = NULL;
	ops->local_hash.notrace_hash = NULL;
	ops->flags &= ~FTRACE_OPS_FL_INITIALIZED;
#endif
}

static s64 fresh(u64 number, u64 flags, u64 direct)
{
	struct client_ops *c;

	if (number >= GRAPH_OPS) {
		memset(recorder_ops(number), 0, sizeof(struct ftrace_ops));
		return 0;
	}
	c = client(number);
	memset(c, 0, sizeof(*c));
	recorder_patch_filter(number, NO_FUNCTION, false, true);
	c->number = number;
	c->ops.flags = flags;
	if (!direct)
		c->ops.func = handler;
	return 0;
}

static s64 registered(struct client_ops *c, s64 answer, bool on)
{
	if (!answer)
		c->on = on;
	return answer;
}

/* That of a live patch is in the ops of klp as well, which is freed with it. */
static s64 set_filter(const u64 *w)
{
	struct ftrace_ops *patch = recorder_patch(w[0]);
	s64 answer = ftrace_set_filter_ip(recorder_ops(w[0]), recorder_address(w[1]), w[2], w[3]);

	if (answer)
		return answer;
	recorder_patch_filter(w[0], w[1], w[2], w[3]);
	if (patch)
		ftrace_set_filter_ip(&client(w[0])->ops, recorder_address(w[1]), w[2], w[3]);
	return 0;
}

static s64 set_notrace(u64 number, u64 fn, u64 reset)
{
	char name[KSYM_NAME_LEN + 8];

	if ((s64)fn < 0)
		strscpy(name, "no_such_function", sizeof(name));
	else {
		sprint_symbol_no_offset(name, recorder_address(fn));
		/* A module's symbol is followed by the name of the module. */
		strreplace(name, ' ', '\0');
	}
	return ftrace_set_notrace(recorder_ops(number), (unsigned char *)name, strlen(name), reset);
}

#if SINCE(7, 0)
/* One call with a table of sites and trampolines; functions that modules are not given. */
static s64 update(u32 op, struct ftrace_ops *ops, const u64 *pair, u32 count)
{
	struct ftrace_hash *(*alloc)(int) = (void *)recorder_symbol("alloc_ftrace_hash");
	struct ftrace_func_entry *(*add)(struct ftrace_hash *, unsigned long, unsigned long) =
		(void *)recorder_symbol("add_ftrace_hash_entry_direct");
	unsigned long (*location)(unsigned long) = (void *)recorder_symbol("ftrace_location");
	void (*release)(struct ftrace_hash *) = (void *)recorder_symbol("free_ftrace_hash");
	int (*change[])(struct ftrace_ops *, struct ftrace_hash *) = {
		(void *)recorder_symbol("update_ftrace_direct_add"),
		(void *)recorder_symbol("update_ftrace_direct_del"),
	};
	int (*modify)(struct ftrace_ops *, struct ftrace_hash *, bool) =
		(void *)recorder_symbol("update_ftrace_direct_mod");
	struct ftrace_hash *hash;
	s64 answer;
	u32 i;

	if (!alloc || !add || !location || !release || !change[0] || !change[1] || !modify)
		return -EOPNOTSUPP;
	hash = alloc(4);
	if (!hash)
		return -ENOMEM;
	for (i = 0; i + 1 < count; i += 2) {
		unsigned long ip = location(recorder_address(pair[i]));

		add(hash, ip ? ip : recorder_address(pair[i]), tramps[pair[i + 1]]);
	}
	answer = op == OP_TABLE_MOD ? modify(ops, hash, true) : change[op == OP_TABLE_DEL](ops, hash);
	release(hash);
	return answer;
}

static s64 table(struct recorder_request *r)
{
	struct client_ops *c = client(r->word[0]);
	s64 answer = update(r->op, &c->ops, &r->word[1], r->count - 1);
	u32 i;

	for (i = 1; !answer && i + 1 < r->count; i += 2) {
		u8 *own = (s64)r->word[i] < 0 ? NULL : &c->table[r->word[i]];

		if (own && (r->op != OP_TABLE_MOD || *own))
			*own = r->op == OP_TABLE_DEL ? 0 : r->word[i + 1];
	}
	return answer;
}

/* The entries have to go one by one: unregistering the ops alone would leave them in direct_functions. */
static void table_off(struct client_ops *c)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c->table); i++) {
		const u64 pair[] = { i, c->table[i] };

		if (c->table[i])
			update(OP_TABLE_DEL, &c->ops, pair, 2);
		c->table[i] = 0;
	}
}
#else
static s64 table(struct recorder_request *r)
{
	return -EOPNOTSUPP;
}

static void table_off(struct client_ops *c)
{
}
#endif

#if SINCE(6, 11)
#define DIRECT(name) name##_ftrace_direct
#else
#define DIRECT(name) name##_ftrace_direct_multi
static s64 direct_ip(struct recorder_request *r)
{
	unsigned long ip = recorder_address(r->word[0]);
	s64 answer;

	switch (r->op) {
	case OP_DIRECT_IP:
		answer = register_ftrace_direct(ip, tramps[r->word[1]]);
		break;
	case OP_DIRECT_IP_MODIFY:
		answer = modify_ftrace_direct(ip, tramps[r->word[1]], tramps[r->word[2]]);
		break;
	default:
		answer = unregister_ftrace_direct(ip, tramps[r->word[1]]);
	}
	if (!answer && (s64)r->word[0] >= 0)
		on_ip[r->word[0]] = r->op == OP_DIRECT_IP_UNREGISTER ? 0 : r->word[r->op - OP_DIRECT_IP + 1];
	return answer;
}
#endif

static s64 unregister_direct(struct client_ops *c, u64 tramp, bool release)
{
	s64 answer;

#if SINCE(6, 11)
	answer = unregister_ftrace_direct(&c->ops, tramps[tramp], release);
	/* It frees them before it answers, and does not look at why; since 6.15 not of an ops that stays enabled. */
	if (release && (!answer || c->on) && !(SINCE(6, 15) && c->ops.flags & FTRACE_OPS_FL_ENABLED)) {
		c->ops.local_hash.filter_hash = NULL;
		c->ops.local_hash.notrace_hash = NULL;
		c->ops.flags &= ~FTRACE_OPS_FL_INITIALIZED;
	}
#else
	answer = unregister_ftrace_direct_multi(&c->ops, tramps[tramp]);
#endif
	return answer;
}

static s64 direct(struct recorder_request *r)
{
	struct client_ops *c = client(r->word[0]);
	s64 answer;

	switch (r->op) {
	case OP_DIRECT:
		answer = DIRECT(register)(&c->ops, tramps[r->word[1]]);
		c->is_direct |= !answer;
		break;
	case OP_DIRECT_MODIFY:
		answer = DIRECT(modify)(&c->ops, tramps[r->word[1]]);
		break;
	default:
		return registered(c, unregister_direct(c, r->word[1], r->word[2]), false);
	}
	if (!answer)
		c->tramp = r->word[1];
	return r->op == OP_DIRECT ? registered(c, answer, true) : answer;
}

s64 recorder_ftrace(struct recorder_request *r)
{
	const u64 *w = r->word;

	switch (r->op) {
	case OP_FTRACE_OPS:
		return fresh(w[0], w[1], w[2]);
	case OP_FILTER_IP:
		return set_filter(w);
	case OP_NOTRACE:
		return set_notrace(w[0], w[1], w[2]);
	case OP_FREE_FILTER:
		free_filter(recorder_ops(w[0]));
		recorder_patch_filter(w[0], NO_FUNCTION, false, true);
		return 0;
	case OP_REGISTER:
		return registered(client(w[0]), register_ftrace_function(recorder_ops(w[0])), true);
	case OP_UNREGISTER:
		return registered(client(w[0]), unregister_ftrace_function(recorder_ops(w[0])), false);
	case OP_DIRECT:
	case OP_DIRECT_MODIFY:
	case OP_DIRECT_UNREGISTER:
		return direct(r);
	case OP_DIRECT_IP:
	case OP_DIRECT_IP_MODIFY:
	case OP_DIRECT_IP_UNREGISTER:
#if SINCE(6, 11)
		return -EOPNOTSUPP;
#else
		return direct_ip(r);
#endif
	case OP_TABLE_ADD:
	case OP_TABLE_DEL:
	case OP_TABLE_MOD:
		return table(r);
	case OP_KFREE:
		if (w[0] > 1)
			return -ENOSYS;
		kfree(clients[w[1]]);
		clients[w[1]] = NULL;
		return 0;
	}
	return -ENOSYS;
}

/* Unregistered is whatever is; the memory of the others is given back, with their filters. */
void recorder_ftrace_off(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(clients); i++) {
		struct client_ops *c = clients[i];

		if (!c)
			continue;
		table_off(c);
		if (c->on && c->is_direct)
			unregister_direct(c, c->tramp, false);
		else if (c->on || (c->ops.flags & FTRACE_OPS_FL_ENABLED))
			unregister_ftrace_function(&c->ops);
		if (c->ops.flags & FTRACE_OPS_FL_INITIALIZED && !(c->ops.flags & FTRACE_OPS_FL_ENABLED))
			free_filter(&c->ops);
		/* The memory stays: what was left registered is not to be freed. */
		clients[i] = NULL;
	}
#if !SINCE(6, 11)
	for (i = 0; i < ARRAY_SIZE(on_ip); i++)
		if (on_ip[i])
			unregister_ftrace_direct(recorder_address(i), tramps[on_ip[i]]);
#endif
	memset(on_ip, 0, sizeof(on_ip));
}
