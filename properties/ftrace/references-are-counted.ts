import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { AttachLaw } from '../attach/moment.ts';

/** S8. */
export const referencesAreCounted: AttachLaw = {
  name: 'trampoline/references-are-counted',
  sentence:
    'A trampoline has one reference for each loaded program that waits for its first link, for each link to it, and since generation C for each image; a program is not freed while a link has it.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_get, bpf_trampoline_put; kernel/bpf/syscall.c  bpf_tracing_prog_attach',
  witness: 'there was a trampoline',
  judge: ({ after: k, outcome }) => {
    if (outcome.died !== undefined) return 'no say';
    for (const link in k.bpf.links) {
      const { prog } = k.bpf.links[link]!;
      if (k.bpf.progs[prog]!.freed)
        return { expected: `prog#${prog} lives as long as ${link}`, observed: 'it is freed' };
    }
    let witness = false;
    const wanted = referencesOf(k);
    for (const target of new Set([...Object.keys(wanted), ...Object.keys(k.bpf.trampolines)])) {
      witness = true;
      const expected = wanted[target] ?? 0;
      const observed = k.bpf.trampolines[target]?.refcnt ?? 0;
      if (expected !== observed)
        return {
          expected: `the trampoline of ${target} has ${expected} references`,
          observed: `it has ${observed}`,
        };
    }
    return witness ? 'held' : 'no say';
  },
};

function referencesOf(k: Kernel): Record<string, number> {
  const count: Record<string, number> = {};
  const add = (target: string) => {
    count[target] = (count[target] ?? 0) + 1;
  };
  for (const prog in k.bpf.progs) if (k.bpf.progs[prog]!.dstTrampoline) add(k.bpf.progs[prog]!.target);
  for (const link in k.bpf.links) {
    const { kind, targets } = k.bpf.links[link]!;
    if (kind !== 'kprobe multi') targets.forEach(add);
  }
  if (profileNamed(k.profile).imageLifecycle === 'C') {
    for (const target in k.bpf.trampolines) for (const _ of k.bpf.trampolines[target]!.images) add(target);
  }
  return count;
}
