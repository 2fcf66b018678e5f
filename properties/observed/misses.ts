import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Fprobe } from '../../model/ftrace/probes.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Moment } from '../law/sequence-law.ts';

/** Clients with a miss counted during this action, with the cause. */
export function missesOf({ before, after }: Moment): ReadonlyMap<string, string> {
  const missed = new Map<string, string>();
  const earlier = countsOf(before);
  for (const [who, [count, cause]] of countsOf(after))
    if (count > (earlier.get(who)?.[0] ?? 0)) missed.set(who, cause);
  return missed;
}

/** Every counter of misses, by its client. */
function countsOf(k: KernelView): Map<string, readonly [number, string]> {
  const counts = new Map<string, readonly [number, string]>();
  const add = (who: string, missed: number, cause: string) =>
    counts.set(who, [(counts.get(who)?.[0] ?? 0) + missed, cause]);
  for (const [name, { nmissed, retprobe }] of Object.entries(k.probes.kprobes))
    add(retprobe === '' ? name : retprobe, nmissed, 'recursion (nmissed)');
  for (const [name, { nmissed }] of Object.entries(k.probes.kretprobes))
    add(name, nmissed, 'no free node (nmissed)');
  for (const fprobe of Object.entries(k.probes.fprobes))
    add(nameOf(fprobe), fprobe[1].nmissed, 'no free node (nmissed)');
  for (const [number, { misses }] of Object.entries(k.bpf.progs))
    add(`prog#${number}`, misses, 'recursion (misses)');
  for (const { prog, progMisses } of Object.values(k.probes.fprobes))
    if (prog > 0) add(`prog#${prog}`, progMisses, 'recursion (misses)');
  const onGraph = profileNamed(k.profile).fprobe === 'fgraph';
  const fprobes = Object.entries(k.probes.fprobes).filter(([, { exit }]) => onGraph && exit);
  const programs = multiLinksOnGraph(k) ? multiPrograms(k) : [];
  for (const who of [...Object.keys(k.fgraph.gops), ...fprobes.map(nameOf), ...programs])
    add(who, k.fgraph.overrun, 'the shadow stack is full (trace_overrun)');
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
