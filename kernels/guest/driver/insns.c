// SPDX-License-Identifier: GPL-2.0
#include "insns.h"

#define EVENTS 256

struct events {
	u64 head, unused;
	struct program_event event[EVENTS];
};

static struct events *ran;
static int map;
struct insn insns[400];
u32 insn_count;

void put(u8 code, u8 to, u8 from, short offset, s32 value)
{
	insns[insn_count++] = (struct insn){ code, (u8)(from << 4 | to), offset, value };
}

void begin(s64 program)
{
	put(MOV_REG, 6, 1, 0, 0);
	put(LOAD_IMM, 7, PSEUDO_MAP_VALUE, 0, map);
	put(0, 0, 0, 0, 0);
	put(LOAD, 8, 7, 0, 0);
	put(MOV_REG, 1, 8, 0, 0);
	put(ADD, 1, 0, 0, 1);
	put(STORE_REG, 7, 1, 0, 0);
	put(AND, 8, 0, 0, EVENTS - 1);
	put(MUL, 8, 0, 0, sizeof(struct program_event));
	put(ADD, 7, 0, 0, 16);
	put(ADD_REG, 7, 8, 0, 0);
	put(CALL, 0, 0, 0, HELPER_TIME);
	put(STORE_REG, 7, 0, FIELD(time), 0);
	put(STORE32, 7, 0, FIELD(program), program);
	put(STORE, 7, 0, FIELD(has_ret), 0);
}

void keep(s32 helper, short field)
{
	put(MOV_REG, 1, 6, 0, 0);
	put(CALL, 0, 0, 0, helper);
	put(STORE_REG, 7, 0, field, 0);
}

void keep_written(s32 helper, s32 number, short field)
{
	put(STORE, 10, 0, -8, 0);
	put(MOV_REG, 1, 6, 0, 0);
	if (number >= 0)
		put(MOV, 2, 0, 0, number);
	put(MOV_REG, number >= 0 ? 3 : 2, 10, 0, 0);
	put(ADD, number >= 0 ? 3 : 2, 0, 0, -8);
	put(CALL, 0, 0, 0, helper);
	put(LOAD, 1, 10, -8, 0);
	put(STORE_REG, 7, 1, field, 0);
}

void keep_word(short offset, short field)
{
	put(LOAD, 1, 6, offset, 0);
	put(STORE_REG, 7, 1, field, 0);
}

int programs_ran(struct program_event **events)
{
	int count = ran->head > EVENTS ? EVENTS : ran->head;

	*events = ran->event;
	ran->head = 0;
	return count;
}

void insns_start(void)
{
	u32 attr[16] = { 2, 4, sizeof(struct events), 1, 1 << 10 };

	map = syscall(SYS_BPF, 0, attr, sizeof(attr));
	ran = (struct events *)syscall6(SYS_MMAP, 0, (sizeof(struct events) + 4095) & ~4095ULL, 3, 1, map, 0);
}
