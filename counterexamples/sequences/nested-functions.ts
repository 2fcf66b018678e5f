import { InputError } from '../../model/core/input-error.ts';
import { DISPATCHER_FUNC } from '../../model/dispatcher/dispatcher.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { Nesting, TracedFunction } from '../../model/trampoline/traced-function.ts';

/**
 * The requirements of a function that calls others: its own argument words, and its callees, each with a maximum of
 * words.
 */
interface Needs {
  readonly least: number;
  readonly most: number;
  readonly callees: Readonly<Record<string, number>>;
  /** What it calls, if that is no function that is declared. */
  readonly calls?: string;
}

const NEEDS: Readonly<Record<Exclude<Nesting, 'none'>, Needs>> = {
  ca: { least: 3, most: 6, callees: { cb: 2, f2: 2 } },
  cb: { least: 2, most: 2, callees: { f1: 1 } },
  rec: { least: 1, most: 1, callees: {}, calls: 'itself' },
  device: { least: 1, most: 1, callees: { [DISPATCHER_FUNC]: 3 } },
  dispatcher: { least: 3, most: 3, callees: {}, calls: 'an XDP program' },
};

/** Throws an InputError when a function that calls others by its name cannot do so. */
export function requireCallees(functions: readonly TracedFunction[]): void {
  for (const { name, nesting, signature } of functions) {
    if (nesting === 'none') continue;
    const { least, most, callees, calls } = NEEDS[nesting];
    const words = abiSlots(signature).length;
    if (words < least || words > most)
      throw new InputError(
        `${name} is a function that calls ${calls ?? Object.keys(callees).join(' and ')}, and takes ${wordsText(least, most)}; docs/traces.md has those that call others`,
      );
    for (const [callee, room] of Object.entries(callees)) {
      const found = functions.find((fn) => fn.name === callee);
      if (found === undefined) throw new InputError(`${name} calls ${callee}, which is not declared`);
      if (abiSlots(found.signature).length > room || found.signature.ret.size === 0)
        throw new InputError(
          `${name} calls ${callee}, which has to take ${wordsText(0, room)} and to return a value`,
        );
    }
  }
}

function wordsText(least: number, most: number): string {
  const count = least === most ? String(most) : `${least} to ${most}`;
  return `${count} argument word${most === 1 ? '' : 's'}`;
}
