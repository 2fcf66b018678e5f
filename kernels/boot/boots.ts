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
 * to 30 seconds to change; or those of the recorder alone, as in a kernel that has no others.
 */
export type Scope = 'all functions' | 'own functions';

/**
 * New guests of one kernel: the first one boots, and is saved when its recorder is ready; the others start there, in a tenth
 * of the time.
 */
export class Boots {
  private directory: string | undefined;

  constructor(
    private readonly bootable: Bootable,
    private readonly scope: Scope,
  ) {}

  next(): Guest {
    if (this.directory !== undefined) return new Guest(this.bootable, { saved: savedIn(this.directory) });
    const guest = new Guest(this.bootable);
    if (this.scope === 'own functions') ownAlone(guest);
    this.directory = mkdtempSync(join(tmpdir(), 'attachcheck-saved-'));
    guest.save(savedIn(this.directory));
    return guest;
  }

  close(): void {
    if (this.directory !== undefined) rmSync(this.directory, { recursive: true, force: true });
    this.directory = undefined;
  }
}

function ownAlone(guest: Guest): void {
  const { errno } = readOp(item(guest.ask([op('SCOPE', true)]), 0));
  if (errno !== '0') throw new Error(`the recorder cannot leave the kernel's own functions out: ${errno}`);
}

function savedIn(directory: string): string {
  return join(directory, 'machine');
}
