import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBytes, readLines, readText } from './files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('a file is read as it is, or decompressed; marks and line ends of other systems are dropped', () => {
  expect(readText(file('plain', '\ufeffa\r\nb\n'))).toBe('a\nb\n');
  expect(readText(file('packed', gzipSync('a\nb\n')))).toBe('a\nb\n');
});

test('what cannot be read is one sentence', () => {
  expect(() => readText(join(folder, 'none'))).toThrow('none: there is no such file');
  expect(() => readText(folder)).toThrow('it is a directory');
  expect(() => readText(file('zero', '\0'))).toThrow('it is no text in UTF-8');
  expect(() => readText(file('cut', gzipSync('abc').subarray(0, 12)))).toThrow(
    'the compressed data is damaged or cut off',
  );
});

test('a file that expands to more than is read, or has no end, is refused', () => {
  const MIB = 2 ** 20;
  const whole = file('whole', gzipSync(Buffer.alloc(MIB), { level: 1 }));
  expect(readBytes(whole, MIB)).toHaveLength(MIB);
  const bomb = file('bomb', gzipSync(Buffer.alloc(MIB + 1), { level: 1 }));
  expect(() => readBytes(bomb, MIB)).toThrow('bomb: decompressed it has more than 1 MiB');
  expect(() => readBytes('/dev/zero', MIB)).toThrow('/dev/zero: it has more than 1 MiB');
});

test('at most 256 MiB are read, where no other limit is given', () => {
  const large = file('large', '');
  truncateSync(large, 256 * 2 ** 20 + 1);
  expect(() => readBytes(large)).toThrow('large: it has more than 256 MiB');
});

test('lines of a text that people write are limited in length and number', () => {
  expect(() => readLines(file('long', `a\n${' '.repeat(4001)}\n`))).toThrow(
    'long: line 2 has more than 4000 characters',
  );
  expect(() => readLines(file('many', 'a\n'.repeat(50_000)))).toThrow(
    'many: it has 50001 lines; at most 50000 are read',
  );
});
