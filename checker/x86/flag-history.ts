import { flagsRead, undefinedAfter } from './flag-effects.ts';
import type { Drawn } from './sequence.ts';

/**
 * Follows one run, instruction by instruction, and knows at each moment which status flags the architecture
 * leaves undefined. A flag that one instruction leaves open is compared again as soon as another defines it.
 */
export class FlagHistory {
  /** The undefined flags before the next instruction. */
  open = 0;

  /** Whether the instruction looks at a flag that is undefined: then its outcome is not defined either. */
  reads({ encoding, condition }: Drawn): boolean {
    return (this.open & flagsRead(encoding.name, condition)) !== 0;
  }

  /** Takes note of an instruction that has been executed; `cl` is what it found in that register. */
  note({ encoding, size, count }: Drawn, cl: number): void {
    this.open = undefinedAfter(this.open, encoding.name, { size, count: count ?? cl });
  }
}
