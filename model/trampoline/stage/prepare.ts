import type { ArgumentSlot } from '../../abi/x86-64.ts';
import { entry, item } from '../../core/present.ts';
import { ARGUMENT_REGS } from '../../x86/argument-registers.ts';
import { REG_STRIDE } from '../../x86/instruction.ts';
import type { Machine } from '../../x86/machine.ts';
import { writeRegister } from '../../x86/machine.ts';
import type { Region } from '../../x86/memory.ts';
import { clear, writeWord } from '../../x86/memory.ts';
import { highTags, lowTags } from '../../x86/origin.ts';
import { R10, R11, R12, R13, R14, R15, RAX, RBP, RBX, RSP } from '../../x86/register.ts';
import { OUTER_CONTEXT_ADDRESS, resetLog, sampleWord, writeCell } from './cells.ts';
import * as group from './groups.ts';
import { CALLER_FRAME, CELL, STACK_BYTES } from './layout.ts';
import type { PreparedCall, Stage } from './stage.ts';

/*
 * The caller's side of a run: argument words in registers and on the stack, each with its own origin, and
 * callee-saved registers with theirs. It is laid out once for each way of passing arguments, and copied for each
 * run.
 *
 * ```text
 *   STACK + STACK_BYTES   the caller's stack arguments, then its frame     read-only
 *                         return address                                    <- rsp, after the caller's call
 *   STACK                 free: frames of the image and of what it calls
 * ```
 */

/** The registers that must survive a call, and their origins. */
export const SAVED: readonly (readonly [number, number])[] = [
  [RBX, group.SAVED_RBX],
  [RBP, group.SAVED_RBP],
  [R12, group.SAVED_R12],
  [R13, group.SAVED_R13],
  [R14, group.SAVED_R14],
  [R15, group.SAVED_R15],
];

/** The caller's side of a call that passes these words: laid out once for each way to pass arguments. */
export function callWith(stage: Stage, slots: readonly ArgumentSlot[]): PreparedCall {
  let key = '';
  for (const { place } of slots) key += `${place.in === 'register' ? 'r' : 's'}${place.index}`;
  const known = stage.calls.get(key);
  if (known !== undefined) return known;
  const call = layOutCall(stage, slots);
  stage.calls.set(key, call);
  return call;
}

/** Everything that is no argument gets an origin as well: padding, the caller's frame, saved registers. */
function layOutCall(stage: Stage, slots: readonly ArgumentSlot[]): PreparedCall {
  const { machine, stack } = stage;
  clear(stack);
  for (const reg of [...ARGUMENT_REGS, R10, R11]) setOrigin(machine, reg, group.PADDING);
  setOrigin(machine, RAX, group.TAIL_CALL);
  for (const [reg, origin] of SAVED) setOrigin(machine, reg, origin);
  for (let offset = STACK_BYTES; offset < stack.size; offset += 8) writeOrigin(stack, offset, group.CALLER);
  slots.forEach(({ place }, k) => {
    const origin = group.ARGUMENT + k;
    if (place.in === 'register') setOrigin(machine, item(ARGUMENT_REGS, place.index), origin);
    else writeOrigin(stack, STACK_BYTES + 8 * place.index, origin);
  });
  writeRegister(machine, RSP, CALLER_FRAME);
  return {
    registers: machine.arena.slice(0, 16 * REG_STRIDE),
    stack: machine.arena.slice(stack.wordsAt, stack.tagsAt + stack.size / 4),
  };
}

/** Fresh registers, stack and cells; the machine is at the caller's `call`. */
export function beginCall(stage: Stage, call: PreparedCall): void {
  const { machine, stack } = stage;
  machine.arena.set(call.registers, 0);
  machine.arena.set(call.stack, stack.wordsAt);
  machine.journalLength = 0;
  resetLog(stage);
  writeCell(stage, CELL.TASK_CONTEXT, OUTER_CONTEXT_ADDRESS, group.OUTER_CONTEXT);
  const start = entry(stage.stubs, 'caller');
  machine.rip.hi = start.hi;
  machine.rip.lo = start.lo;
}

function setOrigin(machine: Machine, reg: number, origin: number): void {
  writeRegister(machine, reg, sampleWord(origin), lowTags(origin), highTags(origin));
}

function writeOrigin(region: Region, offset: number, origin: number): void {
  writeWord(region, offset, sampleWord(origin), lowTags(origin), highTags(origin));
}
