import { clientName, taskName } from '../../../checker/interleavings/actor-names.ts';
import { answered, instruction, nameOfWork, placeOfTask } from '../../../checker/interleavings/actors.ts';
import type { Space } from '../../../checker/interleavings/space.ts';
import type { PackedState } from '../../../checker/interleavings/state.ts';
import {
  conditionIn,
  conditionNamed,
  cpuIn,
  NOT_BEGUN,
  OVER,
  standingIn,
} from '../../../checker/interleavings/state.ts';
import { holdersText } from '../../../counterexamples/interleavings/move-text.ts';
import { item } from '../../../model/core/present.ts';
import type { Ended, RoutineFrame } from '../../../model/core/world.ts';
import { awaitedText } from '../../../properties/law/wait-words.ts';
import { standingsIn } from '../../explain/move-told.ts';
import type { SubjectRow } from './brief.ts';
import { brief, rowsOf } from './brief.ts';
import type { BoardSection } from './kernel-board.ts';
import { kernelSections, textSections } from './kernel-board.ts';

/** A state of a scenario as a reader sees it: text and tasks first, then who holds and waits, then what ftrace keeps. */
export function boardOf(space: Space, state: PackedState): BoardSection[] {
  const k = space.kernelOf(state);
  const locks = Object.entries(k.locks).map(([lock, holder]) => ({ subject: lock, value: holder }));
  const running = [
    { title: 'Tasks', rows: taskRows(space, state) },
    { title: 'Operations', rows: operationRows(space, state) },
    { title: 'Locks', rows: locks },
    { title: 'Waits for', rows: waitRows(space, state) },
  ].map((section) => ({ ...section, isDetail: false }));
  return [...textSections(k), ...running, ...kernelSections(k)].filter(({ rows }) => rows.length > 0);
}

function taskRows(space: Space, state: PackedState): SubjectRow[] {
  return space.scenario.callers.flatMap((_, i) => {
    const standing = standingIn(state, i);
    const condition = conditionIn(standing);
    const caller = space.callerOf(state, i);
    const subject = taskName(i);
    if (condition === NOT_BEGUN) return [{ subject, value: 'has not begun' }];
    if (condition === OVER || caller === null) return [{ subject, value: 'its call is over' }];
    const cpu = cpuIn(standing);
    const on = cpu < 0 ? '' : ` ${conditionNamed(standing) === 'running' ? 'on' : 'of'} cpu ${cpu}`;
    return [
      { subject, value: `${conditionNamed(standing)}${on}, at ${placeOfTask(space, state, i)}` },
      ...rowsOf(`${subject} `, { current: brief(caller.thread.current), ret_stack: caller.thread.retStack }),
      ...(caller.frames === null
        ? []
        : [{ subject: `${subject} in`, value: routines(space, caller.frames) }]),
    ];
  });
}

function operationRows(space: Space, state: PackedState): SubjectRow[] {
  const clients = space.scenario.clients.flatMap((_, i) => {
    const { answers, frames } = space.clientOf(state, i);
    return standingRow(space, clientName(i), frames, answers);
  });
  const works = space.worksOf(state).flatMap((work) => standingRow(space, nameOfWork(work), work.frames, []));
  return [...clients, ...works];
}

function standingRow(
  space: Space,
  subject: string,
  frames: readonly RoutineFrame[] | null,
  answers: readonly Ended[],
): SubjectRow[] {
  const done = answers.map((answer) => `= ${answered(answer)}`).join(', ');
  if (frames === null) return [{ subject, value: done === '' ? 'has not begun' : `over ${done}` }];
  return [{ subject, value: `${routines(space, frames)}${done === '' ? '' : `; before: ${done}`}` }];
}

/** The routines that an actor is in, the outermost first, and what it does next. */
function routines(space: Space, frames: readonly RoutineFrame[]): string {
  const outer = frames.slice(0, -1).map(({ pc }) => `${item(space.program.instructions, pc).routine} › `);
  return outer.join('') + instruction(space, frames);
}

function waitRows(space: Space, state: PackedState): SubjectRow[] {
  return standingsIn(space, state).flatMap(({ who, waits, holdouts, wait }) => {
    if (wait !== undefined) return [{ subject: who, value: awaitedText(wait) }];
    if (waits === null) return [];
    return [{ subject: who, value: `${waits}: ${holdersText(holdouts)}` }];
  });
}
