import type { Flavour, Part } from '../../../model/core/part.ts';

/** A wait for another flavour. */
export function waitFor(flavour: Flavour): Part[] {
  return [{ kind: 'wait', id: `wait for ${flavour}`, flavour, over: () => true }];
}
