import { expect, test } from 'vitest';
import { cpio, DATA, PROGRAM } from './cpio.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Names and contents of an archive. */
function read(archive: Uint8Array): [string, string, number][] {
  const text = Buffer.from(archive).toString('latin1');
  const files: [string, string, number][] = [];
  for (let start = 0; ; ) {
    expect(text.slice(start, start + 6)).toBe('070701');
    const field = (n: number) => Number.parseInt(text.slice(start + 6 + 8 * n, start + 14 + 8 * n), 16);
    const [mode, size, nameSize] = [field(1), field(6), field(11)];
    const name = text.slice(start + 110, start + 110 + nameSize - 1);
    if (name === 'TRAILER!!!') return files;
    const data = (start + 110 + nameSize + 3) & ~3;
    files.push([name, text.slice(data, data + size), mode]);
    start = (data + size + 3) & ~3;
  }
}

test('an archive gives its files back, whatever their lengths', () => {
  const files = ['', 'a', 'ab', 'abc', 'abcd', 'abcde'].map((text, i) => ({
    name: `file${'x'.repeat(i)}`,
    bytes: bytes(text),
    mode: i === 0 ? PROGRAM : DATA,
  }));
  expect(read(cpio(files))).toEqual(files.map(({ name, mode }, i) => [name, 'abcde'.slice(0, i), mode]));
});
