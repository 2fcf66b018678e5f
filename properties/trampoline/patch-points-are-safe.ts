import type { Law } from '../law/image-law.ts';

/** Its finding comes from following calls through the patched image (`verdict.ts`). */
export const patchPointsAreSafe: Law = {
  name: 'trampoline/patch-points-are-safe',
  sentence:
    'With a nop of a live image patched to its jump, every call behaves as if the skipped programs were detached.',
  source: 'kernel/bpf/trampoline.c  bpf_tramp_image_put, bpf_trampoline_skip_prog',
  premise: ({ patchPoints }) => patchPoints.length > 0,
  witness: 'an image with a patch point',
};
