import { NotModelled } from '../../model/core/not-modelled.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { isSame } from '../../properties/finding/same.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { clientName, taskName } from './actor-names.ts';
import { BoundedSearch } from './bounded-search.ts';
import { momentsOf } from './cause/history.ts';
import { packMove } from './move.ts';
import type { Occurrence } from './occurrence.ts';
import { possibleSpace } from './possible-space.ts';
import { possibleSetup } from './random/run-setup.ts';
import { follow } from './random/told.ts';
import { explore } from './search.ts';
import type { Space, SpaceOptions } from './space.ts';

/* Whether a kernel without a change shows the breach of one with it, in the same scenario. */

/** Whether a breach is of the kind in question. */
type IsOne = (breach: Occurrence) => boolean;

/** States that are explored: in all schedules, and in those with few preemptions. */
const STATES = 100_000;
const STATES_WITHIN = 200_000;
const PREEMPTIONS = 1;

/** Whether the moves to a breach, as far as they are possible, come to the same one. */
export function isOnTheSameWay(profile: string, occurrence: Occurrence, isOne: IsOne): boolean {
  const { law, space: changed, history } = occurrence;
  const space = spaceOf(
    { ...changed.scenario, profile },
    { grain: changed.grain, symmetric: changed.symmetric },
  );
  if (space === undefined) return false;
  const told = momentsOf(history()).map(({ who, move }) => ({ who, move: packMove(move) }));
  const isSame = sameAs(occurrence, isOne);
  return follow(space, { laws: [law], program: KERNEL_PROGRAM, isSame }, told, 'possible') !== undefined;
}

/**
 * Whether actors that have moved on the way to a breach can show the same one: first in schedules with few preemptions, in which
 * the same number of states gets farther.
 */
export function isShownBy(profile: string, occurrence: Occurrence, isOne: IsOne): boolean {
  const space = spaceOf({ ...movedIn(occurrence), profile });
  if (space === undefined) return false;
  const isSame = sameAs(occurrence, isOne);
  let shown = false;
  const exploration = {
    laws: [occurrence.law],
    states: STATES,
    stopsAt: (other: Occurrence) => {
      shown = isSame(other);
      return shown;
    },
  };
  const within = { ...exploration, states: STATES_WITHIN, preemptions: PREEMPTIONS };
  new BoundedSearch(space, within).goOn(Number.POSITIVE_INFINITY);
  if (!shown) explore(space, exploration);
  return shown;
}

function sameAs({ finding }: Occurrence, isOne: IsOne): IsOne {
  const own = withoutPages(finding);
  return (other) => isSame(withoutPages(other.finding), own) && isOne(other);
}

/** Another design has other images: the place of a fault in executable memory is in another page. */
function withoutPages(finding: TaskFinding): TaskFinding {
  if (finding.is !== 'crashes' || finding.crash.is !== 'fault') return finding;
  const { place, ...crash } = finding.crash;
  if (place.in !== 'free page') return finding;
  return { ...finding, crash: { ...crash, place: { ...place, page: 0 } } };
}

/** The scenario with the clients and tasks that have moved; a task that has begun before them is there as well. */
function movedIn({ space: { scenario }, history }: Occurrence): Scenario {
  const moved = new Set(momentsOf(history()).map(({ who }) => who));
  return {
    ...scenario,
    clients: scenario.clients.filter((_, i) => moved.has(clientName(i))),
    callers: scenario.callers.filter((caller, i) => caller.startsAt !== undefined || moved.has(taskName(i))),
  };
}

/** The states of a scenario in a kernel that may refuse a part of its setup, such as a link of a design: without that. */
function spaceOf(scenario: Scenario, options: SpaceOptions = {}): Space | undefined {
  try {
    return possibleSpace({ ...scenario, setup: possibleSetup(scenario) }, options);
  } catch (error) {
    if (error instanceof NotModelled) return undefined;
    throw error;
  }
}
