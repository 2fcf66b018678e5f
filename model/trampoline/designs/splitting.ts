import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { compareText } from '../../core/text-order.ts';
import { bpfTrampolineLinkProg } from '../link.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs, SingleArgs } from './design.ts';
import type { HoldLocals } from './held-targets.ts';
import { holdTargets, putTargets } from './held-targets.ts';
import { imageOfMulti, isInMulti, multiDisagreement } from './multi-agreement.ts';
import { MULTI_COUNTS } from './multi-link.ts';
import type { MultiTrampolines } from './multi-trampoline.ts';
import { freeEmpty, MULTI_MUTEX, makeMulti, multiNamed, multiOf } from './multi-trampoline.ts';
import type { Cut, Ids, PartitionPlan } from './partition.ts';
import { groupBy, planCuts } from './partition.ts';
import type { PlaceLocals, ProgramPlace } from './places.ts';
import { isAttached, linkedPlaces, linkPlaces, placesIn, unlinkPlaces } from './places.ts';
import type { SplitArgs } from './split-trampoline.ts';
import { bpfTrampolineSplit, trampStateRevert } from './split-trampoline.ts';
import { hasCookie, isOfWords, needsPages, wordsOf } from './stub-targets.ts';
import { idsOf, targetsOf } from './targets.ts';

/*
 * Mixing trampolines as of November 2021 (29 patches, 13 to 20): a trampoline has a set of functions, no two have
 * one in common, and a link that wants some functions of a set has its trampoline split:
 *
 * ```text
 *   T {f1, f2, f3}   P             T  {f1}       P, Q
 *   Q comes to {f1, f4}     →      T' {f2, f3}   P         its programs copied
 *                                  T" {f4}       Q
 * ```
 *
 * A trampoline of one function is the kernel's own, also where a split has left it, and links to one function
 * split as others do. The functions of a set have one number of arguments. Parts are never merged again.
 *
 * A visible effect is a finding, with a trace: the gap between unregistering and registering, the order of a
 * copy's programs, a part that cannot be registered and is only warned about, the image that a split without
 * memory makes again, what a link that was refused has split, and the clients that may take a function before
 * and after another client's split.
 *
 * Read in the patches, and not in the model: state_cleanup() looks one entry after the last, and leaks sets,
 * which are no objects here; id_sub() takes the smaller set from the larger, and is only asked where one is a
 * part of the other. A copy is given a reference too many, and is never freed: here a trampoline without programs
 * is freed, whatever its count. A revert frees the copy without taking it off ftrace: here it is taken off first.
 * The mutex is let go between the last split and the link: here it is held from the first split to the last
 * image, so that no other link comes in between.
 */

/** `MAX_ARGS`: functions with this number of arguments or more are refused. */
const MAX_ARGS = 7;

/** `MAX_TRAMP_STATE`: trampolines that a link may overlap with, for each number of arguments. */
const MAX_TRAMP_STATE = 20;

/** An attach between its steps: the group, its splits so far, and the places that are linked. */
interface AttachLocals extends HoldLocals, PlaceLocals {
  /** Functions with one number of arguments, their trampolines, and those that were split. */
  group: Ids;
  plan: PartitionPlan<ProgramPlace> | null;
  cut: Cut<ProgramPlace>;
  one: SplitArgs;
  split: SplitArgs[];
}

/**
 * bpf_tramp_attach() and bpf_tramp_attach_link(). All splits come first, then all links: a refusal of a link
 * undoes the links, but not the splits that were committed for an earlier number of arguments.
 */
const bpfTrampAttach = routine<BpfWorld, LinkArgs, AttachLocals>('bpf_tramp_attach', (words) => {
  const { refuse, attempt, holding, step, each } = words;
  return [
    refuse('EINVAL', 'there are no cookies', hasCookie),
    attempt(
      [
        ...holdTargets(words),
        refuse('EINVAL', 'a function has too many arguments', (k, locals) =>
          idsOf(k, locals).some((id) => isTooMuch(k, id)),
        ),
        holding(MULTI_MUTEX, [
          refuse('EBUSY', 'the program is attached to one of them', isAttached),
          each<Ids>('number of arguments', groupsOf, takeGroup, splitGroup(words)),
          step('make what is new', makeNew),
          attempt(linkPlaces(words), [
            unlinkPlaces(words, (_, { linked }) => linked),
            step('free what is empty', freeEmpty),
          ]),
        ]),
      ],
      [putTargets(words, (_, { got }) => got.toReversed())],
    ),
  ];
});

/** get_args(), and the model of a set, in which all arguments are words (bpf_func_model_nargs()). */
function isTooMuch(k: BpfView, id: string): boolean {
  return wordsOf(k, id) >= MAX_ARGS || !isOfWords(k, id);
}

