import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { bpfTrampolineLinkProg } from '../link.ts';
import { kernelSlots } from '../signature.ts';
import { knownFunction } from '../traced-function.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs, SingleArgs } from './design.ts';
import type { HoldLocals } from './held-targets.ts';
import { holdTargets, putTargets } from './held-targets.ts';
import { imageOfMulti, isInMulti, multiDisagreement } from './multi-agreement.ts';
import { MULTI_COUNTS } from './multi-link.ts';
import type { MultiTrampolines } from './multi-trampoline.ts';
import { DIRECT_OPS, freeEmpty, MULTI_MUTEX, makeMulti, multiNamed, multiOf } from './multi-trampoline.ts';
import type { Cut, Ids } from './partition.ts';
import { groupBy, planCuts } from './partition.ts';
import type { PlaceLocals, ProgramPlace } from './places.ts';
import { isAttached, linkedPlaces, linkPlaces, placesIn, unlinkPlaces } from './places.ts';
import { splitInPlace } from './split-in-place.ts';
import type { SplitArgs } from './split-trampoline.ts';
import { bpfTrampolineSplit } from './split-trampoline.ts';
import { hasCookie, needsPages } from './stub-targets.ts';
import { idsOf, targetsOf } from './targets.ts';

/*
 * The proposal of July 2025: one image for each set of programs and class of functions, where a class is what the
 * architecture takes for the same: on x86-64, arguments in the same places. A link is rows of (programs,
 * functions); one that comes cuts the rows of all others, and gets its own:
 *
 * ```text
 *   (P, f1 f2 f3)   Q comes to f3 f4      (P, f1 f2)  (P Q, f3)  (Q, f4)
 *   (P, f1 f2)      R, a single one, f1   (P, f2), and the trampoline of f1 with P R
 * ```
 *
 * There is no code of it. Where each trampoline has an ops of its own (6.1, 6.12), a function goes from one ops
 * to another by leaving the one first: that is the objection that was raised, and what the checker finds. Where
 * one ops serves all (7.2), a row that is cut leads where it did, and one change of ftrace leads it elsewhere.
 * Rows are never merged, nor is what a refused link has cut. Cookies would have to be looked up by the
 * function's address, and are refused.
 */

/** An attach between its steps. */
interface AttachLocals extends HoldLocals, PlaceLocals {
  one: SplitArgs;
}

/** All cuts, then all links. A refused link is undone, but its cuts stay. */
const attach = routine<BpfWorld, LinkArgs, AttachLocals>('bpf_program_sets_attach', (words) => {
  const { refuse, attempt, holding, step, allocate } = words;
  return [
    refuse('EINVAL', 'there are no cookies', hasCookie),
    allocate('the rows'),
    attempt(
      [
        ...holdTargets(words),
        holding(MULTI_MUTEX, [
          refuse('EBUSY', 'the program is attached to one of them', isAttached),
          cutRows(words),
          // After the cuts: what is left is in no row.
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

/** Rows that have functions of the link and others are cut. */
function cutRows({ each, call, when }: RoutineWords<BpfWorld, AttachLocals>): Part {
  return each<SplitArgs>('row with other functions', cutsOf, takeCut, [
    when(
      'one ops serves all',
      isOneForAll,
      [call(splitInPlace, (_, { one: split, link }) => ({ ...split, link }))],
      [call(bpfTrampolineSplit, (_, { one: split }) => ({ ...split }))],
    ),
  ]);
}

/** 7.2: a direct call can be moved without a gap. */
function isOneForAll({ profile }: BpfView): boolean {
  return profileNamed(profile).singleDirectOps;
}

function cutsOf(k: BpfView, locals: LinkArgs): SplitArgs[] {
  return splitsFor(k, idsOf(k, locals));
}

/** The cuts that a set of functions needs, as arguments of a split. */
function splitsFor(k: BpfView, ids: Ids): SplitArgs[] {
  const { cuts } = planCuts(placesIn(k), ids);
  return cuts.filter(({ other }) => other.length > 0).map((cut) => splitArgs(k, cut));
}

/** Copies keep the order of the programs here (`inOrder`), unlike bpf_trampoline_dup(). */
function splitArgs(k: BpfView, { part: { ids }, common, other }: Cut<ProgramPlace>): SplitArgs {
  return { ids, common, other, serial: multiOf(k, multiNamed(ids)).serial, inOrder: true };
}

function takeCut(locals: { one?: SplitArgs }, split: SplitArgs): void {
  locals.one = split;
}

/** Whether the image of one function fits another: the places of its arguments, in registers and on the stack. */
function modelClass(k: BpfView, id: string): string {
  const slots = kernelSlots(knownFunction(k.functions, id).signature);
  return slots.map(({ place }) => Object.values(place).join(' ')).join(', ');
}

/** Functions in no row form one for each class. */
function makeNew(k: BpfWorld, locals: LinkArgs): void {
  const { rest } = planCuts(placesIn(k), idsOf(k, locals));
  for (const ids of groupBy(rest, (id) => modelClass(k, id)).values())
    if (ids.length > 1) makeMulti(k, ids, isOneForAll(k) ? { fops: DIRECT_OPS } : {});
}

/** The rows stay cut; those without programs are freed. */
const detach = routine<BpfWorld, LinkArgs, AttachLocals>('bpf_program_sets_detach', (words) => {
  const { holding, step } = words;
  return [
    holding(MULTI_MUTEX, [unlinkPlaces(words, linkedPlaces), step('free what is empty', freeEmpty)]),
    putTargets(words, targetsOf),
  ];
});

/** A single program on a function of a row: it gets its own trampoline, with the programs of the row. */
const linkSingle = routine<BpfWorld, SingleArgs, SingleArgs & { one: SplitArgs }>(
  'bpf_program_sets_single',
  ({ each, call, when, holding }) => [
    holding(MULTI_MUTEX, [
      each<SplitArgs>('row of the function', (k, { target }) => splitsFor(k, [target]), takeCut, [
        when(
          'one ops serves all',
          isOneForAll,
          [call(splitInPlace, (_, { one: split, node }) => ({ ...split, link: node.link }))],
          [call(bpfTrampolineSplit, (_, { one: split }) => ({ ...split }))],
        ),
      ]),
      call(bpfTrampolineLinkProg, (_, { target, node }) => ({ target, node })),
    ]),
  ],
);

/** There is no code of the proposal: locks and refusals are those of the designs it resembles. */
export const programSets: Design = {
  name: 'program sets',
  sentence:
    'Functions with the same programs and the same places of arguments have one image; a link cuts these sets again.',
  source: 'Starovoitov, 17 July 2025, multi-fentry proposal',
  kinds: ['fentry', 'fexit', 'fmod_ret'],
  needs: needsPages,
  start: () => ({ byName: {} }) satisfies MultiTrampolines,
  attach,
  detach,
  linkSingle,
  imageOf: imageOfMulti,
  hasSite: isInMulti,
  disagreement: multiDisagreement,
  counts: MULTI_COUNTS,
};
