import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import type { KernelView } from '../../model/kernel.ts';

/** Who has missed calls and said so: a program that ran on the processor already, a probe whose pool was empty. */
export function countedMisses(k: KernelView): ReadonlySet<string> {
  const { bpf, probes, fgraph } = k;
  const missed = new Set<string>();
  for (const prog in bpf.progs) if (bpf.progs[prog]!.misses > 0) missed.add(`prog#${prog}`);
  for (const table of [probes.kprobes, probes.kretprobes, probes.fprobes])
    for (const name in table) if (table[name]!.nmissed > 0) missed.add(name);
  for (const name in probes.fprobes) {
    const { prog, nmissed } = probes.fprobes[name]!;
    if (prog > 0 && nmissed > 0) missed.add(`prog#${prog}`);
  }
  if (fgraph.overrun > 0) for (const name in fgraph.gops) missed.add(name);
  if (fgraph.overrun > 0 && multiLinksOnGraph(k))
    for (const prog in bpf.progs) if (bpf.progs[prog]!.program.multi) missed.add(`prog#${prog}`);
  return missed;
}
