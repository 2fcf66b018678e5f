import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import { Assembler } from '../x86/assemble.ts';
import { cell } from '../x86/cell.ts';
import { createMachine } from '../x86/create-machine.ts';
import { setBreakpoint } from '../x86/link.ts';
import type { Machine, PlacedFault, Stop } from '../x86/machine.ts';
import {
  placedFault,
  placeOf,
  readRegister,
  regionNamed,
  registerTags,
  writeRegister,
} from '../x86/machine.ts';
import { EXECUTE, offsetIn, READ, readWord, WRITE, writeBytes, writeWord } from '../x86/memory.ts';
import type { TaggedWord } from '../x86/origin.ts';
import { highTags, lowTags } from '../x86/origin.ts';
import { RDI, RSI, RSP } from '../x86/register.ts';
import { run } from '../x86/run.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus } from '../x86/word.ts';
import { runName, stackArgumentAt } from './stub.ts';
import { emitTraceRun, TRACE_RUN } from './trace-run.ts';

/** What __bpf_trace_run() is called with when a stub was entered with its data and arguments. */
export interface StubRun {
  readonly data: TaggedWord;
  /** The program's context, word by word. */
  readonly context: readonly TaggedWord[];
  /** Instructions of the stub, its jump included. */
  readonly instructions: number;
}

/** Why a run does not come to __bpf_trace_run(): where it stops, if it does. */
export type StubFailure =
  | { readonly is: 'fault'; readonly place: string; readonly fault: PlacedFault }
  | { readonly is: 'depends'; readonly place: string; readonly what: 'branch' | 'address' }
  | { readonly is: 'elsewhere' };

/** The origins of the data and of argument `i`, from 0; a caller may have anything above a narrow argument. */
export const DATA_ORIGIN = 1;
export const argumentOrigin = (i: number): number => 2 + i;

/** Addresses of the stub, of bpf_trace_runN() and of its C part, and of the stack. */
const STUB = fromHex('0xffffffff81300000');
const RUN = fromHex('0xffffffff81310000');
const C_PART = fromHex('0xffffffff81320000');
const STACK = fromHex('0xffffc90000100000');
const STACK_BYTES = 0x400;
/** A `struct trace_event_call`; nothing in it is zero. */
const EVENT = fromHex('0xffffffff82900000');
const EVENT_BYTES = 0x100;
/** Where the probe's caller has its frame. */
const FRAME_AT = 0x300;
const CODE_BYTES = 0x100;
/** Instructions after which a stub that does not end has failed. */
const BUDGET = 200;

/** The bytes of a stub for a place from which `bpf_trace_runN` is in reach; `emit` writes it. */
export function assembleStub(emit: (a: Assembler) => void): Uint8Array {
  const a = new Assembler(STUB, () => RUN);
  emit(a);
  return a.finish().bytes;
}

/**
 * Executes a stub and the bpf_trace_runN() after it, once, for all values of the arguments: each byte carries where it
 * came from, and a branch or an address that depends on one ends the run. A stub whose last jump is to be set (a
 * recorded one) ends with its opcode alone. The answer is why, when the run goes wrong.
 */
export function executeStub(stub: Uint8Array, count: number): StubRun | StubFailure {
  const machine = machineFor(withTarget(stub), count, (a) => emitTraceRun(a, count, true));
  machine.strict = true;
  layOutArguments(machine, count);
  const instructions = runStub(machine);
  if (typeof instructions !== 'number') return instructions;
  const stop = run(machine, BUDGET);
  if (stop.kind !== 'breakpoint') return failure(machine, stop);
  return { data: register(machine, RDI), context: contextOf(machine, count), instructions };
}

/**
 * Executes the beginning of a perf_trace_X() to the call of what runs the programs of its event, in the same way; its data
 * is the event, which it reads. Instructions are those up to that call.
 */
export function executeGrabbing(code: Uint8Array, count: number): StubRun | StubFailure {
  const machine = machineFor(code, count, (a) => a.jump(TRACE_RUN));
  layOutArguments(machine, count);
  writeRegister(machine, RDI, EVENT, lowTags(DATA_ORIGIN), highTags(DATA_ORIGIN));
  const instructions = runStub(machine);
  if (typeof instructions !== 'number') return instructions;
  return { data: register(machine, RDI), context: contextOf(machine, count), instructions };
}

