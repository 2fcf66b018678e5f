import type { RegionSpec } from '../../x86/memory.ts';
import { EXECUTE, READ, WRITE } from '../../x86/memory.ts';
import type { Word } from '../../x86/word.ts';
import { IMAGE } from '../plan/symbols.ts';
import type { StageLayout } from './layout.ts';
import {
  CALL_DEPTH_ADDRESS,
  CALLER_FRAME_BYTES,
  DATA,
  DATA_BYTES,
  IMAGE_BYTES,
  LAYOUT,
  STACK,
  STACK_BYTES,
} from './layout.ts';
import type { Emitters } from './stubs.ts';
import { EMITTERS } from './stubs.ts';

/*
 * The parameters of a stage. Recorded images need the addresses at which they were recorded: helpers, programs
 * and structs are then mapped there, as jumps to the stubs.
 */

/** What differs between stages: where things lie, and what else is mapped. */
export interface StageSpec {
  readonly layout: StageLayout;
  /** Bytes that are mapped for the image. */
  readonly imageBytes: number;
  /** The per-CPU counter of call-depth tracking. */
  readonly callDepth: Word;
  /** `struct bpf_prog` by program number, when they do not lie in the data region. */
  readonly structs: readonly (Word | undefined)[];
  /** Five-byte jumps to stubs, at the addresses where a given image expects the functions. */
  readonly pads: readonly Pad[];
  /** More code: bodies of traced functions. */
  readonly extra: Code | undefined;
  readonly emitters: Emitters;
}

/** A jump at the address where a recorded image calls a function. */
export interface Pad {
  readonly name: string;
  readonly address: Word;
  /** The stub that it jumps to. */
  readonly stub: Word | string;
}

/** Code at a fixed address. */
export interface Code {
  readonly base: Word;
  readonly bytes: Uint8Array;
}

/** The stage for images that the model generates itself. */
export const PLAIN_STAGE: StageSpec = {
  layout: LAYOUT,
  imageBytes: IMAGE_BYTES,
  callDepth: CALL_DEPTH_ADDRESS,
  structs: [],
  pads: [],
  extra: undefined,
  emitters: EMITTERS,
};

/** Bytes of the traced function that are mapped: its site, a jump to its body, a redirection by a live patch. */
const TRACED_BYTES = 128;

/** Bytes of a pad's region: a jump, wherever in eight bytes it starts. */
const PAD_BYTES = 16;

/** The caller's frame is part of the stack region, but read-only: an image must not change it. */
export function regionSpecs(spec: StageSpec, textBytes: number): RegionSpec[] {
  const { layout, callDepth, structs, pads, extra } = spec;
  const code = READ | EXECUTE;
  const specs: RegionSpec[] = [
    { name: IMAGE, base: layout.image, size: spec.imageBytes, permission: code },
    { name: 'text', base: layout.text, size: textBytes, permission: code },
    { name: 'f', base: layout.traced, size: TRACED_BYTES, permission: code },
    {
      name: 'stack',
      base: STACK,
      size: STACK_BYTES + CALLER_FRAME_BYTES,
      permission: READ | WRITE,
      writableBytes: STACK_BYTES,
    },
    { name: 'data', base: DATA, size: DATA_BYTES, permission: READ | WRITE },
    { name: 'percpu', base: alignDown(callDepth), size: PAD_BYTES, permission: READ | WRITE },
  ];
  if (extra !== undefined)
    specs.push({ name: 'bodies', base: extra.base, size: extra.bytes.length, permission: code });
  structs.forEach((base, id) => {
    if (base !== undefined) specs.push({ name: `&prog#${id}`, base, size: 16, permission: READ });
  });
  for (const { name, address } of pads)
    specs.push({ name, base: alignDown(address), size: PAD_BYTES, permission: code });
  return specs;
}

function alignDown(address: Word): Word {
  return { hi: address.hi, lo: address.lo & ~7 };
}
