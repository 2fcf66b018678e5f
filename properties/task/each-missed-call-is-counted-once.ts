import { hasReturned } from '../../model/call/call-frame.ts';
import type { ProgramOnEvent, PromisedClient } from '../../model/contract/promises.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import { ZERO } from '../../model/x86/word.ts';
import type { CallOver, TaskLaw } from '../law/interleaving-law.ts';
import { callOf } from '../observed/call-of.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import { allCalls } from '../observed/expectation.ts';
import { programName } from '../observed/misses.ts';
import { owedCalls, perOwed } from '../observed/owed-calls.ts';
import type { EventTally } from '../observed/owed-events.ts';
import { eventsFor, isLate, keyOf, tallyOf } from '../observed/owed-events.ts';

/**
 * task/probes-see-old-or-new lets a client see less of a call that has counted a miss of it. This law compares the two:
 * what the call has added to the counter, interrupts in it apart, is what the client has not seen of it. A call that is
 * neither seen nor counted breaks the other law. An increment is one step here.
 */
export const missesAreCountedOnceInTasks: TaskLaw = {
  name: 'task/each-missed-call-is-counted-once',
  sentence:
    'A call that a client misses adds one to its counter of misses; one that it sees, or that it is not owed, adds nothing.',
  source:
    'kernel/kprobes.c kprobes_inc_nmissed_count; kernel/trace/fprobe.c; kernel/bpf/trampoline.c __bpf_prog_enter_recur; kernel/trace/bpf_trace.c kprobe_multi_link_prog_run, trace_call_bpf',
  witness: 'a call of a function with a client that counts its misses',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'not applicable';
    if (kernel.ftrace.disabled || isTracepoint(kernel, callOf(scenario, happening).fn))
      return 'not applicable';
    const { hasCounters, worlds } = expectation(owedCalls(scenario, kernel, happening));
    const seen = tallyOf(happening.run.events.map(keyOf));
    const { missed } = happening;
    for (const [who, { own }] of Object.entries(missed)) {
      if (own === 0) continue;
      const allowed = worlds.flatMap((early) =>
        worlds.flatMap((late) => {
          const owed = [...owedIn(early, who, isEarly), ...owedIn(late, who, isLate)];
          return rangeOf(owed, seen, missed) ?? [];
        }),
      );
      const counted = own + countedElsewhere(missed, who, worlds);
      if (allowed.some(({ least, most }) => own <= most && counted >= least)) continue;
      const expected = allowed.map((range) => nearest(range, own));
      return {
        is: 'counted-misses-differ',
        who,
        expected: expected.length > 0 ? Math.min(...expected) : 0,
        observed: own,
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

function nearest({ least, most }: Range, own: number): number {
  return own < least ? least : Math.min(own, most);
}

/** What else may have counted a client's misses: `trace_overrun`, or the program of a perf event. */
function countedElsewhere(missed: CallOver['missed'], who: string, worlds: readonly World[]): number {
  const programs = new Set(worlds.flatMap((world) => (world.get(who) ?? []).map(({ program }) => program)));
  const ofPrograms = [...programs].map((program) => missed[program]?.own ?? 0);
  return (missed[who]?.shared ?? 0) + ofPrograms.reduce((sum, count) => sum + count, 0);
}

function owedIn(world: World, who: string, isOf: (key: string) => boolean): Owed[] {
  return (world.get(who) ?? []).filter(({ key }) => isOf(key));
}

/** The function's entry is owed by one world, its return by the same or another one. */
function isEarly(key: string): boolean {
  return !isLate(key);
}

/** The counts that fit what a client has seen; undefined: it has seen more than it is owed. */
function rangeOf(owed: readonly Owed[], seen: EventTally, missed: CallOver['missed']): Range | undefined {
  const absent = owed.map(
    ({ key, times, kprobe }) => times - (seen.get(key) ?? 0) - (missed[kprobe]?.own ?? 0),
  );
  if (absent.some((count) => count < 0)) return undefined;
  let [least, most] = [0, 0];
  for (const call of new Set(owed.map(({ call }) => call))) {
    const own = absent.filter((_, i) => owed[i]!.call === call);
    const { isApart, isHidden, refuses } = owed.find((other) => other.call === call)!;
    const together = Math.max(...own);
    least += isHidden ? 0 : together;
    most += (isApart ? own.reduce((sum, count) => sum + count, 0) : together) * (refuses ? 2 : 1);
  }
  return { least, most };
}

/** What a call and its inner calls owe each client that counts its misses, and each program of a perf event. */
type World = ReadonlyMap<string, readonly Owed[]>;

interface Owed {
  readonly key: string;
  readonly times: number;
  /** The function and the object: of one call they are missed together. */
  readonly call: string;
  /** Or one by one: the halves of a session. */
  readonly isApart: boolean;
  /** Of a session: it wants no return. If its entry is missed, nothing has said so, and the return is missed as well. */
  readonly refuses: boolean;
  /** Of a perf event on a kprobe: it has no program, and does not show whether it missed the call. */
  readonly isHidden: boolean;
  /** Its program, which counts the calls that the kprobe sees and it does not; empty: none. */
  readonly program: string;
  /** Of a program of a perf event: the event, whose kprobe counts the calls that it misses itself; empty: none. */
  readonly kprobe: string;
}

interface Expectation {
  /** In some world a client has a counter of its misses. */
  readonly hasCounters: boolean;
  readonly worlds: readonly World[];
}

const expectation = perOwed<Expectation>(({ calls }) => {
  const worlds = calls.map(worldOf);
  return { hasCounters: worlds.some(({ size }) => size > 0), worlds };
});

function worldOf(call: ExpectedCall): World {
  const world = new Map<string, Owed[]>();
  for (const made of allCalls(call))
    for (const client of made.clients) if (COUNTING.includes(client.kind)) addOwed(world, made, client);
  return world;
}

function addOwed(world: Map<string, Owed[]>, made: ExpectedCall, client: PromisedClient): void {
  const { who, object, onEvent } = client;
  const isHidden = onEvent?.prog === 0;
  const program = onEvent === undefined || isHidden ? '' : programName(onEvent.prog);
  const plain = {
    times: 1,
    call: `${made.fn} ${object}`,
    isApart: isSession(client),
    refuses: isSession(client) && client.vetoes,
    isHidden,
    program,
    kprobe: '',
  };
  // No copy of a program: eventsFor() looks for its place among the clients.
  for (const event of eventsFor(made, isHidden ? { ...client, onEvent: ANY_PROGRAM } : client)) {
    const owed = { ...plain, key: keyOf(event) };
    add(world, who, owed);
    if (program !== '') add(world, program, { ...owed, program: '', kprobe: who });
  }
}

const ANY_PROGRAM: ProgramOnEvent = { prog: -1, link: '', cookie: ZERO };

/** Two links of one program on one function are one. */
function add(world: Map<string, Owed[]>, who: string, owed: Owed): void {
  const all = world.get(who) ?? [];
  const known = all.find(({ key }) => key === owed.key);
  const others = all.filter((other) => other !== known);
  world.set(who, [...others, known === undefined ? owed : { ...known, times: known.times + 1 }]);
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
