import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { entry } from '../../../model/core/present.ts';
import type { DeepReadonly } from '../../../model/core/readonly.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { MultiTrampolines } from '../../../model/trampoline/designs/multi-trampoline.ts';
import type { TrampNode } from '../../../model/trampoline/world.ts';
import { equal, ZERO } from '../../../model/x86/word.ts';
import type { KnownAttach, KnownForm } from '../attach.ts';
import { known } from '../attach.ts';
import { programNumber } from '../cause.ts';

/*
 * Breaches where trampolines of several functions are split: with the series of November 2021, and with the proposal
 * of July 2025, which no kernel has.
 */

/** The sets of functions that share a trampoline. */
function setsOf({ bpf }: KernelView): string[] {
  return Object.values((bpf.design as MultiTrampolines).byName).map(({ ids }) => ids.toSorted().join());
}

/** A set is split, although none of its programs was detached. */
function isSplit({ moment: { before, after, action } }: AttachBreach): boolean {
  return action.do !== 'close(link)' && isSplitBetween(before, after);
}

/** A set that was there is there no more. */
function isSplitBetween(before: KernelView, after: KernelView): boolean {
  const left = setsOf(after);
  return setsOf(before).some((set) => !left.includes(set));
}

/** A link to a function of a set, and to one that has a client's direct call. */
const BESIDE_A_DIRECT_CALL =
  'f1 = function(u64 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); ftrace_set_filter_ip(ops#1, f3); register_ftrace_direct_multi(ops#1, my_tramp1); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f3 })';

const SINGLE_ON_A_SET =
  'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2)';

const POKED_FOR_A_SPLIT: Pick<
  KnownForm<'pokes-differ'>,
  'law' | 'finding' | 'when' | 'example' | 'goesOn'
> = {
  goesOn: true,
  law: 'ftrace/only-changed-sites-are-poked',
  finding: 'pokes-differ',
  when: ({ action }, breach) =>
    (action === 'BPF_LINK_CREATE' || action === 'BPF_RAW_TRACEPOINT_OPEN') && isSplit(breach),
  example: SINGLE_ON_A_SET,
};

const LEFT_OF_A_REFUSED_LINK: Pick<
  KnownForm<'refusal-leaves-a-trace'>,
  'law' | 'kernels' | 'finding' | 'when' | 'example'
> = {
  law: 'ftrace/failed-calls-have-no-effect',
  kernels: ['6.1', '6.12', '7.2'],
  finding: 'refusal-leaves-a-trace',
  when: ({ changes: [{ place }] }, breach) =>
    ['text', 'ftrace', 'bpf'].includes(place[0] ?? '') && isSplit(breach),
  example: BESIDE_A_DIRECT_CALL,
};

