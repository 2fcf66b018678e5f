import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_FROM_THE_KERNEL, Mailbox, sharedMemory } from './mailbox.ts';

/** The lengths, and where the two texts begin. */
const REQUEST = 8;
const ANSWER = 8 + 16384;

let directory: string;
let memory: number;
let mailbox: Mailbox;

/** This process is the emulator: it has a file of that name open. */
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'attachcheck-mailbox-'));
  const path = join(directory, 'memory-backend-memfd');
  writeFileSync(path, Buffer.alloc(2 << 20));
  memory = openSync(path, 'r+');
  mailbox = new Mailbox(process.pid);
});

afterEach(() => {
  mailbox.close();
  closeSync(memory);
  rmSync(directory, { recursive: true });
});

function words(): { request: number; answer: number; bytes: Buffer } {
  const bytes = readFileSync(join(directory, 'memory-backend-memfd'));
  return { request: bytes.readUInt32LE(0), answer: bytes.readUInt32LE(4), bytes };
}

function answers(text: string): void {
  writeSync(memory, text, ANSWER);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  writeSync(memory, length, 0, 4, 4);
}

describe('the memory that the host and the recorder share', () => {
  it('has a line, and its length', () => {
    mailbox.send('x 9');
    const { request, bytes } = words();
    expect(request).toBe(4);
    expect(bytes.toString('latin1', REQUEST, REQUEST + 5)).toBe('x 9\n\0');
  });

  it('gives each part of an answer once, and says that it was taken', () => {
    expect(mailbox.receive()).toBe('');
    answers('{"r":0}\n');
    expect(mailbox.receive()).toBe('{"r":0}\n');
    expect(words().answer).toBe(0);
    expect(mailbox.receive()).toBe('');
  });

  it('has no room for a line that is too long', () => {
    expect(() => mailbox.send('x'.repeat(1 << 14))).toThrow('a line of 16385 bytes does not fit');
  });

  it('is nothing of a process that has ended', () => {
    const gone = new Mailbox(2 ** 22 + 1);
    gone.send('x 9');
    expect(gone.receive()).toBe('');
    expect(words().request).toBe(0);
  });

  it('is a node of memory that the kernel does not use', () => {
    expect(KEPT_FROM_THE_KERNEL).toBe('numa=off memmap=2M$0x20000000');
    expect(sharedMemory(1024).join(' ')).toContain('memory-backend-ram,id=before,size=512M');
    expect(sharedMemory(1024).join(' ')).toContain('memory-backend-ram,id=rest,size=510M');
  });
});
