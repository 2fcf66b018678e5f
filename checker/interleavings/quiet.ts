import type { FunctionName } from '../../model/core/ids.ts';
import type { PartName, WorldParts } from './world-parts.ts';

/** A step of somebody who holds locks, as the parts of the world before and after it. */
interface Change {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly holds: (lock: string) => boolean;
}

/** Whether everything that a step has read stays as it is while locks are held. */
export function readsWhatStays(
  layout: WorldParts,
  reads: ReadonlySet<number>,
  holds: (lock: string) => boolean,
): boolean {
  for (const part of reads) {
    const guard = part < layout.count ? GUARDS.get(layout.nameOf(part)) : undefined;
    if (guard !== undefined && !holds(guard)) return false;
  }
  return true;
}

/** The lock under which a part changes, where steps read it that do not hold it. */
export const GUARDS: ReadonlyMap<PartName, string> = new Map<PartName, string>([
  ['ftrace.directFunctions', 'direct_mutex'],
  ['ftrace.records', 'ftrace_lock'],
  ['ftrace.opsList', 'ftrace_lock'],
  ['ftrace.startUp', 'ftrace_lock'],
]);

/** Decides about a part that has changed, by its values before and after. */
type Quiet = (before: never, after: never, holds: (lock: string) => boolean) => boolean;

/**
 * Whether nobody else can tell a world from the one before, as long as locks are held: what has changed is guarded by
 * one of them and read by no call, or is new and nothing leads there yet. Such a step is done in one go with the one in
 * front of it.
 */
export function isQuiet(
  layout: WorldParts,
  trLock: (target: FunctionName) => string,
  change: Change,
): boolean {
  const { before, after, holds } = change;
  for (let i = 0; i < after.length; i++) {
    if (isSame(before[i], after[i])) continue;
    if (i >= layout.count) return false;
    const name = layout.nameOf(i);
    if (name === 'bpf.trampolines') {
      const targets = changed(before[i] as Objects, after[i] as Objects);
      if (!targets.every((target) => holds(trLock(target)))) return false;
    } else if (!(QUIET[name]?.(before[i] as never, after[i] as never, holds) ?? false)) return false;
  }
  return true;
}

type Objects = Readonly<Record<string, unknown>>;

const underFtraceLock: Quiet = (_before, _after, holds) => holds('ftrace_lock');
const isMore: Quiet = (before: Objects, after: Objects) =>
  changed(before, after).every((name) => !(name in before));

const QUIET: Readonly<Partial<Record<PartName, Quiet>>> = {
  'ftrace.records': underFtraceLock,
  'ftrace.startUp': underFtraceLock,
  'ftrace.savedTraceFunction': underFtraceLock,
  'ftrace.innerFunction': underFtraceLock,
  'ftrace.setFunctionTraceOp': underFtraceLock,
  'ftrace.removedOps': underFtraceLock,
  'bpf.imagesMade': () => true,
  'bpf.images': isMore,
  'text.pages': isMore,
  'text.pokes': () => true,
  'text.pagesUsed': () => true,
  'text.poke': (before: unknown, _after, holds) => before === null && holds('text_mutex'),
};

function changed(before: Objects, after: Objects): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
