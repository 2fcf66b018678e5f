import type { Misses } from '../../model/call/thread.ts';
import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import type { ProgId } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Fprobe } from '../../model/ftrace/probes.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { CallOver } from '../law/interleaving-law.ts';
import type { Moment } from '../law/sequence-law.ts';

/** Clients with a miss counted during this action. */
export function missesOf({ before, after, missed }: Moment): ReadonlyMap<string, Misses> {
  return missed ?? missesBetween(before, after);
}

/** Clients with a miss counted from one state to another. */
export function missesBetween(before: KernelView, after: KernelView): ReadonlyMap<string, Misses> {
  const missed = new Map<string, Misses>();
  const earlier = countsOf(before);
  for (const [who, { own, shared }] of countsOf(after)) {
    const was = earlier.get(who) ?? NO_MISSES;
    if (own > was.own || shared > was.shared)
      missed.set(who, { own: own - was.own, shared: shared - was.shared });
  }
  return missed;
}

const NO_MISSES: Misses = { own: 0, shared: 0 };

/** The same, after more of them. */
export function addMisses(
  all: Readonly<Record<string, Misses>>,
  more: ReadonlyMap<string, Misses>,
): Readonly<Record<string, Misses>> {
  if (more.size === 0) return all;
  const sum = { ...all };
  for (const [who, { own, shared }] of more) {
    const was = sum[who] ?? NO_MISSES;
    sum[who] = { own: was.own + own, shared: was.shared + shared };
  }
  return sum;
}

/**
 * The clients of which a call of an interleaving has counted a miss. The perf event of a kprobe has two counters: that of
 * its kprobe, and that of a program which it has in one of the worlds.
 */
export function missedIn(
  { missed }: Pick<CallOver, 'missed'>,
  worlds: readonly Promises[],
): ReadonlySet<string> {
  const isCounted = ({ onEvent }: PromisedClient) =>
    onEvent !== undefined && missed[programName(onEvent.prog)] !== undefined;
  const ofPrograms = worlds.flatMap(({ clients }) => clients.filter(isCounted).map(({ who }) => who));
  return new Set([...Object.keys(missed), ...ofPrograms]);
}

/** The name under which the misses of a program are counted. */
export function programName(prog: ProgId): string {
  return `prog#${prog}`;
}

/** Every counter of misses, by its client. */
function countsOf(k: KernelView): Map<string, Misses> {
  const counts = new Map<string, Misses>();
  const add = (who: string, own: number, shared = 0) => {
    const counted = counts.get(who) ?? NO_MISSES;
    counts.set(who, { own: counted.own + own, shared: counted.shared + shared });
  };
  for (const [name, { nmissed, retprobe }] of Object.entries(k.probes.kprobes))
    add(retprobe === '' ? name : retprobe, nmissed);
  for (const [name, { nmissed }] of Object.entries(k.probes.kretprobes)) add(name, nmissed);
  for (const fprobe of Object.entries(k.probes.fprobes)) add(nameOf(fprobe), fprobe[1].nmissed);
  for (const [number, { misses }] of Object.entries(k.bpf.progs)) add(`prog#${number}`, misses);
  for (const { prog, progMisses } of Object.values(k.probes.fprobes))
    if (prog > 0) add(`prog#${prog}`, progMisses);
  const onGraph = profileNamed(k.profile).fprobe === 'fgraph';
  const fprobes = Object.entries(k.probes.fprobes).filter(([, { exit }]) => onGraph && exit);
  const programs = multiLinksOnGraph(k) ? multiPrograms(k) : [];
  for (const who of [...Object.keys(k.fgraph.gops), ...fprobes.map(nameOf), ...programs])
    add(who, 0, k.fgraph.overrun);
  return counts;
}

function multiPrograms({ bpf }: KernelView): string[] {
  return Object.entries(bpf.progs).flatMap(([number, { program }]) =>
    program.multi ? [`prog#${number}`] : [],
  );
}

/** An fprobe by its client's name: for kprobe.multi, the program's own. */
function nameOf([name, { prog }]: [string, Fprobe]): string {
  return prog > 0 ? `prog#${prog}` : name;
}
