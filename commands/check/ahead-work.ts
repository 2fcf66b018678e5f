import { setImmediate } from 'node:timers/promises';
import { item } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { SearchOptions } from '../line/options.ts';
import type { FromAhead, Turn } from './ahead.ts';
import { partsAhead } from './ahead-parts.ts';

/**
 * Works on the parts of a run from the last one back, as it is its turn, until it meets the run; `reached` is the part
 * that the run has come to, as far as that is known here. A part that fails ends it: the run meets that failure itself.
 */
export async function workAhead(
  options: SearchOptions,
  turn: Turn,
  reached: () => string | undefined,
  tell: (done: FromAhead) => void,
): Promise<void> {
  const parts = partsAhead(options);
  const places = new Map(parts.map(({ name }, i) => [name, i]));
  for (let i = parts.length - 1 - turn.nth; i >= 0; i -= turn.of) {
    await setImmediate();
    if (i <= (places.get(reached() ?? '') ?? -1)) return;
    const { name, work } = item(parts, i);
    KERNEL_PROGRAM.executed.fill(0);
    let result: unknown;
    try {
      result = work();
    } catch {
      return;
    }
    tell({ part: name, result, executed: KERNEL_PROGRAM.executed });
  }
}
