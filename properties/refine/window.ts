import type { ActionOf } from '../../model/action.ts';
import type { Instruction } from '../../model/core/link.ts';
import { DO } from '../../model/core/link.ts';
import type { Kernel } from '../../model/kernel.ts';
import { copyKernel, copyPart } from '../attach/copy-kernel.ts';
import type { CallMemo } from './call-memo.ts';
import type { CallSeen } from './call-seen.ts';
import { textMet } from './text-met.ts';

/** Instructions that may change what calls see; all others decide where an operation goes on, or hold a lock. */
const CHANGES: readonly number[] = [DO.STEP, DO.WAIT];

/** A part of a kernel as it was when it was looked at, and its number. */
interface Numbered {
  readonly value: unknown;
  readonly number: number;
}

/**
 * A kernel in which operations run, and what calls would see that began at any of their steps: calls of each function,
 * on copies. Only where a step has touched a part on which an earlier call's sight depends is anything looked at again.
 */
export class Window {
  /** The kernel, to be changed. */
  readonly k: Kernel;
  /** For each function, everything that a call of it has shown. */
  readonly seen: ReadonlyMap<string, Set<CallSeen>>;
  private readonly parts: unknown[];
  private readonly touched = new Set<number>();
  /** The parts with the text that calls meet, and which of them are numbered. */
  private readonly met: unknown[];
  private readonly numbered: (Numbered | undefined)[] = [];
  private changed = true;
  private isFirst = true;

  constructor(
    start: Kernel,
    private readonly calls: readonly ActionOf<'call'>[],
    private readonly memo: CallMemo,
  ) {
    this.parts = memo.layout.split(copyKernel(start));
    this.met = [...this.parts];
    this.k = memo.layout.facade(this.parts, (part) => this.touched.add(part));
    this.seen = new Map(calls.map(({ fn }) => [fn, new Set<CallSeen>()]));
  }

  /** The kernel as plain data. */
  get kernel(): Kernel {
    return this.memo.layout.join(this.parts);
  }

  /** The kernel stands in front of an instruction. */
  step({ do: what }: Instruction): void {
    if (this.changed) this.look();
    this.changed = CHANGES.includes(what);
  }

  /** Calls every function, if that may show anything new. */
  look(): void {
    const isFirst = this.isFirst;
    this.isFirst = false;
    if (!this.isOtherwise() && !isFirst) return;
    for (const [fn, seen] of this.calledNow()) this.seen.get(fn)!.add(seen);
  }

  /** What a call of each function shows now. */
  calledNow(): ReadonlyMap<string, CallSeen> {
    this.isOtherwise();
    const numberAt = (part: number) => this.numberAt(part);
    return new Map(this.calls.map((call) => [call.fn, this.memo.call(call, this.met, numberAt)]));
  }

  /** Whether a part that has a number is not what it was when it got that. */
  private isOtherwise(): boolean {
    const { touched, met, numbered, memo } = this;
    if (memo.textParts.some(([, part]) => touched.has(part))) {
      const text = textMet(this.kernel);
      for (const [name, part] of memo.textParts) {
        met[part] = text[name];
        touched.add(part);
      }
    }
    let otherwise = false;
    for (const part of touched) {
      if (!memo.isText(part)) met[part] = this.parts[part];
      const before = numbered[part];
      if (before === undefined || areEqual(before.value, met[part])) continue;
      numbered[part] = undefined;
      otherwise = true;
    }
    touched.clear();
    return otherwise;
  }

  private numberAt(part: number): number {
    let numbered = this.numbered[part];
    if (numbered === undefined) {
      const value = this.met[part];
      numbered = { value: copyPart(value), number: this.memo.numberOf(value) };
      this.numbered[part] = numbered;
    }
    return numbered.number;
  }
}

/** Whether two values of plain data are equal, the order of their keys included. */
function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const one = a as Record<string, unknown>;
  const other = b as Record<string, unknown>;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (key !== others[i] || !areEqual(one[key], other[key])) return false;
  }
  return true;
}
