import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { Leftover } from '../finding/answer-finding.ts';

/** What multi links of a design have left: as it says, or what its tables have more than after boot. */
export function leftByADesign(k: KernelView): Leftover[] {
  const design = designOf(profileNamed(k.profile));
  const names = design?.allocated?.(k) ?? moreThan(design?.start?.() ?? {}, k.bpf.design ?? {});
  return names.map((of) => ({ is: 'object of the design', of }));
}

/** `shared: { f1 }` is `shared f1`. A list, such as the programs that may not attach again, is no table. */
function moreThan(boot: object, now: object): string[] {
  const before: Partial<Record<string, unknown>> = { ...boot };
  return Object.entries(now).flatMap(([field, table]) => {
    if (!isTable(table)) return [];
    const was = before[field];
    return Object.keys(table)
      .filter((key) => !isTable(was) || !(key in was))
      .map((key) => `${field} ${key}`);
  });
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
