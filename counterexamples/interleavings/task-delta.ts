import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { savedWords } from '../../model/call/snapshot.ts';
import { objectText } from '../../model/core/object-words.ts';
import { item, last } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { StateChange } from '../sequences/delta.ts';
import { delta } from '../sequences/delta.ts';

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

/** The return addresses of a task that rests after a run. */
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

/** Further changes of an interleaving: direct mode of function graph, and the list of ops. */
export function raceDelta(space: Space, run: readonly PlayedSchedule[]): StateChange[] {
  const [before, after] = endsOf(run);
  return changed(raceStateOf(space.kernelOf(before)), raceStateOf(space.kernelOf(after)));
}

function raceStateOf({ profile, ftrace, fgraph }: KernelView): Record<string, string> {
  return {
    fgraph_do_direct: fgraph.doDirect ? 'on' : 'off',
    ...(profileNamed(profile).fgraph === 'multi' ? directStateOf(fgraph) : {}),
    ftrace_ops_list: ftrace.opsList.join(', ') || 'empty',
  };
}

function directStateOf({ directGops, directEntryfunc, directRetfunc }: KernelView['fgraph']) {
  return {
    fgraph_direct_gops: directGops === '' ? 'fgraph_stub' : directGops,
    fgraph_func: directEntryfunc === '' ? 'ftrace_graph_entry_stub' : `${directEntryfunc}->entryfunc`,
    fgraph_retfunc: directRetfunc === '' ? 'ftrace_graph_ret_stub' : `${directRetfunc}->retfunc`,
  };
}

/** The innermost place in allocated memory that a task returns to. */
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
