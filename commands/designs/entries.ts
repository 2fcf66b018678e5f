import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { exampleOf } from '../../conformance/known/attach-example.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { knownTaskPath } from '../../counterexamples/corpus-folder.ts';
import { item } from '../../model/core/present.ts';
import { PROFILES } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { kernelFor } from './bound.ts';
import { loadsMultiProgram } from './multi-programs.ts';

/** A listed breach that is a design's own, and its saved trace below the corpus. */
export interface DesignEntry {
  readonly name: string;
  readonly law: string;
  readonly sentence: string;
  readonly evidence: string;
  readonly trace: string;
}

/** The designs that an entry is bound to. */
type Bound = Pick<KnownAttachBreach, 'multiLinks' | 'variants'>;

/** The breaches of a design: those that are bound to it, and where it is a kernel's own, those that take a multi link. */
export function entriesOf(design: Design): DesignEntry[] {
  const kernel = kernelFor(design);
  const isItsOwn = PROFILES[kernel].multiLinks === design.name;
  const isOf = ({ multiLinks, variants = [] }: Bound, kernels: readonly string[], takesMultiLink: boolean) =>
    multiLinks === undefined
      ? isItsOwn && takesMultiLink && kernels.includes(kernel)
      : [multiLinks, ...variants].includes(design.name);
  return [
    ...KNOWN_ATTACH.flatMap((entry) => {
      const { name, law, sentence, evidence, kernels } = entry;
      if (!isOf(entry, kernels, loadsMultiProgram(exampleOf(entry).actions))) return [];
      return [{ name, law, sentence, evidence, trace: `known/${name}.trace` }];
    }),
    ...KNOWN_TASK.flatMap((entry) => {
      const { name, law, sentence, evidence, kernels, scenario } = entry;
      const loaded = [...scenario.setup, ...scenario.clients.flat()];
      if (!isOf(entry, kernels, loadsMultiProgram(loaded))) return [];
      const shown = kernels.includes(kernel) ? kernel : item(item(kernels, 0).split(','), 0);
      return [{ name, law: law.name, sentence, evidence, trace: knownTaskPath(name, shown) }];
    }),
  ];
}

/** The law that each listed breach is of, by the name of the breach. */
export const LAW_OF: ReadonlyMap<string, string> = new Map([
  ...KNOWN.map(({ name, law }) => [name, law] as const),
  ...KNOWN_ATTACH.map(({ name, law }) => [name, law] as const),
  ...KNOWN_TASK.map(({ name, law }) => [name, law.name] as const),
]);
