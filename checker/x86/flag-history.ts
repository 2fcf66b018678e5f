import { flagsRead, undefinedAfter } from './flag-effects.ts';
import type { Drawn } from './sequence.ts';

/**
 * Follows one run, instruction by instruction, and knows after each which status flags the architecture leaves
 * undefined. A flag that one instruction leaves undefined is compared again as soon as another defines it.
 */
export class FlagHistory {
  /** The undefined flags before the next instruction. */
  open = 0;

  /** Whether the instruction reads an undefined flag: then its outcome is not defined either. */
  reads({ encoding, condition }: Drawn): boolean {
    return (this.open & flagsRead(encoding.name, condition)) !== 0;
  }

  /** Records an executed instruction; `cl` is the value that it found in that register. */
  note({ encoding, size, count }: Drawn, cl: number): void {
    this.open = undefinedAfter(this.open, encoding.name, { size, count: count ?? cl });
  }
}
