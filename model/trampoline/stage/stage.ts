import { Assembler } from '../../x86/assemble.ts';
import type { Machine } from '../../x86/machine.ts';
import { createMachine } from '../../x86/machine.ts';
import type { Region } from '../../x86/memory.ts';
import { writeBytes, writeWord } from '../../x86/memory.ts';
import type { Word } from '../../x86/word.ts';
import { plus } from '../../x86/word.ts';
import { IMAGE } from '../plan/symbols.ts';
import { writeFixedCells } from './cells.ts';
import * as group from './groups.ts';
import type { Layout } from './layout.ts';
import { CELL, GS_BASE, PROGRAMS_MAX } from './layout.ts';
import type { PreparedCall } from './prepare.ts';
import type { Pad, StageSpec } from './spec.ts';
import { PLAIN_STAGE, regionSpecs } from './spec.ts';
import { assembleStubs } from './stubs.ts';

/** Everything that an image needs around it to be run: a machine with stubs, stack and caller. */
export interface Stage {
  readonly machine: Machine;
  readonly layout: Layout;
  readonly text: Region;
  readonly traced: Region;
  readonly image: Region;
  readonly stack: Region;
  readonly data: Region;
  /** Addresses of the stubs by name. */
  readonly stubs: Readonly<Record<string, Word>>;
  /** Addresses of all that a plan refers to, by number of argument words and IBT. */
  readonly symbols: Map<string, Word>[];
  /** The same the other way round, by hexadecimal text. */
  readonly names: Map<string, string>[];
  /** The word that enter answers from, by program number: the first of its `struct bpf_prog`. */
  readonly startCells: readonly Cell[];
  /** What stands in the image's region and at the call site now. */
  readonly installed: { imageBytes: number; site: number };
  /** The traced function in the forms that it has had, by the number of its call site's form. */
  readonly sites: Uint8Array[];
  /** Calls that have been laid out, by the places of their arguments. */
  readonly calls: Map<string, PreparedCall>;
}

/** A word of memory. */
export interface Cell {
  readonly region: Region;
  /** Bytes from its start. */
  readonly offset: number;
}

export function createStage(spec: StageSpec = PLAIN_STAGE): Stage {
  const { layout } = spec;
  const stubs = assembleStubs(layout.text, layout.traced, spec.emitters);
  const machine = createMachine(regionSpecs(spec, stubs.bytes.length), {
    stack: 'stack',
    data: 'data',
    journalled: IMAGE,
  });
  machine.gsBase = GS_BASE;
  machine.controlGroups = group.CONTROL_GROUPS;
  const named = (name: string) => machine.regions.find((region) => region.name === name)!;
  const stage: Stage = {
    machine,
    layout,
    text: named('text'),
    traced: named('f'),
    image: named(IMAGE),
    stack: named('stack'),
    data: named('data'),
    stubs: Object.fromEntries([...stubs.labels].map(([name, offset]) => [name, plus(layout.text, offset)])),
    symbols: [],
    names: [],
    startCells: Array.from({ length: PROGRAMS_MAX + 1 }, (_, id) => startCell(machine, spec, id)),
    installed: { imageBytes: named(IMAGE).size, site: -1 },
    sites: [],
    calls: new Map(),
  };
  writeBytes(stage.text, 0, stubs.bytes);
  if (spec.extra !== undefined) writeBytes(named('bodies'), 0, spec.extra.bytes);
  for (const pad of spec.pads) writePad(stage, pad);
  writeWord(named('percpu'), spec.callDepth.lo & 7, { hi: 0x80000000 | 0, lo: 0 });
  writeFixedCells(stage);
  return stage;
}

/** A jump to the stub that stands in for a function. */
function writePad(stage: Stage, { name, address, stub }: Pad): void {
  const to = typeof stub === 'string' ? stage.stubs[stub] : stub;
  if (to === undefined) throw new Error(`there is no stub for ${name}`);
  const a = new Assembler(address, () => to);
  a.jump(name);
  const region = stage.machine.regions.find((r) => r.name === name)!;
  writeBytes(region, address.lo - region.base.lo, a.finish().bytes);
}

function startCell(machine: Machine, { structs }: StageSpec, id: number): Cell {
  const own =
    structs[id] === undefined ? undefined : machine.regions.find(({ name }) => name === `&prog#${id}`);
  if (own !== undefined) return { region: own, offset: 0 };
  return { region: machine.data, offset: CELL.PROGRAM_STRUCT + 16 * id };
}
