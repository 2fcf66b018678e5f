import { entry } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';

/**
 * I-26, and the second half of C1. In generation A an image stays in its half until the next one is written there.
 */
export const noLeakedImage: TaskLaw = {
  name: 'task/no-leaked-image',
  sentence: 'A replaced image is freed once the last task has left it.',
  source: 'kernel/bpf/trampoline.c bpf_tramp_image_put, __bpf_tramp_image_release',
  witness: 'a retired image',
  isOfEnds: true,
  judge: ({ kernel, happening }) => {
    if (happening.is !== 'end' && happening.is !== 'stuck') return 'not applicable';
    const { images, imagesMade } = kernel.bpf;
    if (profileNamed(kernel.profile).imageLifecycle === 'A') return 'not applicable';
    const left = Object.keys(images).find((name) => entry(images, name).state === 'draining');
    if (left !== undefined) return { is: 'image-stays', image: left };
    return imagesMade > Object.keys(images).length ? 'held' : 'not applicable';
  },
};
