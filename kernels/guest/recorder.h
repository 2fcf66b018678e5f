/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the recorder module, and the program that drives it, share. */
#ifndef RECORDER_H
#define RECORDER_H
#ifdef __KERNEL__
#include <linux/types.h>
#else
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned int u32;
typedef int s32;
typedef unsigned short u16;
typedef unsigned char u8;
#endif

/* One request to the module: an operation, its words, and what it answers. */
#define WORDS_MOST 40
struct recorder_request {
	u32 op;
	u32 count;
	s64 answer;
	u64 word[WORDS_MOST];
	u64 buffer;
	u64 length;
};

/* The operations. Objects, functions and trampolines are numbers: the driver on the host gives them names. */
enum recorder_op {
	OP_ADDRESS = 1, /* fn: its address */
	OP_BIND, /* fn id: calls of fn count from now on */
	OP_READ, /* address: bytes of kernel memory into the buffer */
	OP_SYMBOL, /* address: its name into the buffer */
	OP_CALL, /* fn, six registers, words on the stack: rax, lost registers */
	OP_EVENTS, /* what was logged since the last time, into the buffer */
	OP_RESET, /* everything off */
	OP_FMODRET, /* second: BTF ids of functions that fmod_ret may change, each with whether they may sleep */
	OP_SETTLE, /* all grace periods pass */
	OP_HOOKS, /* what the second module is given */
	OP_LOOKUP, /* the symbol in the buffer: its address */
	OP_STAND, /* cpu sleeps: how a task stands that is led to recorder_park() there */
	OP_RELEASE, /* cpu: it may leave */
	OP_FAIL, /* the allocations in the buffer, and which of them fails */
	OP_FILTER_FILES = 17, /* ops: the files of the instance are its files for who opens them, until it is -1 */
	OP_LIVE_PATCH = 19, /* ops: of one that is a live patch: its function, its replacement, whether it is enabled */
	OP_PATCHED = 35, /* ops on: a live patch was enabled, or disabled */
	OP_FLUSH = 36, /* work items that are pending have run */
	OP_TARGET = 18, /* fn address id: a BPF program, whose calls count from now on */
	OP_FAILED = 16, /* whether it has, since the last time */
	OP_SCOPE = 15, /* an ops without a filter traces the functions that are bound alone, from now on */
	OP_FTRACE_OPS = 20, /* ops flags direct */
	OP_FILTER_IP, /* ops fn remove reset; +100: of a graph user */
	OP_NOTRACE, /* ops fn reset */
	OP_FREE_FILTER, /* ops */
	OP_REGISTER, /* ops */
	OP_UNREGISTER,
	OP_DIRECT, /* ops tramp */
	OP_DIRECT_MODIFY,
	OP_DIRECT_UNREGISTER, /* ops tramp free */
	OP_DIRECT_IP, /* fn tramp (6.1) */
	OP_DIRECT_IP_MODIFY, /* fn old new */
	OP_DIRECT_IP_UNREGISTER,
	OP_TABLE_ADD, /* ops fn tramp fn tramp … (7.2) */
	OP_TABLE_DEL,
	OP_TABLE_MOD,
	OP_GRAPH = 40, /* gops */
	OP_GRAPH_UNREGISTER,
	OP_KPROBE, /* kprobe fn offset post disabled */
	OP_KPROBE_UNREGISTER,
	OP_KPROBE_DISABLE,
	OP_KPROBE_ENABLE,
	OP_KRETPROBE, /* kretprobe fn maxactive entry vetoes */
	OP_KRETPROBE_UNREGISTER,
	OP_KRETPROBE_DISABLE,
	OP_KRETPROBE_ENABLE,
	OP_FPROBE, /* fprobe entry exit data shared cleared fn … */
	OP_FPROBE_UNREGISTER,
	OP_KFREE, /* kind number */
	OP_TRACEPOINT = 60, /* tracepoint probe data prio */
	OP_TRACEPOINT_UNREGISTER /* tracepoint probe data */
};

/* Who saw a call. */
enum recorder_who {
	SAW_BODY = 1,
	SAW_REPLACEMENT,
	SAW_DIRECT,
	SAW_FTRACE,
	SAW_GRAPH_ENTRY,
	SAW_GRAPH_EXIT,
	SAW_KPROBE,
	SAW_KPROBE_POST,
	SAW_KRETPROBE_ENTRY,
	SAW_KRETPROBE,
	SAW_FPROBE_ENTRY,
	SAW_FPROBE_EXIT,
	/* Counted as missed, after the call: how often is in `data`. */
	MISSED_KPROBE,
	MISSED_KRETPROBE,
	MISSED_FPROBE,
	SAW_TRACEPOINT /* a probe of a client: the number of its data is in `data` */
};

/* One event: `object` saw a call of `fn`. */
struct recorder_event {
	u64 time;
	u32 who;
	s32 fn;
	u32 object;
	u32 count;
	u64 ret; /* the return value, or where a trampoline returns to */
	u64 data; /* a graph user: the one that it was given; an fprobe: the word in its entry data */
	u64 arg[16];
};

#define TARGETS_MOST 4 /* BPF programs that others are attached to: their numbers follow those of all functions */
#define NO_FUNCTION (-1)
#define OBJECTS 16 /* of each kind */
#endif
