import { addTo } from '../../model/core/add-to.ts';
import type { Said } from '../../properties/finding/said.ts';
/** The results for one design: laws by name. */
export class DesignTally {
  /** How often the premise of a law was met while a multi link was attached. */
  readonly met = new Map<string, number>();
  /** Known breaches that occurred, by name. */
  readonly known = new Set<string>();
  /** Breaches that are not listed, in words. */
  readonly found: string[] = [];

  meet(law: string, times = 1): void {
    if (times > 0) addTo(this.met, law, times);
  }

  find(law: string, { expected, observed }: Said): void {
    this.found.push(`${law}: ${expected} / ${observed}`);
  }
}
