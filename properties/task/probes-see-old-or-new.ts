import { hasReturned } from '../../model/call/call-frame.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { CallFinding, ToldHit } from '../finding/call-finding.ts';
import type { OwnTaskFinding } from '../finding/task-finding.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { callOf } from '../observed/call-of.ts';
import { areUnarmed } from '../observed/dead-kprobes.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import { allCalls } from '../observed/expectation.ts';
import { programName } from '../observed/misses.ts';
import { owedCalls, perOwed } from '../observed/owed-calls.ts';
import type { EventTally } from '../observed/owed-events.ts';
import { eventOf, eventsFor, isLate, keyOf, tallyOf } from '../observed/owed-events.ts';

/**
 * During an operation, a call finds the world before it or the one after it, separately for each client: never
 * neither, and never both. A client attached before the call began and throughout has to see it. A nested call has a
 * world of its own: that an operation ended between the two beginnings is not considered.
 */
export const probesSeeOldOrNew: TaskLaw = {
  name: 'task/probes-see-old-or-new',
  sentence:
    'Each client sees a call as before or as after each overlapping operation; a client attached throughout sees it exactly once.',
  source: 'kernel/trace/ftrace.c, kernel/bpf/trampoline.c; Documentation/trace/ftrace-uses.rst',
  witness: 'a call that overlaps an operation',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'not applicable';
    if (kernel.ftrace.disabled || isTracepoint(kernel, callOf(scenario, happening).fn))
      return 'not applicable';
    const { run, during } = happening;
    const borrowed = run.events.find(isGivenAnother);
    if (borrowed !== undefined)
      return { is: 'data-of-another', who: borrowed.who, own: [borrowed.who], data: borrowed.data ?? '' };
    const seen = tallyOf(run.events.map(keyOf));
    const possible = owedCalls(scenario, kernel, happening);
    const { missed } = possible;
    const { worlds, groups, programs } = expectation(possible);
    const another = programOfAnother(run.events, programs);
    if (another !== undefined) return another;
    const part = groups.flatMap(halvesOf).find((half) => !isOwedIn(worlds, half, seen, missed));
    if (part !== undefined)
      return {
        is: 'events-differ',
        events: part.keys.map(eventOf),
        allowed: distinct(worlds.map((world) => part.keys.map((key) => owedTo(world, part.objects, key)))),
        seen: part.keys.map((key) => seen.get(key) ?? 0),
        unarmed: areUnarmed(kernel, part.keys),
      };
    const known = new Set(groups.flatMap(({ keys }) => keys));
    const stranger = [...seen.keys()].find((key) => !known.has(key));
    if (stranger !== undefined) return { is: 'unpromised-event', event: eventOf(stranger) };
    return returnAlone(seen, missed) ?? (during.length > 0 ? 'held' : 'not applicable');
  },
};

/** A handler of function graph called with the `fgraph_ops` of another user: a call of neither. */
function isGivenAnother({ kind, data }: CallEvent): boolean {
  return data !== undefined && (kind === 'graph entry' || kind === 'graph exit');
}

/** The perf event of a kprobe runs a program that it has in none of the worlds. */
function programOfAnother(
  events: readonly CallEvent[],
  programs: Expectation['programs'],
): OwnTaskFinding | CallFinding | undefined {
  for (const { who, fn, prog } of events) {
    const own = programs.get(who);
    if (prog === undefined || own === undefined || own.has(prog)) continue;
    return { is: 'event-runs-another-program', who, fn, expected: [...own].join(' or '), observed: prog };
  }
  return undefined;
}

/** The programs that each perf event of a kprobe has. */
function programsOf(worlds: readonly Promises[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { clients } of worlds)
    for (const { who, onEvent } of clients)
      if (onEvent !== undefined && onEvent.prog !== 0)
        all.set(who, (all.get(who) ?? new Set()).add(programName(onEvent.prog)));
  return all;
}

/** A session whose exit half ran without its entry half, or a user of function graph that sees only the return. */
function returnAlone(seen: EventTally, missed: ReadonlySet<string>): OwnTaskFinding | undefined {
  for (const [key, count] of seen) {
    const event = eventOf(key);
    const entry = entryOf(event);
    if (entry === undefined || count <= (seen.get(keyOf(entry)) ?? 0) || missed.has(event.who)) continue;
    return { is: 'return-without-entry', event };
  }
  return undefined;
}

