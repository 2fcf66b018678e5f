import type { AttachLaw } from '../law/sequence-law.ts';

/** S2. */
export const extensionsExcludePrograms: AttachLaw = {
  name: 'trampoline/extensions-exclude-programs',
  sentence: 'A BPF program that has an extension has no image, and no other program is attached to it.',
  source: 'kernel/bpf/trampoline.c  __bpf_trampoline_link_prog',
  witness: 'a BPF program with an extension',
  settled: true,
  judge: (moment) => {
    if (moment.outcome.died !== undefined) return 'not applicable';
    const extended = Object.entries(moment.after.bpf.trampolines).filter(
      ([, { extensionProg }]) => extensionProg !== 0,
    );
    for (const [target, { nodes, curImage, extensionProg }] of extended) {
      const programs = nodes.map(({ prog }) => prog);
      if (programs.length > 0 || curImage !== '')
        return {
          is: 'extension-is-not-alone',
          target,
          extension: extensionProg,
          programs,
          image: curImage,
        };
    }
    return extended.length > 0 ? 'held' : 'not applicable';
  },
};
