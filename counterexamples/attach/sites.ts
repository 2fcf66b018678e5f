import type { Errno } from '../../model/core/errno.ts';
import type { Instruction, Program } from '../../model/core/link.ts';
import type { KernelVersion } from '../../model/core/profile.ts';

/** Return sites that were taken, and how often: `register_ftrace_direct: EBUSY  a site of the filter …`. */
export type Sites = Map<string, number>;

function siteName({ routine, label }: Pick<Instruction, 'routine' | 'label'>, errno: Errno): string {
  return `${routine}: ${errno}  ${label}`;
}

export function noteSite(sites: Sites, instruction: Instruction, errno: Errno): void {
  const name = siteName(instruction, errno);
  sites.set(name, (sites.get(name) ?? 0) + 1);
}

/** Every return site of a program, one for each errno that it may give. */
export function allSites({ instructions }: Program): string[] {
  return instructions.flatMap((one) => (one.errnos ?? []).map((errno) => siteName(one, errno)));
}

/** A return site of the modelled kernel functions: an errno, and the kernels in which a search gets to it. */
export interface ReturnSite {
  readonly site: string;
  /** Kernels in which a default run gets there. */
  readonly reached: readonly KernelVersion[];
  /** Kernels in which some longer run does. */
  readonly seldom?: readonly KernelVersion[];
  /** Why no sequence of calls on one CPU gets there. */
  readonly never?: string;
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
    ...known.flatMap((one) => [
      `${cells(({ sites }) => String(sites.get(one.site) ?? 0))}  ${one.site}`,
      ...(runs.some(({ sites }) => sites.has(one.site)) ? [] : whyNot(one)).map(
        (why) => `${' '.repeat(COUNT * runs.length)}    ${why}`,
      ),
    ]),
  ];
}

/** Why a run did not get to a return site. */
function whyNot({ seldom = [], never }: ReturnSite): string[] {
  if (never !== undefined) return [`never: ${never}`];
  return seldom.length === 0 ? [] : [`seldom: longer runs of ${seldom.join(', ')} get there`];
}

export function sitesJson(sites: Sites): Record<string, number> {
  return Object.fromEntries([...sites].sort(([a], [b]) => (a < b ? -1 : 1)));
}
