import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { InputError } from '../../model/core/input-error.ts';
import { codeDigest } from './code-digest.ts';
import { writeWhole } from './write-whole.ts';

/** What a sealed file is about. */
export interface SealedKind {
  /** The first words of the file: what it is, and the version of its form. */
  readonly format: string;
  /** As a sentence names it: `checkpoint`. */
  readonly name: string;
  /** What it answers, as text: it continues nothing else. */
  readonly question: string;
  /** Said of a file that answers another question. */
  readonly otherwise: string;
}

interface Sealed {
  readonly code: string;
  readonly question: string;
  readonly content: unknown;
}

const DIGITS = 64;

/** Writes the progress of a run, with a checksum and the identity of the code. Throws the error of the system. */
export function writeSealed(path: string, { format, question }: SealedKind, content: unknown): void {
  const sealed: Sealed = { code: codeDigest(), question, content };
  const bytes = serialize(sealed);
  writeWhole(path, Buffer.concat([Buffer.from(`${format} ${checksum(bytes)}\n`), bytes]));
}

/** The content of such a file; an InputError says why it cannot be continued. */
export function readSealed(path: string, { format, name, question, otherwise }: SealedKind): unknown {
  const sealed = sealedIn(path, format, name);
  requireOwnCode(path, name, sealed.code);
  if (sealed.question !== question) throw new InputError(`${path}: this ${name} is of ${otherwise}`);
  return sealed.content;
}

function sealedIn(path: string, format: string, name: string): Sealed {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new InputError(`${path}: no such ${name}`);
  }
  const length = format.length + 1 + DIGITS + 1;
  const head = bytes.toString('latin1', 0, length);
  if (!head.startsWith(`${format} `)) throw new InputError(`${path}: not a ${name} of this version`);
  const content = bytes.subarray(length);
  if (head !== `${format} ${checksum(content)}\n`)
    throw new InputError(`${path}: the ${name} is damaged: its checksum differs`);
  return deserialize(content);
}

/** Refuses what other code has written, named as in a sentence: `checkpoint`. */
export function requireOwnCode(path: string, name: string, code: string): void {
  if (code !== codeDigest())
    throw new InputError(`${path}: this ${name} is of another version of the program, or of other modules`);
}

/** SHA-256, in hexadecimal. */
export function checksum(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
