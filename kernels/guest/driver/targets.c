// SPDX-License-Identifier: GPL-2.0
#include "targets.h"
#include "insns.h"

static struct target targets[TARGETS];

/* The words of BTF, and its strings. */
static char strings[] = "\0argument\0target\0main\0type";
enum string { ARGUMENT = 1, TARGET = 10, MAIN = 17, TYPE = 22 };
#define KIND(kind, linkage_or_count) ((u32)(kind) << 24 | (linkage_or_count))
enum kind { KIND_INT = 1, KIND_FUNC = 12, KIND_FUNC_PROTO = 13 };
#define GLOBAL 1
static u32 words[128];
static u32 word_count;

static void word(u32 value)
{
	words[word_count++] = value;
}

static void integer(u32 bytes)
{
	word(TYPE);
	word(KIND(KIND_INT, 0));
	word(bytes & 255);
	word((bytes >> 8) << 24 | 8 * (bytes & 255));
}

static void named(u32 name, u32 prototype)
{
	word(name);
	word(KIND(KIND_FUNC, GLOBAL));
	word(prototype);
}

/* Types 1 … n: the arguments; then what it returns, its prototype, and the function; a prototype, and the first function. */
static s64 load_types(const struct target *t, const char *name)
{
	u64 attr[4] = { 0 };
	u32 i, n = t->count;
	char *to;

	word_count = 6;
	for (i = 0; i < n; i++)
		integer(t->bytes[i]);
	integer(t->returned);
	word(0);
	word(KIND(KIND_FUNC_PROTO, n));
	word(n + 1);
	for (i = 0; i < n; i++) {
		word(ARGUMENT);
		word(i + 1);
	}
	named(TARGET, n + 2);
	word(0);
	word(KIND(KIND_FUNC_PROTO, 0));
	word(n + 1);
	named(MAIN, n + 4);
	for (i = 0; name[i]; i++)
		strings[TARGET + i] = name[i];
	strings[TARGET + i] = 0;

	words[0] = 0xeb9f | 1 << 16;
	words[1] = 24;
	words[2] = 0;
	words[3] = words[4] = 4 * (word_count - 6);
	words[5] = sizeof(strings);
	to = (char *)&words[word_count];
	for (i = 0; i < sizeof(strings); i++)
		to[i] = strings[i];
	attr[0] = (u64)words;
	attr[2] = 4 * word_count + sizeof(strings);
	return syscall(SYS_BPF, 18, attr, sizeof(attr));
}

#define SAVED(i) (-8 * ((short)(i) + 1))

void save_arguments(const struct target *t)
{
	u32 i;

	for (i = 0; i < t->count; i++)
		put(STORE_REG, 10, i + 1, SAVED(i), 0);
}

void keep_arguments(const struct target *t, enum width width)
{
	u32 i;

	put(STORE32, 7, 0, FIELD(count), t->count);
	for (i = 0; i < t->count; i++) {
		u32 bits = width == WHOLE ? 0 : 64 - 8 * (t->bytes[i] & 255);

		put(LOAD, 1, 10, SAVED(i), 0);
		if (bits) {
			put(SHIFT_LEFT, 1, 0, 0, bits);
			put(t->bytes[i] & 256 ? SHIFT_RIGHT_SIGNED : SHIFT_RIGHT, 1, 0, 0, bits);
		}
		put(STORE_REG, 7, 1, FIELD(arg) + 8 * i, 0);
	}
}

/* As recorder_body() has it. */
static void hash(const struct target *t, s64 id)
{
	u32 i;

	put(MOV, 9, 0, 0, 0x1000 + id);
	for (i = 0; i < t->count; i++) {
		put(MOV_REG, 1, 9, 0, 0);
		put(SHIFT_LEFT, 9, 0, 0, 7);
		put(SHIFT_RIGHT, 1, 0, 0, 57);
		put(OR_REG, 9, 1, 0, 0);
		put(LOAD, 1, 7, FIELD(arg) + 8 * i, 0);
		put(XOR_REG, 9, 1, 0, 0);
		put(LOAD_IMM, 2, 0, 0, 0x1b3);
		put(0, 0, 0, 0, 0x100);
		put(MUL_REG, 9, 2, 0, 0);
		put(ADD, 9, 0, 0, i + 1);
	}
}

