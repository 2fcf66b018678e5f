// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder module: every attach interface of the kernel behind one ioctl, and a line to the host.
 *
 *   host  ── shared memory ──▶  read()   /dev/attachcheck  ioctl() ──▶ ftrace, kprobes, …
 *         ◀──────────────────  write()
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include "module.h"

/* kallsyms_lookup_name(), which modules are not given; the driver reads it in /proc/kallsyms. */
static unsigned long lookup;
module_param(lookup, ulong, 0400);

unsigned long recorder_symbol(const char *name)
{
	unsigned long (*kallsyms)(const char *) = (void *)lookup;

	return kallsyms(name);
}

#if SINCE(6, 11)
/* Functions whose return value fmod_ret programs may change: those that may sleep, and those that may not. */
struct btf_set {
	u32 count, flags;
	struct {
		u32 id, flags;
	} pair[FUNCTIONS];
};
static struct btf_set sets[2];
static struct btf_kfunc_id_set kfuncs[2];

static s64 fmod_ret(struct recorder_request *r)
{
	struct btf_set *set = &sets[!!r->word[0]];
	struct btf_kfunc_id_set *kfunc = &kfuncs[!!r->word[0]];
	u32 *ids = memdup_user((void __user *)r->buffer, r->length * sizeof(u32) * 2);
	u32 i;

	if (IS_ERR(ids))
		return PTR_ERR(ids);
	set->count = min_t(u32, r->length, FUNCTIONS);
	for (i = 0; i < set->count; i++) {
		set->pair[i].id = ids[2 * i];
		set->pair[i].flags = ids[2 * i + 1] ? KF_SLEEPABLE : 0;
	}
	kfree(ids);
	kfunc->owner = r->word[0] ? recorder_second_module : THIS_MODULE;
	kfunc->set = (void *)set;
	return register_btf_fmodret_id_set(kfunc);
}
#else
static s64 fmod_ret(struct recorder_request *r)
{
	return 0;
}
#endif

static s64 read_memory(struct recorder_request *r)
{
	u8 bytes[64];
	u64 length = min_t(u64, r->length, sizeof(bytes));

	if (copy_from_kernel_nofault(bytes, (void *)r->word[0], length))
		return -EFAULT;
	return copy_to_user((void __user *)r->buffer, bytes, length) ? -EFAULT : length;
}

static s64 symbol(struct recorder_request *r)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, r->word[0]);
	name[min_t(u64, r->length, sizeof(name)) - 1] = 0;
	return copy_to_user((void __user *)r->buffer, name, strlen(name) + 1) ? -EFAULT : 0;
}

static s64 look_up(struct recorder_request *r)
{
	char name[KSYM_SYMBOL_LEN];
	long length = strncpy_from_user(name, (void __user *)r->buffer, sizeof(name));

	if (length <= 0 || length == sizeof(name))
		return -EFAULT;
	r->word[0] = recorder_symbol(name);
	return r->word[0] ? 0 : -ENOENT;
}

/* The flavours in the order in which freed trampolines wait for them, and what that starts. */
static s64 settle(void)
{
	void (*tasks)(void) = (void *)recorder_symbol("synchronize_rcu_tasks");
	void (*trace)(void) = (void *)recorder_symbol("synchronize_rcu_tasks_trace");
	int i;

	for (i = 0; i < 3; i++) {
		synchronize_rcu();
		rcu_barrier();
		if (trace)
			trace();
		if (tasks)
			tasks();
		msleep(20);
	}
	return 0;
}

/* The queue of schedule_work(), which has had another name since 6.17. */
static s64 flush(void)
{
	static const char *const queues[] = { "system_wq", "system_percpu_wq" };
	void (*run)(struct workqueue_struct *) = (void *)recorder_symbol("__flush_workqueue");
	int i;

	if (!run)
		run = (void *)recorder_symbol("flush_workqueue");
	for (i = 0; run && i < ARRAY_SIZE(queues); i++) {
		struct workqueue_struct **queue = (void *)recorder_symbol(queues[i]);

		if (queue)
			run(*queue);
	}
	return run ? 0 : -EOPNOTSUPP;
}

static s64 call(struct recorder_request *r)
{
	u64 result[2] = {};
	u64 stack = r->count - 7;

	recorder_misses(false);
	r->word[2] = recorder_call((void *)recorder_address(r->word[0]), &r->word[1], &r->word[7], stack, result);
	recorder_misses(true);
	r->word[0] = result[0];
	r->word[1] = result[1];
	return 0;
}

static s64 perform(struct recorder_request *r)
{
	s64 (*const parts[])(struct recorder_request *) = { recorder_ftrace, recorder_graph, recorder_probes,
							     recorder_parking, recorder_failing, recorder_scope,
							     recorder_filter_files, recorder_tracepoints,
							     recorder_patches };
	s64 answer = -ENOSYS;
	int i;

	switch (r->op) {
	case OP_ADDRESS:
		r->word[0] = recorder_address(r->word[0]);
		return 0;
	case OP_BIND:
		return recorder_bind(r->word[0], r->word[1]) ? 0 : -ENOENT;
	case OP_TARGET:
		recorder_bind_target(r->word[0], r->word[1], r->word[2]);
		return 0;
	case OP_READ:
		return read_memory(r);
	case OP_SYMBOL:
		return symbol(r);
	case OP_LOOKUP:
		return look_up(r);
	case OP_CALL:
		return call(r);
	case OP_EVENTS:
		return recorder_take((void __user *)r->buffer, r->length);
	case OP_FMODRET:
		return fmod_ret(r);
	case OP_SETTLE:
		return settle();
	case OP_FLUSH:
		return flush();
	case OP_HOOKS:
		r->word[0] = (unsigned long)&recorder_hooks;
		return 0;
	case OP_RESET:
		recorder_tracepoints_off();
		recorder_graph_off();
		recorder_probes_off();
		recorder_ftrace_off();
		recorder_patches_off();
		recorder_unbind();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(parts) && answer == -ENOSYS; i++)
		answer = parts[i](r);
	return answer;
}

static long control(struct file *file, unsigned int command, unsigned long argument)
{
	struct recorder_request *r = memdup_user((void __user *)argument, sizeof(*r));
	long answer = 0;

	if (IS_ERR(r))
		return PTR_ERR(r);
	r->answer = perform(r);
	if (copy_to_user((void __user *)argument, r, sizeof(*r)))
		answer = -EFAULT;
	kfree(r);
	return answer;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = recorder_from_host,
	.write = recorder_to_host,
	.unlocked_ioctl = control,
};
static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR, .name = "attachcheck", .fops = &operations };

static int __init recorder_init(void)
{
	if (!lookup || recorder_logs() || recorder_mailbox())
		return -EINVAL;
	return misc_register(&device);
}

module_init(recorder_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Attaches what a history says, and reports who saw the calls");
