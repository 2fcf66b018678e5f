import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { item } from '../../model/core/present.ts';
import { readOp } from '../history/answer.ts';
import { op } from '../wire/numbers.ts';
import type { Bootable } from './guest.ts';
import { Guest } from './guest.ts';

/**
 * What an ops without a filter traces: all functions of the kernel, tens of thousands, whose sites an emulator needs seconds
 * to 30 seconds to change; or those of the history alone, as in the model, which has no others.
 */
export type TracedScope = 'all functions' | 'bound functions';

/**
 * New guests of one kernel: the first one boots, and is saved when its recorder is ready; the others start there, in a tenth
 * of the time. Once closed, the next one boots.
 */
export class NewGuests {
  private directory: string | undefined;

  constructor(
    private readonly bootable: Bootable,
    private readonly scope: TracedScope,
  ) {}

  /** Whether the next one starts from a machine that was saved. */
  get hasSaved(): boolean {
    return this.directory !== undefined;
  }

  next(): Guest {
    if (this.directory !== undefined) return new Guest(this.bootable, { saved: savedIn(this.directory) });
    const guest = new Guest(this.bootable);
    if (this.scope === 'bound functions') boundAlone(guest);
    this.directory = mkdtempSync(join(tmpdir(), 'attachcheck-saved-'));
    guest.save(savedIn(this.directory));
    return guest;
  }

  close(): void {
    if (this.directory !== undefined) rmSync(this.directory, { recursive: true, force: true });
    this.directory = undefined;
  }
}

function boundAlone(guest: Guest): void {
  const { errno } = readOp(item(guest.ask([op('SCOPE')]), 0));
  if (errno !== '0') throw new Error(`the recorder cannot leave the kernel's own functions out: ${errno}`);
}

function savedIn(directory: string): string {
  return join(directory, 'machine');
}
