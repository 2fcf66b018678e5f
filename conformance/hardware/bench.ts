import { CODE, PAGE_BYTES, SCRATCH } from '../../checker/x86/layout.ts';
import type { DrawnProgram } from '../../checker/x86/sequence.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { cell } from '../../model/x86/cell.ts';
import { createMachine } from '../../model/x86/create-machine.ts';
import { flagBits, setBits, TAG } from '../../model/x86/flags.ts';
import { REG_STRIDE } from '../../model/x86/instruction.ts';
import type { Machine, MachineFault, Stop } from '../../model/x86/machine.ts';
import { forgetCode, writeRegister } from '../../model/x86/machine.ts';
import type { Region } from '../../model/x86/memory.ts';
import { writeBytes } from '../../model/x86/memory.ts';
import { CONSTANT, CONSTANT4 } from '../../model/x86/origin.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromBigInt, toBigInt } from '../../model/x86/word.ts';
import type { ProgramOutcome } from './outcome.ts';
import type { CpuJob } from './record.ts';

/** A machine with the pages of the harness, reused for one program after another. */
export interface HardwareBench {
  readonly machine: Machine;
  readonly code: Region;
  readonly scratch: readonly Region[];
  /** The initial contents of scratch memory for every program. */
  readonly pristine: Int32Array;
}

/** int3, as in the harness: a jump past the end of a program stops there. */
const FILLER = 0xcc;

/** With `journalled`, stores use the form that records them. */
export function openBench(memory: Uint8Array, journalled: boolean): HardwareBench {
  const specs = [CODE, ...SCRATCH].map(({ name, base, permission }) => ({
    name,
    base: fromBigInt(base),
    size: PAGE_BYTES,
    permission,
  }));
  const roles = { stack: 'stack', data: 'data' };
  const machine = createMachine(specs, journalled ? { ...roles, journalled: CODE.name } : roles);
  const [code, ...scratch] = machine.regions;
  scratch.forEach((region, i) => {
    writeBytes(region, 0, memory.subarray(i * PAGE_BYTES, (i + 1) * PAGE_BYTES));
  });
  writeBytes(code!, 0, new Uint8Array(PAGE_BYTES).fill(FILLER));
  return { machine, code: code!, scratch, pristine: new Int32Array(memory.slice().buffer) };
}

/** Loads a program. */
export function loadCode({ machine, code }: HardwareBench, { program }: CpuJob): void {
  code.bytes.fill(FILLER);
  code.bytes.set(program.code);
  forgetCode(machine, code);
}

/** Sets everything else up for a program, from the state that `finish()` leaves. */
export function loadState({ machine, scratch }: HardwareBench, { sequence, program }: CpuJob): void {
  sequence.registers.forEach((value, i) => {
    writeRegister(machine, i, fromBigInt(value));
  });
  for (const { address, value } of program.patches) patch(scratch, address, value);
  setBits(machine.flags, sequence.flags);
  machine.flags[TAG] = CONSTANT;
  machine.gsBase = fromBigInt(sequence.gsBase);
  Object.assign(machine.rip, fromBigInt(CODE.base));
  machine.stop = undefined;
  machine.journalLength = 0;
}

function patch(scratch: readonly Region[], address: bigint, value: bigint): void {
  for (const region of scratch) {
    const offset = address - toBigInt(region.base);
    if (offset < 0n || offset >= BigInt(region.size)) continue;
    new DataView(region.bytes.buffer, region.bytes.byteOffset).setBigUint64(Number(offset), value, true);
  }
}

/** The reason for the end of a run: the machine's, or an instruction that it does not model. */
export type EndOfProgram = Stop | { readonly kind: 'unsupported instruction'; readonly at: Word };

/** What a run left on a bench; restores memory. */
export function finish(bench: HardwareBench, { program }: CpuJob, end: EndOfProgram): ProgramOutcome {
  const { arena, flags } = bench.machine;
  const registers = new Int32Array(32);
  let constant = flags[TAG] === CONSTANT;
  for (let i = 0; i < 16; i++) {
    const offset = i * REG_STRIDE;
    registers[2 * i] = cell(arena, offset);
    registers[2 * i + 1] = cell(arena, offset + 1);
    constant &&= arena[offset + 2] === CONSTANT4 && arena[offset + 3] === CONSTANT4;
  }
  const ended = constant ? endOf(program, end) : { ...endOf(program, end), stop: 'not constant' };
  return { ...ended, registers, flags: flagBits(flags), changes: takeChanges(bench) };
}

function endOf(program: DrawnProgram, stop: EndOfProgram): Pick<ProgramOutcome, 'stop' | 'at' | 'access'> {
  const address = toBigInt(stop.at);
  if (stop.kind === 'breakpoint') return { stop: 'exit', at: 0n, access: undefined };
  if (stop.kind === 'fault') return endOfFault(program, stop.fault);
  return { stop: stop.kind === 'budget' ? 'endless' : stop.kind, at: address, access: undefined };
}

function endOfFault(
  { offsets }: DrawnProgram,
  { kind, access, address, size, at: rip }: MachineFault,
): Pick<ProgramOutcome, 'stop' | 'at' | 'access'> {
  const place = { at: toBigInt(rip), access: undefined };
  switch (kind) {
    case 'breakpoint trap':
      return { stop: 'int3', at: endOfInstruction(offsets, place.at), access: undefined };
    case 'invalid opcode':
      return { ...place, stop: 'ud2' };
    case 'unmapped':
    case 'not readable':
    case 'not writable':
    case 'not executable':
      if (access === 'execute') return { ...place, stop: 'fetch', at: toBigInt(address) };
      return { ...place, stop: 'access', access: { address: toBigInt(address), bytes: size } };
    case 'below the stack pointer':
    case 'undefined address':
    case 'undefined branch':
      return { ...place, stop: kind };
    default:
      return unreachable(kind);
  }
}

/** After `int3` the CPU is past it; an int3 outside any instruction has one byte. */
function endOfInstruction(offsets: readonly number[], address: bigint): bigint {
  const number = offsets.indexOf(Number(address - CODE.base));
  return number < 0 ? address + 1n : CODE.base + BigInt(item(offsets, number + 1));
}

function takeChanges({ scratch, pristine }: HardwareBench): Int32Array {
  const changes: number[] = [];
  let from = 0;
  for (const { words } of scratch) {
    for (let i = 0; i < words.length; i += 2) {
      const lo = cell(pristine, from + i);
      const hi = cell(pristine, from + i + 1);
      if (words[i] === lo && words[i + 1] === hi) continue;
      changes.push((from + i) / 2, cell(words, i), cell(words, i + 1));
      words[i] = lo;
      words[i + 1] = hi;
    }
    from += words.length;
  }
  return Int32Array.from(changes);
}
