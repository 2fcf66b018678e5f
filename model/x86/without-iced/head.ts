import { byteOrZero } from '../cell.ts';

/** The beginning of an instruction: what a row does not keep, and a listing shows. */
export interface Head {
  /** The last of F2 and F3, 0 without one. */
  readonly repeat: number;
  /** 65, or the last of the segments 2E and 3E, or 0. */
  readonly segment: number;
  /** 0 without one. */
  readonly rex: number;
  /** One byte, or two that begin with 0F. */
  readonly opcode: number;
  /** The byte after the opcode, 0 after the last byte; a ModRM byte where the opcode has one. */
  readonly modrm: number;
  /** The byte after that, alike. */
  readonly sib: number;
  /** Offset of the byte after the opcode, from the first byte of the instruction. */
  readonly length: number;
}

/** The head of the instruction at `offset`, by the prefixes that the decoder reads. */
export function headAt(bytes: Uint8Array, offset: number): Head {
  let [repeat, segment, rex] = [0, 0, 0];
  let next = offset;
  for (; ; next++) {
    const byte = byteOrZero(bytes, next);
    if (byte === 0xf2 || byte === 0xf3) repeat = byte;
    else if (byte === 0x65) segment = byte;
    else if (byte === 0x2e || byte === 0x3e) segment = segment === 0x65 ? segment : byte;
    else if (byte !== 0x66) break;
  }
  if ((byteOrZero(bytes, next) & 0xf0) === 0x40) rex = byteOrZero(bytes, next++);
  let opcode = byteOrZero(bytes, next++);
  if (opcode === 0x0f) opcode = 0x0f00 | byteOrZero(bytes, next++);
  const [modrm, sib] = [byteOrZero(bytes, next), byteOrZero(bytes, next + 1)];
  return { repeat, segment, rex, opcode, modrm, sib, length: next - offset };
}
