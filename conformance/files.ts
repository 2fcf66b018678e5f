import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../model/core/input-error.ts';

/** Bytes of a file at most, as it is and decompressed: the largest recordings have a thirtieth of it. */
const BYTES_MOST = 256 * 2 ** 20;

/** Of a text that is written or read by people: characters of a line, and lines. */
const COLUMNS_MOST = 4000;
const LINES_MOST = 50_000;

/** Reads a text file, compressed or not, with any byte-order mark and line ends; an error names the file. */
export function readText(path: string): string {
  const bytes = readBytes(path);
  if (bytes.includes(0)) throw new InputError(`${path}: it is no text in UTF-8: it has bytes that are zero`);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

/** The same of a trace, a sequence or a scenario: its lines are short, and limited in number. */
export function readLines(path: string): string {
  const text = readText(path);
  const lines = text.split('\n');
  if (lines.length > LINES_MOST)
    throw new InputError(`${path}: it has ${lines.length} lines; at most ${LINES_MOST} are read`);
  const long = lines.findIndex((line) => line.length > COLUMNS_MOST);
  if (long >= 0) throw new InputError(`${path}: line ${long + 1} has more than ${COLUMNS_MOST} characters`);
  return text;
}

/** Reads a file and decompresses it if it is gzipped; `most` is the number of bytes that either may have. */
export function readBytes(path: string, most = BYTES_MOST): Buffer {
  const bytes = bytesIn(path, most);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new InputError(
      `${path}: ${isLarge ? `decompressed ${tooLarge(most)}` : 'the compressed data is damaged or cut off'}`,
    );
  }
}

/** In pieces: a pipe or a device has no size, and need have no end. A file whose size is above the limit is not read. */
function bytesIn(path: string, most: number): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    const file = openSync(path, 'r');
    try {
      const { size: known } = fstatSync(file);
      while (Math.max(size, known) <= most) {
        const piece = Buffer.allocUnsafe(size === 0 && known > 0 ? known + 1 : PIECE);
        const read = readSync(file, piece);
        if (read === 0) return Buffer.concat(pieces);
        pieces.push(piece.subarray(0, read));
        size += read;
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
  throw new InputError(`${path}: ${tooLarge(most)}`);
}

function tooLarge(most: number): string {
  return `it has more than ${most / 2 ** 20} MiB`;
}

const PIECE = 2 ** 18;

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
