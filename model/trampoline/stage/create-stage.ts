import { NotModelled } from '../../core/not-modelled.ts';
import { Assembler } from '../../x86/assemble.ts';
import { createMachine } from '../../x86/create-machine.ts';
import type { Machine } from '../../x86/machine.ts';
import { regionNamed } from '../../x86/machine.ts';
import { writeBytes, writeWord } from '../../x86/memory.ts';
import { IMAGE } from '../plan/symbols.ts';
import { writeFixedCells } from './cells.ts';
import * as group from './groups.ts';
import { CELL, GS_BASE, PROGRAMS_MAX } from './layout.ts';
import type { Pad, StageSpec } from './spec.ts';
import { PLAIN_STAGE, regionSpecs } from './spec.ts';
import type { Stage, StageCell } from './stage.ts';
import { stubsAt } from './stubs-at.ts';

/*
 * A stage is a machine around a single image: stubs for everything that the image calls, a stack, a caller. It
 * has no kernel state.
 */

/**
 * Maps all regions and writes the stubs: everything but an image. A stage is made once and used for thousands of
 * images; between two of them only the image, the call site and the cells change. Origins that may decide a
 * branch are the control groups.
 */
export function createStage(spec: StageSpec = PLAIN_STAGE): Stage {
  const { layout } = spec;
  const stubs = stubsAt(layout.text, layout.traced, spec.emitters);
  const machine = createMachine(regionSpecs(spec, stubs.bytes.length), {
    stack: 'stack',
    data: 'data',
    journalled: IMAGE,
  });
  machine.gsBase = GS_BASE;
  machine.controlGroups = group.CONTROL_GROUPS;
  const named = (name: string) => regionNamed(machine, name);
  const stage: Stage = {
    machine,
    layout,
    text: named('text'),
    traced: named('f'),
    image: named(IMAGE),
    stack: named('stack'),
    data: named('data'),
    stubs: stubs.addresses,
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
  // `__x86_call_depth` starts with its top bit set, which each call shifts right arithmetically: the depth is
  // the number of sign bits (RET_DEPTH_INIT, arch/x86/include/asm/nospec-branch.h). The offset is that within
  // the aligned region.
  writeWord(named('percpu'), spec.callDepth.lo & 7, { hi: 0x80000000 | 0, lo: 0 });
  writeFixedCells(stage);
  return stage;
}

/** A jump to the stub of a function. */
function writePad(stage: Stage, { name, address, stub }: Pad): void {
  const to = typeof stub === 'string' ? stage.stubs[stub] : stub;
  if (to === undefined) throw new NotModelled(`the function ${name} is not modelled`);
  const a = new Assembler(address, () => to);
  a.jump(name);
  const region = regionNamed(stage.machine, name);
  writeBytes(region, address.lo - region.base.lo, a.finish().bytes);
}

/**
 * The first word of `struct bpf_prog`, where recorded images expect it; else in the data region. No image
 * reads the struct itself: it passes its address to the helpers, and ours keep their answer there.
 */
function startCell(machine: Machine, { structs }: StageSpec, id: number): StageCell {
  const own =
    structs[id] === undefined ? undefined : machine.regions.find(({ name }) => name === `&prog#${id}`);
  if (own !== undefined) return { region: own, offset: 0 };
  return { region: machine.data, offset: CELL.PROGRAM_STRUCT + 16 * id };
}
