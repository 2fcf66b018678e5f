import { registering } from '../../core/register.ts';
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

const designs: Design[] = [
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

/**
 * The designs of multi links. A new design adds its module above, and nothing else; or it is registered from
 * outside.
 */
export const DESIGNS: readonly Design[] = designs;

/** Adds one to the list, and nothing else: `registerDesign()` in `model/step.ts` links its routines as well. */
export const listDesign = registering(designs, 'design');
