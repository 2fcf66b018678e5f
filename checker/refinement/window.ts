import type { ActionOf } from '../../model/client/all.ts';
import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import { item, present } from '../../model/core/present.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { PartName } from '../interleavings/world-parts.ts';
import type { CallMade, CallMemo } from './call-memo.ts';
import type { CallSeen } from './call-seen.ts';
import { textMet } from './text-met.ts';

/**
 * Instructions that may change the events of calls; all others only choose the next step of an operation, or hold a
 * lock.
 */
const CHANGES: readonly number[] = [DO.STEP, DO.WAIT];

const TEXT: readonly PartName[] = ['text.inner', 'text.pages', 'text.sites', 'text.probed', 'text.poke'];

/**
 * A kernel in which operations run, and the events of calls that begin at any of their steps: calls of each function,
 * on copies. Calls are repeated only after a step has changed a part that they read.
 */
export class Window {
  /** The kernel, to be changed. */
  readonly k: Kernel;
  /** For each function, all events that a call of it has had. */
  readonly seen: ReadonlyMap<string, Set<CallSeen>>;
  private readonly parts: unknown[];
  /** By number, whether a part was read or put since the last calls. */
  private readonly touched: Uint8Array;
  /** The kernel as plain data, with the parts that were put into it last. */
  private readonly plain: Kernel;
  private readonly put: unknown[];
  private changed = true;
  /** The last calls, and whether text was being changed then. */
  private made: readonly CallMade[] = [];
  private isPoked = false;
  /** Parts of text that differ while it is being changed; the part that says so. */
  private readonly textParts: readonly number[];
  private readonly poke: number;

  constructor(
    start: KernelView,
    private readonly calls: readonly ActionOf<'call'>[],
    private readonly memo: CallMemo,
  ) {
    this.plain = copyKernel(start);
    this.parts = memo.layout.split(this.plain);
    this.put = [...this.parts];
    this.touched = new Uint8Array(this.parts.length);
    this.k = memo.layout.facade({
      get: (part) => {
        this.touched[part] = 1;
        return this.parts[part];
      },
      set: (part, value) => {
        this.touched[part] = 1;
        this.parts[part] = value;
      },
    });
    this.textParts = TEXT.map((name) => memo.layout.numberOf(name));
    this.poke = memo.layout.numberOf('text.poke');
    this.seen = new Map(calls.map(({ fn }) => [fn, new Set<CallSeen>()]));
  }

  /** The kernel as plain data, up to now. */
  get kernel(): Kernel {
    const { parts, put, plain, memo } = this;
    for (let part = 0; part < parts.length; part++) {
      if (put[part] === parts[part]) continue;
      put[part] = parts[part];
      memo.layout.put(plain, part, parts[part]);
    }
    return plain;
  }

  /** The kernel is at an instruction. */
  step({ do: what }: Instruction): void {
    if (this.changed) this.look();
    this.changed = CHANGES.includes(what);
  }

  /** Calls every function, if that may have new events. */
  look(): void {
    if (!this.isTouched()) return;
    for (const [fn, seen] of this.calledNow()) present(this.seen.get(fn), fn).add(seen);
  }

  /** The events of a call of each function now. */
  calledNow(): ReadonlyMap<string, CallSeen> {
    const k = textMet(this.kernel);
    if (this.isPoked || k.text !== this.plain.text) for (const part of this.textParts) this.touched[part] = 1;
    this.isPoked = k.text !== this.plain.text;
    this.made = this.calls.map((call, i) => {
      const before = this.made[i];
      return before?.reads.hold(k, this.touched) === true ? before : this.memo.call(call, k);
    });
    this.touched.fill(0);
    return new Map(this.calls.map(({ fn }, i) => [fn, item(this.made, i).seen]));
  }

  /** Whether any part that calls read was changed since the last calls. */
  private isTouched(): boolean {
    if (this.made.length === 0) return true;
    for (let part = 0; part < this.touched.length; part++)
      if (this.touched[part] === 1 && (this.memo.isRead(part) || part === this.poke)) return true;
    return false;
  }
}
