/* SPDX-License-Identifier: GPL-2.0 */
/* BPF instructions, one after the other, and those by which a run is put down. */
#ifndef INSNS_H
#define INSNS_H
#include "programs.h"

struct insn {
	u8 code;
	u8 registers;
	short offset;
	s32 value;
};
extern struct insn insns[];
extern u32 insn_count;

#define MOV_REG 0xbf
#define MOV 0xb7
#define ADD 0x07
#define ADD_REG 0x0f
#define AND 0x57
#define MUL 0x27
#define MUL_REG 0x2f
#define OR_REG 0x4f
#define XOR_REG 0xaf
#define SHIFT_LEFT 0x67
#define SHIFT_RIGHT 0x77
#define SHIFT_RIGHT_SIGNED 0xc7
#define LOAD 0x79
#define STORE_REG 0x7b
#define STORE 0x7a
#define STORE_REG32 0x63
#define STORE32 0x62
#define CALL 0x85
#define EXIT 0x95
#define LOAD_IMM 0x18
#define PSEUDO_MAP_VALUE 2
#define PSEUDO_CALL 1
#define HELPER_TIME 5
#define HELPER_READ_KERNEL 113
#define HELPER_FUNC_IP 173
#define HELPER_COOKIE 174
#define HELPER_ARG 183
#define HELPER_RET 184
#define HELPER_ARG_COUNT 185

#define FIELD(f) ((short)(unsigned long)&((struct program_event *)0)->f)

void put(u8 code, u8 to, u8 from, short offset, s32 value);
/* r6: the context; r7: the place of this run in the map, whose number is put down. */
void begin(s64 program);
/* Calls a helper with the context, and keeps what it answers. */
void keep(s32 helper, short field);
/* A helper that writes to the stack: of what it was asked for, this is kept. */
void keep_written(s32 helper, s32 number, short field);
/* A word of the context. */
void keep_word(short offset, short field);
/* The runs since the last time, oldest first. */
int programs_ran(struct program_event **events);
void insns_start(void);
#endif
