import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { AttachTag } from '../../../properties/finding/attach-finding.ts';
import type { KnownAttach, KnownForm } from '../attach.ts';
import { known } from '../attach.ts';

/*
 * What a multi link of August 2022 leaves when it is closed without memory.
 */

/** A defect of the multi trampolines of August 2022, as one of the laws shows it. */
export function ofMultiIds<const T extends AttachTag>(
  about: Pick<KnownAttach, 'name' | 'sentence' | 'evidence'>,
  entry: Pick<KnownForm<T>, 'law' | 'finding' | 'when' | 'example'>,
): KnownAttach {
  return known<T>({
    ...about,
    ...entry,
    name: `${about.name}-seen-by-${entry.law.slice(entry.law.indexOf('/') + 1)}`,
    kernels: ['6.1', '6.12'],
    multiLinks: 'multi ids',
  });
}

/**
 * Two links have a function with its own trampoline, and one without; the second link cannot be removed from the
 * former.
 */
const FAILED_DETACH =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry, f1); link#3 = BPF_LINK_CREATE(prog#3); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); the next allocation in bpf_trampoline_update fails; close(link#2)';

/** The same with one link. */
const ONE_LEFT =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry, f1); link#3 = BPF_LINK_CREATE(prog#3); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); the next allocation in bpf_trampoline_update fails; close(link#1)';

function couldNotLeave({ moment: { outcome } }: AttachBreach): boolean {
  return outcome.warnings.some(
    (warning) => warning.is === 'multi link not taken off' && warning.by === 'bpf_trampoline_multi_detach',
  );
}

const TWICE = {
  name: 'failed-detach-counts-twice',
  sentence:
    "A link is closed without memory for one of its trampolines: progs_cnt of the others, which the program has left, is decremented a second time, and they get the programs from before the last link; the link's references are never dropped.",
  evidence:
    'Olsa, RFC 10/17  bpf_trampoline_multi_detach: fail_unlock, bpf_trampoline_rollback; 7/17  __bpf_trampoline_unlink_prog notes no old_array',
} as const;

const DETACHED_TWICE = [
  ofMultiIds(TWICE, {
    law: 'ftrace/multi-link-bookkeeping-is-consistent',
    finding: 'program-count-differs',
    when: ({ counter, observed }, breach) =>
      counter === 'progs_cnt' && observed >= 0 && couldNotLeave(breach),
    example: FAILED_DETACH,
  }),
  ofMultiIds(TWICE, {
    law: 'trampoline/reference-counts-are-exact',
    finding: 'references-differ',
    when: ({ of }, breach) => of.is === 'trampoline' && couldNotLeave(breach),
    example: ONE_LEFT,
  }),
  ofMultiIds(TWICE, {
    law: 'trampoline/image-matches-attached-programs',
    finding: 'image-is-for-others',
    when: ({ image }, breach) => image !== null && couldNotLeave(breach),
    example: ONE_LEFT,
  }),
];

/** The only link, which cannot be detached for lack of memory at one point of the detach. */
function onlyLink(where: string): string {
  return `prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in ${where} fails; close(link#1)`;
}

const FIRST = {
  name: 'detach-lacks-memory',
  sentence:
    'A multi link is closed without memory for the list of programs or the next image: the kernel only warns, and the image still calls the program.',
  evidence:
    'Olsa, RFC 10/17  bpf_trampoline_multi_detach, __bpf_trampoline_unlink_prog; kernel/bpf/syscall.c  the answer is only warned about',
} as const;

const LEAVES_FIRST = [
  ofMultiIds(FIRST, {
    law: 'ftrace/multi-link-bookkeeping-is-consistent',
    finding: 'multi-image-is-for-others',
    when: ({ observed }, breach) => observed.length > 0 && couldNotLeave(breach),
    example: onlyLink('bpf_trampoline_update (multi ids)'),
  }),
  ofMultiIds(FIRST, {
    law: 'ftrace/detach-needs-no-memory',
    finding: 'detaching-needs-memory',
    when: ({ action, routine }, breach) =>
      action === 'close(link)' &&
      routine === '__bpf_trampoline_unlink_prog (multi ids)' &&
      couldNotLeave(breach),
    example: onlyLink('__bpf_trampoline_unlink_prog (multi ids)'),
  }),
];

export const KNOWN_MULTI_IDS_DETACH: readonly KnownAttach[] = [...DETACHED_TWICE, ...LEAVES_FIRST];
