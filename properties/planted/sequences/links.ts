import { Oops } from '../../../model/core/oops.ts';
import type { Part } from '../../../model/core/part.ts';
import { entry } from '../../../model/core/present.ts';
import { profileNamed } from '../../../model/core/profile.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { BpfProgram } from '../../../model/trampoline/program.ts';
import { functionNamed, targetProgram } from '../../../model/trampoline/traced-function.ts';
import { trOf } from '../../../model/trampoline/trampoline.ts';
import { noPointerToARetiredImage } from '../../ftrace/no-pointer-to-a-retired-image.ts';
import { operationsNeitherOopsNorHang } from '../../ftrace/operations-neither-oops-nor-hang.ts';
import { imageMatchesAttachedPrograms } from '../../trampoline/image-matches-attached-programs.ts';
import { programsFitTheirTarget } from '../../trampoline/programs-fit-their-target.ts';
import { referenceCountsAreExact } from '../../trampoline/reference-counts-are-exact.ts';
import { attached, F1, F2, kprobe, link, load } from './actions.ts';
import { edit, followedBy, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const P1 = targetProgram('p1', 1, 'u64 -> u64');

/** A modify-return program is not refused for a target that is a BPF program. */
function acceptingModifier(part: Part): readonly Part[] {
  if (part.kind !== 'refuse') return [part];
  const find: typeof part.find = (k, locals) => {
    const fn = functionNamed((k as Kernel).functions, String(locals['target']));
    const isAccepted = (locals['program'] as BpfProgram).kind === 'fmod_ret' && fn?.bpf === true;
    return isAccepted ? undefined : part.find(k, locals);
  };
  return [{ ...part, find }];
}

/** The key of the trampoline is computed from `attach_btf`, which a program for a BPF program has not. */
function followingNull(part: Part): readonly Part[] {
  if (part.kind !== 'refuse') return [part];
  const run: Extract<Part, { kind: 'step' }>['run'] = (k, locals) => {
    if (part.find(k, locals) === undefined) return;
    const { target } = entry((k as Kernel).bpf.progs, Number(locals['prog']));
    throw new Oops({ is: 'target without BTF', target });
  };
  return [{ kind: 'step', id: part.id, run }];
}

/** E2BIG for more programs than an image may have calls. */
function countingPrograms(part: Part): readonly Part[] {
  if (part.kind !== 'refuse') return [part];
  const find: typeof part.find = (k, { target }) => {
    const { nodes } = trOf(k as Kernel, String(target));
    return nodes.length < profileNamed(k.profile).linksMax ? undefined : 'E2BIG';
  };
  return [{ ...part, find }];
}

/** Planted bugs in the attaching of links. */
export const PLANTED_LINKS: readonly AttachPlanted[] = [
  {
    name: 'program-of-a-failed-link-is-put-twice',
    sentence: 'bpf_tracing_prog_attach() puts the program when it fails, and so does its caller.',
    history: 'bpf: Prevent double bpf_prog_put call from bpf_tracing_prog_attach (5.11)',
    law: referenceCountsAreExact,
    profile: '6.12',
    edits: [
      edit(
        'bpf_tracing_prog_attach',
        'drop the link',
        followedBy((k, locals) => {
          entry(k.bpf.progs, Number(locals['prog'])).refs--;
        }),
      ),
    ],
    smallest: [...attached('fentry'), link(2, 1)],
    finding: 'prog#1 has 1 references, not counting its links / it has 0',
  },
  {
    name: 'program-modifies-the-return-of-a-program',
    sentence: 'The verifier accepts a modify-return program for a BPF program.',
    history: 'bpf: disallow attaching modify_return tracing functions to other BPF programs (5.10)',
    law: programsFitTheirTarget,
    profile: '6.12',
    edits: [
      edit('bpf_prog_load', 'the verifier refuses the program for its target', acceptingModifier),
      edit('bpf_prog_load', 'its target is on a list, or on none', acceptingModifier),
    ],
    functions: [P1],
    smallest: [{ ...load(1, 'fmod_ret'), target: 'p1' }, link(1)],
    finding: "p1 is on the kernel's list for fmod_ret programs / it is not, and prog#1 is attached to it",
  },
  {
    name: 'attached-again-without-btf',
    sentence:
      'bpf_tracing_prog_attach() does not check whether a program that is attached again has a target in BTF.',
    history: 'bpf: Fix re-attachment branch in bpf_tracing_prog_attach (6.8)',
    law: operationsNeitherOopsNorHang,
    profile: '6.12',
    edits: [edit('bpf_tracing_prog_attach', 'a BPF program was its target, and is not named', followingNull)],
    functions: [P1],
    smallest: [{ ...load(1), target: 'p1' }, link(1), link(2, 1)],
    finding: 'BPF_LINK_CREATE returns / NULL pointer: p1 is a BPF program, and has no attach_btf',
  },
  {
    name: 'rollback-puts-the-old-image',
    sentence:
      'A multi link that fails puts the images from before the attach, which the call sites still call.',
    history: 'a failed attach of a multi link frees the image that its call site still calls (7.2)',
    law: noPointerToARetiredImage,
    profile: '7.2',
    edits: [
      edit(
        'bpf_trampoline_multi_attach_rollback',
        'read the new image',
        instead((k, locals) => {
          const { oldImage } = entry(k.bpf.trampolines, String(locals['target']));
          if (oldImage !== '') locals['stale'] = oldImage;
        }),
      ),
    ],
    functions: [F1, F2],
    smallest: [
      load(1),
      link(1),
      { ...load(2, 'fexit'), target: '', program: { ...load(2, 'fexit').program, multi: true } },
      kprobe(1, true, 'f2'),
      link(2, 2, ['f1', 'f2']),
    ],
    finding: 'the target of the call site of f1 is in use / tramp#1 is retired',
  },
  {
    name: 'session-has-one-place',
    sentence: 'A session is counted as one program, though an image calls it twice.',
    history: undefined,
    law: imageMatchesAttachedPrograms,
    profile: '7.2, linksMax = 1',
    edits: [edit('__bpf_trampoline_link_prog', 'too many programs', countingPrograms)],
    smallest: attached('fsession'),
    finding: 'the image of f1 calls programs at BPF_MAX_TRAMP_LINKS places at most / it does at 2',
  },
];
