import { cell } from '../cell.ts';
import { decode } from '../decode/decode.ts';
import { FAMILY, FIELD, FIELDS, FORM } from '../instruction.ts';
import type { ListingLine } from '../listing-line.ts';
import { hexBytes, inColumns } from '../listing-line.ts';
import type { NamedInstruction } from '../unsupported.ts';
import type { Word } from '../word.ts';
import { plus } from '../word.ts';
import { mnemonicText, operandsText } from './att.ts';
import type { Head } from './head.ts';
import { headAt } from './head.ts';
import { invalidBytes } from './invalid.ts';

export type { ListingLine } from '../listing-line.ts';
export { hexBytes } from '../listing-line.ts';

/*
 * The functions of `../listing.ts` for a page that cannot carry iced, by our own decoder. Listings are the
 * same, line by line, as long as the decoder knows the instructions, or it is sure that there is none. What
 * iced knows and the decoder does not has no name here, and no length: from the first of them on all bytes
 * are printed as `.byte`.
 */

const row = new Int32Array(FIELDS);

/** Bytes of a line of `.byte`. */
const BYTES_A_LINE = 8;

/**
 * Bytes and mnemonic of the first instruction in `bytes`, for the message about one that the decoder refuses:
 * of such a one only the bytes up to the opcode are named, and the mnemonic is `?`. `isInvalid` is set where it
 * is sure that a CPU raises #UD: see `invalidBytes()`. Where iced says so and it is not sure, the model
 * ends with an error of its own instead of a crash of the kernel, never the other way round.
 */
export function mnemonicOf(bytes: Uint8Array): NamedInstruction {
  const length = decode(bytes, 0, row, 0, 0, 0);
  const head = headAt(bytes, 0);
  if (length > 0)
    return {
      bytes: hexBytes(bytes.subarray(0, length)),
      mnemonic: mnemonicText(row, head),
      isInvalid: false,
    };
  if (bytes.length === 0 || invalidBytes(bytes, 0) > 0)
    return { bytes: hexBytes(bytes.subarray(0, 1)), mnemonic: 'not an instruction', isInvalid: true };
  return { bytes: `${hexBytes(bytes.subarray(0, head.length))} …`, mnemonic: '?', isInvalid: false };
}

/** Disassembles some bytes that lie at `base`. `nameOf` names addresses, of branches and in immediates. */
export function disassemble(
  bytes: Uint8Array,
  base: Word,
  nameOf: (address: Word) => string | undefined,
): ListingLine[] {
  const lines: ListingLine[] = [];
  const add = (offset: number, length: number, text: string) => {
    lines.push({ offset, bytes: bytes.slice(offset, offset + length), text });
    return offset + length;
  };
  let offset = 0;
  while (offset < bytes.length) {
    const { hi, lo } = plus(base, offset);
    const length = decode(bytes, offset, row, 0, hi, lo);
    const invalid = length > 0 ? 0 : invalidBytes(bytes, offset);
    if (length + invalid === 0) break;
    offset =
      length > 0
        ? add(offset, length, lineText(headAt(bytes, offset), nameOf))
        : add(offset, invalid, '(bad)');
  }
  while (offset < bytes.length) {
    const some = bytes.subarray(offset, offset + BYTES_A_LINE);
    offset = add(offset, some.length, inColumns('.byte', byteList(some)));
  }
  return lines;
}

function byteList(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ');
}

/** Of the instruction in the row. */
function lineText(head: Head, nameOf: (address: Word) => string | undefined): string {
  const operands = operandsText(row, head);
  return inColumns(mnemonicText(row, head), operands === '' ? '' : namedOperands(operands, head, nameOf));
}

/**
 * A branch target, or an eight-byte immediate, by its name. Only an immediate of 64 bits, or one of 32 that is
 * sign-extended to them, can be a kernel address.
 */
function namedOperands(
  operands: string,
  { opcode }: Head,
  nameOf: (address: Word) => string | undefined,
): string {
  const [family, form] = [cell(row, FIELD.FAMILY), cell(row, FIELD.FORM)];
  const value = { hi: cell(row, FIELD.IMM_HI), lo: cell(row, FIELD.IMM_LO) };
  const isBranch = family === FAMILY.CALL || family === FAMILY.JUMP || family === FAMILY.JCC;
  if (isBranch) return (form === FORM.I ? nameOf(value) : undefined) ?? operands;
  const isImmediate = form === FORM.RI || form === FORM.MI;
  if (!isImmediate || row[FIELD.SIZE] !== 8 || family === FAMILY.SHIFT || opcode === 0x83) return operands;
  const name = nameOf(value);
  return name === undefined ? operands : operands.replace(/\$[^,]+/, () => `$${name}`);
}
