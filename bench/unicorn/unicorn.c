/*
 * The peer of the emulator's bench: runs a scene (regions, registers, start and end) that bench/emulator.ts
 * writes, under Unicorn with CODE and MEM hooks, and prints executions per second.
 *
 *   unicorn SCENE SECONDS fresh|image|same hooks|plain
 *
 * With "fresh" nothing that has been translated is used again, with "image" everything but the image is. Writing
 * to memory does not drop what has been translated from it: without uc_ctl_remove_cache() the old code runs on.
 *
 * The scene is binary, little endian:
 *   u64 regions, then for each: u64 base, u64 size, u64 permission (1 read, 2 write, 4 execute), bytes
 *   u64 registers[16] by hardware number, u64 gs base, u64 start, u64 end,
 *   u64 stack base, u64 stack bytes to clear
 *   u64 index of the image region
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unicorn/unicorn.h>

struct region {
	uint64_t base, size, permission;
	uint8_t *bytes;
};

static uint64_t instructions, accesses, lowest;

static uint64_t word(FILE *f)
{
	uint64_t w;
	if (fread(&w, 8, 1, f) != 1) {
		fprintf(stderr, "unicorn: the scene is too short\n");
		exit(2);
	}
	return w;
}

static void on_code(uc_engine *uc, uint64_t address, uint32_t size, void *user)
{
	(void)uc, (void)address, (void)size, (void)user;
	instructions++;
}

/* Bounds are checked as the emulator under test checks them: no access to the stack below the stack pointer. */
static void on_memory(uc_engine *uc, uc_mem_type type, uint64_t address, int size, int64_t value, void *user)
{
	(void)uc, (void)type, (void)size, (void)value, (void)user;
	accesses++;
	if (address < lowest)
		lowest = address;
}

static void check(uc_err err, const char *what)
{
	if (err == UC_ERR_OK)
		return;
	fprintf(stderr, "unicorn: %s: %s\n", what, uc_strerror(err));
	exit(1);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	static const int order[16] = {
		UC_X86_REG_RAX, UC_X86_REG_RCX, UC_X86_REG_RDX, UC_X86_REG_RBX, UC_X86_REG_RSP, UC_X86_REG_RBP,
		UC_X86_REG_RSI, UC_X86_REG_RDI, UC_X86_REG_R8,	UC_X86_REG_R9,	UC_X86_REG_R10, UC_X86_REG_R11,
		UC_X86_REG_R12, UC_X86_REG_R13, UC_X86_REG_R14, UC_X86_REG_R15,
	};
	if (argc != 5)
		return fprintf(stderr, "usage: unicorn SCENE SECONDS fresh|image|same hooks|plain\n"), 2;
	FILE *f = fopen(argv[1], "rb");
	if (!f)
		return perror(argv[1]), 2;
	double seconds = atof(argv[2]);
	int all = !strcmp(argv[3], "fresh"), fresh = all || !strcmp(argv[3], "image"), hooks = !strcmp(argv[4], "hooks");

	uint64_t count = word(f);
	struct region *r = calloc(count, sizeof(*r));
	for (uint64_t i = 0; i < count; i++) {
		r[i].base = word(f), r[i].size = word(f), r[i].permission = word(f);
		r[i].bytes = malloc(r[i].size);
		if (fread(r[i].bytes, 1, r[i].size, f) != r[i].size)
			return fprintf(stderr, "unicorn: the scene is too short\n"), 2;
	}
	uint64_t regs[16];
	for (int i = 0; i < 16; i++)
		regs[i] = word(f);
	uint64_t gs = word(f), start = word(f), end = word(f), stack = word(f), stack_bytes = word(f), image = word(f);
	uint8_t *zero = calloc(1, stack_bytes);

	uc_engine *uc;
	uc_hook code, memory;
	check(uc_open(UC_ARCH_X86, UC_MODE_64, &uc), "open");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t from = r[i].base & ~0xfffULL, to = (r[i].base + r[i].size + 0xfff) & ~0xfffULL;
		uc_mem_map(uc, from, to - from, r[i].permission);
		check(uc_mem_write(uc, r[i].base, r[i].bytes, r[i].size), "write");
	}
	check(uc_reg_write(uc, UC_X86_REG_GS_BASE, &gs), "gs");
	if (hooks) {
		check(uc_hook_add(uc, &code, UC_HOOK_CODE, (void *)on_code, NULL, 1, 0), "hook");
		check(uc_hook_add(uc, &memory, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, (void *)on_memory, NULL, 1, 0), "hook");
	}

	uint64_t runs = 0;
	double begun = now(), spent;
	do {
		for (int n = 0; n < 100; n++, runs++) {
			if (fresh) {
				check(uc_mem_write(uc, r[image].base, r[image].bytes, r[image].size), "image");
				for (uint64_t i = 0; i < count; i++)
					if ((r[i].permission & 4) && (all || i == image))
						check(uc_ctl_remove_cache(uc, r[i].base, r[i].base + r[i].size), "cache");
			}
			check(uc_mem_write(uc, stack, zero, stack_bytes), "stack");
			for (uint64_t i = 0; i < count; i++)
				if (r[i].permission == 3 && r[i].base != stack)
					check(uc_mem_write(uc, r[i].base, r[i].bytes, r[i].size < 128 ? r[i].size : 128), "cells");
			for (int i = 0; i < 16; i++)
				uc_reg_write(uc, order[i], &regs[i]);
			lowest = ~0ULL;
			check(uc_emu_start(uc, start, end, 0, 10000), "run");
		}
		spent = now() - begun;
	} while (spent < seconds);
	uint64_t rax;
	uc_reg_read(uc, UC_X86_REG_RAX, &rax);
	printf("{\"perSecond\":%.0f,\"instructions\":%.1f,\"accesses\":%.1f,\"rax\":\"0x%llx\"}\n", runs / spent,
	       (double)instructions / runs, (double)accesses / runs, (unsigned long long)rax);
	return 0;
}
