import type { FunctionName } from '../../model/core/ids.ts';
import type { PartName, WorldParts } from './world-parts.ts';

/*
 * Reduction: steps that no other actor can observe are fused with the step before them (Lipton).
 *
 * A step is fused when all of its writes are private and all of its reads are stable. A write is private if the
 * part is guarded by a lock that the actor holds and no call reads it, or if it creates an object that nothing
 * points to yet. A read is stable if the part changes only under a lock that the actor holds. Such a step
 * commutes with every step that another actor could take before it: executed at once or later, it reads and
 * writes the same values, and neither side enables or disables the other. Every interleaving of the full space is
 * therefore equivalent to one in which the step follows its predecessor directly, and the states in between that
 * are left out differ from the explored ones only in parts that no law and no other actor reads. Laws see the
 * step itself: an end, a warning or a freed object is reported by the fused move as by its own. Progress is kept
 * as well: only plain steps are fused, never a lock, a wait or a loop, so that fusing ends.
 */

/** A step of an actor that holds locks: the parts of the world before and after it. */
interface Change {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  readonly holds: (lock: string) => boolean;
}

/** Whether every part that a step has read stays unchanged while locks are held: a stable read. */
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

/**
 * The lock under which a part changes, where steps read it without holding it. In the kernel all writers of these
 * four hold the lock; a part that is missing here counts as private to the running step, which `quiet.test.ts`
 * tests.
 */
export const GUARDS: ReadonlyMap<PartName, string> = new Map<PartName, string>([
  ['ftrace.directFunctions', 'direct_mutex'],
  ['ftrace.records', 'ftrace_lock'],
  ['ftrace.opsList', 'ftrace_lock'],
  ['ftrace.startUp', 'ftrace_lock'],
]);

/** Decides whether a change of a part is private, by its values before and after. */
type Quiet = (before: never, after: never, holds: (lock: string) => boolean) => boolean;

/**
 * Whether no other actor can distinguish the world after a step from the one before, as long as the locks are
 * held: what has changed is guarded by one of them and read by no call, or is new and not reachable yet.
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

/**
 * Parts that no call reads while it runs, or only after a later, visible write makes them reachable. `text.poke`
 * counts until its first int3 is written: before, the handler of int3 cannot run for this batch.
 */
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
