import { cell } from './cell.ts';
import { decode } from './decode/decode.ts';
import { FAMILY, FIELD, FIELDS, FORM, REG_STRIDE } from './instruction.ts';
import { mnemonicOf } from './listing.ts';
import type { Reg } from './register.ts';
import { UnsupportedInstruction } from './unsupported.ts';
import type { Word } from './word.ts';
import { plus } from './word.ts';

/** One instruction of a straight sweep through some bytes. */
export interface Swept {
  readonly at: Word;
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
  readonly family: number;
  readonly form: number;
  /** It has a memory operand relative to the `%gs` base. */
  readonly gs: boolean;
  /** First register operand by hardware number; meaningless where there is none. */
  readonly reg: Reg;
  /** Where a direct branch leads, or the immediate operand; elsewhere meaningless. */
  readonly target: Word;
  /** Displacement of a memory operand; absolute when it is relative to `rip`. */
  readonly disp: Word;
}

const row = new Int32Array(FIELDS);

/**
 * Reads all of `bytes`, which lie at `base`, as one instruction after the other. Images have no data between
 * instructions, so that a linear sweep finds every one, also those that no run reaches. An instruction that
 * is not modelled is an error.
 */
export function sweep(bytes: Uint8Array, base: Word): Swept[] {
  const swept: Swept[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const address = plus(base, offset);
    const length = decode(bytes, offset, row, 0, address.hi, address.lo);
    if (length === 0)
      throw new UnsupportedInstruction(
        mnemonicOf(bytes.subarray(offset, offset + 15)),
        `tramp#1+0x${offset.toString(16)}`,
        address,
      );
    swept.push({
      at: address,
      offset,
      length,
      family: cell(row, FIELD.FAMILY),
      form: cell(row, FIELD.FORM),
      gs: row[FIELD.GS] === 1,
      reg: cell(row, FIELD.A) / REG_STRIDE,
      disp: { hi: cell(row, FIELD.DISP_HI), lo: cell(row, FIELD.DISP_LO) },
      target: { hi: cell(row, FIELD.IMM_HI), lo: cell(row, FIELD.IMM_LO) },
    });
    offset += length;
  }
  return swept;
}

/** A direct call, jump or conditional jump: `target` is where it leads. */
export function isDirectBranch({ family, form }: Swept): boolean {
  return family === FAMILY.JCC || (form === FORM.I && (family === FAMILY.CALL || family === FAMILY.JUMP));
}
