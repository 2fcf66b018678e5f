import { BadAddress, callC, cFunctionAt, cpuOf } from './c-function.ts';
import { codePlace, withOffset } from './code-place.ts';
import type { CallEvent } from './core/event.ts';
import type { RunRoutine } from './core/run.ts';
import { entryAddress, RUN_ENDS } from './ftrace/entry/entry-code.ts';
import type { Room } from './machine-room.ts';
import { CALLER_FRAME_BYTES, roomFor, STACK, STACK_BYTES } from './machine-room.ts';
import { syncText } from './sync-text.ts';
import { nothingForbidden } from './task/current.ts';
import type { CFunctions, Cpu } from './text/cpu.ts';
import { functionAddress } from './text/space.ts';
import type { TextWorld } from './text/text.ts';
import { ARGUMENT_REGS } from './trampoline/argument-registers.ts';
import type { TracedFunction } from './trampoline/traced-function.ts';
import { run } from './x86/execute.ts';
import { REG_STRIDE } from './x86/instruction.ts';
import type { Fault } from './x86/machine.ts';
import { readRegister, writeRegister } from './x86/machine.ts';
import { offsetIn, writeWord } from './x86/memory.ts';
import { CONSTANT4 } from './x86/origin.ts';
import { CALLEE_SAVED, R11, RAX, RDX, RSP, registerName } from './x86/register.ts';
import { UnsupportedInstruction } from './x86/unsupported.ts';
import type { Word } from './x86/word.ts';
import { displacement, equal, plus, toHex } from './x86/word.ts';

/** A call of a traced function. */
export interface CallRequest {
  readonly fn: string;
  /** The six argument registers, in their order. */
  readonly registers: readonly Word[];
  /** What the caller put on its stack, the first word lowest. */
  readonly stack: readonly Word[];
}

/** What came of a call, read off the run of the machine code. */
export interface CallRun {
  /** Registers afterwards, as hexadecimal text. */
  readonly rax: string;
  readonly rdx: string;
  readonly events: readonly CallEvent[];
  /** Registers that a callee has to give back as they were, and that were not; by name. */
  readonly calleeSaved: readonly string[];
  /** The stack pointer is what it was before the call. */
  readonly stackBalanced: boolean;
  /** The caller's part of the stack, its arguments included, is what it was. */
  readonly callerStackIntact: boolean;
  /** Why the call did not return, in one sentence. Then nothing was compared: the last three say that all is well. */
  readonly fault: string | undefined;
  readonly instructions: number;
}

/** Instructions of one call, at the most. */
const BUDGET = 200_000;

/** What text calls: functions in C by name, and how those of them are run that are routines. */
export interface InKernel<K> {
  readonly cFunctions: CFunctions<K>;
  readonly run: RunRoutine;
}

/**
 * Calls a function in a kernel state. What functions in C do to the state is done to `k` itself, its text included: the
 * rest of the call runs in the text that they leave. A task whose call does not return is gone, with all that it forbade.
 */
export function runCall<K extends TextWorld>(
  k: K,
  functions: readonly TracedFunction[],
  request: CallRequest,
  inKernel: InKernel<K>,
): CallRun {
  const room = roomFor(k, functions);
  const { machine } = room;
  syncText(room, k);
  layOut(room, k, request);
  const stepsBefore = machine.steps;
  const events: CallEvent[] = [];
  const fault = runToEnd(room, k, cpuOf(machine, events), inKernel);
  if (fault !== undefined) k.current = nothingForbidden();
  return {
    rax: toHex(readRegister(machine, RAX)),
    rdx: toHex(readRegister(machine, RDX)),
    events,
    calleeSaved: fault === undefined ? lostRegisters(room) : [],
    stackBalanced: fault !== undefined || equal(readRegister(machine, RSP), CALLER_FRAME),
    callerStackIntact: fault !== undefined || isCallerIntact(room),
    fault,
    instructions: machine.steps - stepsBefore,
  };
}

/** Where a run starts, and what the stack pointer is then. */
const START = entryAddress('caller');
const CALLER_FRAME = plus(STACK, STACK_BYTES - CALLER_FRAME_BYTES);

/** What nobody has written yet: recognisable in an event, undefined for a branch or an address. */
const POISON = 0x5a5a5a5a;

/** The caller's part of the stack as this call finds it. */
const callerWords = new Int32Array(CALLER_FRAME_BYTES / 4);

