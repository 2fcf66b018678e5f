import { byteOrZero } from '../cell.ts';
import { LONGEST } from '../decode/cursor.ts';
import { decode } from '../decode/decode.ts';
import { FIELDS } from '../instruction.ts';
import { headAt } from './head.ts';

/** Opcodes with which no instruction begins in 64-bit mode, whatever is before them and after them. */
const NEVER = new Set([
  ...[0x06, 0x07, 0x0e, 0x16, 0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f, 0x60, 0x61, 0x82, 0x9a],
  ...[0xce, 0xd4, 0xd5, 0xd6, 0xea],
  ...[0x0f04, 0x0f0a, 0x0f0c, 0x0f24, 0x0f25, 0x0f26, 0x0f27, 0x0f36, 0x0f39, 0x0f3b, 0x0f3c, 0x0f3d],
  ...[0x0f3e, 0x0f3f, 0x0f7a, 0x0f7b],
]);

const [REGISTER, MEMORY, GROUP_11, CONTROL] = [/^3/, /^[012]/, /^.[1-6]|^[012]7|^37[1-7]/, /^.[1567]/];

/**
 * By opcode the ModRM bytes, in octal, with which it is no instruction: mode, member of the group, register.
 * Mode 3 is a register. The x87 opcodes D8 to DF have holes among those.
 */
const NO_MEMBER: Readonly<Record<number, RegExp>> = {
  140: /^3[67]/,
  141: REGISTER,
  142: /^3[167]/,
  198: GROUP_11,
  199: GROUP_11,
  217: /^[012]1|^3(2[1-7]|4[2367]|57)/,
  218: /^3(4|5[^1]|[67])/,
  219: /^[012][46]|^3(4[5-7]|7)/,
  221: /^[012]5|^3[67]/,
  222: /^33[^1]/,
  223: /^3(4[1-7]|7)/,
  254: /^.[2-7]/,
  255: /^.7|^3[35]/,
  3840: /^.7/,
  3841: /^3(2[23]|53)/,
  3859: REGISTER,
  3863: REGISTER,
  3872: CONTROL,
  3874: CONTROL,
  3883: REGISTER,
  3920: MEMORY,
  3953: /^3[01357]/,
  3954: /^3[01357]/,
  3955: /^3[0145]/,
  4007: MEMORY,
  4018: REGISTER,
  4020: REGISTER,
  4021: REGISTER,
  4026: /^.[0-3]/,
  4035: REGISTER,
  4039: /^[012][02]|^3[0-5]/,
  4055: MEMORY,
  4071: REGISTER,
  4080: REGISTER,
  4087: MEMORY,
};

/** Opcode and ModRM byte of holes among x87 opcodes of which iced reads a byte more. */
const LONGER = new Set([
  ...[0xd9d7, 0xd9e2, 0xd9e6, 0xd9e7, 0xdbe5, 0xdbfc, 0xddfc, 0xded8],
  ...[0xdeda, 0xdedc, 0xdedd, 0xdede, 0xdfe1, 0xdfe2, 0xdffc],
]);

const padded = new Uint8Array(LONGEST);
const row = new Int32Array(FIELDS);

/**
 * Bytes of the invalid instruction that begins at `offset`, which are those that iced reads of it; 0 when it is not sure
 * that there is none. Sure are opcodes that do not exist, members of groups that do not, and an instruction
 * that the decoder reads and whose last bytes are missing. Not sure are all others that the decoder refuses: vectors and
 * their prefixes (62, C4, C5, 8F, 0F 38, 0F 3A), `lock`, and what depends on a prefix.
 */
export function invalidBytes(bytes: Uint8Array, offset: number): number {
  const rest = bytes.length - offset;
  const { opcode, modrm, length } = headAt(bytes, offset);
  if (length < LONGEST && length <= rest) {
    if (NEVER.has(opcode)) return Math.min(rest, length + 1);
    const isHole = length < rest && NO_MEMBER[opcode]?.test(modrm.toString(8).padStart(3, '0'));
    if (isHole) return Math.min(rest, length + (LONGER.has((opcode << 8) | modrm) ? 2 : 1));
  }
  return isCut(bytes, offset) ? rest : 0;
}

/** Whether zeroes after the last byte would make an instruction. */
function isCut(bytes: Uint8Array, offset: number): boolean {
  const rest = bytes.length - offset;
  if (rest >= LONGEST) return false;
  padded.forEach((_, i) => {
    padded[i] = byteOrZero(bytes, offset + i);
  });
  return decode(padded, 0, row, 0, 0, 0) > rest;
}
