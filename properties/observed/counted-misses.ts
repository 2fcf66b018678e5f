import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import type { KernelView } from '../../model/kernel.ts';

/** The clients with counted misses: a program already running on the CPU, a probe whose pool was empty, a kprobe in a kprobe. */
export function countedMisses(k: KernelView): ReadonlySet<string> {
  const { bpf, probes, fgraph } = k;
  const missed = new Set<string>();
  for (const { program, misses } of Object.values(bpf.progs))
    if (misses > 0) missed.add(`prog#${program.id}`);
  for (const [name, { nmissed, retprobe }] of Object.entries(probes.kprobes))
    if (nmissed > 0) missed.add(retprobe === '' ? name : retprobe);
  for (const table of [probes.kretprobes, probes.fprobes])
    for (const [name, { nmissed }] of Object.entries(table)) if (nmissed > 0) missed.add(name);
  for (const { prog, nmissed, progMisses } of Object.values(probes.fprobes))
    if (prog > 0 && nmissed + progMisses > 0) missed.add(`prog#${prog}`);
  if (fgraph.overrun > 0) for (const name in fgraph.gops) missed.add(name);
  if (fgraph.overrun > 0 && multiLinksOnGraph(k))
    for (const { program } of Object.values(bpf.progs)) if (program.multi) missed.add(`prog#${program.id}`);
  return missed;
}