/** Registers before a call: each holds a value of its own, in all bytes but one. */
const REGISTERS = Int32Array.from({ length: 16 * REG_STRIDE }, (_, i) => {
  const reg = Math.floor(i / REG_STRIDE);
  if (i % REG_STRIDE >= 2) return CONSTANT4;
  return i % REG_STRIDE === 0 ? (reg * 0x01010101) | 0x40404000 : (reg * 0x01010101) | 0x80808080;
});

/** The caller stands in front of its call; nothing is left of earlier ones. */
function layOut({ machine, stack }: Room, k: TextWorld, { fn, registers, stack: words }: CallRequest): void {
  const order = k.text.functions[fn];
  if (order === undefined) throw new Error(`there is no function ${fn} to be called`);
  if (8 * words.length > CALLER_FRAME_BYTES)
    throw new Error(`${words.length} words do not fit the caller's frame`);
  machine.arena.set(REGISTERS, 0);
  for (let i = 0; i < ARGUMENT_REGS.length; i++) writeRegister(machine, ARGUMENT_REGS[i]!, registers[i]!);
  writeRegister(machine, R11, functionAddress(order));
  writeRegister(machine, RSP, CALLER_FRAME);
  const callerAt = STACK_BYTES - CALLER_FRAME_BYTES;
  stack.words.fill(POISON);
  stack.tagWords.fill(0);
  stack.tagWords.fill(CONSTANT4, callerAt / 4);
  for (let i = 0; i < words.length; i++) writeWord(stack, callerAt + 8 * i, words[i]!);
  for (let i = 0; i < callerWords.length; i++) callerWords[i] = stack.words[callerAt / 4 + i]!;
  machine.rip.hi = START.hi;
  machine.rip.lo = START.lo;
}

/** Runs until the traced function has returned to its caller; a sentence when it does not. */
function runToEnd<K extends TextWorld>(
  room: Room,
  k: K,
  cpu: Cpu,
  { cFunctions, run: runRoutine }: InKernel<K>,
): string | undefined {
  const { machine } = room;
  const end = machine.steps + BUDGET;
  try {
    for (;;) {
      const stop = run(machine, end - machine.steps);
      if (stop.kind === 'fault') return describe(k, stop.fault);
      if (stop.kind !== 'breakpoint')
        return `does not end within ${BUDGET} instructions, at ${codePlace(k, stop.at)}`;
      if (equal(stop.at, RUN_ENDS)) return undefined;
      callC(machine, k, cFunctionAt(room, k, stop.at, cFunctions), cpu, runRoutine);
      syncText(room, k);
    }
  } catch (error) {
    if (error instanceof BadAddress)
      return `${error.access} at ${place(k, error.address)}: ${error.why}, in ${codePlace(k, machine.rip)}`;
    if (error instanceof UnsupportedInstruction) throw withPlace(room, k, error);
    throw error;
  }
}

function lostRegisters({ machine }: Room): string[] {
  const { arena } = machine;
  const lost = CALLEE_SAVED.filter((reg) => {
    const at = reg * REG_STRIDE;
    return arena[at] !== REGISTERS[at] || arena[at + 1] !== REGISTERS[at + 1];
  });
  return lost.map((reg) => registerName(reg));
}

function isCallerIntact({ stack }: Room): boolean {
  const from = (STACK_BYTES - CALLER_FRAME_BYTES) / 4;
  for (let i = 0; i < callerWords.length; i++) if (stack.words[from + i] !== callerWords[i]) return false;
  return true;
}

/** `fetch of 1 byte at page 3: unmapped, at f2+0x4`. */
function describe(k: TextWorld, { kind, access, address, size, at }: Fault): string {
  const where = codePlace(k, at);
  if (kind === 'breakpoint trap' || kind === 'invalid opcode') return `${kind} at ${where}`;
  const verb = { read: 'read', write: 'write', execute: 'fetch' }[access];
  return `${verb} of ${size} ${size === 1 ? 'byte' : 'bytes'} at ${place(k, address)}: ${kind}, at ${where}`;
}

/** A place in code or on the stack. */
function place(k: TextWorld, address: Word): string {
  const onStack = displacement(address, STACK);
  const isOnStack = onStack !== undefined && onStack >= 0 && onStack < STACK_BYTES;
  return isOnStack ? withOffset('stack', onStack) : codePlace(k, address);
}

/** The same complaint, with the name that the place has in the state. */
function withPlace({ machine }: Room, k: TextWorld, { at }: UnsupportedInstruction): UnsupportedInstruction {
  const region = machine.regions.find((one) => offsetIn(one, at.hi, at.lo) < one.size)!;
  const offset = offsetIn(region, at.hi, at.lo);
  return new UnsupportedInstruction(region.bytes.subarray(offset, offset + 15), codePlace(k, at), at);
}
