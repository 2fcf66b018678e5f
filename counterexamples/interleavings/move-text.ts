import { answered, CRASH, ITS_END, nameOfWork, placeOfTask } from '../../checker/interleavings/actors.ts';
import type { DoneStep } from '../../checker/interleavings/cause/done-step.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { Stepped } from '../../checker/interleavings/operations.ts';
import type { Work } from '../../checker/interleavings/parts.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { FETCHES } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { conditionIn, NOT_BEGUN, standingIn } from '../../checker/interleavings/state.ts';
import { callersIn } from '../../checker/interleavings/waits-for.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { Flavour } from '../../model/core/part.ts';
import { item, last } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { untilPassed } from '../../properties/law/wait-words.ts';
import type { StateChange } from '../sequences/delta.ts';

/*
 * One move of an interleaving in words: the parts of routines that an operation executes, the code that a task runs.
 */

/**
 * `ftrace_set_hash: lock, build the hash; ftrace_startup: …`: its steps, routine by routine; undefined: only a wait.
 */
export function partsOf({ did }: Pick<Stepped, 'did'>): string | undefined {
  const routines = routinesOf(did);
  return routines.length === 0 ? undefined : routines.map(routineText).join('; ');
}

/** The same without locks, and of many routines the first and the last one. */
export function mainPartsOf({ did }: Stepped): string | undefined {
  const acts = did.filter(({ isLock }) => !isLock);
  const routines = routinesOf(acts.length === 0 ? did : acts);
  if (routines.length <= ROUTINES_MOST) return partsOf({ did: acts.length === 0 ? did : acts });
  return [item(routines, 0), last(routines)].map(routineText).join('; …; ');
}

const ROUTINES_MOST = 2;

interface RoutineParts {
  readonly name: string;
  readonly parts: string[];
}

function routinesOf(did: readonly DoneStep[]): RoutineParts[] {
  const routines: RoutineParts[] = [];
  for (const { within, part, refused } of did) {
    const name = last(within);
    const said = refused === undefined ? part : `${part} = -${refused}`;
    const latest = routines.at(-1);
    if (latest?.name === name) latest.parts.push(said);
    else routines.push({ name, parts: [said] });
  }
  return routines;
}

function routineText({ name, parts }: RoutineParts): string {
  return `${plainName(name)}: ${parts.join(', ')}`;
}

/** A routine of the kernel: some of the model have their purpose after the name. */
export function plainName(routine: string): string {
  return routine.replace(/ \(.*\)$/, '');
}

/**
 * A task's move: `f1+0x4: fetches int3`, `runs prog#1`, `function_graph_enter_regs: push the frame`; empty: it
 * begins.
 */
export function taskWords(space: Space, played: PlayedSchedule): string {
  const { turn, before, move } = played;
  const unpacked = unpackMove(move);
  if (unpacked.who !== 'caller') return '';
  const { index, does } = unpacked;
  const place = placeOfTask(space, before, index);
  switch (does) {
    case 'runs on':
      return conditionIn(standingIn(before, index)) === NOT_BEGUN ? '' : `resumes at ${place}`;
    case 'sleeps':
      return `sleeps in ${place}`;
    case 'is preempted':
      return `is preempted at ${place}`;
    case 'is interrupted':
      return `${turn.does} at ${place}`;
    case 'resumes':
      return turn.does.startsWith(FETCHES)
        ? `${place}: ${turn.does}${arrow(played)}`
        : codeWords(space, played, index, place);
    default:
      return unreachable(does);
  }
}

function arrow({ to }: PlayedSchedule): string {
  return to === ITS_END || to === CRASH ? '' : ` → ${to}`;
}

/** The code that a task runs from a point on: a part of a routine, a function in C, instructions. */
function codeWords(space: Space, { before, to }: PlayedSchedule, index: number, place: string): string {
  const caller = space.callerOf(before, index);
  if (caller === null || caller.frames !== null) return place;
  const stand = space.runner.standOf(space.kernelOf(before), caller);
  if (stand.at !== 'C function')
    return to === ITS_END || to === CRASH ? `runs on from ${place}` : `${place} → ${to}`;
  if (stand.name === 'body_hook') return `runs the body of ${caller.request.fn}`;
  return stand.number > 0 ? `runs ${place}` : `calls ${place}`;
}

