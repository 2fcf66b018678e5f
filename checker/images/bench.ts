import { createStage } from '../../model/trampoline/stage/create-stage.ts';
import { PLAIN_STAGE } from '../../model/trampoline/stage/spec.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { EMITTERS } from '../../model/trampoline/stage/stubs.ts';
import type { Toolchain } from '../../properties/observed/subject.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import { watchStubs } from './segment.ts';

/** Everything needed to judge cases: a stage, and the functions that generate images. */
export interface ImageBench {
  readonly stage: Stage;
  readonly tools: Toolchain;
  /** The image, or the code around it, is not the kernel's own. */
  readonly isChanged: boolean;
}

/** A bench with the model's own functions, or with a bug planted in them. */
export function benchFor(planted: Planted | undefined): ImageBench {
  const emitters = planted?.emitters?.(EMITTERS) ?? EMITTERS;
  const stage = createStage({ ...PLAIN_STAGE, emitters });
  watchStubs(stage);
  return { stage, tools: planted?.tools?.(KERNEL) ?? KERNEL, isChanged: planted !== undefined };
}
