import type { Errno } from '../../core/errno.ts';
import type { FunctionName } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry, item } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { bpfTrampolineLinkProg, bpfTrampolineUnlinkProg } from '../link.ts';
import { trOf } from '../trampoline.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import type { LinkArgs } from './design.ts';
import { linkMulti, skipInShared, unlinkMulti } from './multi-link.ts';
import { multiOf, multisOf } from './multi-trampoline.ts';
import type { PartitionPart as IdPart } from './partition.ts';
import { planCuts } from './partition.ts';
import { idsOf } from './targets.ts';

/*
 * The trampolines that a program is linked to, in designs that mix trampolines of several functions with the
 * kernel's own of one. Linking goes through them one by one; on failure those already linked are unlinked, the
 * last one first.
 */

/** A trampoline with its functions: one of several by its name, or that of one function. */
export type ProgramPlace = IdPart & ({ readonly tr: string } | { readonly target: FunctionName });

/** All trampolines that have programs, and those of several functions. */
export function placesIn(k: BpfView): ProgramPlace[] {
  const single = Object.keys(k.bpf.trampolines).filter((id) => entry(k.bpf.trampolines, id).nodes.length > 0);
  return [
    ...single.map((target) => ({ ids: [target], target })),
    ...multisOf(k).map(([tr, { ids }]) => ({ ids, tr })),
  ];
}

/** The trampolines that have some of a link's functions; a function in none of them has its own. */
export function placesOf(k: BpfView, locals: LinkArgs): ProgramPlace[] {
  const { cuts, rest } = planCuts(placesIn(k), idsOf(k, locals));
  return [...cuts.map(({ part }) => part), ...rest.map((target) => ({ ids: [target], target }))];
}

/** The programs at a place, in the order of attachment. Images run them newest first. */
export function nodesOf(k: BpfView, place: ProgramPlace): DeepReadonly<TrampNode[]> {
  return 'tr' in place ? multiOf(k, place.tr).nodes : trOf(k, place.target).nodes;
}

/**
 * Whether a link's program is on one of the link's functions through another link: EBUSY, as for a second link
 * to one function.
 */
export function isAttached(k: BpfView, locals: LinkArgs): boolean {
  const { prog } = entry(k.bpf.links, locals.link);
  return placesOf(k, locals).some((place) => nodesOf(k, place).some((node) => node.prog === prog));
}

/** The places at which this link has the program. */
export function linkedPlaces(k: BpfView, locals: LinkArgs): ProgramPlace[] {
  return placesOf(k, locals).filter((place) => nodesOf(k, place).some(({ link }) => link === locals.link));
}

/** The locals of a routine that visits places. */
export interface PlaceLocals extends LinkArgs {
  place: ProgramPlace;
  linked: ProgramPlace[];
}

export function takePlace(locals: PlaceLocals, place: ProgramPlace): void {
  locals.place = place;
}

/** The program is linked at each place; the linked ones are in `linked`, the last one first. */
export function linkPlaces(
  { step, each, when, call }: RoutineWords<BpfWorld, PlaceLocals>,
  places = placesOf,
): Part[] {
  return [
    step('nothing is linked yet', (_, locals) => {
      locals.linked = [];
    }),
    each('place', places, takePlace, [
      when(
        'it has several functions',
        (_, { place }) => 'tr' in place,
        [call(linkMulti, (k, locals) => ({ tr: trIn(locals), node: nodeOf(k, locals) }))],
        [
          call(bpfTrampolineLinkProg, (k, locals) => ({
            target: item(locals.place.ids, 0),
            node: nodeOf(k, locals),
          })),
        ],
      ),
      // At the head: the rollback unlinks the last one first.
      step('remember it', (_, { linked, place }) => {
        linked.unshift(place);
      }),
    ]),
  ];
}

/** The program is unlinked at each place; a failure only warns. */
export function unlinkPlaces(
  { each, when, call }: RoutineWords<BpfWorld, PlaceLocals>,
  places: (k: BpfView, locals: PlaceLocals) => readonly ProgramPlace[],
): Part {
  return each('place', places, takePlace, [
    when(
      'it has several functions',
      (_, { place }) => 'tr' in place,
      [call(unlinkMulti, (k, locals) => ({ tr: trIn(locals), node: nodeOf(k, locals) }), warnStays)],
      [
        // Before the unlink: an image of a former set may still be running on this function.
        call(skipInShared, (k, locals) => ({ prog: nodeOf(k, locals).prog })),
        call(
          bpfTrampolineUnlinkProg,
          (k, locals) => ({ target: item(locals.place.ids, 0), node: nodeOf(k, locals) }),
          warnStays,
        ),
      ],
    ),
  ]);
}

/** The name of a trampoline of several functions. */
function trIn({ place }: PlaceLocals): string {
  return (place as { tr: string }).tr;
}

function nodeOf(k: BpfView, locals: PlaceLocals): TrampNode {
  const { prog } = entry(k.bpf.links, locals.link);
  return { link: locals.link, prog, cookie: entry(k.bpf.progs, prog).program.cookie };
}

/**
 * A program that stays attached has no link any more. The reference that the image needs goes with the link.
 */
function warnStays(k: BpfWorld, _: PlaceLocals, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'multi link not taken off', errno, by: 'bpf_tramp_attach_unlink' });
}
