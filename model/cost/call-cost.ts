import { functionsCalled, runCall } from '../call/call.ts';
import type { CallRun } from '../call/call-frame.ts';
import { codePlace } from '../call/code-place.ts';
import type { KernelProgram } from '../call/kernel-program.ts';
import type { NextInstruction } from '../call/next-instruction.ts';
import { nextInstruction } from '../call/next-instruction.ts';
import type { RunMachine } from '../call/run-code.ts';
import type { ActionOf } from '../client/all.ts';
import { RUN_ENDS } from '../ftrace/entry/entry-code.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { KERNEL_PROGRAM } from '../step.ts';
import { FUNCTION_BYTES, SPACE } from '../text/space.ts';
import type { Accesses } from '../x86/accesses.ts';
import { accessesOf } from '../x86/accesses.ts';
import { FAMILY } from '../x86/instruction.ts';
import { isBreakpoint } from '../x86/link.ts';
import type { Machine, Stop } from '../x86/machine.ts';
import { NOP5 } from '../x86/nop.ts';
import { run } from '../x86/run.ts';
import type { Word } from '../x86/word.ts';
import { displacement, equal } from '../x86/word.ts';
import { ReturnStack } from './return-stack.ts';

/*
 * A hit is counted in machine code, not in nanoseconds: instructions, memory accesses, calls, and returns that
 * the return stack buffer predicts wrongly. The last weigh most on current CPUs, and are what a replaced return
 * address costs: kretprobes and function graph by design, images that skip the traced function by `add rsp, 8;
 * ret`.
 */

/**
 * The cost of one call, from the caller's `call` to after it: the function's own body is part of it, so that
 * the cost of an attachment is the difference from a call of the same function with nothing attached.
 */
export interface CallCost extends CodeCost {
  /** The part of it that is in bodies of functions, after their call sites. */
  readonly bodies: CodeCost;
  /** How often functions in C and programs were called, by name. */
  readonly cFunctions: Readonly<Record<string, number>>;
}

/** Machine code that was executed; what functions in C execute is no part of it, nor what programs do. */
export interface CodeCost {
  readonly instructions: number;
  /** Instructions that read memory, and that write to it, the stack included. */
  readonly reads: number;
  readonly writes: number;
  readonly calls: number;
  /** Returns to somewhere else than after the last call, which a CPU predicts wrongly. */
  readonly strayReturns: number;
}

/** Makes a call, instruction by instruction, which takes a hundred times as long. The kernel is as after any call. */
export function costOfCall(
  k: Kernel,
  { fn, registers, stack }: ActionOf<'call'>,
  program: KernelProgram = KERNEL_PROGRAM,
): { readonly cost: CallCost; readonly call: CallRun } {
  const counter = new Counter(k);
  const functions = functionsCalled(k, fn);
  const call = runCall(k, functions, { fn, registers, stack }, program, counter.run);
  return { cost: { ...counter.all, bodies: counter.bodies, cFunctions: counter.cFunctions }, call };
}

function nothing(): { -readonly [P in keyof CodeCost]: number } {
  return { instructions: 0, reads: 0, writes: 0, calls: 0, strayReturns: 0 };
}

class Counter {
  readonly all = nothing();
  readonly bodies = nothing();
  readonly cFunctions: Record<string, number> = {};
  private readonly returnStack = new ReturnStack();
  /** Whether a function in C resumes, and how many of them wait for code that they have called. */
  private isInC = false;
  private waitingInC = 0;

  constructor(private readonly k: KernelView) {}

  /**
   * As the machine runs, to the next breakpoint. The one that it is at is a function in C, which returns; after
   * one it is at code that this function calls.
   */
  readonly run: RunMachine = (machine, budget) => {
    let inC = isBreakpoint(machine, machine.rip);
    if (this.isInC && !inC) {
      // Code that C calls through a pointer returns to a stub of this model; the CPU sees a normal call and
      // return.
      this.returnStack.called(RUN_ENDS);
      this.waitingInC++;
    }
    for (let left = budget; left > 0; left--) {
      const next = inC ? undefined : this.next(machine);
      const stop = run(machine, 1);
      if (inC) this.returnStack.leavesC(machine.rip);
      inC = false;
      // A faulting instruction has not been executed: it may be later, when the data that it reads is there.
      if (next !== undefined && stop.kind !== 'fault') this.count(next, machine.rip);
      if (stop.kind !== 'budget') return this.stopped(stop);
      if (isBreakpoint(machine, stop.at)) return this.stopped({ kind: 'breakpoint', at: stop.at });
    }
    return { kind: 'budget', at: { ...machine.rip } };
  };

  private stopped(stop: Stop): Stop {
    const { kind, at: address } = stop;
    const ends = equal(address, RUN_ENDS);
    if (kind === 'breakpoint' && !ends) {
      const name = codePlace(this.k, address);
      this.cFunctions[name] = (this.cFunctions[name] ?? 0) + 1;
    }
    // A run ends where it began, or where the function in C resumes that waits for it.
    this.isInC = kind === 'breakpoint' && (!ends || this.waitingInC > 0);
    if (this.isInC && ends) this.waitingInC--;
    return stop;
  }

  /** The instruction at rip with its accesses; undefined where nothing is mapped, or no instruction is. */
  private next(machine: Machine): Next | undefined {
    const instruction = nextInstruction(machine);
    return (
      instruction && { ...accessesOf(instruction.family, instruction.form, instruction.sub), ...instruction }
    );
  }

  /** An instruction that was executed, and its successor. */
  private count({ reads, writes, family, at: address, behind }: Next, to: Word): void {
    const isCall = family === FAMILY.CALL;
    if (isCall) this.returnStack.called(behind);
    const strays = family === FAMILY.RETURN && !this.returnStack.returns(to);
    for (const sum of this.inBody(address) ? [this.all, this.bodies] : [this.all]) {
      sum.instructions++;
      sum.reads += reads;
      sum.writes += writes;
      if (isCall) sum.calls++;
    }
    if (strays) this.all.strayReturns++;
  }

  /** After the call site of a function. */
  private inBody(address: Word): boolean {
    const { functions, siteOffset } = this.k.text;
    const offset = displacement(address, SPACE.FUNCTIONS);
    if (offset === undefined || offset < 0) return false;
    if (Math.floor(offset / FUNCTION_BYTES) >= Object.keys(functions).length) return false;
    return offset % FUNCTION_BYTES >= siteOffset + NOP5.length;
  }
}

type Next = Accesses & NextInstruction;
