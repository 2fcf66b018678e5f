import type { ActionOf } from '../../model/action.ts';
import { hasReturned } from '../../model/call-frame.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Promises } from '../../model/promises.ts';
import { allCalls, expectedCall } from '../attach/expectation.ts';
import { eventsFor, keyOf, tallyOf } from '../attach/owed-events.ts';
import { possibleWorlds } from './possible-worlds.ts';
import type { TaskLaw } from './task-law.ts';

/**
 * While an operation is under way, a call finds the world before it or the one after it, each client for itself: never
 * neither, and never both. Whoever was attached before the call began and stays so has to see it.
 */
export const probesSeeOldOrNew: TaskLaw = {
  name: 'task/probes-see-old-or-new',
  sentence:
    'A call is seen by each client as before an operation or as after it; who is attached all the while sees it once.',
  source: 'kernel/trace/ftrace.c, kernel/bpf/trampoline.c; Documentation/trace/ftrace-uses.rst',
  witness: 'a call overlapped an operation',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'no say';
    const { caller, run, before, during } = happening;
    const call: ActionOf<'call'> = { do: 'call', ...scenario.callers[caller]!.call };
    const worlds = possibleWorlds(scenario, before, during).map((promises) => owed(kernel, promises, call));
    const seen = tallyOf(run.events.map(keyOf));
    for (const [object, keys] of keysByObject(worlds))
      for (const part of [keys.filter((key) => !isExit(key)), keys.filter(isExit)]) {
        const counts = part.map((key) => seen.get(key) ?? 0);
        const allowed = worlds.map((world) => part.map((key) => world.get(object)?.get(key) ?? 0));
        if (allowed.some((wanted) => wanted.join() === counts.join())) continue;
        return { expected: allowedText(part, allowed), observed: countsText(part, counts) };
      }
    const known = new Set([...keysByObject(worlds).values()].flat());
    const stranger = [...seen.keys()].find((key) => !known.has(key));
    if (stranger !== undefined) return { expected: `${stranger} never`, observed: 'it does' };
    return during.length > 0 ? 'held' : 'no say';
  },
};

/** What is owed to each object in one world, by kind of event. */
type Owed = ReadonlyMap<string, ReadonlyMap<string, number>>;

function owed(k: Kernel, promises: Promises, call: ActionOf<'call'>): Owed {
  const all = new Map<string, Map<string, number>>();
  const add = (object: string, keys: readonly string[]) => {
    const tally = all.get(object) ?? new Map<string, number>();
    for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1);
    all.set(object, tally);
  };
  for (const made of allCalls(expectedCall(k, promises, call))) {
    for (const client of made.clients) add(client.object, eventsFor(made, client));
    if (made.runs === 'body') add(made.fn, [keyOf({ who: made.fn, kind: 'body', fn: made.fn })]);
    if (made.runs === 'replacement')
      add(made.fn, [keyOf({ who: 'replacement', kind: 'replacement', fn: '?' })]);
  }
  return all;
}

function keysByObject(worlds: readonly Owed[]): Map<string, string[]> {
  const keys = new Map<string, Set<string>>();
  for (const world of worlds)
    for (const [object, tally] of world) {
      const known = keys.get(object) ?? new Set<string>();
      for (const key of tally.keys()) known.add(key);
      keys.set(object, known);
    }
  return new Map([...keys].map(([object, known]) => [object, [...known].sort()]));
}

const EXITS: readonly CallEvent['kind'][] = ['graph exit', 'kretprobe', 'fprobe exit', 'kprobe.multi return'];

/** What is seen when the function returns is owed by the world of that time. */
function isExit(key: string): boolean {
  return EXITS.some((kind) => key.endsWith(`(${kind})`));
}

function allowedText(keys: readonly string[], allowed: readonly (readonly number[])[]): string {
  const ways = [...new Set(allowed.map((counts) => countsText(keys, counts)))];
  return ways.join(', or ');
}

function countsText(keys: readonly string[], counts: readonly number[]): string {
  return keys.map((key, i) => `${key} ${times(counts[i]!)}`).join(' and ');
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 0 ? 'never' : `${count} times`;
}
