import { addTo } from '../../model/core/add-to.ts';
import type { Errno } from '../../model/core/errno.ts';
import { ERRNO } from '../../model/core/errno.ts';
import type { Instruction } from '../../model/core/instruction.ts';
import type { NearVersion } from '../../model/core/near-kernels.ts';
import { NEAR_KERNELS } from '../../model/core/near-kernels.ts';
import type { KernelVersion, RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';

/** Return sites that were taken, and how often: `register_ftrace_direct: EBUSY  a site of the filter …`. */
export type Sites = Map<string, number>;

/** `register_ftrace_direct: EBUSY  a site of the filter has a direct call`. */
export function siteName({ routine, id }: Pick<Instruction, 'routine' | 'id'>, errno: Errno): string {
  return `${routine}: ${errno}  ${id}`;
}

export function noteSite(sites: Sites, instruction: Instruction, errno: Errno): void {
  addTo(sites, siteName(instruction, errno));
}

/** A return site: its routine, the condition of its guard, and its answer. */
export interface Refusal {
  readonly routine: string;
  readonly id: string;
  readonly errno: Errno;
}

/** The return site of a name. Throws an Error for a text that is none. */
export function siteNamed(name: string): Refusal {
  const { routine, errno, id } =
    /^(?<routine>.+?): (?<errno>[A-Z0-9]+) {2}(?<id>.+)$/.exec(name)?.groups ?? {};
  if (routine === undefined || id === undefined || errno === undefined || !(errno in ERRNO))
    throw new Error(`${name} is no name of a return site`);
  return { routine, id, errno: errno as Errno };
}

/** A return site of the modelled kernel functions: an errno, and the kernels in which a search reaches it. */
export interface ReturnSite {
  readonly site: string;
  /** Kernels in which a default run reaches it. */
  readonly reached: readonly KernelVersion[];
  /** Kernels in which some longer run does, or one for a kernel that is near to another. */
  readonly seldom?: readonly RecordedVersion[];
  /** Why no sequence of calls on one CPU reaches it. */
  readonly never?: string;
}

/** How easily a sequence of calls reaches a return site of a kernel. */
export type Likelihood = 'common' | 'rare' | 'never';

/** In a kernel that is near to another one it is as likely as there, unless one of them never takes it. */
export function likelihoodIn(
  { site, reached, seldom = [] }: ReturnSite,
  version: RecordedVersion,
): Likelihood {
  const { kernel } = profileNamed(version);
  const isSearched = version === kernel;
  if (!isSearched && NEAR_KERNELS[version as NearVersion].unreached.includes(site)) return 'never';
  if (reached.includes(kernel)) return 'common';
  return seldom.includes(kernel) || seldom.includes(version) ? 'rare' : 'never';
}

const COUNT = 8;

/** A table of return sites: how often each was taken in each run, and why some never are. */
export function siteTable(
  known: readonly ReturnSite[],
  runs: readonly { readonly profile: string; readonly sites: Sites }[],
): string[] {
  const cells = (cell: (run: (typeof runs)[number]) => string) =>
    runs.map((run) => cell(run).padStart(COUNT)).join('');
  return [
    `${cells(({ profile }) => profile)}  return site: how often it refused`,
    ...known.flatMap((site) => [
      `${cells(({ sites }) => String(sites.get(site.site) ?? 0))}  ${site.site}`,
      ...(runs.some(({ sites }) => sites.has(site.site)) ? [] : whyNot(site)).map(
        (why) => `${' '.repeat(COUNT * runs.length)}    ${why}`,
      ),
    ]),
  ];
}

/** Why a run did not reach a return site; empty: it should have. */
export function whyNot({ seldom = [], never }: ReturnSite): string[] {
  if (never !== undefined) return [`never: ${never}`];
  return seldom.length === 0 ? [] : [`seldom: longer runs of ${seldom.join(', ')} get there`];
}

export function sitesJson(sites: Sites): Record<string, number> {
  return Object.fromEntries([...sites].sort(([a], [b]) => (a < b ? -1 : 1)));
}
