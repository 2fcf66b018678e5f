import { closeSync, openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Lines to and from the recorder, in memory of the emulated machine, which is a file of the emulator; `kernels/guest/mailbox.c`
 * is the other side. A length is written when its text is complete, and is zero again when it was taken.
 */

const MEBIBYTE = 1 << 20;
/** How much memory comes before it, and how long it is. */
const BEFORE = 512;
const LENGTH = 2;
const REQUEST_LENGTH = 0;
const ANSWER_LENGTH = 4;
const REQUEST = 8;
const REQUEST_MOST = 1 << 14;
const ANSWER = REQUEST + REQUEST_MOST;
const ANSWER_MOST = 1 << 16;

/** For the kernel's command line: the kernel does not use it, and has one node of memory. */
export const KEPT_FROM_THE_KERNEL = `numa=off memmap=${LENGTH}M$0x${(BEFORE * MEBIBYTE).toString(16)}`;

/** The shared part among the files that the emulator has open. */
const NAME = 'memory-backend-memfd';

/** Words of the emulator, for a machine of this size: only one node is shared, since shared memory is slower. */
export function sharedMemory(mebibytes: number): string[] {
  const nodes = [
    `memory-backend-ram,id=before,size=${BEFORE}M`,
    `${NAME},id=mailbox,size=${LENGTH}M,share=on`,
    `memory-backend-ram,id=rest,size=${mebibytes - BEFORE - LENGTH}M`,
  ];
  return [
    ...nodes.flatMap((node) => ['-object', node]),
    ...['before', 'mailbox', 'rest'].flatMap((id) => ['-numa', `node,memdev=${id}`]),
  ];
}

export class Mailbox {
  private memory: number | undefined;
  private readonly length = Buffer.alloc(4);
  private readonly text = Buffer.alloc(ANSWER_MOST);

  /** Of the emulator that is this process; its memory is there soon after its start. */
  constructor(private readonly process: number | undefined) {}

  /** Sends a line, once the machine runs. */
  send(line: string): void {
    const bytes = Buffer.from(`${line}\n`, 'latin1');
    if (bytes.length > REQUEST_MOST) throw new Error(`a line of ${bytes.length} bytes does not fit`);
    const memory = this.found();
    if (memory === undefined) return;
    writeSync(memory, bytes, 0, bytes.length, REQUEST);
    this.writeLength(memory, REQUEST_LENGTH, bytes.length);
  }

  /** What has come since the last time: a part of an answer, or nothing. */
  receive(): string {
    const memory = this.found();
    if (memory === undefined) return '';
    readSync(memory, this.length, 0, this.length.length, ANSWER_LENGTH);
    const length = this.length.readUInt32LE();
    if (length === 0) return '';
    const count = readSync(memory, this.text, 0, length, ANSWER);
    this.writeLength(memory, ANSWER_LENGTH, 0);
    return this.text.toString('latin1', 0, count);
  }

  close(): void {
    if (this.memory !== undefined) closeSync(this.memory);
    this.memory = undefined;
  }

  private writeLength(memory: number, address: number, length: number): void {
    this.length.writeUInt32LE(length);
    writeSync(memory, this.length, 0, this.length.length, address);
  }

  /** Undefined of an emulator that has not begun, or has ended. */
  private found(): number | undefined {
    this.memory ??= openMemory(`/proc/${this.process}/fd`);
    return this.memory;
  }
}

function openMemory(directory: string): number | undefined {
  try {
    const name = readdirSync(directory).find((fd) => readlinkSync(join(directory, fd)).includes(NAME));
    return name === undefined ? undefined : openSync(join(directory, name), 'r+');
  } catch {
    // A process that has ended has no files, and one that has just begun closes some.
    return undefined;
  }
}
