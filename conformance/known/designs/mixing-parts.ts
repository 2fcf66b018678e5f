import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { reachOf } from '../../../model/trampoline/traced-function.ts';
import type { KnownAttach } from '../attach.ts';
import { programNumber } from '../cause.ts';
import type { Entry } from './mixing-failures.ts';
import { ON_A_SET, SPLIT, splitAndCut, trampolinesOf } from './mixing-failures.ts';

/*
 * A part of a split that could not be registered. A part of one function loses its programs; one of several keeps them
 * in its list, without an image:
 *
 * ```text
 *   T {f1, f2, f3}   P, image   →   T  {f1}       P, Q, image
 *                                   T' {f2, f3}   P, no image: its sites are nops
 * ```
 */

/** A program of an attached link that no trampoline of the function has. */
function isInNoTrampoline(
  { after: k, faults }: AttachBreach['moment'],
  prog: ProgId,
  fn: FunctionName,
): boolean {
  const several = Object.values(trampolinesOf(k)).filter(({ ids }) => ids.includes(fn));
  const has = [...several, ...(k.bpf.trampolines[fn] === undefined ? [] : [k.bpf.trampolines[fn]])];
  return faults.length > 0 && !has.some(({ nodes }) => nodes.some((node) => node.prog === prog));
}

/** A call reaches a function of which no trampoline has a modify-return program that is attached to it. */
function lacksModifier({ moment }: AttachBreach, fn: FunctionName): boolean {
  const { functions, bpf } = moment.after;
  const reach = reachOf(functions, fn);
  return Object.values(bpf.links).some(
    ({ prog, targets }) =>
      bpf.progs[prog]?.program.kind === 'fmod_ret' &&
      targets.some((target) => reach.has(target) && isInNoTrampoline(moment, prog, target)),
  );
}

/** A trampoline without an image is a part of one that this step has split, and that warned of a lack of memory. */
function isUnregisteredPart({ moment: { before, after, outcome } }: AttachBreach, name: string): boolean {
  const part = trampolinesOf(after)[name];
  if (part === undefined || part.image !== '') return false;
  return outcome.warnings.some(
    (warning) =>
      warning.is === 'split trampoline not made' &&
      warning.errno === 'ENOMEM' &&
      Object.values(trampolinesOf(before)).some(({ ids }) => ids.join() === warning.targets.join()) &&
      part.ids.length < warning.targets.length &&
      part.ids.every((id) => warning.targets.includes(id)),
  );
}

const PART_WITHOUT_MEMORY: Entry<'hits-differ'> = {
  sentence:
    'A trampoline is split, and one of its parts cannot be registered: the kernel only warns, and the programs run on none of its functions any more, although their links remain.',
  evidence: `${SPLIT}: bpf_trampoline_register() twice, whatever it answers`,
  law: 'ftrace/probes-fire-exactly-once',
  finding: 'hits-differ',
  when: ({ who, fn, kind, expected, observed }, { moment }) =>
    kind === 'program' && expected > 0 && observed === 0 && isInNoTrampoline(moment, programNumber(who), fn),
  example: `${ON_A_SET}; the next allocation in bpf_trampoline_update fails; link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)`,
};

const OF_A_MODIFIER = {
  sentence: PART_WITHOUT_MEMORY.sentence,
  evidence: PART_WITHOUT_MEMORY.evidence,
  example: PART_WITHOUT_MEMORY.example.replace('fentry multi', 'fmod_ret multi returns=0x5eed'),
} as const;

const PART_WITHOUT_ITS_VALUE: Entry<'return-value-differs'> = {
  ...OF_A_MODIFIER,
  law: 'ftrace/caller-gets-the-return-value',
  finding: 'return-value-differs',
  when: ({ fn }, breach) => lacksModifier(breach, fn),
};

const PART_WITHOUT_ITS_STOP: Entry<'runs-differ'> = {
  ...OF_A_MODIFIER,
  law: 'ftrace/body-or-replacement-runs-once',
  finding: 'runs-differ',
  when: ({ fn, expected, observed }, breach) =>
    observed.length > expected.length && lacksModifier(breach, fn),
};

const PART_WITHOUT_IMAGE: Entry<'multi-image-is-for-others'> = {
  sentence:
    'A trampoline is split, and a part of several functions cannot be registered: the kernel only warns, and the part has programs in its list and no image that calls them.',
  evidence: PART_WITHOUT_MEMORY.evidence,
  law: 'ftrace/multi-link-bookkeeping-is-consistent',
  finding: 'multi-image-is-for-others',
  when: ({ of, expected, observed }, breach) =>
    expected.length > 0 && observed.length === 0 && isUnregisteredPart(breach, of),
  example: `f1 = function(u64 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); ${ON_A_SET.replace('{ f1, f2 }', '{ f1, f2, f3 }')}; the next allocation in bpf_trampoline_update (multi) fails; link#2 = BPF_LINK_CREATE(prog#2)`,
};

export const KNOWN_MIXING_PARTS: readonly KnownAttach[] = [
  ...splitAndCut(
    PART_WITHOUT_MEMORY,
    'part-of-a-split-that-is-not-registered',
    'part-of-a-cut-that-is-not-registered',
  ),
  ...splitAndCut(
    PART_WITHOUT_ITS_VALUE,
    'part-of-a-split-that-is-not-registered-seen-by-caller-gets-the-return-value',
    'part-of-a-cut-that-is-not-registered-seen-by-caller-gets-the-return-value',
  ),
  ...splitAndCut(
    PART_WITHOUT_ITS_STOP,
    'part-of-a-split-that-is-not-registered-seen-by-body-or-replacement-runs-once',
    'part-of-a-cut-that-is-not-registered-seen-by-body-or-replacement-runs-once',
  ),
  ...splitAndCut(PART_WITHOUT_IMAGE, 'part-of-a-split-has-no-image', 'part-of-a-cut-has-no-image'),
];
