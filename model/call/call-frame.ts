import type { CodeCause } from '../core/crash.ts';
import type { CallEvent } from '../core/event.ts';
import type { FunctionName } from '../core/ids.ts';
import { item, present } from '../core/present.ts';
import { entryAddress, fixedAddress } from '../ftrace/entry/entry-code.ts';
import type { TracepointView } from '../tracepoint/tracepoint.ts';
import { calledAddress, isTracepoint } from '../tracepoint/tracepoint.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import { REG_STRIDE } from '../x86/instruction.ts';
import { readRegister, writeRegister } from '../x86/machine.ts';
import { writeWord } from '../x86/memory.ts';
import { CONSTANT4 } from '../x86/origin.ts';
import { CALLEE_SAVED, R11, RAX, RDX, RSP, registerName } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { equal, plus, toHex } from '../x86/word.ts';
import type { Room } from './machine-room.ts';
import { CALLER_FRAME_BYTES, POISON, STACK, STACK_BYTES } from './machine-room.ts';

/** A call of a traced function. */
export interface CallRequest {
  readonly fn: FunctionName;
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
  /** Why the call did not return. Then nothing was compared: the last three say that all is well. */
  readonly fault: CodeCause | undefined;
  /** The task has ended in a function that does not return, which is no fault. Nothing was compared then either. */
  readonly gone: boolean;
  readonly instructions: number;
}

/** Whether a call has returned to its caller. */
export function hasReturned({ fault, gone }: Pick<CallRun, 'fault' | 'gone'>): boolean {
  return fault === undefined && !gone;
}

/** How a call ends: back at its caller, with the task, or with a fault. */
export type CallEnd = 'returned' | 'gone' | { readonly fault: CodeCause };

/** Where the task ends that calls a function which does not return. */
export const TASK_ENDS = present(fixedAddress('do_task_dead'), 'do_task_dead');

/**
 * The first instruction of a run, in `emitCallSite()`, and the stack pointer there:
 *
 * ```text
 *  STACK + 0x4000   end of the stack
 *           + ...   the caller's words above: poison that must not change
 *           + 8     stack argument 1, if there is one
 *  rsp ->   + 0     stack argument 0           CALLER_FRAME, a multiple of 16
 *           - 8     return address, pushed by `call *%r11`: __fentry__ finds it at rsp + 8
 *           ...     never written
 *  STACK            bottom; below it nothing is mapped, like the guard page of CONFIG_VMAP_STACK
 * ```
 */
const START = entryAddress('caller');
const CALLER_FRAME = plus(STACK, STACK_BYTES - CALLER_FRAME_BYTES);

/**
 * Registers before a call: each holds a value of its own, in all bytes but one. The values are no addresses:
 * an access through a register that was not set is a fault. All bytes are CONSTANT; calls are not run
 * strictly.
 */
const REGISTERS = Int32Array.from({ length: 16 * REG_STRIDE }, (_, i) => {
  const reg = Math.floor(i / REG_STRIDE);
  if (i % REG_STRIDE >= 2) return CONSTANT4;
  return i % REG_STRIDE === 0 ? (reg * 0x01010101) | 0x40404000 : (reg * 0x01010101) | 0x80808080;
});

/**
 * The caller is about to call; nothing is left of earlier calls.
 *
 * Memory below the caller's frame has the tag UNDEFINED: code that returns to or branches through a word that
 * this call did not write is stopped, whatever an earlier call left there. All six argument
 * registers are set, also for a function of fewer arguments.
 */
export function layOut(
  { machine, stack }: Room,
  k: TracepointView,
  { fn, registers, stack: words }: CallRequest,
): void {
  const address = addressOfCalled(k, fn);
  if (8 * words.length > CALLER_FRAME_BYTES)
    throw new Error(`${words.length} words do not fit the caller's frame`);
  machine.arena.set(REGISTERS, 0);
  machine.flags.fill(0);
  for (let i = 0; i < ARGUMENT_REGS.length; i++)
    writeRegister(machine, item(ARGUMENT_REGS, i), item(registers, i));
  // The callee's address comes through r11, which no argument uses; the body of the caller is the same for
  // all functions.
  writeRegister(machine, R11, address);
  writeRegister(machine, RSP, CALLER_FRAME);
  const callerAt = STACK_BYTES - CALLER_FRAME_BYTES;
  stack.words.fill(POISON);
  stack.tagWords.fill(0);
  stack.tagWords.fill(CONSTANT4, callerAt / 4);
  for (let i = 0; i < words.length; i++) writeWord(stack, callerAt + 8 * i, item(words, i));
  machine.rip.hi = START.hi;
  machine.rip.lo = START.lo;
}

/**
 * The outcome of a call: its events, and the state that the caller finds when it has returned. The ABI's
 * promises are checked here: callee-saved registers (rbx, rbp, r12 to r15), the stack pointer, and memory
 * above it.
 */
export function resultOf(
  room: Room,
  request: CallRequest,
  events: readonly CallEvent[],
  end: CallEnd,
): Omit<CallRun, 'instructions'> {
  const { machine } = room;
  const returned = end === 'returned';
  return {
    rax: toHex(readRegister(machine, RAX)),
    rdx: toHex(readRegister(machine, RDX)),
    events,
    calleeSaved: returned ? lostRegisters(room) : [],
    stackBalanced: !returned || equal(readRegister(machine, RSP), CALLER_FRAME),
    callerStackIntact: !returned || isCallerIntact(room, request),
    fault: typeof end === 'string' ? undefined : end.fault,
    gone: end === 'gone',
  };
}

/** A function, or what hits a tracepoint. */
function addressOfCalled(k: TracepointView, fn: FunctionName): Word {
  if (k.text.functions[fn] === undefined && !isTracepoint(k, fn))
    throw new Error(`there is no function ${fn} to be called`);
  return calledAddress(k, fn);
}

function lostRegisters({ machine }: Room): string[] {
  const { arena } = machine;
  const lost = CALLEE_SAVED.filter((reg) => {
    const index = reg * REG_STRIDE;
    return arena[index] !== REGISTERS[index] || arena[index + 1] !== REGISTERS[index + 1];
  });
  return lost.map((reg) => registerName(reg));
}

/**
 * Stack arguments belong to the callee by the ABI, and a compiler may reuse them; the bodies here never do,
 * so that a change is an image's.
 */
function isCallerIntact({ stack }: Room, { stack: words }: CallRequest): boolean {
  const from = (STACK_BYTES - CALLER_FRAME_BYTES) / 4;
  for (let i = 0; i < CALLER_FRAME_BYTES / 4; i++) {
    const word = words[i >> 1];
    const before = word === undefined ? POISON : i % 2 === 0 ? word.lo : word.hi;
    if (stack.words[from + i] !== before) return false;
  }
  return true;
}
