import type { LinkId } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';

/** S11 for the links themselves; each design checks its own bookkeeping. */
export const multiLinkBookkeepingIsConsistent: AttachLaw = {
  name: 'ftrace/multi-link-bookkeeping-is-consistent',
  sentence:
    'A multi link has a program of its kind, is on each function once and has no change pending; the bookkeeping of its design matches the links.',
  source: 'kernel/bpf/trampoline.c  bpf_trampoline_multi_attach, bpf_trampoline_multi_detach',
  witness: 'a multi link',
  settled: true,
  lacks: (profile) => (designOf(profile) === undefined ? 'the kernel has no multi links' : undefined),
  judge: (moment) => {
    const { after: k } = moment;
    if (!isAlive(moment)) return 'not applicable';
    const links = Object.keys(k.bpf.links).filter(
      (link) => entry(k.bpf.links, link).kind === 'tracing multi',
    );
    for (const link of links) {
      const finding = judgeLink(k, link);
      if (finding !== undefined) return finding;
    }
    const finding = designOf(profileNamed(k.profile))?.disagreement?.(k);
    return finding ?? (links.length > 0 ? 'held' : 'not applicable');
  },
};

function judgeLink(k: KernelView, link: LinkId): AttachFinding | undefined {
  const { prog, targets, reg, modify, unreg } = entry(k.bpf.links, link);
  const { program, freed } = entry(k.bpf.progs, prog);
  if (freed || !program.multi) return { is: 'link-has-no-program-of-its-kind', link, prog };
  if (new Set(targets).size < targets.length)
    return { is: 'link-is-twice-on-a-function', link, targets: [...targets] };
  const functions = Object.keys({ ...reg, ...modify, ...unreg });
  return functions.length === 0 ? undefined : { is: 'link-has-changes-left', link, functions };
}
