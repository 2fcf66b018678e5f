import { batch } from './batch.ts';
import type { Design } from './design.ts';
import { functionGraph } from './function-graph.ts';
import { generic, genericWithFixedSlot, genericWithHelpers } from './generic.ts';
import { GLOBAL } from './global/designs.ts';
import { multiIds } from './multi-ids.ts';
import { oneByOne } from './one-by-one.ts';
import { programSets } from './program-sets.ts';
import { splitting } from './splitting.ts';
import { tracingMulti } from './tracing-multi.ts';

/** The designs of multi links. Who adds one adds its module here, and nowhere else. */
export const DESIGNS: readonly Design[] = [
  oneByOne,
  tracingMulti,
  batch,
  generic,
  genericWithFixedSlot,
  genericWithHelpers,
  ...GLOBAL,
  splitting,
  multiIds,
  programSets,
  functionGraph,
];
