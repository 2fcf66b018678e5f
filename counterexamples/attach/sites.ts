import type { Errno } from '../../model/core/errno.ts';
import type { Instruction, Program } from '../../model/core/link.ts';
import { DO } from '../../model/core/link.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';

/** Return sites that were taken, and how often: `register_ftrace_direct: EBUSY  a site of the filter …`. */
export type Sites = Map<string, number>;

function siteName({ routine, label }: Pick<Instruction, 'routine' | 'label'>, errno: Errno): string {
  return `${routine}: ${errno}  ${label}`;
}

export function noteSite(sites: Sites, instruction: Instruction, errno: Errno): void {
  const name = siteName(instruction, errno);
  sites.set(name, (sites.get(name) ?? 0) + 1);
}

/** Every return site of the kernels' own functions, one for each errno that it may give. */
export function allSites(program: Program): string[] {
  const foreign = foreignRoutines(program);
  return program.instructions.flatMap((one) =>
    foreign.has(one.routine) ? [] : (one.errnos ?? []).map((errno) => siteName(one, errno)),
  );
}

/** What only designs of multi links call that no kernel has. */
function foreignRoutines({ instructions, entries }: Program): ReadonlySet<string> {
  const own = KERNELS.map((kernel) => PROFILES[kernel].multiLinks);
  const foreign = new Set(
    DESIGNS.filter(({ name }) => !own.includes(name))
      .flatMap(({ attach, detach, linkSingle, background, routines }) => [
        attach,
        detach,
        linkSingle ?? [],
        ...background,
        ...routines,
      ])
      .flat()
      .map(({ name }) => name),
  );
  const callers = new Map([...entries].map(([name, entry]) => [name, callersOf(instructions, entry)]));
  for (let before = -1; before < foreign.size; ) {
    before = foreign.size;
    for (const [name, who] of callers)
      if (who.size > 0 && [...who].every((caller) => foreign.has(caller))) foreign.add(name);
  }
  return foreign;
}

function callersOf(instructions: readonly Instruction[], entry: number): ReadonlySet<string> {
  const callers = instructions.filter(
    (one) => (one.do === DO.CALL && one.target === entry) || Object.values(one.targets ?? {}).includes(entry),
  );
  return new Set(callers.map(({ routine }) => routine));
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
