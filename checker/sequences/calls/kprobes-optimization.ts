import type { KprobesOptimization } from '../../../model/client/kprobes-optimization.ts';
import type { SearchedCall } from './searched-call.ts';
import { noObjects } from './searched-call.ts';

/** Drawn only where kprobes have jumps (`draw/limits.ts`): it is of use to sequences that have kprobes in bodies alone. */
export const searchedKprobesOptimization: SearchedCall<KprobesOptimization> = {
  draw: () => [],
  isLikely: (_, { value }) => value,
  effort: 4,
  lifeOf: ({ do: name }, _, index) => `${name} ${index}`,
  objectsOf: noObjects,
};
