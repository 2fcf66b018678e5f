// SPDX-License-Identifier: MIT
/*
 * Runs short programs on this machine's CPU: the other side of the
 * differential test of the emulator.
 *
 * stdin brings one header, the pages to map, the contents of those that may be
 * written, and a record for each program; stdout gets a reply for each (struct
 * reply). All numbers are little-endian and 8-byte aligned. A program starts
 * with every register and status flag set and ends by jumping through the exit
 * cell, or with a signal; either way its registers, flags and the words of
 * memory that it changed are what comes back.
 *
 * Exit code 0 when every program has its reply, 3 when the harness itself
 * failed; then stderr says at which program.
 */
#define _GNU_SOURCE
#include "harness.h"
#include <asm/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define PAGE 4096
#define PAGES_MAX 8
/* int3: whatever jumps past the end of a program stops there. */
#define FILLER 0xcc
#define STATUS_FLAGS 0x8d5

struct header {
	uint64_t magic;
	uint64_t programs;
	uint64_t pages;
	uint64_t exit_cell;
};

struct page {
	uint64_t base;
	uint64_t is_code;
};

struct record {
	uint64_t code_bytes;
	uint64_t patches;
	uint64_t gs_base;
	uint64_t flags;
	uint64_t registers[16];
	/* then the patches (address, value), then the code, padded to 8 */
};

struct reply {
	struct ending ending;
	uint64_t flags;
	uint64_t registers[16];
	uint64_t changes;
	/* then the changes (number of the word, value) */
};

static struct page pages[PAGES_MAX];
static uint64_t page_count;
static uint8_t *code;
/* The contents that every program finds, one writable page after the other. */
static uint64_t *pristine;

static void take(void *to, size_t bytes)
{
	if (fread(to, 1, bytes, stdin) != bytes)
		die("the input ends early");
}

static void give(const void *from, size_t bytes)
{
	if (fwrite(from, 1, bytes, stdout) != bytes)
		die("the output is closed");
}

static void *map_page(uint64_t base)
{
	void *at = (void *)(uintptr_t)base;
	void *got = mmap(at, PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (got != at)
		die("a fixed address is taken");
	return got;
}

static void map_pages(const struct header *header)
{
	uint64_t *cell;
	size_t scratch = 0;

	if (header->pages > PAGES_MAX)
		die("too many pages");
	page_count = header->pages;
	take(pages, page_count * sizeof(pages[0]));
	for (uint64_t i = 0; i < page_count; i++) {
		void *page = map_page(pages[i].base);

		if (pages[i].is_code)
			code = memset(page, FILLER, PAGE);
		else
			scratch++;
	}
	if (!code)
		die("there is no page for code");
	cell = map_page(header->exit_cell & ~(uint64_t)(PAGE - 1));
	cell[header->exit_cell % PAGE / 8] = (uint64_t)(uintptr_t)leave_guest;
	pristine = malloc(scratch * PAGE);
	if (!pristine)
		die("out of memory");
	take(pristine, scratch * PAGE);
	for (uint64_t i = 0, n = 0; i < page_count; i++)
		if (!pages[i].is_code)
			memcpy((void *)(uintptr_t)pages[i].base, pristine + n++ * (PAGE / 8), PAGE);
}

/* The page is read-only while a program runs: a store there is a fault. */
static void load_code(size_t bytes)
{
	static size_t loaded;
	size_t padded = (bytes + 7) & ~(size_t)7;

	if (padded > PAGE)
		die("the code is too long");
	if (mprotect(code, PAGE, PROT_READ | PROT_WRITE))
		die("mprotect failed");
	take(code, padded);
	memset(code + bytes, FILLER, (padded > loaded ? padded : loaded) - bytes);
	loaded = bytes;
	if (mprotect(code, PAGE, PROT_READ | PROT_EXEC))
		die("mprotect failed");
}

static void set_gs_base(uint64_t base)
{
	static uint64_t set;

	if (base != set && syscall(SYS_arch_prctl, ARCH_SET_GS, base))
		die("arch_prctl failed");
	set = base;
}

/*
 * Reports the words that differ from what every program finds, and puts those
 * back. A patch that the program left alone counts as a change, on both sides.
 */
static void give_changes(struct reply *reply)
{
	static uint64_t changes[PAGES_MAX * PAGE / 8][2];
	uint64_t number = 0;
	uint64_t count = 0;

	for (uint64_t i = 0; i < page_count; i++) {
		uint64_t *words = (uint64_t *)(uintptr_t)pages[i].base;

		if (pages[i].is_code)
			continue;
		for (int w = 0; w < PAGE / 8; w++, number++) {
			if (words[w] == pristine[number])
				continue;
			changes[count][0] = number;
			changes[count++][1] = words[w];
			words[w] = pristine[number];
		}
	}
	reply->changes = count;
	give(reply, sizeof(*reply));
	give(changes, count * sizeof(changes[0]));
}

static void run_program(void)
{
	struct record record;
	struct reply reply = { 0 };

	take(&record, sizeof(record));
	for (uint64_t i = 0; i < record.patches; i++) {
		uint64_t patch[2];

		take(patch, sizeof(patch));
		memcpy((void *)(uintptr_t)patch[0], &patch[1], 8);
	}
	load_code(record.code_bytes);
	set_gs_base(record.gs_base);
	memcpy(guest.registers, record.registers, sizeof(guest.registers));
	guest.flags = (record.flags & STATUS_FLAGS) | 0x202;
	guest.rip = (uint64_t)(uintptr_t)code;
	memset((void *)&ending, 0, sizeof(ending));
	running = 1;
	enter_guest();
	running = 0;
	reply.ending = ending;
	reply.flags = guest.flags;
	memcpy(reply.registers, guest.registers, sizeof(reply.registers));
	give_changes(&reply);
}

int main(void)
{
	struct header header;

	take(&header, sizeof(header));
	if (memcmp(&header.magic, "attachck", 8))
		die("this is not a batch of programs");
	catch_signals();
	map_pages(&header);
	for (current = 0; current < header.programs; current++)
		run_program();
	if (fflush(stdout))
		die("the output is closed");
	return 0;
}
