import { addTo } from '../../model/core/add-to.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import type { NearVersion } from '../../model/core/near-kernels.ts';
import { NEAR_KERNELS } from '../../model/core/near-kernels.ts';
import type { Routine } from '../../model/core/part.ts';
import { present } from '../../model/core/present.ts';
import type { KernelVersion, RecordedVersion } from '../../model/core/profile.ts';
import { KERNELS, PROFILES, profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';

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

/** Every return site of the kernels' own functions, one for each errno that it may give. */
export function refusalsOf(program: LinkedRoutines): Refusal[] {
  const own = kernelRoutines(program);
  return program.instructions.flatMap((instruction) =>
    instruction.do !== DO.REFUSE || !own.has(instruction.routine)
      ? []
      : instruction.errnos.map((errno) => ({ routine: instruction.routine, id: instruction.id, errno })),
  );
}

/** Their names. */
export function allSites(program: LinkedRoutines): string[] {
  return refusalsOf(program).map((refusal) => siteName(refusal, refusal.errno));
}

/** The routines of the kernels: without those that only designs of multi links call and no kernel has. */
export function kernelRoutines({ instructions, entries }: LinkedRoutines): ReadonlySet<string> {
  const foreign = new Set(OF_DESIGNS.map(({ name }) => name));
  const calls = callsOf(instructions, entries);
  const called = new Set([...calls.values()].flatMap((names) => [...names]));
  const own = new Set<string>();
  const reach = (name: string): void => {
    if (own.has(name) || foreign.has(name)) return;
    own.add(name);
    for (const next of calls.get(name) ?? []) reach(next);
  };
  for (const name of entries.keys()) if (!called.has(name)) reach(name);
  return own;
}

const KERNELS_OWN = KERNELS.map((kernel) => PROFILES[kernel].multiLinks);

/** The callers of routines of designs that no kernel has. */
const OF_DESIGNS: readonly Routine[] = DESIGNS.filter(({ name }) => !KERNELS_OWN.includes(name)).flatMap(
  ({ attach, detach, linkSingle, background = [], routines = [] }) => [
    attach,
    detach,
    ...(linkSingle === undefined ? [] : [linkSingle]),
    ...background,
    ...routines,
  ],
);

/** The routines that each routine calls, by name. */
function callsOf(
  instructions: readonly Instruction[],
  entries: ReadonlyMap<string, number>,
): Map<string, Set<string>> {
  const names = new Map([...entries].map(([name, entry]) => [entry, name]));
  const calls = new Map([...entries.keys()].map((name) => [name, new Set<string>()]));
  for (const instruction of instructions)
    for (const start of calledBy(instruction))
      present(calls.get(instruction.routine), instruction.routine).add(
        present(names.get(start), `routine at ${start}`),
      );
  return calls;
}

/** First instructions of an instruction's possible callees. */
function calledBy(instruction: Instruction): readonly number[] {
  if (instruction.do === DO.CALL) return [instruction.target];
  return instruction.do === DO.INDIRECT ? Object.values(instruction.targets) : [];
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

/** Why a run did not reach a return site. */
function whyNot({ seldom = [], never }: ReturnSite): string[] {
  if (never !== undefined) return [`never: ${never}`];
  return seldom.length === 0 ? [] : [`seldom: longer runs of ${seldom.join(', ')} get there`];
}

export function sitesJson(sites: Sites): Record<string, number> {
  return Object.fromEntries([...sites].sort(([a], [b]) => (a < b ? -1 : 1)));
}