/** Runs until the code is left, instruction by instruction, and counts. */
function runStub(machine: Machine): number | StubFailure {
  Object.assign(machine.rip, STUB);
  let instructions = 0;
  while (isIn(machine, 'stub') && instructions < BUDGET) {
    const stop = run(machine, 1);
    instructions++;
    if (stop.kind !== 'budget' && stop.kind !== 'breakpoint') return failure(machine, stop);
    Object.assign(machine.rip, stop.at);
  }
  return instructions;
}

/** A machine with the stub, and the code that it jumps to. */
function machineFor(stub: Uint8Array, count: number, behind: (a: Assembler) => void): Machine {
  const code = (name: string, base: Word) => ({ name, base, size: CODE_BYTES, permission: READ | EXECUTE });
  const event = { name: 'event', base: EVENT, size: EVENT_BYTES, permission: READ };
  const stack = { name: 'stack', base: STACK, size: STACK_BYTES, permission: READ | WRITE };
  const machine = createMachine(
    [stack, event, code('stub', STUB), code(runName(count), RUN), code(TRACE_RUN, C_PART)],
    { stack: 'stack', data: 'stack' },
  );
  const region = (name: string) => regionNamed(machine, name);
  writeBytes(region('event'), 0, new Uint8Array(EVENT_BYTES).fill(1));
  writeBytes(region('stub'), 0, stub);
  const a = new Assembler(RUN, () => C_PART);
  behind(a);
  writeBytes(region(runName(count)), 0, a.finish().bytes);
  setBreakpoint(machine, region(TRACE_RUN), 0);
  return machine;
}

const JMP = 0xe9;

/** A recorded stub lies somewhere else: its jump gets the distance from here. */
function withTarget(stub: Uint8Array): Uint8Array {
  if (stub.at(-1) !== JMP) return stub;
  const jump = new Assembler(plus(STUB, stub.length - 1), () => RUN);
  jump.jump('bpf_trace_run');
  return Uint8Array.from([...stub.subarray(0, -1), ...jump.finish().bytes]);
}

/** A value of which every byte differs from the others, and is set in its highest bit. */
function distinct(origin: number): Word {
  return { hi: (0x84838281 + 0x01010100 * origin) | 0, lo: (0x88878685 + 0x01010100 * origin) | 0 };
}

/** Every argument has its own origin in all eight bytes: a byte that is not extended shows. */
function layOutArguments(machine: Machine, count: number): void {
  const { stack } = machine;
  writeRegister(machine, RSP, plus(STACK, FRAME_AT));
  writeWord(stack, FRAME_AT, fromHex('0xffffffff81330000'));
  for (let word = 0; word <= count; word++) {
    const origin = DATA_ORIGIN + word;
    const tags = [lowTags(origin), highTags(origin)] as const;
    const reg = ARGUMENT_REGS[word];
    if (reg !== undefined) writeRegister(machine, reg, distinct(origin), ...tags);
    else writeWord(stack, FRAME_AT + stackArgumentAt(word), distinct(origin), ...tags);
  }
}

/** Whether execution has reached a region. */
function isIn({ regions, rip }: Machine, name: string): boolean {
  return regions.some((region) => region.name === name && offsetIn(region, rip.hi, rip.lo) < region.size);
}

/** Why the stub did not reach the C part with the arguments. */
function failure(machine: Machine, stop: Stop): StubFailure {
  const place = placeOf(machine, stop.at);
  if (stop.kind === 'fault') return { is: 'fault', place, fault: placedFault(machine, stop.fault) };
  return stop.kind === 'depends' ? { is: 'depends', place, what: stop.what } : { is: 'elsewhere' };
}

function register(machine: Machine, reg: number): TaggedWord {
  const { lo: tagLo, hi: tagHi } = registerTags(machine, reg);
  return { value: readRegister(machine, reg), tagLo, tagHi };
}

/** The words that `rsi` points to. */
function contextOf(machine: Machine, count: number): TaggedWord[] {
  const { stack } = machine;
  const { hi, lo } = readRegister(machine, RSI);
  const from = offsetIn(stack, hi, lo);
  return Array.from({ length: count }, (_, i) => {
    const index = from + 8 * i;
    return {
      value: readWord(stack, index),
      tagLo: cell(stack.tagWords, index / 4),
      tagHi: cell(stack.tagWords, index / 4 + 1),
    };
  });
}
