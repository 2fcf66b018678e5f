import type { ActionOf } from './action.ts';
import type { RunMachine } from './call.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';
import { codePlace } from './code-place.ts';
import { RUN_ENDS } from './ftrace/entry/entry-code.ts';
import type { Kernel } from './kernel.ts';
import type { KernelProgram } from './step.ts';
import { KERNEL_PROGRAM } from './step.ts';
import { functionsWithin } from './trampoline/traced-function.ts';
import type { Accesses } from './x86/accesses.ts';
import { accessesOf } from './x86/accesses.ts';
import { decode } from './x86/decode/decode.ts';
import { run } from './x86/execute.ts';
import { FAMILY, FIELD, FIELDS } from './x86/instruction.ts';
import { isBreakpoint } from './x86/link.ts';
import type { Machine, Stop } from './x86/machine.ts';
import { offsetIn } from './x86/memory.ts';
import { equal } from './x86/word.ts';

/**
 * What one call takes, from the caller's `call` to behind it: the function's own body is part of it, so that the cost of
 * what is attached is the difference from a call of the same function with nothing attached.
 */
export interface CallCost {
  /** Of machine code; what functions in C execute is not among them, nor what programs do. */
  readonly instructions: number;
  /** Instructions that read memory, and that write to it, the stack included. */
  readonly reads: number;
  readonly writes: number;
  readonly calls: number;
  /** How often functions in C and programs were called, by name. */
  readonly cFunctions: Readonly<Record<string, number>>;
}

/** Makes a call, instruction by instruction, which takes a hundred times as long. The kernel is as after any call. */
export function costOfCall(
  k: Kernel,
  { fn, registers, stack }: ActionOf<'call'>,
  program: KernelProgram = KERNEL_PROGRAM,
): { readonly cost: CallCost; readonly call: CallRun } {
  const counter = new Counter(k);
  const call = runCall(k, functionsWithin(k.functions, fn), { fn, registers, stack }, program, counter.run);
  const { instructions, reads, writes, calls, cFunctions } = counter;
  return { cost: { instructions, reads, writes, calls, cFunctions }, call };
}

class Counter {
  instructions = 0;
  reads = 0;
  writes = 0;
  calls = 0;
  readonly cFunctions: Record<string, number> = {};
  private readonly row = new Int32Array(FIELDS);

  constructor(private readonly k: Kernel) {}

  /** As the machine runs, to the next breakpoint. The one that it stands on is a function in C, which returns. */
  readonly run: RunMachine = (machine, budget) => {
    let inC = isBreakpoint(machine, machine.rip);
    for (let left = budget; left > 0; left--) {
      const next = inC ? undefined : this.next(machine);
      inC = false;
      const stop = run(machine, 1);
      // What faults has not been executed: it may be once more, when the data that it reads is there.
      if (next !== undefined && stop.kind !== 'fault') this.count(next);
      if (stop.kind !== 'budget') return this.stopped(stop);
      if (isBreakpoint(machine, stop.at)) return this.stopped({ kind: 'breakpoint', at: stop.at });
    }
    return { kind: 'budget', at: { ...machine.rip } };
  };

  private stopped(stop: Stop): Stop {
    if (stop.kind === 'breakpoint' && !equal(stop.at, RUN_ENDS)) {
      const name = codePlace(this.k, stop.at);
      this.cFunctions[name] = (this.cFunctions[name] ?? 0) + 1;
    }
    return stop;
  }

  /** What the next instruction does; undefined where there is none. */
  private next({ regions, rip }: Machine): (Accesses & { readonly isCall: boolean }) | undefined {
    const region = regions.find((one) => offsetIn(one, rip.hi, rip.lo) < one.size);
    if (region === undefined) return undefined;
    const { row } = this;
    decode(region.bytes, offsetIn(region, rip.hi, rip.lo), row, 0, rip.hi, rip.lo);
    const family = row[FIELD.FAMILY]!;
    return { ...accessesOf(family, row[FIELD.FORM]!, row[FIELD.SUB]!), isCall: family === FAMILY.CALL };
  }

  private count({ reads, writes, isCall }: Accesses & { readonly isCall: boolean }): void {
    this.instructions++;
    this.reads += reads;
    this.writes += writes;
    if (isCall) this.calls++;
  }
}
