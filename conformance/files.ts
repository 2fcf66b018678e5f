import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../model/core/input-error.ts';

/** Reads a text file, compressed or not, with any byte-order mark and line ends; an error names the file. */
export function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.includes(0)) throw new InputError(`${path}: it is no text in UTF-8: it has bytes that are zero`);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** Reads a file and decompresses it if it is gzipped. */
export function readBytes(path: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    throw new InputError(`${path}: the compressed data is damaged or cut off`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'it may not be read',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';
  return REASONS[code] ?? code;
}

/** The files below a directory with the given suffix, in alphabetical order, relative to `top`. */
export function filesBelow(top: string, directory: string, end: string): string[] {
  const entries = readdirSync(join(top, directory), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(end));
  return files.map(({ parentPath, name }) => relative(top, join(parentPath, name))).toSorted();
}
