// SPDX-License-Identifier: GPL-2.0
/* The ids of functions in the BTF of the kernel and of modules, read from /sys/kernel/btf. */
#include "btf.h"

struct header {
	u16 magic;
	u8 version, flags;
	u32 length, types, types_length, strings, strings_length;
};

struct type {
	u32 name, info, size;
};

/* Types and bytes of strings in the BTF of the kernel: those of a module follow them. */
static u32 kernel_types, kernel_strings;
static u8 *kernel;

static u32 behind(u32 kind, u32 count)
{
	static const u8 fixed[32] = { [1] = 4, [3] = 12, [14] = 4, [17] = 4 };
	static const u8 each[32] = { [4] = 12, [5] = 12, [6] = 8, [13] = 8, [15] = 12, [19] = 12 };

	return kind < 32 ? fixed[kind] + each[kind] * count : 0;
}

#define KIND_FUNC 12

/* Puts down the ids of functions by their names; how many types there are, and those before. */
static u32 walk(const u8 *btf, const char *const *names, u32 *ids, u32 count, u32 first, u32 strings_before)
{
	const struct header *h = (const void *)btf;
	const u8 *types = btf + h->length + h->types;
	const char *strings = (const char *)btf + h->length + h->strings;
	u32 at = 0, id = first, i;

	for (; at < h->types_length; id++) {
		const struct type *t = (const void *)(types + at);
		u32 kind = t->info >> 24 & 31;

		if (kind == KIND_FUNC && t->name >= strings_before)
			for (i = 0; i < count; i++)
				if (equal(strings + t->name - strings_before, names[i]))
					ids[i] = id;
		at += sizeof(*t) + behind(kind, t->info & 0xffff);
	}
	return id;
}

void btf_start(void)
{
	u64 length;

	kernel = read_file("/sys/kernel/btf/vmlinux", &length);
	if (!kernel || !length)
		return;
	kernel_types = walk(kernel, 0, 0, 0, 1, 0);
	kernel_strings = ((const struct header *)kernel)->strings_length;
}

void btf_ids(const char *path, const char *const *names, u32 *ids, u32 count)
{
	u64 length = 0;
	u8 *btf = path ? read_file(path, &length) : 0;

	fill(ids, 0, count * sizeof(*ids));
	if (!path && kernel)
		walk(kernel, names, ids, count, 1, 0);
	if (btf && length)
		walk(btf, names, ids, count, kernel_types, kernel_strings);
	if (btf)
		syscall(11, btf, 16 << 20, 0);
}

int btf_of_module(const char *name)
{
	u32 id = 0;

	for (;;) {
		u32 next[16] = { id };
		u32 open[16] = { 0 };
		char found[64] = "";
		u64 info[8] = { 0 };
		u64 query[2] = { 0, (u64)info };
		long fd;

		if (syscall(SYS_BPF, 23, next, sizeof(next)) < 0)
			return -1;
		id = open[0] = next[1];
		fd = syscall(SYS_BPF, 19, open, sizeof(open));
		if (fd < 0)
			continue;
		/* struct bpf_btf_info: btf, its size and id, name, its length, kernel_btf */
		info[2] = (u64)found;
		info[3] = sizeof(found);
		query[0] = (u64)fd | (u64)32 << 32;
		if (syscall(SYS_BPF, 15, query, sizeof(query)) >= 0 && equal(found, name))
			return fd;
		syscall(SYS_CLOSE, fd, 0, 0);
	}
}
