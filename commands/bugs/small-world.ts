import type { ExhaustiveSearch } from '../../checker/sequences/exhaustive/search.ts';
import { smallWorldOf } from '../../checker/sequences/exhaustive/small-world.ts';
import { linkKernel } from '../../model/step.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';

/** The world in which all sequences are searched for a planted bug: that of the simplest sequence that shows it. */
export function smallWorld({
  profile,
  functions = [F1],
  tracepoints = [],
  smallest,
  law,
  edits,
}: AttachPlanted): Omit<ExhaustiveSearch, 'depth' | 'states'> {
  const world = smallWorldOf({ profile, functions, tracepoints, actions: smallest });
  return { ...world, laws: [law], known: [], program: linkKernel(edits) };
}
