import { taskName } from '../../checker/interleavings/actor-names.ts';
import { instruction, placeOfTask } from '../../checker/interleavings/actors.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import {
  conditionIn,
  conditionNamed,
  cpuIn,
  NOT_BEGUN,
  standingIn,
} from '../../checker/interleavings/state.ts';
import { callersIn } from '../../checker/interleavings/waits-for.ts';
import { eventsOf, plainName } from '../../counterexamples/interleavings/move-text.ts';
import { findingWords } from '../../counterexamples/interleavings/task-report.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { savedWords } from '../../model/call/snapshot.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { last } from '../../model/core/present.ts';
import { holdersOf } from '../../properties/law/wait.ts';
import { awaitedThing } from '../../properties/law/wait-words.ts';
import type { ActorStanding } from '../explain/move-told.ts';
import { standingsIn } from '../explain/move-told.ts';
import type { PlayedInterleaving } from '../explain/played-interleaving.ts';
import { namedBreach } from '../explain/played-interleaving.ts';
import type { ItfState, ItfTrace, ItfValue } from './itf.ts';
import { itfInt, itfMap, itfSet, itfTrace } from './itf.ts';
import { kernelVariables, seenValue } from './kernel-variables.ts';
import { routinesOf } from './move-slices.ts';
import { aboutRun, HOLDS, verdictOf } from './verdict-variable.ts';

/**
 * An interleaving as states: the first one, and one after each move. After a move in which the kernel crashes the state
 * is the one before it, with the crash as its verdict.
 */
export function interleavingStates(own: PlayedInterleaving): ItfTrace {
  const { space, played, schedule, law, planted, diverged } = own;
  const about = aboutRun(schedule.scenario.profile, { law, planted, diverged });
  if (space === undefined) return itfTrace(about, []);
  const seen: ItfValue[] = [];
  const first = stateOf(space, space.initial(), { action: BEGINNING, seen: [], verdict: HOLDS });
  const states = played.map((move, i) => {
    seen.push(...eventsOf(space, move).map(seenValue));
    const verdict = i === played.length - 1 && diverged === undefined ? endOf(space, own) : HOLDS;
    return stateOf(space, move.after ?? move.before, {
      action: actionOf(space, move),
      seen: [...seen],
      verdict,
    });
  });
  return itfTrace(about, [first, ...states]);
}

/** Variables that a state of the space does not have. */
interface AroundState extends ItfState {
  readonly action: ItfValue;
  readonly seen: readonly ItfValue[];
  readonly verdict: ItfValue;
}

function stateOf(space: Space, state: PackedState, { action, seen, verdict }: AroundState): ItfState {
  const standings = standingsIn(space, state);
  const named = Object.fromEntries(standings.map((own) => [own.who, own]));
  return {
    action,
    ...kernelVariables(space.kernelOf(state)),
    waits: itfMap(waitingIn(standings), waitValue),
    clients: itfMap(
      Object.fromEntries(space.scenario.clients.map((_, i) => [standings[i]!.who, space.clientOf(state, i)])),
      ({ answers, frames }) => ({ answers: answers.map(String), ...pcOf(space, frames) }),
    ),
    works: itfMap(
      Object.fromEntries(Object.entries(named).slice(space.scenario.clients.length)),
      ({ frames }) => pcOf(space, frames),
    ),
    tasks: itfMap(Object.fromEntries(space.scenario.callers.map((_, i) => [taskName(i), i])), (index) =>
      taskValue(space, state, index),
    ),
    seen,
    verdict,
  };
}

function waitingIn(standings: readonly ActorStanding[]): Record<string, ActorStanding> {
  const waiting = standings.filter(({ waits, wait }) => waits !== null || wait !== undefined);
  return Object.fromEntries(waiting.map((own) => [own.who, own]));
}

function waitValue({ waits, holdouts, wait }: ActorStanding): ItfValue {
  if (wait === undefined) return { is: 'over', of: waits ?? '', until: itfSet(callersIn(holdouts)) };
  return { is: wait.is, of: awaitedThing(wait), until: itfSet(holdersOf(wait)) };
}

/** The next step, and the routines that it is in, the outermost first. */
function pcOf(space: Space, frames: ActorStanding['frames']) {
  return {
    pc: frames === null ? '' : instruction(space, frames),
    stack: routinesOf(space, frames).map(plainName),
  };
}

function taskValue(space: Space, state: PackedState, index: number): ItfValue {
  const standing = standingIn(state, index);
  const caller = space.callerOf(state, index);
  const k = space.kernelOf(state);
  const condition = conditionNamed(standing);
  const outside = conditionIn(standing) === NOT_BEGUN ? 'not begun' : 'over';
  // The instruction pointer and sixteen registers come before the stack.
  const words = caller === null ? [] : savedWords(caller.machine).slice(17);
  const code = words.map((word) => codePlace(k, word)).filter((place) => !place.startsWith('0x'));
  return {
    condition: condition === 'outside' ? outside : condition,
    cpu: itfInt(condition === 'outside' ? -1 : cpuIn(standing)),
    pc: placeOfTask(space, state, index),
    stack: code,
    routines: routinesOf(space, caller?.frames ?? null).map(plainName),
    inInt3Handler: caller?.trapped ?? false,
    inInterrupt: caller !== null && caller.interrupted !== null,
  };
}

const BEGINNING: ItfValue = { actor: '', does: 'the setup', to: '', steps: [] };

function actionOf(space: Space, { before, move, turn, to }: PlayedSchedule): ItfValue {
  const did = space.stepOf(before, unpackMove(move))?.did ?? [];
  const steps = did.map(({ within, part }) => `${plainName(last(within))}: ${part}`);
  return { actor: turn.actor, does: turn.does, to, steps };
}

function endOf(space: Space, own: PlayedInterleaving): ItfValue {
  const { played } = own;
  const breach = namedBreach(own);
  if (breach !== undefined) return verdictOf(breach.law.name, findingWords({ space, played, breach }));
  const event = played.at(-1)?.event;
  return event?.is === 'crash' ? verdictOf('', { expected: '', observed: crashText(event.crash) }) : HOLDS;
}
