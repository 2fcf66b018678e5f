import { hasReturned } from '../../model/call/call-frame.ts';
import type { Misses } from '../../model/call/caller.ts';
import type { PromisedClient } from '../../model/contract/promises.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { CallOver, TaskLaw } from '../law/interleaving-law.ts';
import { callOf } from '../observed/call-of.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import { allCalls, possibleCalls } from '../observed/expectation.ts';
import { missedIn } from '../observed/misses.ts';
import type { EventTally } from '../observed/owed-events.ts';
import { eventsFor, isLate, keyOf, tallyOf } from '../observed/owed-events.ts';
import { perScenario } from '../observed/per-scenario.ts';
import { orMissed, possibleWorlds } from '../observed/possible-worlds.ts';
import type { Scenario } from '../observed/scenario.ts';

/**
 * task/probes-see-old-or-new lets a client see less of a call that has counted a miss of it. This law compares the two:
 * what the call has added to the counter, interrupts in it apart, is what the client has not seen of it. A call that is
 * neither seen nor counted breaks the other law. An increment is one step here.
 */
export const missesAreCountedOnceInTasks: TaskLaw = {
  name: 'task/misses-are-counted-once',
  sentence:
    'A call that a client misses adds one to its counter of misses; one that it sees, or that it is not owed, adds nothing.',
  source:
    'kernel/kprobes.c kprobes_inc_nmissed_count; kernel/trace/fprobe.c; kernel/bpf/trampoline.c __bpf_prog_enter_recur; kernel/trace/bpf_trace.c kprobe_multi_link_prog_run, trace_call_bpf',
  witness: 'a call of a function with a client that counts its misses',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'not applicable';
    if (kernel.ftrace.disabled || isTracepoint(kernel, callOf(scenario, happening).fn))
      return 'not applicable';
    const { hasCounters, worlds } = expectation(scenario, kernel, happening);
    const seen = tallyOf(happening.run.events.map(keyOf));
    for (const [who, misses] of Object.entries(happening.missed)) {
      if (misses.own === 0) continue;
      const allowed = rangesOf(worlds, who, seen);
      if (allowed.some((range) => isCounted(misses, range))) continue;
      const expected = allowed.map((range) => nearest(range, misses.own));
      return {
        is: 'counted-misses-differ',
        who,
        expected: expected.length > 0 ? Math.min(...expected) : 0,
        observed: misses.own,
      };
    }
    return hasCounters ? 'held' : 'not applicable';
  },
};

/** How many misses a client may count: the halves of some are missed together, those of others one by one. */
interface Range {
  readonly least: number;
  readonly most: number;
}

function isCounted({ own, shared }: Misses, { least, most }: Range): boolean {
  return own <= most && own + shared >= least;
}

function nearest({ least, most }: Range, own: number): number {
  return own < least ? least : Math.min(own, most);
}

/**
 * The counts that fit what a client has seen: the function's entry is owed by one world, its return by the same or
 * another one. Empty: it has seen more than any of them owes.
 */
function rangesOf(worlds: readonly World[], who: string, seen: EventTally): Range[] {
  const owed = worlds.map((world) => world.get(who) ?? []);
  return owed.flatMap((early) =>
    owed.flatMap((late) => {
      const halves = [...early.filter(({ key }) => !isLate(key)), ...late.filter(({ key }) => isLate(key))];
      return rangeOf(halves, seen) ?? [];
    }),
  );
}

function rangeOf(owed: readonly Owed[], seen: EventTally): Range | undefined {
  let [least, most] = [0, 0];
  for (const fn of new Set(owed.map((own) => own.fn))) {
    const own = owed.filter((other) => other.fn === fn);
    const absent = own.map(({ key, times }) => times - (seen.get(key) ?? 0));
    if (absent.some((count) => count < 0)) return undefined;
    const together = Math.max(...absent);
    least += together;
    most += own.some(({ isApart }) => isApart) ? absent.reduce((sum, count) => sum + count, 0) : together;
  }
  return { least, most };
}

/** What a call and its inner calls owe each client that counts its misses. */
type World = ReadonlyMap<string, readonly Owed[]>;

interface Owed {
  readonly key: string;
  readonly fn: FunctionName;
  readonly times: number;
  /** Missing it is no miss of the client's other events of that call: they belong to another link, or to a session. */
  readonly isApart: boolean;
}

interface Expectation {
  /** In some world a client has a counter of its misses. */
  readonly hasCounters: boolean;
  readonly worlds: readonly World[];
}

const EXPECTED = perScenario<Expectation>();

function expectation(scenario: Scenario, k: KernelView, happening: CallOver): Expectation {
  const { before, during } = happening;
  const call = callOf(scenario, happening);
  const missed = missedIn(happening);
  return EXPECTED(scenario, [call, before, during, ...missed], () => {
    const found = orMissed(possibleWorlds(scenario, before, during), missed);
    const worlds = possibleCalls(k, found, call).map(worldOf);
    return { hasCounters: worlds.some(({ size }) => size > 0), worlds };
  });
}

function worldOf(call: ExpectedCall): World {
  const world = new Map<string, Owed[]>();
  const objects = new Map<string, Set<string>>();
  for (const made of allCalls(call))
    for (const client of made.clients) {
      if (!COUNTING.includes(client.kind)) continue;
      const { who, object } = client;
      objects.set(who, (objects.get(who) ?? new Set()).add(object));
      const owed = world.get(who) ?? [];
      world.set(who, owed);
      for (const event of eventsFor(made, client)) {
        const key = keyOf(event);
        const isApart = isSession(client);
        const known = owed.findIndex((other) => other.key === key);
        if (known < 0) owed.push({ key, fn: made.fn, times: 1, isApart });
        else owed[known] = { ...owed[known]!, times: owed[known]!.times + 1 };
      }
    }
  for (const [who, owed] of world)
    if (objects.get(who)!.size > 1)
      world.set(
        who,
        owed.map((own) => ({ ...own, isApart: true })),
      );
  return world;
}

/** Its halves are entered one by one, and each may be skipped. */
function isSession({ kind, entry, exit, program }: PromisedClient): boolean {
  return program?.kind === 'fsession' || (kind === 'kprobe.multi' && entry && exit);
}

const COUNTING: readonly string[] = [
  'kprobe',
  'kprobe in body',
  'kretprobe',
  'fprobe',
  'kprobe.multi',
  'program',
];
