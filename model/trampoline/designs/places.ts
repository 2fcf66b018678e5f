import type { Errno } from '../../core/errno.ts';
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
import type { PartitionPart as IdPart, Ids } from './partition.ts';
import { planCuts } from './partition.ts';

/*
 * Where a program goes in designs that mix trampolines of several functions with the kernel's own of one.
 */

/** A trampoline with its functions: one of several by its name, or that of one function. */
export type ProgramPlace = IdPart & ({ readonly tr: string } | { readonly target: string });

/** All trampolines that have programs, and those of several functions. */
export function placesIn(k: BpfView): ProgramPlace[] {
  const single = Object.keys(k.bpf.trampolines).filter((id) => entry(k.bpf.trampolines, id).nodes.length > 0);
  return [
    ...single.map((target) => ({ ids: [target], target })),
    ...multisOf(k).map(([tr, { ids }]) => ({ ids, tr })),
  ];
}

/** The functions of a link. */
export function idsOf(k: BpfView, { link }: LinkArgs): Ids {
  return entry(k.bpf.links, link).targets;
}

/** Those that have some of a link's functions; a function that is in none of them has one of its own. */
export function placesOf(k: BpfView, at: LinkArgs): ProgramPlace[] {
  const { cuts, rest } = planCuts(placesIn(k), idsOf(k, at))!;
  return [...cuts.map(({ part }) => part), ...rest.map((target) => ({ ids: [target], target }))];
}

export function nodesOf(k: BpfView, place: ProgramPlace): DeepReadonly<TrampNode[]> {
  return 'tr' in place ? multiOf(k, place.tr).nodes : trOf(k, place.target).nodes;
}

/** Whether a link's program is on one of the link's functions by another link. */
export function isAttached(k: BpfView, at: LinkArgs): boolean {
  const { prog } = entry(k.bpf.links, at.link);
  return placesOf(k, at).some((place) => nodesOf(k, place).some((node) => node.prog === prog));
}

/** The places that have the program by this link. */
export function linkedPlaces(k: BpfView, at: LinkArgs): ProgramPlace[] {
  return placesOf(k, at).filter((place) => nodesOf(k, place).some(({ link }) => link === at.link));
}

/** The locals of a routine that goes through places. */
export interface PlaceArgs extends LinkArgs {
  place?: ProgramPlace;
  linked?: ProgramPlace[];
}

export function takePlace(at: PlaceArgs, place: ProgramPlace): void {
  at.place = place;
}

/** The program enters each place; those that it has entered are in `linked`, the last one first. */
export function linkPlaces(
  { step, each, when, call }: RoutineWords<BpfWorld, PlaceArgs>,
  places = placesOf,
): Part[] {
  return [
    step('nothing is linked yet', (_, at) => {
      at.linked = [];
    }),
    each('place', places, takePlace, [
      when(
        'it has several functions',
        (_, { place }) => 'tr' in place!,
        [call(linkMulti, (k, at) => ({ tr: trIn(at), node: nodeOf(k, at) }))],
        [call(bpfTrampolineLinkProg, (k, at) => ({ target: item(at.place!.ids, 0), node: nodeOf(k, at) }))],
      ),
      step('remember it', (_, { linked, place }) => {
        linked!.unshift(place!);
      }),
    ]),
  ];
}

/** The program leaves places; what fails is only warned about. */
export function unlinkPlaces(
  { each, when, call }: RoutineWords<BpfWorld, PlaceArgs>,
  places: (k: BpfView, at: PlaceArgs) => readonly ProgramPlace[],
): Part {
  return each('place', places, takePlace, [
    when(
      'it has several functions',
      (_, { place }) => 'tr' in place!,
      [call(unlinkMulti, (k, at) => ({ tr: trIn(at), node: nodeOf(k, at) }), warnStays)],
      [
        call(skipInShared, (k, at) => ({ prog: nodeOf(k, at).prog })),
        call(
          bpfTrampolineUnlinkProg,
          (k, at) => ({ target: item(at.place!.ids, 0), node: nodeOf(k, at) }),
          warnStays,
        ),
      ],
    ),
  ]);
}

function trIn({ place }: PlaceArgs): string {
  return (place as { tr: string }).tr;
}

function nodeOf(k: BpfView, at: PlaceArgs): TrampNode {
  const { prog } = entry(k.bpf.links, at.link);
  return { link: at.link, prog, cookie: entry(k.bpf.progs, prog).program.cookie };
}

function warnStays(k: BpfWorld, _: PlaceArgs, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'multi link not taken off', errno, by: 'bpf_tramp_attach_unlink' });
}
