import { CELL } from '../../model/trampoline/stage/layout.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { RETURNS_AT, readRegister } from '../../model/x86/machine.ts';
import { clear, offsetIn } from '../../model/x86/memory.ts';
import { RSP } from '../../model/x86/register.ts';

/**
 * The whole state that the future of a call depends on, at a choice: registers and flags with their tags, the stack
 * from `rsp` up, the task's run context, and the memory of the laws. Words below `rsp` are free: they are cleared, as
 * an interrupt might, so that they cannot matter.
 */
export interface StageSnapshot {
  /** Where its numbers begin among those of all snapshots, and how many they are. */
  readonly first: number;
  readonly length: number;
  readonly ripHi: number;
  readonly ripLo: number;
  /** Paths to the return from here, as far as they are known. */
  count: bigint;
}

/** Registers and flags are at the start of the arena. */
const CPU = RETURNS_AT;
/** Int32 numbers of `current->bpf_ctx`: the word and its tags. */
const CONTEXT = 4;

/** The snapshots of one walk, by a hash of their numbers, which lie one after the other in one list. */
export class Snapshots {
  private numbers = new Int32Array(1 << 14);
  private used = 0;
  /** How many there are. */
  size = 0;
  private readonly byHash = new Map<number, StageSnapshot[]>();

  constructor(private readonly stage: Stage) {}

  /** Forgets all of them, for another walk. */
  clear(): void {
    this.used = 0;
    this.size = 0;
    this.byHash.clear();
  }

  /** The snapshot of the present state: an earlier one that is equal, or a new one. */
  take(memories: Int32Array): { readonly snapshot: StageSnapshot; readonly isNew: boolean } {
    const { hi: ripHi, lo: ripLo } = this.stage.machine.rip;
    const taken = { first: this.used, length: this.write(memories), ripHi, ripLo, count: 0n };
    const hash = this.hashOf(taken, memories);
    const alike = this.byHash.get(hash);
    const known = alike?.find((other) => this.areEqual(other, taken));
    if (known !== undefined) return { snapshot: known, isNew: false };
    if (alike === undefined) this.byHash.set(hash, [taken]);
    else alike.push(taken);
    this.used += taken.length;
    this.size++;
    return { snapshot: taken, isNew: true };
  }

  /** Writes the numbers of the present state after those of all snapshots; how many they are. */
  private write(memories: Int32Array): number {
    const { machine, stack, data } = this.stage;
    const from = stackPointerOffset(this.stage);
    clear(stack, 0, from);
    const words = (stack.size - from) >> 2;
    const length = CPU + CONTEXT + memories.length + 2 * words;
    const { numbers, used } = this.withRoomFor(length);
    numbers.set(machine.arena.subarray(0, CPU), used);
    let index = used + CPU;
    const context = CELL.TASK_CONTEXT >> 2;
    numbers[index] = data.words[context]!;
    numbers[index + 1] = data.words[context + 1]!;
    numbers[index + 2] = data.tagWords[context]!;
    numbers[index + 3] = data.tagWords[context + 1]!;
    index += CONTEXT;
    numbers.set(memories, index);
    index += memories.length;
    numbers.set(stack.words.subarray(from >> 2), index);
    numbers.set(stack.tagWords.subarray(from >> 2), index + words);
    return length;
  }

  private withRoomFor(length: number): { readonly numbers: Int32Array; readonly used: number } {
    if (this.used + length > this.numbers.length) {
      const larger = new Int32Array(2 * this.numbers.length + length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    return { numbers: this.numbers, used: this.used };
  }

  /** Snapshots that differ in the stack alone are rare: it is left out. */
  private hashOf({ first, ripLo }: StageSnapshot, memories: Int32Array): number {
    const { numbers } = this;
    const end = first + CPU + CONTEXT + memories.length;
    let hash = ripLo;
    for (let i = first; i < end; i++) {
      hash = Math.imul(hash ^ numbers[i]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & 0x3fffffff;
  }

  private areEqual(a: StageSnapshot, b: StageSnapshot): boolean {
    if (a.ripLo !== b.ripLo || a.ripHi !== b.ripHi || a.length !== b.length) return false;
    const { numbers } = this;
    for (let i = 0; i < a.length; i++) if (numbers[a.first + i] !== numbers[b.first + i]) return false;
    return true;
  }

  restore(memories: Int32Array, { first, length, ripHi, ripLo }: StageSnapshot): void {
    const { numbers } = this;
    const { machine, stack, data } = this.stage;
    const words = (length - CPU - CONTEXT - memories.length) >> 1;
    const from = stack.size - 4 * words;
    machine.arena.set(numbers.subarray(first, first + CPU));
    let index = first + CPU;
    const context = CELL.TASK_CONTEXT >> 2;
    data.words[context] = numbers[index]!;
    data.words[context + 1] = numbers[index + 1]!;
    data.tagWords[context] = numbers[index + 2]!;
    data.tagWords[context + 1] = numbers[index + 3]!;
    index += CONTEXT;
    memories.set(numbers.subarray(index, index + memories.length));
    index += memories.length;
    clear(stack, 0, from);
    stack.words.set(numbers.subarray(index, index + words), from >> 2);
    stack.tagWords.set(numbers.subarray(index + words, index + 2 * words), from >> 2);
    machine.rip.hi = ripHi;
    machine.rip.lo = ripLo;
  }
}

const OF_STAGE = new WeakMap<Stage, Snapshots>();

/** No snapshot yet, in the memory of the last walk on a stage. */
export function snapshotsOf(stage: Stage): Snapshots {
  const snapshots = OF_STAGE.get(stage) ?? new Snapshots(stage);
  OF_STAGE.set(stage, snapshots);
  snapshots.clear();
  return snapshots;
}

/** Offset of `rsp` in the stack, clamped to it. */
function stackPointerOffset({ machine, stack }: Stage): number {
  const rsp = readRegister(machine, RSP);
  return Math.min(offsetIn(stack, rsp.hi, rsp.lo) & ~7, stack.size);
}
