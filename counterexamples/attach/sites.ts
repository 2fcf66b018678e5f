import type { Errno } from '../../model/core/errno.ts';
import type { Instruction, Program } from '../../model/core/link.ts';

/** Return sites that were taken, and how often: `register_ftrace_direct: EBUSY  a site of the filter …`. */
export type Sites = Map<string, number>;

export function siteName({ routine, label }: Pick<Instruction, 'routine' | 'label'>, errno: Errno): string {
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

/** A table of return sites: how often each was taken. */
export function siteLines(names: readonly string[], sites: Sites): string[] {
  return names.map((name) => `  ${String(sites.get(name) ?? 0).padStart(8)}  ${name}`);
}

export function sitesJson(sites: Sites): Record<string, number> {
  return Object.fromEntries([...sites].sort(([a], [b]) => (a < b ? -1 : 1)));
}
