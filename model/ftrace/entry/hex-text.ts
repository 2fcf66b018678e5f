/** Bytes as the state keeps them: two hexadecimal digits each, without separators. */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += TWO_DIGITS[byte];
  return text;
}

/** The bytes of such a text. */
export function bytesOfHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (digit(text.charCodeAt(2 * i)) << 4) | digit(text.charCodeAt(2 * i + 1));
  return bytes;
}

const TWO_DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `0` … `9` and `a` … `f`, the only digits that are written. */
function digit(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
