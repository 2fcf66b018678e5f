// SPDX-License-Identifier: GPL-2.0
/* kprobes, kretprobes, fprobes. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#ifdef CONFIG_FPROBE
#include <linux/fprobe.h>
#endif
#include "module.h"

struct kprobe_user {
	struct kprobe kp;
	bool on;
	u32 number;
};
static struct kprobe_user *kprobes[OBJECTS];

struct kretprobe_user {
	struct kretprobe rp;
	bool on, vetoes;
	u32 number;
};
static struct kretprobe_user *kretprobes[OBJECTS];

static void *taken(void **object, size_t size)
{
	if (!*object)
		*object = kzalloc(size, GFP_KERNEL);
	return *object;
}

static int before(struct kprobe *kp, struct pt_regs *r)
{
	const u64 words[] = { r->di, r->si, r->dx, r->cx, r->r8, r->r9 };

	recorder_registers(recorder_log(SAW_KPROBE, recorder_function_at((unsigned long)kp->addr),
					container_of(kp, struct kprobe_user, kp)->number),
			   words, 6);
	return 0;
}

static void after(struct kprobe *kp, struct pt_regs *r, unsigned long flags)
{
	recorder_log(SAW_KPROBE_POST, recorder_function_at((unsigned long)kp->addr),
		     container_of(kp, struct kprobe_user, kp)->number);
}

static int entry(struct kretprobe_instance *ri, struct pt_regs *r)
{
	struct kretprobe_user *u = container_of(get_kretprobe(ri), struct kretprobe_user, rp);

	recorder_log(SAW_KRETPROBE_ENTRY, recorder_function_at((unsigned long)u->rp.kp.addr), u->number);
	return u->vetoes;
}

static int returned(struct kretprobe_instance *ri, struct pt_regs *r)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct kretprobe_user *u = container_of(rp, struct kretprobe_user, rp);

	if (rp)
		recorder_log(SAW_KRETPROBE, recorder_function_at((unsigned long)rp->kp.addr), u->number)->ret =
			regs_return_value(r);
	return 0;
}

/* Nothing else of it is cleared: what could not be disarmed, the kernel still has. */
static void wants_enabled(struct kprobe *kp, bool enabled)
{
	kp->flags = enabled ? kp->flags & ~KPROBE_FLAG_DISABLED : kp->flags | KPROBE_FLAG_DISABLED;
}

/*
 * Neither in the table nor on the list of an aggregate: the errno of arming it was lost, and its client takes it for registered
 * all the same.
 */
static bool was_dropped(const struct kprobe *kp)
{
	return kp->hlist.pprev == LIST_POISON2 && list_empty(&kp->list);
}

static s64 kprobe(struct recorder_request *r)
{
	const u64 *w = r->word;
	struct kprobe_user *u = taken((void **)&kprobes[w[0]], sizeof(*u));
	s64 answer;

	switch (r->op) {
	case OP_KPROBE:
		u->number = w[0];
		u->kp.addr = (void *)recorder_address(w[1]);
		u->kp.addr += w[2];
		u->kp.pre_handler = before;
		if (!u->on || was_dropped(&u->kp)) {
			u->kp.post_handler = w[3] ? after : NULL;
			wants_enabled(&u->kp, !w[4]);
		}
		answer = register_kprobe(&u->kp);
		u->on |= !answer;
		return answer;
	case OP_KPROBE_UNREGISTER:
		unregister_kprobe(&u->kp);
		u->on = false;
		return 0;
	case OP_KPROBE_DISABLE:
		return disable_kprobe(&u->kp);
	default:
		return enable_kprobe(&u->kp);
	}
}

/* Where a client has it registered: there the kernel has written the address of the call site, maybe behind endbr64. */
static bool is_of(const struct kprobe *kp, u64 fn)
{
	unsigned long start = recorder_address(fn), at = (unsigned long)kp->addr;

	return at == start || at == start + 4;
}

static s64 kretprobe(struct recorder_request *r)
{
	const u64 *w = r->word;
	struct kretprobe_user *u = taken((void **)&kretprobes[w[0]], sizeof(*u));
	s64 answer;

	switch (r->op) {
	case OP_KRETPROBE:
		if (!u->on || !is_of(&u->rp.kp, w[1]) || was_dropped(&u->rp.kp)) {
			wants_enabled(&u->rp.kp, true);
			u->number = w[0];
			u->vetoes = w[4];
			u->rp.kp.addr = (void *)recorder_address(w[1]);
			u->rp.handler = returned;
			u->rp.entry_handler = w[3] ? entry : NULL;
			u->rp.maxactive = w[2];
		}
		answer = register_kretprobe(&u->rp);
		u->on |= !answer;
		return answer;
	case OP_KRETPROBE_UNREGISTER:
		unregister_kretprobe(&u->rp);
		u->on = false;
		return 0;
	case OP_KRETPROBE_DISABLE:
		return disable_kretprobe(&u->rp);
	default:
		return enable_kretprobe(&u->rp);
	}
}

#ifdef CONFIG_FPROBE
struct fprobe_user {
	struct fprobe fp;
	bool on;
	u32 number, calls;
};
static struct fprobe_user *fprobes[OBJECTS];