/* A function of a program: where it begins, and its type. */
struct function_at {
	u32 insn, type;
};

static void with_types(u64 *attr, int btf, const struct function_at *at, u32 count)
{
	u32 *a = (u32 *)attr;

	a[18] = btf;
	a[19] = sizeof(*at);
	attr[10] = (u64)at;
	a[22] = count;
}

s64 load_extension(u64 *attr, const struct target *t, const char *name)
{
	struct function_at at = { 0, t->id };
	s64 btf = load_types(t, name), answer;

	if (btf < 0)
		return btf;
	with_types(attr, btf, &at, 1);
	answer = syscall(SYS_BPF, 5, attr, 120);
	syscall(SYS_CLOSE, btf, 0, 0);
	return answer;
}

/* A program with a call of the function, which is what others see of it. */
static s64 load_program(const struct target *t, s64 number, s64 id)
{
	struct function_at at[2] = { { 0, t->id + 2 }, { 0, t->id } };
	u64 attr[16];
	u32 *a = (u32 *)attr;
	u32 i, call;

	insn_count = 0;
	for (i = 0; i < t->count; i++)
		put(MOV, i + 1, 0, 0, 0);
	call = insn_count;
	put(CALL, 0, PSEUDO_CALL, 0, 2);
	put(MOV, 0, 0, 0, 0);
	put(EXIT, 0, 0, 0, 0);
	at[1].insn = call + 3;
	save_arguments(t);
	begin(TARGET_PROGRAMS + number);
	keep_arguments(t, OF_TYPE);
	hash(t, id);
	put(STORE_REG, 7, 9, FIELD(ret), 0);
	put(STORE, 7, 0, FIELD(has_ret), 1);
	put(MOV_REG, 0, 9, 0, 0);
	put(EXIT, 0, 0, 0, 0);

	fill(attr, 0, sizeof(attr));
	a[0] = 1;
	a[1] = insn_count;
	attr[1] = (u64)insns;
	attr[2] = (u64) "GPL";
	with_types(attr, t->btf, at, 2);
	return syscall(SYS_BPF, 5, attr, 120);
}

/* Where the machine code of the function is: the program's info has its address, and that of the program first. */
static u64 code_of(int fd)
{
	u64 info[32], addresses[2] = { 0 }, query[2] = { 0, (u64)info };

	fill(info, 0, sizeof(info));
	((u32 *)info)[26] = 2;
	info[14] = (u64)addresses;
	query[0] = (u64)fd | (u64)sizeof(info) << 32;
	return syscall(SYS_BPF, 15, query, sizeof(query)) < 0 ? 0 : addresses[1];
}

s64 target_load(const s64 *w, int count)
{
	s64 number = w[0] - function_count();
	struct target *t = &targets[number];
	u64 place[3];
	long fd;
	int i;

	fill(t, 0, sizeof(*t));
	t->count = count - 3;
	for (i = 0; i < count - 3; i++)
		t->bytes[i] = w[3 + i];
	t->returned = w[2];
	t->id = t->count + 3;
	t->function = (struct function){ "no_such_function", t->count, w[2] & 255, 0, 0 };
	fd = load_types(t, "target");
	if (fd < 0)
		return fd;
	t->btf = fd;
	fd = load_program(t, number, w[1]);
	if (fd < 0)
		return fd;
	t->fd = fd;
	place[0] = w[0];
	place[1] = code_of(fd);
	place[2] = w[1];
	return place[1] ? ask(OP_TARGET, 3, place) : -2;
}

const struct target *target(s64 fn)
{
	s64 number = fn - function_count();

	return number >= 0 && number < TARGETS && targets[number].fd ? &targets[number] : 0;
}

void targets_off(void)
{
	int i;

	for (i = 0; i < TARGETS; i++) {
		if (targets[i].fd)
			syscall(SYS_CLOSE, targets[i].fd, 0, 0);
		if (targets[i].btf)
			syscall(SYS_CLOSE, targets[i].btf, 0, 0);
		fill(&targets[i], 0, sizeof(targets[i]));
	}
}
