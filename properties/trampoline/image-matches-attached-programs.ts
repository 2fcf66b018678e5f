import type { FunctionName } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { FTRACE_FL_IPMODIFY, has } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { callsInAnImage } from '../observed/calls-in-an-image.ts';

/** S1, S3, S4, S9, and for multi links S11: every target has the program, or none. */
export const imageMatchesAttachedPrograms: AttachLaw = {
  name: 'trampoline/image-matches-attached-programs',
  sentence:
    'A trampoline has an image iff programs are attached; the image runs exactly these, each once, and calls through the stack if it shares with a live patch.',
  source: 'kernel/bpf/trampoline.c  __bpf_trampoline_link_prog, bpf_trampoline_update',
  witness: 'a program attached to a trampoline',
  settled: true,
  judge: (moment) => {
    if (moment.outcome.died !== undefined) return 'not applicable';
    const { after: k } = moment;
    let witness = false;
    for (const target in k.bpf.trampolines) {
      witness ||= entry(k.bpf.trampolines, target).nodes.length > 0;
      const finding = judgeTrampoline(k, target);
      if (finding !== undefined) return finding;
    }
    return witness ? 'held' : 'not applicable';
  },
};

function judgeTrampoline(k: KernelView, target: FunctionName): AttachFinding | undefined {
  const { nodes, curImage, flags } = entry(k.bpf.trampolines, target);
  const rec = k.ftrace.records[target];
  const patched = rec !== undefined && has(rec, FTRACE_FL_IPMODIFY);
  const attached = nodes.map(({ prog }) => prog);
  if (new Set(attached).size < attached.length)
    return { is: 'program-stands-there-twice', target, programs: attached };
  const calls = callsInAnImage(attached.map((prog) => entry(k.bpf.progs, prog).program));
  if (calls > profileNamed(k.profile).linksMax) return { is: 'too-many-programs', target, calls };
  const image = k.bpf.images[curImage];
  const made = image?.programs ?? [];
  if (made.join() !== attached.join() || (image !== undefined && image.target !== target))
    return {
      is: 'image-is-for-others',
      target,
      programs: attached,
      image: image === undefined ? null : { name: curImage, target: image.target, programs: [...made] },
    };
  if (patched && flags.SHARE_IPMODIFY && flags.CALL_ORIG && !flags.ORIG_STACK && image?.callOrig === true)
    return { is: 'image-does-not-call-through-the-stack', target };
  return undefined;
}
