import { item } from '../../model/core/present.ts';
import { operandBytes } from './encodings.ts';
import type { Drawn } from './sequence.ts';

/** Ways to write an instruction that its line in the table does not tell; a run has to see every one. */
export const SHAPES = [
  'rip-relative',
  'absolute',
  'base',
  'base, SIB without index',
  'base and index',
  'index',
  'scale 1',
  'scale 2',
  'scale 4',
  'scale 8',
  'displacement of 0 bytes',
  'displacement of 1 byte',
  'displacement of 4 bytes',
  'long displacement of a small value',
  '%gs-relative',
  'high-byte register',
  'REX without effect',
  'prefix 2e',
  'prefix 3e',
  'prefix 65',
  'prefix 66',
  'prefix f2',
  'prefix f3',
  'two prefixes',
] as const;

type Shape = (typeof SHAPES)[number];

/** The shapes of one instruction, read from its bytes. */
export function shapesOf(drawn: Drawn): Shape[] {
  const { prefixes, body, encoding } = drawn;
  const rex = (item(body, 0) & 0xf0) === 0x40 ? item(body, 0) : undefined;
  const shapes: Shape[] = prefixes.map((byte) => `prefix ${byte.toString(16)}` as Shape);
  if (prefixes.length > 1) shapes.push('two prefixes');
  if (rex === 0x40) shapes.push('REX without effect');
  const offset = (rex === undefined ? 0 : 1) + encoding.opcode.length;
  if (!encoding.operands.some((operand) => /^[EMG]/.test(operand))) return shapes;
  const modrm = item(body, offset);
  if (rex === undefined && namesHighByte(drawn, modrm)) shapes.push('high-byte register');
  if (modrm >= 0xc0) return shapes;
  if (prefixes.includes(0x65)) shapes.push('%gs-relative');
  return [...shapes, ...addressShapes(body.slice(offset), rex ?? 0)];
}

/** A byte register by ModRM.reg or by ModRM.rm is one of `ah ch dh bh`. */
function namesHighByte({ encoding, size }: Drawn, modrm: number): boolean {
  return encoding.operands.some((operand) => {
    if (operandBytes(operand, size) !== 1) return false;
    const number = operand[0] === 'G' ? (modrm >> 3) & 7 : modrm & 7;
    return number >= 4 && (operand[0] === 'G' || (operand[0] === 'E' && modrm >= 0xc0));
  });
}

/** How a memory operand is written; `bytes` start with ModRM. */
function addressShapes(bytes: readonly number[], rex: number): Shape[] {
  const mode = item(bytes, 0) >> 6;
  const hasSib = (item(bytes, 0) & 7) === 4;
  if (!hasSib && mode === 0 && (item(bytes, 0) & 7) === 5) return ['rip-relative'];
  const sib = hasSib ? item(bytes, 1) : 0x20;
  const hasIndex = (((sib >> 3) & 7) | ((rex & 2) << 2)) !== 4;
  const hasBase = !hasSib || mode !== 0 || (sib & 7) !== 5;
  const scale: Shape[] = hasIndex ? [`scale ${(1 << (sib >> 6)) as 1 | 2 | 4 | 8}`] : [];
  if (!hasBase) return [hasIndex ? 'index' : 'absolute', ...scale];
  const base: Shape = hasIndex ? 'base and index' : hasSib ? 'base, SIB without index' : 'base';
  return [base, ...scale, ...displacementShapes(mode, bytes.slice(hasSib ? 2 : 1))];
}

function displacementShapes(mode: number, bytes: readonly number[]): Shape[] {
  if (mode === 0) return ['displacement of 0 bytes'];
  if (mode === 1) return ['displacement of 1 byte'];
  const isSmall =
    bytes[1] === bytes[2] && bytes[2] === bytes[3] && bytes[1] === (item(bytes, 0) >= 0x80 ? 0xff : 0);
  return ['displacement of 4 bytes', ...(isSmall ? (['long displacement of a small value'] as const) : [])];
}
