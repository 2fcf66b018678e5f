import type { Kernel } from '../../model/kernel.ts';

/** Why none of these kprobes sees anything, for a report: they were registered, and the error of arming them was lost. */
export function whyDead({ probes }: Kernel, keys: readonly string[]): string {
  const inTable = new Set(Object.values(probes.kprobeTable).flatMap((site) => site.probes));
  const names = keys.map((key) => key.split(' sees ')[0]!);
  const areDead = names.every((name) => probes.kprobes[name] !== undefined && !inTable.has(name));
  return areDead ? ': it was registered, and not armed' : '';
}
