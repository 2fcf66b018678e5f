import { declareAbi } from './abi/abi-options.ts';
import { declareBugs } from './bugs/bugs-command.ts';
import { declareBundle } from './bundle/bundle-command.ts';
import { declareCompare } from './compare/compare-command.ts';
import { declareCompletion } from './completion/completion-command.ts';
import { declareCost } from './cost/cost-command.ts';
import { declareExhaust } from './exhaust/exhaust-command.ts';
import { declareExplain } from './explain/explain-command.ts';
import { declareExplore } from './explore/explore-command.ts';
import { declareHistory } from './history/history-command.ts';
import { declareImage } from './image/image-command.ts';
import { declareImages } from './images/images-command.ts';
import { declareKernel } from './kernel/kernel-command.ts';
import type { Declare } from './line/command-line.ts';
import { declareMatrix } from './matrix/matrix-command.ts';
import { declareNear } from './near/near-command.ts';
import { declareNew } from './new/new-command.ts';
import { declareRefine } from './refine/refine-command.ts';
import { declareReplay } from './replay/replay-command.ts';
import { declareSequences } from './sequences/sequences-command.ts';
import { declareMerge } from './shard/merge-command.ts';
import { declareSoak } from './soak/soak-command.ts';
import { declareStubs } from './stubs/stubs-command.ts';
import { declareWhy } from './why/why-command.ts';

/** All commands other than the default run, in the order of the help. */
export const COMMANDS: readonly Declare[] = [
  declareImages,
  declareSequences,
  declareAbi,
  declareImage,
  declareReplay,
  declareExplain,
  declareExplore,
  declareExhaust,
  declareNear,
  declareCompare,
  declareCost,
  declareRefine,
  declareMatrix,
  declareWhy,
  declareHistory,
  declareStubs,
  declareBugs,
  declareSoak,
  declareMerge,
  declareNew,
  declareKernel,
  declareBundle,
  declareCompletion,
];
