import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { savedWords } from '../../model/call/snapshot.ts';
import { objectText } from '../../model/core/object-words.ts';
import { item, last } from '../../model/core/present.ts';
import type { StateChange } from '../sequences/delta.ts';
import { delta } from '../sequences/delta.ts';

/** Only what a run of one actor has changed: text and images, memory, what is waited for, what tasks come back to. */
export function taskDelta(space: Space, run: readonly PlayedSchedule[]): StateChange[] {
  const [before, after] = endsOf(run);
  return [
    ...memoryDelta(space, run),
    ...changed(waitsOf(space, before), waitsOf(space, after)),
    ...restDelta(space, run),
  ];
}

/** The states before a run and after it; where the kernel has crashed, the last one of it. */
export function endsOf(run: readonly PlayedSchedule[]): readonly [PackedState, PackedState] {
  return [item(run, 0).before, last(run).after ?? last(run).before];
}

/** What a run has changed in text and images, and what it has freed. */
export function memoryDelta(space: Space, run: readonly PlayedSchedule[]): StateChange[] {
  const [before, after] = endsOf(run);
  const changes = delta(space.kernelOf(before), space.kernelOf(after));
  const freed = run.flatMap(freedBy);
  return [
    ...changes,
    ...freed.filter(({ subject }) => changes.every((change) => change.subject !== subject)),
  ];
}

/** What a task that rests after a run comes back to. */
export function restDelta(space: Space, run: readonly PlayedSchedule[]): StateChange[] {
  return rests(run) ? changed({}, stacksOf(space, endsOf(run)[1], item(run, 0).turn.actor)) : [];
}

function rests(run: readonly PlayedSchedule[]): boolean {
  return run.some(({ turn: { does } }) => does === 'sleeps' || does === 'is preempted');
}

function changed(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): StateChange[] {
  return Object.keys(after).flatMap((subject) => {
    const [from = '–', to = ''] = [before[subject], after[subject]];
    return from === to ? [] : [{ subject, from, to }];
  });
}

function freedBy({ event }: PlayedSchedule): StateChange[] {
  if (event?.is !== 'work' && event?.is !== 'operation') return [];
  return event.step.freed.map((object) => ({
    subject: objectText(object),
    from: 'allocated',
    to: 'freed',
  }));
}

/** Grace periods that cannot end yet, and who holds them up. */
function waitsOf(space: Space, state: PackedState): Record<string, string> {
  const waits: Record<string, string> = {};
  const note = (flavour: string | null, holdouts: number) => {
    for (let i = 0; flavour !== null && holdouts >> i !== 0; i++)
      if (((holdouts >> i) & 1) !== 0) waits[flavour] = `waits for task#${i + 1}`;
  };
  space.clientNumbers(state).forEach((_, i) => {
    const { waits: flavour, holdouts } = space.clientOf(state, i);
    note(flavour, holdouts);
  });
  for (const { waits: flavour, holdouts } of space.worksOf(state)) note(flavour, holdouts);
  return waits;
}

/** The innermost place in allocated memory that a task has to come back to. */
function stacksOf(space: Space, state: PackedState, actor: string): Record<string, string> {
  const caller = space.callerOf(state, Number(actor.slice('task#'.length)) - 1);
  if (caller === null) return {};
  const k = space.kernelOf(state);
  const [, ...words] = savedWords(caller.machine);
  const places = words.map((word) => codePlace(k, word));
  const inPages = places.find((place) => /^[^+]+\+/.test(place) && isPage(k.text, item(place.split('+'), 0)));
  return inPages === undefined ? {} : { [`${actor} stack`]: inPages };
}

function isPage(text: { readonly pages: object; readonly halves: object }, name: string): boolean {
  return name in text.pages || name in text.halves;
}