/** The event of the same client at the entry; undefined: it is not at the return, or the client may want it alone. */
function entryOf(event: ToldHit): ToldHit | undefined {
  if (event.atReturn) return { ...event, atReturn: false };
  return event.kind === 'graph exit' ? { ...event, kind: 'graph entry' } : undefined;
}

/** The events at the entry of a call, and those late in it: each half is owed by the world of its time. */
function halvesOf({ objects, keys }: Group): Group[] {
  return [
    { objects, keys: keys.filter((key) => !isLate(key)) },
    { objects, keys: keys.filter(isLate) },
  ];
}

/**
 * Whether one of the worlds owes what was seen. The returns of a call and of those that its body made are apart: which
 * calls it made is owed by the world of its entry, and its own return by a later one.
 */
function isOwedIn(
  worlds: readonly Owed[],
  { objects, keys }: Group,
  seen: EventTally,
  missed: ReadonlySet<string>,
): boolean {
  const isOwed = (own: readonly string[]) =>
    worlds.some((world) =>
      own.every((key) => isSeen(key, owedTo(world, objects, key), seen.get(key) ?? 0, missed)),
    );
  return isOwed(keys) || (keys.every(isLate) && ofEachFunction(keys).every(isOwed));
}

function ofEachFunction(keys: readonly string[]): string[][] {
  const functions = new Set(keys.map((key) => eventOf(key).fn));
  return [...functions].map((fn) => keys.filter((key) => eventOf(key).fn === fn));
}

/** Whether an event is seen as often as it is owed; a client of which the call has counted a miss may have seen less. */
function isSeen(key: string, wanted: number, count: number, missed: ReadonlySet<string>): boolean {
  return count === wanted || (count < wanted && missed.has(eventOf(key).who));
}

/** What a call may show. */
interface Expectation {
  readonly worlds: readonly Owed[];
  readonly groups: readonly Group[];
  /** The programs of each perf event of a kprobe. */
  readonly programs: ReadonlyMap<string, ReadonlySet<string>>;
}

const expectation = perOwed<Expectation>(({ worlds: found, calls }) => {
  const worlds = calls.map(owed);
  return { worlds, groups: groupsIn(worlds), programs: programsOf(found) };
});

/** The events that a call and its inner calls owe each object, by kind. */
type Owed = ReadonlyMap<string, ReadonlyMap<string, number>>;

function owed(call: ExpectedCall): Owed {
  const all = new Map<string, Map<string, number>>();
  const add = (object: string, keys: readonly string[]) => {
    const tally = all.get(object) ?? new Map<string, number>();
    for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1);
    all.set(object, tally);
  };
  for (const made of allCalls(call)) {
    for (const client of made.clients) add(client.object, eventsFor(made, client).map(keyOf));
    if (made.runs === 'body') add(made.fn, [keyOf({ who: made.fn, kind: 'body', fn: made.fn })]);
    if (made.runs === 'replacement')
      add(made.fn, [keyOf({ who: 'replacement', kind: 'replacement', fn: '?' })]);
  }
  return all;
}

/** Objects with indistinguishable events, and these events: for instance two links of one program on one function. */
interface Group {
  readonly objects: readonly string[];
  readonly keys: readonly string[];
}

function groupsIn(worlds: readonly Owed[]): Group[] {
  let found: Group[] = [];
  for (const world of worlds)
    for (const [object, tally] of world) {
      const keys = [...tally.keys()];
      const isOwn = (group: Group) =>
        group.objects.includes(object) || group.keys.some((key) => tally.has(key));
      const own = found.filter(isOwn);
      const joined = {
        objects: [...new Set([...own.flatMap((group) => group.objects), object])],
        keys: [...new Set([...own.flatMap((group) => group.keys), ...keys])].sort(),
      };
      found = [...found.filter((group) => !isOwn(group)), joined];
    }
  return found;
}

function owedTo(world: Owed, objects: readonly string[], key: string): number {
  return objects.reduce((sum, object) => sum + (world.get(object)?.get(key) ?? 0), 0);
}

function distinct(allowed: readonly (readonly number[])[]): (readonly number[])[] {
  return [...new Map(allowed.map((counts) => [counts.join(), counts])).values()];
}