/** get_args(): the functions by their number of arguments; a trampoline has one model. */
function groupsOf(k: BpfView, locals: LinkArgs): Ids[] {
  const groups = groupBy(idsOf(k, locals), (id) => String(wordsOf(k, id)));
  return [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
}

/** The next number of arguments. */
function takeGroup(locals: AttachLocals, group: Ids): void {
  locals.group = group;
  locals.split = [];
}

/**
 * __bpf_tramp_attach(): trampolines that have functions of the group and others are split; a failure reverts
 * them.
 */
function splitGroup({
  step,
  refuse,
  attempt,
  each,
  call,
  allocate,
}: RoutineWords<BpfWorld, AttachLocals>): Part[] {
  return [
    step('compute the splits', (k, locals) => {
      locals.plan = planCuts(placesIn(k), locals.group, MAX_TRAMP_STATE) ?? null;
    }),
    refuse('EBUSY', 'the functions are in too many trampolines', (_, { plan }) => plan === null),
    attempt(
      [
        each('trampoline with other functions', (_, { plan }) => toSplit(plan), takeCut, [
          step('read its functions', (k, locals) => {
            locals.one = splitArgs(k, locals.cut);
          }),
          call(bpfTrampolineSplit, (_, { one: split }) => ({ ...split })),
          step('remember it', (_, { split, one: item }) => {
            split.unshift(item);
          }),
        ]),
        // A failure here reverts the splits of this group, and of no other.
        allocate('a trampoline for the rest'),
      ],
      [
        each('split', (_, { split }) => split, takeSplit, [
          call(trampStateRevert, (_, { one: split }) => ({ ...split })),
        ]),
      ],
    ),
  ];
}

/** Trampolines that keep functions the link does not want. */
function toSplit(plan: PartitionPlan<ProgramPlace> | null): Cut<ProgramPlace>[] {
  if (plan === null) throw new Error('the functions are in too many trampolines: that has been refused');
  return plan.cuts.filter(({ other }) => other.length > 0);
}

function takeCut(locals: { cut?: Cut<ProgramPlace> }, cut: Cut<ProgramPlace>): void {
  locals.cut = cut;
}

function takeSplit(locals: AttachLocals, split: SplitArgs): void {
  locals.one = split;
}

/** The two parts of a trampoline; both inherit its serial, as tasks may be in its images. */
function splitArgs(k: BpfView, { part: { ids }, common, other }: Cut<ProgramPlace>): SplitArgs {
  return { ids, common, other, serial: multiOf(k, multiNamed(ids)).serial };
}

/**
 * bpf_trampoline_create(): functions in no trampoline get one for each number of arguments; a single one has the
 * kernel's.
 */
function makeNew(k: BpfWorld, locals: AttachLocals): void {
  const places = placesIn(k);
  for (const group of groupsOf(k, locals)) {
    const { rest } = planCuts(places, group);
    if (rest.length > 1) makeMulti(k, rest);
  }
}

/** bpf_tramp_attach_unlink() and bpf_tramp_detach(): nothing is merged again. */
const bpfTrampDetach = routine<BpfWorld, LinkArgs, AttachLocals>('bpf_tramp_detach', (words) => {
  const { holding, step } = words;
  return [
    holding(MULTI_MUTEX, [unlinkPlaces(words, linkedPlaces), step('free what is empty', freeEmpty)]),
    putTargets(words, targetsOf),
  ];
});

/**
 * bpf_tracing_prog_attach(): a link to one function splits the trampoline that has it, unless it is the only one.
 */
const splitForSingle = routine<BpfWorld, SingleArgs & { cut?: Cut<ProgramPlace> | undefined }>(
  'bpf_tramp_attach (single)',
  ({ step, when, call, holding }) => [
    holding(MULTI_MUTEX, [
      step('find the trampoline of the function', (k, locals) => {
        locals.cut = planCuts(placesIn(k), [locals.target]).cuts.find(({ other }) => other.length > 0);
      }),
      when('it has others', (_, { cut }) => cut !== undefined, [
        call(bpfTrampolineSplit, (k, { cut }) => splitArgs(k, cut!)),
      ]),
      call(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
    ]),
  ],
);

/** Needs a page for each image: the parts of a split have different lifetimes. */
export const splitting: Design = {
  name: 'splitting',
  sentence:
    'No two trampolines have a function in common; one that has functions which a link wants, and others, is split.',
  source:
    'Olsa, November 2021, RFC v5, 29 patches  bpf_tramp_attach, bpf_trampoline_split, bpf_trampoline_dup',
  kinds: ['fentry', 'fexit', 'fmod_ret'],
  needs: needsPages,
  start: () => ({ byName: {} }) satisfies MultiTrampolines,
  attach: bpfTrampAttach,
  detach: bpfTrampDetach,
  linkSingle: splitForSingle,
  stubWords: 0,
  imageOf: imageOfMulti,
  hasSite: isInMulti,
  disagreement: multiDisagreement,
  counts: MULTI_COUNTS,
};