export const KNOWN_MIXING: readonly KnownAttach[] = [
  known({
    ...POKED_FOR_A_SPLIT,
    name: 'split-takes-all-sites-off-and-back',
    sentence:
      'Splitting a trampoline unregisters it from all of its functions and registers two: sites outside the request are poked.',
    evidence:
      '[PATCH bpf-next 19/29] bpf_trampoline_split: bpf_trampoline_unregister(), then bpf_trampoline_register() twice',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'splitting',
  }),
  known({
    ...POKED_FOR_A_SPLIT,
    name: 'cut-row-takes-all-sites-off-and-back',
    sentence:
      'Cutting a row: with one ops per trampoline, its functions leave the old trampoline before they join another; with a single ops, one function alone is switched over, and then to the image with the new program.',
    evidence:
      'Dong, 17 July 2025, on the multi-fentry proposal: no way to move a function from one ops to another at once',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'program sets',
  }),
  known({
    ...LEFT_OF_A_REFUSED_LINK,
    name: 'refused-link-leaves-its-splits',
    sentence: 'A link splits a trampoline and is refused for another function: the trampoline stays split.',
    evidence:
      '[PATCH bpf-next 19/29] bpf_tramp_attach splits, bpf_tramp_attach_link is what can be refused; bpf_tramp_detach merges nothing',
    multiLinks: 'splitting',
  }),
  known({
    ...LEFT_OF_A_REFUSED_LINK,
    name: 'refused-link-leaves-its-cuts',
    sentence: 'A link cuts a row and is refused for another function: the row stays cut.',
    evidence: 'Starovoitov, 17 July 2025: what is fragmented is left so',
    multiLinks: 'program sets',
  }),
  known({
    name: 'copied-programs-run-in-the-opposite-order',
    sentence:
      'A trampoline with two programs is split: the programs are copied newest to oldest, each to the head of the list, and the copy calls the oldest first.',
    evidence: '[PATCH bpf-next 19/29] bpf_trampoline_dup: hlist_for_each_entry() and hlist_add_head()',
    law: 'ftrace/newer-clients-run-first',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'splitting',
    finding: 'older-client-runs-first',
    when: ({ newer, older, fn }, { moment: { after } }) =>
      isReversed(after, fn, programNumber(newer), programNumber(older)),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); link#3 = BPF_LINK_CREATE(prog#3); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'copied-modifiers-decide-in-the-opposite-order',
    sentence:
      'The same copy of two fmod_ret programs: the oldest runs first, and if it stops the call the newer one does not run.',
    evidence: '[PATCH bpf-next 19/29] bpf_trampoline_dup: hlist_for_each_entry() and hlist_add_head()',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'splitting',
    finding: 'hits-differ',
    when: ({ who, fn, kind, expected, observed }, { moment: { after } }) =>
      kind === 'program' &&
      expected + observed === 1 &&
      isAmongReversedModifiers(after, fn, programNumber(who)),
    example:
      'prog#1 = BPF_PROG_LOAD(fmod_ret multi returns=0x5eed); prog#2 = BPF_PROG_LOAD(fmod_ret multi); prog#3 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); link#3 = BPF_LINK_CREATE(prog#3); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'copied-programs-change-their-order-seen-by-independent-operations-commute',
    sentence:
      'The same copy, shown by a call of a function that the split leaves: before it, the programs run in the other order.',
    evidence: '[PATCH bpf-next 19/29] bpf_trampoline_dup: hlist_for_each_entry() and hlist_add_head()',
    law: 'ftrace/independent-operations-commute',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'splitting',
    finding: 'answers-depend-on-the-order',
    when: ({ action, expected, observed }, { moment: { previous, before } }) =>
      action === 'call' &&
      [expected, observed].every((answer) => answer.is === 'event' && answer.kind === 'program') &&
      previous !== undefined &&
      isSplitBetween(previous.before, before),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); link#3 = BPF_LINK_CREATE(prog#3); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'first-split-decides-whose-programs-are-reversed',
    sentence:
      'A link to one function of a trampoline splits it: this function keeps the order of the programs, and the others get the copy, in the opposite order. Which one that is depends on which of two links comes first.',
    evidence: '[PATCH bpf-next 19/29] bpf_trampoline_dup: hlist_for_each_entry() and hlist_add_head()',
    law: 'ftrace/independent-operations-commute',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'splitting',
    finding: 'state-depends-on-the-order',
    when: ({ place: [room, part, fn, list] }, { moment: { previous, before } }) =>
      room === 'bpf' &&
      part === 'trampolines' &&
      list === 'nodes' &&
      previous !== undefined &&
      isSplitBetween(previous.before, before) &&
      setsOf(previous.before).some((set) => set.split(',').includes(String(fn))),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); prog#3 = BPF_PROG_LOAD(fentry, f1); prog#4 = BPF_PROG_LOAD(fentry, f2); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 }); link#3 = BPF_LINK_CREATE(prog#3); link#4 = BPF_LINK_CREATE(prog#4)',
  }),
];

/** The programs of a function's trampoline, in the order of its list. */
function listOf(k: KernelView, fn: FunctionName): DeepReadonly<TrampNode[]> {
  const { byName } = k.bpf.design as MultiTrampolines;
  return (
    Object.values(byName).find(({ ids }) => ids.includes(fn))?.nodes ?? k.bpf.trampolines[fn]?.nodes ?? []
  );
}

/** The two programs are on a list in the order opposite to that of their attachment. */
function isReversed(k: KernelView, fn: FunctionName, newer: number, older: number): boolean {
  const nodes = listOf(k, fn);
  const place = (prog: ProgId) => nodes.findIndex((node) => node.prog === prog);
  return place(newer) >= 0 && place(newer) < place(older);
}

/** A fmod_ret program is on a list in the opposite order with another, and one of the two stops the call. */
function isAmongReversedModifiers(k: KernelView, fn: FunctionName, prog: ProgId): boolean {
  const age = Object.keys(k.bpf.links);
  const modifiers = listOf(k, fn).filter((node) => entry(k.bpf.progs, node.prog).program.kind === 'fmod_ret');
  const own = modifiers.findIndex((node) => node.prog === prog);
  return modifiers.some((other, place) => {
    const isAfter = age.indexOf(other.link) > age.indexOf(modifiers[own]?.link ?? '');
    if (own < 0 || place === own || isAfter === place > own) return false;
    return [prog, other.prog].some((id) => !equal(entry(k.bpf.progs, id).returns, ZERO));
  });
}