#if SINCE(6, 14)
#define FPROBE_REGS struct ftrace_regs
#define RETURNED ftrace_regs_get_return_value
#else
#define FPROBE_REGS struct pt_regs
#define RETURNED regs_return_value
#endif

/* The word that it leaves differs from call to call, and from those of other fprobes. */
static int fprobe_entry(struct fprobe *fp, unsigned long ip, unsigned long parent, FPROBE_REGS *r, void *data)
{
	struct fprobe_user *u = container_of(fp, struct fprobe_user, fp);
	struct recorder_event *e = recorder_log(SAW_FPROBE_ENTRY, recorder_function_at(ip), u->number);

	if (fp->exit_handler && fp->entry_data_size >= 8 && data)
		e->data = *(u64 *)data = (u64)u->number << 32 | ++u->calls;
	return 0;
}

static void fprobe_exit(struct fprobe *fp, unsigned long ip, unsigned long parent, FPROBE_REGS *r, void *data)
{
	struct fprobe_user *u = container_of(fp, struct fprobe_user, fp);
	struct recorder_event *e = recorder_log(SAW_FPROBE_EXIT, recorder_function_at(ip), u->number);

	e->ret = RETURNED(r);
	if (fp->entry_handler && fp->entry_data_size >= 8 && data)
		e->data = *(u64 *)data;
}

static s64 fprobe(struct recorder_request *r)
{
	const u64 *w = r->word;
	struct fprobe_user *u = taken((void **)&fprobes[w[0]], sizeof(*u));
	unsigned long addresses[WORDS_MOST];
	s64 answer;
	u32 i;

	if (r->op == OP_FPROBE_UNREGISTER) {
		answer = unregister_fprobe(&u->fp);
		u->on &= !!answer;
		return answer;
	}
	for (i = 6; i < r->count; i++)
		addresses[i - 6] = recorder_address(w[i]);
	if (!u->on) {
		/* One that names no function is refused, and clears nothing. */
		if (w[5] && r->count > 6)
			memset(u, 0, sizeof(*u));
		u->number = w[0];
		u->fp.entry_handler = w[1] ? fprobe_entry : NULL;
		u->fp.exit_handler = w[2] ? fprobe_exit : NULL;
		u->fp.entry_data_size = w[3];
		if (w[4])
			u->fp.flags |= FPROBE_FL_KPROBE_SHARED;
	}
	answer = register_fprobe_ips(&u->fp, addresses, r->count - 6);
	u->on |= !answer;
	return answer;
}
#endif

s64 recorder_probes(struct recorder_request *r)
{
	switch (r->op) {
	case OP_KPROBE ... OP_KPROBE_ENABLE:
		return kprobe(r);
	case OP_KRETPROBE ... OP_KRETPROBE_ENABLE:
		return kretprobe(r);
	case OP_FPROBE:
	case OP_FPROBE_UNREGISTER:
#ifdef CONFIG_FPROBE
		return fprobe(r);
#else
		return -EOPNOTSUPP;
#endif
	case OP_KFREE: {
		void **of[] = { (void **)kprobes, (void **)kretprobes,
#ifdef CONFIG_FPROBE
				(void **)fprobes,
#endif
		};
		u64 kind = r->word[0] - 3;

		if (kind >= ARRAY_SIZE(of))
			return -ENOSYS;
		kfree(of[kind][r->word[1]]);
		of[kind][r->word[1]] = NULL;
		return 0;
	}
	}
	return -ENOSYS;
}

static unsigned long misses_of(u32 who, int number)
{
	switch (who) {
	case MISSED_KPROBE:
		return kprobes[number] ? kprobes[number]->kp.nmissed : 0;
	case MISSED_KRETPROBE:
		return kretprobes[number] ? kretprobes[number]->rp.nmissed + kretprobes[number]->rp.kp.nmissed : 0;
#ifdef CONFIG_FPROBE
	case MISSED_FPROBE:
		return fprobes[number] ? fprobes[number]->fp.nmissed : 0;
#endif
	}
	return 0;
}

/* What the counters have grown by since the last time is logged. */
void recorder_misses(bool log)
{
	static unsigned long earlier[3][OBJECTS];
	u32 kind;
	int i;

	for (kind = 0; kind < ARRAY_SIZE(earlier); kind++)
		for (i = 0; i < OBJECTS; i++) {
			unsigned long now = misses_of(MISSED_KPROBE + kind, i);

			if (log && now > earlier[kind][i])
				recorder_log(MISSED_KPROBE + kind, NO_FUNCTION, i)->data = now - earlier[kind][i];
			earlier[kind][i] = now;
		}
}

void recorder_probes_off(void)
{
	int i;

	for (i = 0; i < OBJECTS; i++) {
		if (kretprobes[i] && kretprobes[i]->on)
			unregister_kretprobe(&kretprobes[i]->rp);
		if (kprobes[i] && kprobes[i]->on)
			unregister_kprobe(&kprobes[i]->kp);
		kretprobes[i] = NULL;
		kprobes[i] = NULL;
#ifdef CONFIG_FPROBE
		if (fprobes[i] && fprobes[i]->on)
			unregister_fprobe(&fprobes[i]->fp);
		fprobes[i] = NULL;
#endif
	}
}
