import type { CallEvent } from '../core/event.ts';
import { NotModelled } from '../core/not-modelled.ts';
import type { RunRoutine } from '../core/run.ts';
import type { CFunctions, Cpu, InC } from '../text/cpu.ts';
import { cFunctionOfStub, STUB_BYTES } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Machine } from '../x86/machine.ts';
import { readRegister, writeRegister } from '../x86/machine.ts';
import type { Region } from '../x86/memory.ts';
import { offsetIn, READ, readWord, WRITE, writeWord } from '../x86/memory.ts';
import type { Reg } from '../x86/register.ts';
import { CALLER_SAVED, RAX } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus } from '../x86/word.ts';
import { codePlace } from './code-place.ts';
import type { Room } from './machine-room.ts';

/**
 * A function in C used an address that is none: the run ends. "Unmapped" is the oops of a page fault in
 * kernel mode; "not aligned" is legal on x86 and means that the model misunderstood a frame.
 */
export class BadAddress extends Error {
  override name = 'BadAddress';
  constructor(
    readonly access: 'read' | 'write',
    readonly address: Word,
    readonly why: 'unmapped' | 'not aligned' | 'not readable' | 'not writable',
  ) {
    super(`${access}: ${why}`);
  }
}

/**
 * A CPU for functions in C that call no code. They read and write aligned eight-byte words of the task's
 * stack: a `struct pt_regs` that entry code has laid out there, saved arguments, return addresses. Their own
 * locals are not on that stack: they are the routine's.
 */
export function cpuOf(m: Machine, events: CallEvent[]): Omit<Cpu, 'callCode'> {
  return {
    register: (reg) => readRegister(m, reg),
    setRegister: (reg, value) => writeRegister(m, reg, value),
    read: (address) => {
      const region = regionFor(m, address, 'read', READ);
      return readWord(region, offsetIn(region, address.hi, address.lo));
    },
    write: (address, value) => {
      const region = regionFor(m, address, 'write', WRITE);
      writeWord(region, offsetIn(region, address.hi, address.lo), value);
    },
    events,
  };
}

/**
 * The check of an access by C. The stack pointer is no limit here: the address was computed by the caller's
 * code, above its own frame.
 */
function regionFor(m: Machine, address: Word, access: 'read' | 'write', need: number): Region {
  if ((address.lo & 7) !== 0) throw new BadAddress(access, address, 'not aligned');
  for (const region of m.regions) {
    if (offsetIn(region, address.hi, address.lo) >= region.size) continue;
    if ((region.permission & need) === 0)
      throw new BadAddress(access, address, access === 'read' ? 'not readable' : 'not writable');
    return region;
  }
  throw new BadAddress(access, address, 'unmapped');
}

/** Names of the stubs of programs, made when first met. */
const PROGRAM_NAMES: string[] = [];

/** The function in C that execution has come to. */
export interface StoppedInC<K> {
  readonly name: string;
  /** For a BPF program its number; 0 for others. */
  readonly number: number;
  readonly inC: InC<K>;
}

/**
 * The function in C whose stub execution has come to, by the stub's number. A program is found by its address
 * among the programs, and shares one entry (`program`) with all others, unless a test gives it its own. An
 * error where the function is not modelled: never a silent return.
 */
export function cFunctionAt<K extends TextWorld>(
  room: Room,
  k: K,
  address: Word,
  cFunctions: CFunctions<K>,
): StoppedInC<K> {
  const stub = offsetIn(room.cFunctions, address.hi, address.lo) / STUB_BYTES;
  const text = cFunctionOfStub(k, stub);
  if (text !== undefined) return found(cFunctions, text, 0);
  const number = offsetIn(room.programs, address.hi, address.lo) / STUB_BYTES;
  const name = (PROGRAM_NAMES[number] ??= codePlace(k, address));
  return found(cFunctions, name in cFunctions ? name : 'program', number);
}

/** The entry of the table, or the error. */
function found<K>(cFunctions: CFunctions<K>, name: string, number: number): StoppedInC<K> {
  const inC = cFunctions[name];
  if (inC === undefined) throw new NotModelled(`${name}() has been called, and nothing says what it does`);
  return { name, number, inC };
}

/**
 * Executes the function in C that execution has come to. One operation at a time, a routine runs to its end;
 * between the points of an interleaving, `caller.ts` runs it step by step instead. The result is in `rax`
 * then, and the `ret` of the stub returns.
 */
export function callC<K extends TextWorld>(
  machine: Machine,
  k: K,
  { inC, number }: StoppedInC<K>,
  cpu: Cpu,
  run: RunRoutine,
): void {
  enterC(machine);
  if ('atOnce' in inC) inC.atOnce(k, cpu, number);
  else run(k, inC.routine, inC.give(k, cpu, number));
  leaveC(machine);
}

/**
 * The values that a function in C leaves in the registers that it may destroy (System V AMD64: rcx, rdx, rsi,
 * rdi, r8 to r11): each says which register it was, so that an image which relies on one is seen in its
 * arguments. `rax` has the result, or its value too after a function without one.
 */
const leftBehind = (reg: Reg) => plus(fromHex('0xbadc0de0badc0de0'), reg);
const DESTROYED = CALLER_SAVED.filter((reg) => reg !== RAX).map((reg) => [reg, leftBehind(reg)] as const);

/** A function in C begins: no argument is in `rax`, and its old value is lost whether there will be a result or not. */
export function enterC(machine: Machine): void {
  writeRegister(machine, RAX, leftBehind(RAX));
}

/**
 * The function in C is about to return: registers that a callee may destroy are destroyed, and the flags are
 * undefined. Callee-saved registers are as they were: compiled C keeps them, and no function here has another
 * convention.
 */
export function leaveC(machine: Machine): void {
  machine.flags.fill(0);
  for (const [reg, value] of DESTROYED) writeRegister(machine, reg, value);
}
