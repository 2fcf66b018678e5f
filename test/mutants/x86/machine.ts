import { item } from '../../../model/core/present.ts';
import { createMachine } from '../../../model/x86/create-machine.ts';
import { run } from '../../../model/x86/execute.ts';
import { flagBits, setBits, TAG } from '../../../model/x86/flags.ts';
import { isDecodedInFull } from '../../../model/x86/full-row.ts';
import { isBreakpoint, setBreakpoint } from '../../../model/x86/link.ts';
import type { Machine, MachineFault, Stop } from '../../../model/x86/machine.ts';
import {
  forgetCode,
  JOURNAL_ROW,
  readRegister,
  registerTags,
  writeRegister,
} from '../../../model/x86/machine.ts';
import { CONSTANT } from '../../../model/x86/origin.ts';
import { OP } from '../../../model/x86/row.ts';
import { UnsupportedInstruction } from '../../../model/x86/unsupported.ts';
import { fromBigInt, toBigInt } from '../../../model/x86/word.ts';
import type { Ending, Program } from './program.ts';
import { PAGE, STEPS } from './program.ts';

/** How the emulator is made to run a program: each has other parts of it to do the work. */
export const WAYS = ['at once', 'again', 'journalled', 'step by step', 'from breakpoints'] as const;
export type ExecutionWay = (typeof WAYS)[number];

/** The first thing in which the emulator's ending is another one, in any way; undefined: there is none. */
export function programDifference(program: Program, expected: Ending): string | undefined {
  for (const way of WAYS) {
    const found = differenceOf(way, program, expected);
    if (found !== undefined) return `${way}: ${found}`;
  }
  return undefined;
}

/** Machines by what they map: the code of the last program is forgotten before the next one is loaded. */
const made = new Map<string, Machine>();

