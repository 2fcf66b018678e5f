import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { pause } from './pause.ts';

const REPLY_SECONDS = 20;

/** Two FIFOs to a part of the emulator: what is sent, and what has come and was not taken yet. */
export class Duplex {
  private readonly to: number;
  private readonly from: number;
  private pending = '';
  private readonly chunk = Buffer.alloc(1 << 14);

  /** Makes `path.in` and `path.out`, before the emulator opens them. */
  constructor(path: string) {
    execFileSync('mkfifo', [`${path}.in`, `${path}.out`]);
    this.to = openSync(`${path}.in`, 'r+');
    this.from = openSync(`${path}.out`, constants.O_RDWR | constants.O_NONBLOCK);
  }

  send(text: string): void {
    writeSync(this.to, text);
  }

  /** What the pattern finds in what has come; that, and all before it, is taken. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    this.receive();
    const found = pattern.exec(this.pending) ?? undefined;
    if (found !== undefined) this.pending = this.pending.slice(found.index + found[0].length);
    return found;
  }

  /** The same, once it has come. */
  await(pattern: RegExp, who: string): RegExpExecArray {
    for (const end = Date.now() + 1000 * REPLY_SECONDS; Date.now() < end; pause()) {
      const found = this.take(pattern);
      if (found !== undefined) return found;
    }
    throw new Error(`${who} does not answer`);
  }

  close(): void {
    closeSync(this.to);
    closeSync(this.from);
  }

  private receive(): void {
    try {
      this.pending += this.chunk.toString('latin1', 0, readSync(this.from, this.chunk));
    } catch (error) {
      // Nothing has come.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
