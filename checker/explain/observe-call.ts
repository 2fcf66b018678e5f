import type { ArgumentSlot } from '../../model/abi/slots.ts';
import { functionsCalled, runCall } from '../../model/call/call.ts';
import type { CallRun } from '../../model/call/call-frame.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { CALLER_FRAME_BYTES, STACK_BYTES } from '../../model/call/machine-room.ts';
import { regionAt } from '../../model/call/next-instruction.ts';
import type { RunMachine } from '../../model/call/run-code.ts';
import type { ActionOf } from '../../model/client/all.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { userOf } from '../../model/ftrace/rethook.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { tracepointSlots } from '../../model/raw-tracepoint/tracepoints.ts';
import { tracepointNamed } from '../../model/tracepoint/tracepoint.ts';
import type { ImagePlan } from '../../model/trampoline/plan/planner.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import { ARGUMENT } from '../../model/trampoline/stage/groups.ts';
import { SAVED } from '../../model/trampoline/stage/prepare.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import { ARGUMENT_REGS } from '../../model/x86/argument-registers.ts';
import { isBreakpoint } from '../../model/x86/link.ts';
import type { Machine } from '../../model/x86/machine.ts';
import { readRegister, writeRegister } from '../../model/x86/machine.ts';
import type { Region } from '../../model/x86/memory.ts';
import { readWord, writeWord } from '../../model/x86/memory.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromHex } from '../../model/x86/word.ts';
import type { ExplainedMoment, KeptReturn } from './moment.ts';
import { plansOf } from './plans-of.ts';
import { Recorder } from './recorder.ts';

/** The course of a call, transfer by transfer, and its outcome. */
export interface ObservedCall {
  readonly moments: readonly ExplainedMoment[];
  readonly call: CallRun;
  /** The plans of the images that functions of this kernel call, as far as they belong to one function. */
  readonly plans: Readonly<Record<string, ImagePlan>>;
}

/** Makes a call, instruction by instruction, and records its course. The kernel is as after any call. */
export function observeCall(k: Kernel, request: ActionOf<'call'>, program: KernelProgram): ObservedCall {
  const plans = plansOf(k);
  let recorder: Recorder | undefined;
  const runMachine: RunMachine = (machine, budget, events) => {
    if (recorder === undefined) {
      tagArguments(machine, k, request);
      recorder = recorderFor(k, machine, request);
    } else if (isBreakpoint(machine, machine.rip)) recorder.see(events);
    for (let left = budget; left > 0; left--) {
      const stop = recorder.step();
      if (stop.kind !== 'budget') return stop;
      if (isBreakpoint(machine, stop.at)) return { kind: 'breakpoint', at: stop.at };
    }
    return { kind: 'budget', at: { ...machine.rip } };
  };
  const { fn, registers, stack } = request;
  const within = functionsCalled(k, fn);
  const call = runCall(k, within, { fn, registers, stack }, program, runMachine);
  recorder?.see(call.events);
  return { moments: recorder?.moments ?? [], call, plans };
}

/** A recorder that uses the names at the time of the call. */
function recorderFor(k: KernelView, machine: Machine, { stack }: ActionOf<'call'>): Recorder {
  const inC = ['C functions', 'programs'];
  return new Recorder(machine, {
    codeAt: (address) => codeAt(k, address),
    isC: (address) => inC.includes(regionAt(machine.regions, address)?.name ?? ''),
    stackEnd: STACK_BYTES - CALLER_FRAME_BYTES + 8 * stack.length,
    kept: () => keptReturns(k),
  });
}

function codeAt(k: KernelView, address: Word): string | undefined {
  const name = codePlace(k, address);
  return name.startsWith('0x') ? undefined : name;
}

/** Return addresses that function graph and rethooks save for the task. */
function keptReturns(k: KernelView): KeptReturn[] {
  const named = (where: string, fn: FunctionName, hex: string): KeptReturn => {
    const ret = fromHex(hex);
    return { where, fn, ret, code: codePlace(k, ret) };
  };
  return [
    ...k.fgraph.retStack.map(({ func, ret }) => named('ret_stack', func, ret)),
    ...k.probes.hooked.map(({ rethook, fn, retAddr }) =>
      named(`rethook of ${userOf(k, rethook)}`, fn, retAddr),
    ),
  ];
}

/** Tags every byte of an argument, and of what a callee must preserve, with its origin. */
function tagArguments(machine: Machine, k: KernelView, { fn }: ActionOf<'call'>): void {
  slotsOf(k, fn).forEach(({ place }, word) => {
    const group = ARGUMENT + word;
    if (place.in === 'register') tagRegister(machine, item(ARGUMENT_REGS, place.index), group);
    else tagWord(machine.stack, STACK_BYTES - CALLER_FRAME_BYTES + 8 * place.index, group);
  });
  for (const [reg, group] of SAVED) tagRegister(machine, reg, group);
}

/** Where the arguments of a function, or of a tracepoint that is hit, are passed. */
function slotsOf(k: KernelView, fn: FunctionName): readonly ArgumentSlot[] {
  const called = functionNamed(k.functions, fn);
  if (called !== undefined) return abiSlots(called.signature);
  return tracepointSlots(tracepointNamed(k, fn).prototype);
}

function tagRegister(machine: Machine, reg: number, group: number): void {
  writeRegister(machine, reg, readRegister(machine, reg), lowTags(group), highTags(group));
}

function tagWord(region: Region, index: number, group: number): void {
  writeWord(region, index, readWord(region, index), lowTags(group), highTags(group));
}
