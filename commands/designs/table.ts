import type { Profile } from '../../model/core/profile.ts';
import { PROFILES } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { kernelFor } from './bound.ts';
import type { DesignEntry } from './entries.ts';
import { entriesOf, LAW_OF } from './entries.ts';
import type { Reason } from './reasons.ts';
import { REASONS } from './reasons.ts';
import type { DesignTally } from './tally.ts';

/** The verdict on one law and one design. */
export type TableCell =
  /** Held: how often its premise was met. */
  | { readonly is: 'holds'; readonly met: number }
  /** Broken only as the underlying kernel breaks it: the names of these breaches. */
  | { readonly is: "the kernel's"; readonly met: number; readonly known: readonly string[] }
  | { readonly is: 'breaks'; readonly entries: readonly DesignEntry[] }
  | { readonly is: 'does not apply'; readonly reason: Reason }
  /** Open: within the bound its premise was not met, and no reason is known. */
  | { readonly is: 'open' };

/** The verdicts on one design, by the names of the laws. */
export interface Column {
  readonly design: Design;
  readonly cells: ReadonlyMap<string, TableCell>;
}

const named = (laws: readonly { readonly name: string }[]) => laws.map(({ name }) => name);

/**
 * All laws of the contract, by the kind of run that they are checked on. Leftovers of interleavings are
 * checked on sequences.
 */
export const LAWS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Laws on images', names: named(IMAGE_LAWS) },
  { title: 'Laws on sequences', names: named(ATTACH_LAWS) },
  { title: 'Laws on interleavings', names: named(TASK_LAWS).filter((name) => name.startsWith('task/')) },
];

/** The results for a design, as a column. */
export function columnOf(design: Design, tally: DesignTally): Column {
  const entries = entriesOf(design);
  const profile = { ...PROFILES[kernelFor(design)], multiLinks: design.name };
  const names = LAWS.flatMap((item) => item.names);
  return {
    design,
    cells: new Map(names.map((law) => [law, cellOf(law, { design, profile, entries }, tally)])),
  };
}

interface Judged {
  readonly design: Design;
  readonly profile: Profile;
  readonly entries: readonly DesignEntry[];
}

function cellOf(law: string, { design, profile, entries }: Judged, { met, known }: DesignTally): TableCell {
  const own = entries.filter((entry) => entry.law === law);
  if (own.length > 0) return { is: 'breaks', entries: own };
  const others = [...known].filter((name) => LAW_OF.get(name) === law).sort();
  const times = met.get(law) ?? 0;
  if (others.length > 0) return { is: "the kernel's", met: times, known: others };
  if (times > 0) return { is: 'holds', met: times };
  const reason = reasonFor(law, design, profile);
  return reason === undefined ? { is: 'open' } : { is: 'does not apply', reason };
}

/** Why a law does not apply to a design, if a reason claims so. */
export function reasonFor(law: string, design: Design, profile: Profile): Reason | undefined {
  return REASONS.find(({ laws, of }) => laws.includes(law) && of(profile, design));
}

/** Problems with the results, in sentences: refuted claims, and unlisted breaches. */
export function objections(design: Design, tally: DesignTally): string[] {
  const { name } = design;
  const profile = { ...PROFILES[kernelFor(design)], multiLinks: name };
  const own = new Set(entriesOf(design).map(({ law }) => law));
  return [
    ...tally.found.map((finding) => `${name} breaks a law in a way that is not listed: ${finding}`),
    ...LAWS.flatMap(({ names }) => names).flatMap((law) => {
      if (reasonFor(law, design, profile) === undefined) return [];
      const met = tally.met.get(law) ?? 0;
      if (met > 0)
        return [`${law} is listed as not applicable to ${name}, but its premise was met ${met} times`];
      return own.has(law) ? [`${law} is listed as not applicable to ${name}, but a breach is listed`] : [];
    }),
  ];
}
