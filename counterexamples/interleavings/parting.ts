import { clientName } from '../../checker/interleavings/actor-names.ts';
import { namedActor, nameOfWork } from '../../checker/interleavings/actors.ts';
import type { DoneStep } from '../../checker/interleavings/cause/done-step.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { ClientParts, Work } from '../../checker/interleavings/parts.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playTurn } from '../../checker/interleavings/play.ts';
import { RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { callersIn, waitOf } from '../../checker/interleavings/waits-for.ts';
import { item, last } from '../../model/core/present.ts';
import type { Act, Parting } from '../../properties/finding/why.ts';
import { PLANTED_PART } from '../../properties/planted/sequences/edits.ts';
import { changeDifference } from '../state-difference.ts';
import { newWorks, plainName } from './move-text.ts';
import { memoryDelta, raceDelta } from './task-delta.ts';

/** A space in which a schedule was played. */
interface PlayedIn {
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
}

/**
 * Where another kernel first differs from the one in which a schedule was played; undefined: it takes all the same steps.
 * Kernels cut their operations differently, so that what each actor does is compared one after the other, and not move by
 * move.
 */
export function partingOf({ space, played }: PlayedIn, there: Space): Parting | undefined {
  const lists = new Map<string, { readonly here: Act[]; readonly there: Act[] }>();
  const isSameKernel = space.scenario.profile === there.scenario.profile;
  let state: PackedState = there.initial();
  for (const [i, move] of played.entries()) {
    const { actor } = move.turn;
    const other = playTurn(there, state, move.turn);
    const list = lists.get(actor) ?? { here: [], there: [] };
    lists.set(actor, list);
    list.here.push(...actsOf(space, move, isSameKernel));
    if (other !== undefined) list.there.push(...actsOf(there, other, isSameKernel));
    const index = firstDifference(list.here, list.there);
    const found = (own: Act | undefined, its: Act): Parting => ({
      step: i + 1,
      actor,
      here: own ?? { is: 'nothing' },
      there: its,
    });
    if (index !== undefined) return found(list.here[index], list.there[index]!);
    if (other === undefined) return found(list.here[list.there.length], standing(there, state, actor));
    const changes = isSameKernel ? changesOf({ space, move }, { space: there, move: other }) : undefined;
    if (changes !== undefined) return found(...changes);
    if (other.after === undefined) return undefined;
    state = other.after;
  }
  const end = last(played).after;
  return end === undefined
    ? undefined
    : partingAfter({ space, state: end }, { space: there, state }, played.length + 1);
}

interface StandsIn {
  readonly space: Space;
  readonly state: PackedState;
}

/** The first actor that is stuck in one kernel, and is not in the other, or not by the same. */
function partingAfter(here: StandsIn, there: StandsIn, step: number): Parting | undefined {
  for (const { who: actor, kind, index } of here.space.actors(here.state)) {
    if (kind === 'caller') continue;
    const name = kind === 'work' ? nameOfWork(item(here.space.worksOf(here.state), index)) : actor;
    const turn = { actor: name, does: RUNS };
    if (playTurn(here.space, here.state, turn) !== undefined) continue;
    const own = standing(here.space, here.state, name);
    const next = playTurn(there.space, there.state, turn);
    const its =
      next === undefined ? standing(there.space, there.state, name) : actsOf(there.space, next, true)[0];
    if (its !== undefined && !isSameAct(own, its)) return { step, actor: name, here: own, there: its };
  }
  return undefined;
}

function firstDifference(here: readonly Act[], there: readonly Act[]): number | undefined {
  const length = Math.min(here.length, there.length);
  for (let i = 0; i < length; i++) if (!isSameAct(here[i], there[i])) return i;
  return undefined;
}

function isSameAct(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What a move does, as far as two kernels can be compared by it: code lies at other places in another version. */
function actsOf(space: Space, played: PlayedSchedule, isSameKernel: boolean): Act[] {
  const { before, after, move, to } = played;
  const unpacked = unpackMove(move);
  const step = space.stepOf(before, unpacked);
  if (step === undefined) {
    const resumes = unpacked.who === 'caller' && unpacked.does === 'resumes';
    const isInC = after !== undefined && space.callerOf(after, unpacked.index)?.frames != null;
    return resumes && (isSameKernel || isInC) ? [{ is: 'place', place: to }] : [];
  }
  const own = unpacked.who === 'client' && after !== undefined ? [space.clientOf(after, unpacked.index)] : [];
  return [...step.did.map(partOf), ...[...own, ...newWorks(space, played)].flatMap(periodOf)];
}

function partOf({ within, part, refused }: DoneStep): Act {
  const routine = plainName(last(within));
  return part === PLANTED_PART
    ? { is: 'planted part', routine }
    : { is: 'part', routine, part, refused: refused ?? null };
}

function periodOf({ waits, holdouts }: Pick<Work | ClientParts, 'waits' | 'holdouts'>): Act[] {
  return waits === null ? [] : [{ is: 'grace period', flavour: waits, tasks: callersIn(holdouts) }];
}

/** What an actor waits for that cannot do what it is to do. */
function standing(space: Space, state: PackedState, actor: string): Act {
  const k = space.kernelOf(state);
  const own: (Pick<Work, 'waits' | 'holdouts'> & Pick<ClientParts, 'frames'>)[] = [
    ...space.scenario.clients.flatMap((_, i) => (clientName(i) === actor ? [space.clientOf(state, i)] : [])),
    ...space.worksOf(state).filter((work) => nameOfWork(work) === actor),
  ];
  for (const parts of own) {
    const wait = waitOf(space.program, k, actor, parts);
    if (wait?.is === 'lock')
      return { is: 'lock', lock: wait.lock, holder: namedActor(space.worksOf(state), wait.holder) };
    if (parts.waits !== null)
      return { is: 'grace period', flavour: parts.waits, tasks: callersIn(parts.holdouts) };
  }
  return { is: 'nothing' };
}

interface MadeIn {
  readonly space: Space;
  readonly move: PlayedSchedule;
}

/** The first thing that a move leaves otherwise than in the other kernel, and how it is there. */
function changesOf(here: MadeIn, there: MadeIn): [here: Act, there: Act] | undefined {
  const [own, its] = [here, there].map(({ space, move }) => [
    ...memoryDelta(space, [move]),
    ...raceDelta(space, [move]),
  ]) as [ReturnType<typeof memoryDelta>, ReturnType<typeof memoryDelta>];
  return changeDifference(own, its);
}
