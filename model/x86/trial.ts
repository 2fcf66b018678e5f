import { cell, item } from './cell.ts';
import { decode } from './decode/decode.ts';
import { run as runReference } from './execute.ts';
import { flagBits, TAG } from './flags.ts';
import { NEXT, STOPPED } from './generic/branch.ts';
import { executeGeneric } from './generic/generic.ts';
import { FIELDS, REG_STRIDE } from './instruction.ts';
import type { Machine, Stop } from './machine.ts';
import { forgetCode, raise, readRegister, regionNamed, writeRegister } from './machine.ts';
import type { RegionSpec } from './memory.ts';
import { EXECUTE, offsetIn, writeBytes } from './memory.ts';
import { highTags, lowTags } from './origin.ts';
import { RSP, registerName } from './register.ts';
import { bytesOf, CODE, createRig, describeStop, SPECS, START, textOf } from './rig.ts';
import { run } from './run.ts';
import { fromBigInt } from './word.ts';

/**
 * A few instructions to be executed three times: by the short forms of the two engines, and by the generic execution. All have
 * to agree in registers, memory, tags, flags, steps and the way in which the run ends: the short forms have
 * no semantics of their own.
 */
export interface MachineTrial {
  /** Hexadecimal. */
  readonly code: string;
  /** Instructions. */
  readonly steps: number;
  /** The special property of the state that `prepare` makes. */
  readonly title: string;
  readonly specs?: readonly RegionSpec[];
  readonly prepare: (m: Machine) => void;
}

/** How many trials there were, and a line for each of the first few whose two runs differ. */
export function differences(trials: Iterable<MachineTrial>): { count: number; first: string[] } {
  const first: string[] = [];
  let count = 0;
  for (const trial of trials) {
    count++;
    const text = first.length < 5 ? difference(trial) : undefined;
    if (text !== undefined) first.push(`${textOf(bytesOf(trial.code))} (${trial.title}): ${text}`);
  }
  return { count, first };
}

/**
 * The first difference that the two runs leave; undefined when there is none. Flags are compared as bits, for
 * their lazy forms may differ.
 */
function difference(trial: MachineTrial): string | undefined {
  return differenceOf(trial, start(trial, 0), run) ?? differenceOf(trial, start(trial, 2), runReference);
}

function differenceOf(
  trial: MachineTrial,
  short: Machine,
  execute: (m: Machine, budget: number) => Stop,
): string | undefined {
  const generic = start(trial, 1);
  const [a, b] = [execute(short, trial.steps), runGenerically(generic, trial.steps)];
  const stops = [describe(short, a), describe(generic, b)];
  if (stops[0] !== stops[1]) return `${stops[0]}, generic ${stops[1]}`;
  for (let i = 0; i < 16 * REG_STRIDE; i++)
    if (short.arena[i] !== generic.arena[i])
      return `${registerName(Math.floor(i / REG_STRIDE))} 0x${hex(cell(short.arena, i))}, generic 0x${hex(cell(generic.arena, i))}`;
  for (const [number, { name, words, tagWords }] of short.regions.entries()) {
    const other = item(generic.regions, number);
    for (let i = 0; i < words.length; i++)
      if (words[i] !== other.words[i] || tagWords[i] !== other.tagWords[i])
        return (
          `${name}+0x${hex(4 * i)} 0x${hex(cell(words, i))} of 0x${hex(cell(tagWords, i))}, ` +
          `generic 0x${hex(cell(other.words, i))} of 0x${hex(cell(other.tagWords, i))}`
        );
  }
  return undefined;
}

/** A machine in a trial's state: each register but `rsp`, and the words of the data, have origins of their own. */
function start(trial: MachineTrial, which: number): Machine {
  const m = machineFor(trial, which);
  for (let reg = 0; reg < 16; reg++)
    if (reg !== RSP) writeRegister(m, reg, readRegister(m, reg), lowTags(reg + 1), highTags(reg + 1));
  for (let offset = 0; offset < m.data.tagWords.length; offset += 2)
    m.data.tagWords.set([lowTags(17 + (offset & 7)), highTags(17 + (offset & 7))], offset);
  trial.prepare(m);
  return m;
}

interface Kept {
  readonly specs: readonly RegionSpec[];
  readonly m: Machine;
  /** With no code but nops. */
  readonly arena: Int32Array;
}

/** The machines of the last trial: the next one mostly has the same regions, and takes them, put back to their start. */
const kept: Kept[] = [];

function machineFor({ code, specs = SPECS }: MachineTrial, which: number): Machine {
  const { m, arena } = keptFor(specs, which);
  for (const region of m.regions) forgetCode(m, region);
  m.arena.set(arena);
  writeBytes(regionNamed(m, 'code'), Number(START - CODE), bytesOf(code));
  Object.assign(m, { steps: 0, stop: undefined, strict: false, controlGroups: 0 });
  Object.assign(m.rip, fromBigInt(START));
  return m;
}

function keptFor(specs: readonly RegionSpec[], which: number): Kept {
  const last = kept[which];
  if (last?.specs === specs) return last;
  const m = createRig(Uint8Array.of(), specs);
  const made = { specs, m, arena: m.arena.slice() };
  kept[which] = made;
  return made;
}

/** How a run ended, after how many instructions, and with which flags. */
function describe(m: Machine, stop: Stop): string {
  const place = `${hex(stop.at.hi)}:${hex(stop.at.lo)}`;
  return `${stop.kind} ${describeStop(m, stop)} at ${place}, ${m.steps} steps, flags ${flagBits(m.flags)} of ${m.flags[TAG]}`;
}

function hex(value: number): string {
  return (value >>> 0).toString(16);
}

/**
 * `run()` without short forms, links, caches and breakpoints: each instruction is decoded again, from the
 * bytes as they are then. `from` is the instruction before, which a failed fetch is blamed on.
 */
function runGenerically(m: Machine, budget: number): Stop {
  const row = new Int32Array(FIELDS);
  let from = { ...m.rip };
  m.stop = undefined;
  for (let left = budget; ; left--) {
    const here = { ...m.rip };
    const region = m.regions.find((r) => offsetIn(r, here.hi, here.lo) < r.size);
    if (region === undefined || (region.permission & EXECUTE) === 0) {
      Object.assign(m.rip, from);
      raise(m, region === undefined ? 'unmapped' : 'not executable', 'execute', here, 1);
      return m.stop!;
    }
    if (left === 0) return { kind: 'budget', at: here };
    const length = decode(region.bytes, offsetIn(region, here.hi, here.lo), row, 0, here.hi, here.lo);
    m.steps++;
    const outcome = executeGeneric(m, row, 0, (here.lo + length) | 0);
    if (outcome === STOPPED) return m.stop!;
    if (outcome === NEXT) m.rip.lo = (here.lo + length) | 0;
    from = here;
  }
}
