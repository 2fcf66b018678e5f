import { REG_STRIDE } from '../x86/instruction.ts';
import { RETURNS_AT, readRegister } from '../x86/machine.ts';
import { RSP } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { displacement } from '../x86/word.ts';
import { POISON, type Room, STACK, STACK_BYTES } from './machine-room.ts';

/*
 * A task that is not on the machine: its registers, flags and instruction pointer, and its stack from the stack
 * pointer up, with the tag of each byte, as hexadecimal text. Memory below the stack pointer is free.
 *
 * ```text
 *   rip (2 × 4)   registers and flags (80 × 4)   stack   tags of the stack
 * ```
 */
const RIP_BYTES = 8;
const REGISTER_BYTES = 4 * RETURNS_AT;
const STACK_AT = RIP_BYTES + REGISTER_BYTES;

/**
 * Text, because states are compared and hashed by it: equal tasks are equal strings. Poison below the stack
 * pointer is not part of it, so that leftovers of returned calls do not distinguish states; an interrupt
 * would overwrite them in a real kernel.
 */
export function saveMachine(room: Room): string {
  const { machine, stack } = room;
  const { arena, rip } = machine;
  const from = liveFrom(room);
  const head = Buffer.allocUnsafe(STACK_AT);
  head.writeInt32LE(rip.hi, 0);
  head.writeInt32LE(rip.lo, 4);
  Buffer.from(arena.buffer, arena.byteOffset, REGISTER_BYTES).copy(head, RIP_BYTES);
  const bytes = Buffer.from(stack.bytes.buffer, stack.bytes.byteOffset + from, STACK_BYTES - from);
  const tags = Buffer.from(stack.tags.buffer, stack.tags.byteOffset + from, STACK_BYTES - from);
  return Buffer.concat([head, bytes, tags]).toString('hex');
}

/**
 * Restores a task, in any machine of the same functions: addresses are the same in each. Below its stack
 * pointer memory is undefined again.
 */
export function loadMachine({ machine, stack }: Room, saved: string): void {
  const all = Buffer.from(saved, 'hex');
  machine.rip.hi = all.readInt32LE(0);
  machine.rip.lo = all.readInt32LE(4);
  const { arena } = machine;
  Buffer.from(arena.buffer, arena.byteOffset, REGISTER_BYTES).set(all.subarray(RIP_BYTES, STACK_AT));
  const live = (all.length - STACK_AT) / 2;
  const from = STACK_BYTES - live;
  stack.words.fill(POISON, 0, from >> 2);
  stack.tagWords.fill(0, 0, from >> 2);
  stack.bytes.set(all.subarray(STACK_AT, STACK_AT + live), from);
  stack.tags.set(all.subarray(STACK_AT + live), from);
}

/** Offset of the stack pointer in the stack, rounded down to a word. */
function liveFrom({ machine }: Room): number {
  const offset = displacement(readRegister(machine, RSP), STACK);
  if (offset === undefined || offset < 0 || offset > STACK_BYTES) return 0;
  return offset & ~7;
}

/** Where a saved task stands. */
export function savedRip(saved: string): { readonly hi: number; readonly lo: number } {
  const head = Buffer.from(saved.slice(0, 2 * RIP_BYTES), 'hex');
  return { hi: head.readInt32LE(0), lo: head.readInt32LE(4) };
}

/** All that a saved task holds: where it stands, its registers, the words of its stack. */
export function savedWords(saved: string): Word[] {
  const all = Buffer.from(saved, 'hex');
  const words: Word[] = [savedRip(saved)];
  for (let reg = 0; reg < 16; reg++) {
    const index = RIP_BYTES + 4 * REG_STRIDE * reg;
    words.push({ lo: all.readInt32LE(index), hi: all.readInt32LE(index + 4) });
  }
  const live = (all.length - STACK_AT) / 2;
  for (let index = STACK_AT; index < STACK_AT + live; index += 8)
    words.push({ lo: all.readInt32LE(index), hi: all.readInt32LE(index + 4) });
  return words;
}
