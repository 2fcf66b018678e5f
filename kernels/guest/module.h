/* SPDX-License-Identifier: GPL-2.0 */
/* The inside of the recorder module. */
#ifndef MODULE_H
#define MODULE_H
#include <linux/ftrace.h>
#include <linux/version.h>
#include "functions.h"
#include "recorder.h"

#define SINCE(a, b) (LINUX_VERSION_CODE >= KERNEL_VERSION(a, b, 0))

/* log.c */
extern int recorder_logs(void);
extern struct recorder_event *recorder_log(u32 who, s32 fn, u32 object);
extern s64 recorder_take(struct recorder_event __user *to, u32 most);
extern void recorder_registers(struct recorder_event *e, const u64 *from, int count);
extern s32 recorder_function_at(unsigned long ip);
extern bool recorder_has(unsigned long ip);
extern bool recorder_bind(s32 fn, u32 id); /* this kernel has it */
extern void recorder_bind_target(s32 fn, unsigned long address, u32 id);
extern void recorder_unbind(void);
extern unsigned long recorder_address(s64 fn);
extern struct module *recorder_second_module;
extern const struct recorder_hooks recorder_hooks;

/* calls.S */
extern void recorder_tramp_1(void), recorder_tramp_2(void), recorder_tramp_3(void);
extern void recorder_replacement(void);
extern u64 recorder_call(void *fn, const u64 *registers, const u64 *stack, u64 count, u64 *result);

/* ftrace-users.c, probes.c: an operation, or -ENOSYS if it is another part's */
extern s64 recorder_ftrace(struct recorder_request *r);
extern s64 recorder_graph(struct recorder_request *r);
extern s64 recorder_probes(struct recorder_request *r);
extern void recorder_ftrace_off(void);
extern void recorder_graph_off(void);
extern void recorder_probes_off(void);
extern void recorder_misses(bool log);
/* The ops of a client; of a graph user, from GRAPH_OPS on. */
#define GRAPH_OPS 100
extern struct ftrace_ops *recorder_ops(u64 number);
extern struct ftrace_ops *recorder_graph_ops(u64 number);

/* tracepoints.c: an operation; the address of the function that hits one */
extern s64 recorder_tracepoints(struct recorder_request *r);
extern void recorder_tracepoints_off(void);
extern unsigned long recorder_hit(int tracepoint);

/* filter-files.c */
extern s64 recorder_filter_files(struct recorder_request *r);

/* hooks.c */
extern unsigned long recorder_lsm_hook(int i);

/* patches.c: the ops of klp for that of a client; NULL: there is none */
extern s64 recorder_patches(struct recorder_request *r);
extern struct ftrace_ops *recorder_patch(u64 number);
extern void recorder_patch_filter(u64 number, s64 fn, bool remove, bool reset);
extern void recorder_patches_off(void);

/* parking.c */
extern s64 recorder_parking(struct recorder_request *r);

/* failing.c */
extern s64 recorder_failing(struct recorder_request *r);
extern bool recorder_failure_is_ordered(void);

/* scope.c: the functions that are bound have changed */
extern s64 recorder_scope(struct recorder_request *r);
extern void recorder_bound(void);
extern void recorder_unbound(void);

/* mailbox.c: the file operations read and write of the recorder */
extern int recorder_mailbox(void);
extern ssize_t recorder_from_host(struct file *file, char __user *to, size_t most, loff_t *offset);
extern ssize_t recorder_to_host(struct file *file, const char __user *from, size_t length, loff_t *offset);

/* main.c: functions of the kernel that modules are not given */
extern unsigned long recorder_symbol(const char *name);
#endif