function machineFor({ pages, data }: Program, journalled: boolean): Machine {
  const key = JSON.stringify([
    pages.map(({ name, permission, writable }) => [name, permission, writable]),
    data,
    journalled,
  ]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const specs = pages.map(({ name, base, permission, writable }) => ({
    name,
    base: fromBigInt(base),
    size: PAGE,
    permission,
    writableBytes: writable,
  }));
  const roles = { stack: 'stack', data };
  const parts = journalled ? { ...roles, journalled: 'code' } : roles;
  const machine = createMachine(specs, parts, 'reference');
  made.set(key, machine);
  return machine;
}

function loadCode(m: Machine, { code }: Program): void {
  const region = item(m.regions, 0);
  region.bytes.fill(0xcc);
  region.bytes.set(code);
  region.tags.fill(CONSTANT);
  forgetCode(m, region);
}

function loadState(m: Machine, program: Program): void {
  const { memory, tags, registers, gsBase, strict, controlGroups } = program;
  m.regions.slice(1).forEach((region, i) => {
    region.bytes.set(memory.subarray(i * PAGE, (i + 1) * PAGE));
    region.tags.set(tags.subarray(i * PAGE, (i + 1) * PAGE));
  });
  for (const { address, value } of program.patches) patch(m, address, value);
  registers.forEach((value, i) => {
    const of = item(program.registerTags, i);
    writeRegister(m, i, fromBigInt(value), four(of.slice(0, 4)), four(of.slice(4)));
  });
  setBits(m.flags, program.flags);
  m.flags[TAG] = CONSTANT;
  Object.assign(m, {
    gsBase: fromBigInt(gsBase),
    strict,
    controlGroups,
    stop: undefined,
    steps: 0,
    journalLength: 0,
  });
  Object.assign(m.rip, fromBigInt(item(program.pages, 0).base));
}

/** Four bytes as the int32 that they are in memory. */
function four(bytes: readonly number[]): number {
  return new DataView(Uint8Array.from(bytes).buffer).getInt32(0, true);
}

function patch({ regions }: Machine, address: bigint, value: bigint): void {
  for (const { base, bytes, tags } of regions) {
    const offset = Number(address - toBigInt(base));
    if (offset < 0 || offset + 8 > PAGE) continue;
    new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(offset, value, true);
    tags.fill(CONSTANT, offset, offset + 8);
  }
}

function differenceOf(way: ExecutionWay, program: Program, expected: Ending): string | undefined {
  const m = machineFor(program, way === 'journalled');
  const isFixed = ((program.pages[0]?.permission ?? 0) & 2) === 0;
  if (way !== 'again' || !isFixed) loadCode(m, program);
  loadState(m, program);
  const code = item(m.regions, 0);
  const stop = attempt(() => {
    setBreakpoint(m, code, program.end);
    if (way === 'from breakpoints') for (const offset of program.offsets) setBreakpoint(m, code, offset);
    return runTo(m, program, way);
  });
  const found = comparison(m, program, expected, stop);
  if (found !== undefined) return found;
  if (way === 'at once') return ofOrdinary(m, expected);
  return way === 'journalled' ? ofStores(m, expected) : undefined;
}

/** What the generic execution has executed has been decoded in full. */
function ofOrdinary({ arena, regions }: Machine, { ordinary }: Ending): string | undefined {
  const { code } = item(regions, 0);
  for (const offset of ordinary) {
    const k = code.rowAt[offset] ?? 0;
    if (k === 0 || arena[k] === OP.BREAK) continue;
    if (isDecodedInFull(code, k)) return `no short form at ${offset}`;
  }
  return undefined;
}

function attempt(execute: () => Stop): Stop | 'unsupported' {
  try {
    return execute();
  } catch (error) {
    if (error instanceof UnsupportedInstruction) return 'unsupported';
    throw error;
  }
}

/** Runs on from stops that are no ends. */
function runTo(m: Machine, { end, pages }: Program, way: ExecutionWay): Stop {
  const last = item(pages, 0).base + BigInt(end);
  for (;;) {
    const left = STEPS - m.steps;
    const stop = run(m, way === 'step by step' ? Math.min(1, left) : left);
    const isAtEnd = toBigInt(stop.at) === last;
    const goesOn =
      stop.kind === 'breakpoint' ? !isAtEnd : stop.kind === 'budget' && left > 1 && !isBreakpoint(m, stop.at);
    if (!goesOn) return stop;
  }
}

/** How a stop reads, and whether the run came to its end. */
function stopText(m: Machine, stop: Stop): string {
  const place = ` at ${hex(toBigInt(stop.at))}`;
  switch (stop.kind) {
    case 'breakpoint':
      return `end${place}`;
    case 'budget':
      return isBreakpoint(m, stop.at) ? `end${place}` : 'endless';
    case 'depends':
      return `depends ${stop.what} ${stop.tag}${place}`;
    case 'fault':
      return `fault ${faultText(stop.fault)}${place}`;
  }
}

function faultText({ kind, access, size, address }: MachineFault): string {
  return `${kind} ${access} ${size} ${hex(toBigInt(address))}`;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function comparison(
  m: Machine,
  program: Program,
  expected: Ending,
  stop: Stop | 'unsupported',
): string | undefined {
  const end = hex(item(program.pages, 0).base + BigInt(program.end));
  const wanted = expected.stop === 'end' ? `end at ${end}` : expected.stop;
  if (stop === 'unsupported')
    return wanted.startsWith('unsupported') ? undefined : `unsupported, not ${wanted}`;
  const text = stopText(m, stop);
  if (text !== wanted) return `${text}, not ${wanted}`;
  if (m.steps !== expected.steps) return `${m.steps} steps, not ${expected.steps}`;
  for (const [i, value] of expected.registers.entries()) {
    if (toBigInt(readRegister(m, i)) !== value)
      return `register ${i}: ${hex(toBigInt(readRegister(m, i)))}, not ${hex(value)}`;
    const { lo, hi } = registerTags(m, i);
    const tags = item(expected.registerTags, i);
    if (lo !== four(tags.slice(0, 4)) || hi !== four(tags.slice(4)))
      return `tags of register ${i}: ${(hi >>> 0).toString(16)} ${(lo >>> 0).toString(16)}, not ${tags}`;
  }
  const differing = (flagBits(m.flags) ^ expected.flags) & ~expected.open & 0x8d5;
  return differing !== 0 ? `flags ${differing}` : ofMemory(m, program, expected);
}

function ofMemory({ regions }: Machine, { memory, tags }: Program, { changes }: Ending): string | undefined {
  const [bytes, origins] = [memory.slice(), tags.slice()];
  for (const [place, byte, tag] of changes) {
    bytes[place] = byte;
    origins[place] = tag;
  }
  for (const [i, region] of regions.slice(1).entries()) {
    const part = (of: Uint8Array) => Buffer.from(of.buffer, of.byteOffset + i * PAGE, PAGE);
    if (part(bytes).compare(region.bytes) !== 0) return `bytes of ${region.name}`;
    if (part(origins).compare(region.tags) !== 0) return `origins of ${region.name}`;
  }
  return undefined;
}

function ofStores(m: Machine, { stores }: Ending): string | undefined {
  if (m.journalLength !== stores.length * JOURNAL_ROW)
    return `${m.journalLength / JOURNAL_ROW} stores, not ${stores.length}`;
  for (const [i, [offset, address, bytes]] of stores.entries()) {
    const row = [...m.journal.subarray(i * JOURNAL_ROW, (i + 1) * JOURNAL_ROW)];
    const found = toBigInt({ hi: item(row, 1), lo: item(row, 2) });
    if (item(row, 0) !== offset || found !== address || item(row, 3) !== bytes) return `store ${i}`;
  }
  return undefined;
}
