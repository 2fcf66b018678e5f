import type { Kernel } from '../../model/kernel.ts';
import { planFor } from '../../model/trampoline/make-image.ts';
import type { ImagePlan } from '../../model/trampoline/plan/planner.ts';
import { imageRequest } from '../../model/trampoline/update.ts';

/** The plans of images that single functions are attached through. */
export function plansOf(k: Kernel): Record<string, ImagePlan> {
  const targets = Object.entries(k.bpf.trampolines).filter(([, { curImage }]) => curImage !== '');
  return Object.fromEntries(
    targets
      .filter(([target, { curImage }]) => k.bpf.images[curImage]?.target === target)
      .map(([target, { curImage }]) => [curImage, planFor(k, imageRequest(k, target))]),
  );
}
