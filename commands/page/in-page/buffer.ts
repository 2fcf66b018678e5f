/*
 * What the model uses of Node's Buffer, for a browser: hexadecimal text and little-endian numbers. A Buffer of Node is a
 * Uint8Array with these methods, and so is this one.
 */

const Bytes: new (
  source: number | ArrayBuffer | Iterable<number>,
  offset?: number,
  length?: number,
) => Uint8Array<ArrayBuffer> = Uint8Array;

class HexBytes extends Bytes {
  readInt32LE(offset: number): number {
    return this.view().getInt32(offset, true);
  }

  writeInt32LE(value: number, offset: number): void {
    this.view().setInt32(offset, value, true);
  }

  copy(to: Uint8Array, offset: number): void {
    to.set(this, offset);
  }

  /** Always hexadecimal. */
  override toString(): string {
    let text = '';
    for (const byte of this) text += PAIRS[byte];
    return text;
  }

  private view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Of hexadecimal text a copy of its bytes, of memory a view, of numbers a copy. */
function from(source: string | ArrayBuffer | Iterable<number>, offset?: unknown, length?: number): HexBytes {
  if (typeof source === 'string')
    return new HexBytes(Array.from(source.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
  if (source instanceof ArrayBuffer) return new HexBytes(source, Number(offset ?? 0), length);
  return new HexBytes([...source]);
}

function concat(parts: readonly Uint8Array[]): HexBytes {
  const all = new HexBytes(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

export const Buffer = { from, concat, allocUnsafe: (size: number): HexBytes => new HexBytes(size) };
