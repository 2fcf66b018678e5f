import type { CallEvent } from '../core/event.ts';
import type { RunRoutine } from '../core/run.ts';
import type { CFunctions, Cpu, InC } from '../text/cpu.ts';
import { cFunctionOfStub, STUB_BYTES } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Machine } from '../x86/machine.ts';
import { readRegister, writeRegister } from '../x86/machine.ts';
import type { Region } from '../x86/memory.ts';
import { offsetIn, READ, readWord, WRITE, writeWord } from '../x86/memory.ts';
import { CALLER_SAVED, RAX } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus } from '../x86/word.ts';
import { codePlace } from './code-place.ts';
import type { Room } from './machine-room.ts';

/** A function in C used an address that is none: the run ends. */
export class BadAddress extends Error {
  override name = 'BadAddress';
  constructor(
    readonly access: 'read' | 'write',
    readonly address: Word,
    readonly why: 'unmapped' | 'not aligned' | 'not writable',
  ) {
    super(`${access}: ${why}`);
  }
}

/** A CPU for functions in C that call no code. */
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

function regionFor(m: Machine, address: Word, access: 'read' | 'write', need: number): Region {
  if ((address.lo & 7) !== 0) throw new BadAddress(access, address, 'not aligned');
  for (const region of m.regions) {
    if (offsetIn(region, address.hi, address.lo) >= region.size) continue;
    if ((region.permission & need) === 0) throw new BadAddress(access, address, 'not writable');
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

/** Which function in C it is whose stub execution has come to. Throws when nothing says what that does. */
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

function found<K>(cFunctions: CFunctions<K>, name: string, number: number): StoppedInC<K> {
  const inC = cFunctions[name];
  if (inC === undefined) throw new Error(`${name}() has been called, and nothing says what it does`);
  return { name, number, inC };
}

/** Does what the function in C does that execution has come to; one that is a routine is run to its end. */
export function callC<K extends TextWorld>(
  machine: Machine,
  k: K,
  { inC, number }: StoppedInC<K>,
  cpu: Cpu,
  run: RunRoutine,
): void {
  if ('atOnce' in inC) inC.atOnce(k, cpu, number);
  else run(k, inC.routine, inC.give(k, cpu, number));
  leaveC(machine);
}

/** What a function in C leaves in the registers that it may destroy: a value that says which register it was. */
const LEFT_BEHIND = CALLER_SAVED.filter((reg) => reg !== RAX).map(
  (reg) => [reg, plus(fromHex('0xbadc0de0badc0de0'), reg)] as const,
);

/** The function in C is about to return: registers that a callee may destroy are destroyed, and the flags. */
export function leaveC(machine: Machine): void {
  machine.flags.fill(0);
  for (const [reg, value] of LEFT_BEHIND) writeRegister(machine, reg, value);
}