/** The effect of a move: parts of routines, or code. */
export function moveWords(space: Space, played: PlayedSchedule): string {
  const step = space.stepOf(played.before, unpackMove(played.move));
  if (step === undefined) return taskWords(space, played);
  return (
    mainPartsOf(step) ??
    waitWords(space, played)[0] ??
    (step.waits === null ? 'returns' : `waits for ${step.waits}`)
  );
}

/** How a move ends its actor's call or operation. */
export function endWords({ event, to }: PlayedSchedule): string[] {
  if (to === CRASH) return ['the kernel crashes'];
  if (event?.is === 'operation' && event.step.ended !== undefined)
    return [`returns ${answered(event.step.ended)}`];
  return event?.is === 'call over' ? ['returns'] : [];
}

/** The client code in a move of a task: `prog#1 runs`, `gops#1 sees the graph exit`. */
export function eventWords(space: Space, played: PlayedSchedule): string[] {
  return eventsOf(space, played).flatMap(({ who, kind, fn }) => {
    if (kind === 'body') return [];
    if (kind === 'replacement') return [`the replacement of ${fn} runs`];
    return [kind === 'program' ? `${who} runs` : `${who} is called (${kind})`];
  });
}

/** A change in few words: `f1+0x4: nop5 → call tramp#1`. */
export function changeWords({ subject, from, to }: StateChange): string {
  return `${subject}: ${from} → ${to}`;
}

/** The grace periods that a move begins to wait for, itself or in the background, and the tasks that delay them. */
export function waitWords(space: Space, played: PlayedSchedule): string[] {
  const { turn, after, move } = played;
  if (after === undefined) return [];
  const { who, index } = unpackMove(move);
  return [
    ...(who === 'client' ? [{ ...space.clientOf(after, index), name: '' }] : []),
    ...newWorks(space, played).map((work) => ({
      ...work,
      name: nameOfWork(work) === turn.actor ? '' : `${work.routine} `,
    })),
  ].flatMap(({ waits, holdouts, name }) =>
    waits === null || !isGracePeriod(waits) ? [] : [`${name}waits for ${waits}: ${holdersText(holdouts)}`],
  );
}

/** The background work that a move queues, or brings to its next wait. */
export function newWorks(space: Space, { before, after }: PlayedSchedule): Work[] {
  if (after === undefined) return [];
  const known = new Set(space.worksOf(before).map((work) => JSON.stringify(work)));
  return space.worksOf(after).filter((work) => !known.has(JSON.stringify(work)));
}

function isGracePeriod(flavour: Flavour): boolean {
  return flavour !== 'percpu_ref' && flavour !== 'workqueue';
}

/** `until task#1 has passed`, `no task holds it up`: the tasks that a grace period waits for. */
export function holdersText(holdouts: number): string {
  const tasks = callersIn(holdouts);
  return tasks.length === 0 ? 'no task holds it up' : untilPassed(tasks);
}

/** The locks that a move takes and that another actor waits for in the end. */
export function lockWords(space: Space, { before, after }: PlayedSchedule, waits: readonly Wait[]): string[] {
  if (after === undefined || waits.length === 0) return [];
  const { locks: held } = space.kernelOf(before);
  const { locks: holds } = space.kernelOf(after);
  return waits.flatMap((wait) =>
    wait.is === 'lock' && wait.lock in holds && !(wait.lock in held) ? [`takes ${wait.lock}`] : [],
  );
}

/** The events of a task's call in the move. */
export function eventsOf(space: Space, { before, after, event, move }: PlayedSchedule): readonly CallEvent[] {
  const { who, index } = unpackMove(move);
  if (who !== 'caller') return [];
  const seen = space.callerOf(before, index)?.events ?? [];
  const now =
    event?.is === 'call over'
      ? event.run.events
      : after === undefined
        ? []
        : (space.callerOf(after, index)?.events ?? []);
  return now.slice(seen.length);
}
