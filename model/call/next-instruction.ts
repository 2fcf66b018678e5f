import { cell } from '../x86/cell.ts';
import { decode } from '../x86/decode/decode.ts';
import { FIELD, FIELDS } from '../x86/instruction.ts';
import type { Machine } from '../x86/machine.ts';
import type { Region } from '../x86/memory.ts';
import { offsetIn } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import { plus } from '../x86/word.ts';

/** The instruction that a machine executes next, before it does. */
export interface NextInstruction {
  readonly family: number;
  readonly form: number;
  readonly sub: number;
  readonly region: Region;
  readonly at: Word;
  /** The instruction after it. */
  readonly behind: Word;
}

const ROW = new Int32Array(FIELDS);

/**
 * The next instruction of a machine; undefined where there is no memory. It is decoded from the bytes each
 * time, for measurements outside the loop: the rows of the loop have no family. On bytes that are no
 * instruction the fields are those of a failed decode; the run reports them.
 */
export function nextInstruction({ regions, rip }: Machine): NextInstruction | undefined {
  const region = regionAt(regions, rip);
  if (region === undefined) return undefined;
  decode(region.bytes, offsetIn(region, rip.hi, rip.lo), ROW, 0, rip.hi, rip.lo);
  return {
    family: cell(ROW, FIELD.FAMILY),
    form: cell(ROW, FIELD.FORM),
    sub: cell(ROW, FIELD.SUB),
    region,
    at: { ...rip },
    behind: plus(rip, cell(ROW, FIELD.LENGTH)),
  };
}

/** The region that an address lies in. */
export function regionAt(regions: readonly Region[], { hi, lo }: Word): Region | undefined {
  return regions.find((region) => offsetIn(region, hi, lo) < region.size);
}
