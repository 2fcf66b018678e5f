import { CELL } from '../../model/trampoline/stage/layout.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { cell } from '../../model/x86/cell.ts';
import { RETURNS_AT, readRegister } from '../../model/x86/machine.ts';
import { clear, offsetIn } from '../../model/x86/memory.ts';
import { RSP } from '../../model/x86/register.ts';

/**
 * The whole state that the future of a call depends on, at a choice: registers and flags with their tags, the stack
 * from `rsp` up, the task's run context, and the memory of the laws. Words below `rsp` are free: they are cleared, as
 * an interrupt might, so that they cannot matter.
 */
export interface StageSnapshot {
  readonly numbers: Int32Array;
  readonly ripHi: number;
  readonly ripLo: number;
}

/** Registers and flags are at the start of the arena. */
const CPU = RETURNS_AT;
/** Int32 numbers of `current->bpf_ctx`: the word and its tags. */
const CONTEXT = 4;

export function takeSnapshot(stage: Stage, memories: Int32Array): StageSnapshot {
  const { machine, stack } = stage;
  const from = stackPointerOffset(stage);
  clear(stack, 0, from);
  const words = (stack.size - from) >> 2;
  const numbers = new Int32Array(CPU + CONTEXT + memories.length + 2 * words);
  numbers.set(machine.arena.subarray(0, CPU), 0);
  numbers.set(contextOf(stage), CPU);
  numbers.set(memories, CPU + CONTEXT);
  const index = CPU + CONTEXT + memories.length;
  numbers.set(stack.words.subarray(from >> 2), index);
  numbers.set(stack.tagWords.subarray(from >> 2), index + words);
  return { numbers, ripHi: machine.rip.hi, ripLo: machine.rip.lo };
}

export function restoreSnapshot(stage: Stage, memories: Int32Array, snapshot: StageSnapshot): void {
  const { machine, stack, data } = stage;
  const { numbers } = snapshot;
  const words = (numbers.length - CPU - CONTEXT - memories.length) >> 1;
  const from = stack.size - 4 * words;
  const index = CPU + CONTEXT + memories.length;
  machine.arena.set(numbers.subarray(0, CPU), 0);
  data.words.set(numbers.subarray(CPU, CPU + 2), CELL.TASK_CONTEXT >> 2);
  data.tagWords.set(numbers.subarray(CPU + 2, CPU + 4), CELL.TASK_CONTEXT >> 2);
  memories.set(numbers.subarray(CPU + CONTEXT, index));
  clear(stack, 0, from);
  stack.words.set(numbers.subarray(index, index + words), from >> 2);
  stack.tagWords.set(numbers.subarray(index + words), from >> 2);
  machine.rip.hi = snapshot.ripHi;
  machine.rip.lo = snapshot.ripLo;
}

export function sameSnapshot(a: StageSnapshot, b: StageSnapshot): boolean {
  if (a.ripLo !== b.ripLo || a.ripHi !== b.ripHi || a.numbers.length !== b.numbers.length) return false;
  for (let i = 0; i < a.numbers.length; i++) if (a.numbers[i] !== b.numbers[i]) return false;
  return true;
}

function contextOf({ data }: Stage): Int32Array {
  const index = CELL.TASK_CONTEXT >> 2;
  return Int32Array.of(
    cell(data.words, index),
    cell(data.words, index + 1),
    cell(data.tagWords, index),
    cell(data.tagWords, index + 1),
  );
}

/** Offset of `rsp` in the stack, clamped to it. */
function stackPointerOffset({ machine, stack }: Stage): number {
  const rsp = readRegister(machine, RSP);
  return Math.min(offsetIn(stack, rsp.hi, rsp.lo) & ~7, stack.size);
}
