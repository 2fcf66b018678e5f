import { cell } from './cell.ts';
import { startEngine } from './engine.ts';
import { REG_STRIDE } from './instruction.ts';
import type { Machine } from './machine.ts';
import { FLAGS_AT, HEADERS_AT, headerAt, JOURNAL_AT, PARAMETERS_AT, regionNamed } from './machine.ts';
import type { Region, RegionSpec } from './memory.ts';
import { arenaNeed, EXECUTE, mapRegion, READ, WRITE } from './memory.ts';
import { CONSTANT4 } from './origin.ts';
import { ARENA_MOST, CODE_BYTES_MOST, REGIONS_MOST } from './row.ts';
import { HEADER_NUMBERS, PARAMETER } from './shared.ts';
import { ZERO } from './word.ts';

/** Which of the mapped regions, by name, play a part of their own. */
export interface Roles {
  readonly stack: string;
  readonly data: string;
  readonly journalled?: string;
}

/** What executes: the compiled loop where there is WebAssembly, or the reference, which is TypeScript. */
export type EngineName = 'compiled' | 'reference';

export function createMachine(
  specs: readonly RegionSpec[],
  roles: Roles,
  engineName: EngineName = 'compiled',
): Machine {
  const numbers = specs.reduce((sum, spec) => sum + arenaNeed(spec), firstRegionAt(specs));
  requireRoom(specs, numbers);
  const { arena, engine } = startEngine(numbers, engineName === 'compiled');
  const { regions, stack, data, journalled } = layOut(arena, specs, roles);
  for (let i = 2; i < 4; i++) arena[16 * REG_STRIDE + i] = CONSTANT4;
  return {
    arena,
    engine,
    flags: arena.subarray(FLAGS_AT, FLAGS_AT + 10),
    regions,
    regionsMove: false,
    stack,
    data,
    journalled,
    gsBase: ZERO,
    rip: { hi: 0, lo: 0 },
    strict: false,
    controlGroups: 0,
    steps: 0,
    journal: arena.subarray(JOURNAL_AT, HEADERS_AT),
    get journalLength() {
      return cell(arena, PARAMETERS_AT + PARAMETER.JOURNAL_LENGTH);
    },
    set journalLength(numbers) {
      arena[PARAMETERS_AT + PARAMETER.JOURNAL_LENGTH] = numbers;
    },
    stop: undefined,
    x: { lo: 0, hi: 0, tagLo: 0, tagHi: 0 },
    y: { lo: 0, hi: 0, tagLo: 0, tagHi: 0 },
  };
}

/** After the headers. */
function firstRegionAt(specs: readonly RegionSpec[]): number {
  return HEADERS_AT + specs.length * HEADER_NUMBERS;
}

/** The regions one after the other, and which of them plays which part. */
function layOut(
  arena: Int32Array,
  specs: readonly RegionSpec[],
  roles: Roles,
): Pick<Machine, 'regions' | 'stack' | 'data' | 'journalled'> {
  let offset = firstRegionAt(specs);
  const regions = specs.map((spec, number) => {
    const region = mapRegion(arena, { header: headerAt(number), offset }, spec, number);
    offset += arenaNeed(spec);
    return region;
  });
  const named = (name: string) => regionNamed({ regions }, name);
  const stack = named(roles.stack);
  const data = named(roles.data);
  const journalled = roles.journalled === undefined ? undefined : named(roles.journalled);
  writeParameters(arena, regions, { stack, data, journalled });
  return { regions, stack, data, journalled };
}

/** Rows name their place in few bits: a machine that would need more is not made. */
function requireRoom(specs: readonly RegionSpec[], numbers: number): void {
  if (specs.length > REGIONS_MOST) throw new Error(`${specs.length} regions, more than ${REGIONS_MOST}`);
  for (const { name, size, permission } of specs)
    if ((permission & EXECUTE) !== 0 && size > CODE_BYTES_MOST)
      throw new Error(`region ${name} has ${size} bytes of code, more than ${CODE_BYTES_MOST}`);
  if (numbers > ARENA_MOST) throw new Error(`the regions take ${numbers} numbers, more than ${ARENA_MOST}`);
}

/** No region can move or change its permission: the module's parameters are written once. */
function writeParameters(
  arena: Int32Array,
  regions: readonly Region[],
  { stack, data, journalled }: Pick<Machine, 'stack' | 'data' | 'journalled'>,
): void {
  const P = PARAMETER;
  const set = (parameter: number, ...values: readonly number[]) =>
    arena.set(values, PARAMETERS_AT + parameter);
  set(P.STACK_BASE, stack.base.lo, stack.base.hi, readable(stack), 0, writable(stack), 0);
  set(P.STACK_AT, stack.wordsAt * 4, (stack.tagsAt - stack.wordsAt) * 4);
  set(P.DATA_BASE, data.base.lo, data.base.hi, readable(data), 0, writable(data), 0);
  set(P.DATA_AT, data.wordsAt * 4, (data.tagsAt - data.wordsAt) * 4);
  set(P.REGIONS, regions.length, stack.number, journalled?.number ?? -1);
  set(P.JOURNAL_AT, JOURNAL_AT * 4, 0, HEADERS_AT - JOURNAL_AT);
}

/** Offsets of a region, from its start on, at which eight bytes may be read. */
function readable({ permission, size }: Region): number {
  return (permission & READ) !== 0 ? Math.max(size - 7, 0) : 0;
}

/** The same for writing. Where code lies, the generic execution writes: it forgets what was decoded. */
function writable({ permission, writableBytes }: Region): number {
  return (permission & (WRITE | EXECUTE)) === WRITE ? Math.max(writableBytes - 7, 0) : 0;
}
