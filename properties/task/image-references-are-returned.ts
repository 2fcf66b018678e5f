import type { TaskLaw } from '../law/interleaving-law.ts';

/** C5. */
export const imageReferencesAreReturned: TaskLaw = {
  name: 'task/image-references-are-returned',
  sentence:
    "A task that takes an image's reference drops it: no reference is left when no call is in progress.",
  source: 'kernel/bpf/trampoline.c __bpf_tramp_enter, __bpf_tramp_exit; kernel/bpf/verifier.c noreturn_deny',
  witness: 'an image that calls the original',
  isOfEnds: true,
  judge: ({ kernel, happening }) => {
    if (happening.is !== 'end' && happening.is !== 'stuck') return 'not applicable';
    const images = Object.entries(kernel.bpf.images);
    const entered = images.find(([, { refs }]) => refs !== 0);
    if (entered !== undefined) return { is: 'reference-is-kept', image: entered[0], refs: entered[1].refs };
    return images.some(([, { callOrig }]) => callOrig) ? 'held' : 'not applicable';
  },
};
