import type { KernelView } from '../../model/kernel.ts';
import type { LockFinding } from '../finding/lock-finding.ts';
import { changedPaths } from '../observed/changed-paths.ts';
import type { Guard, GuardedState, Write } from './guarded-state.ts';
import { GUARDED_STATE } from './guarded-state.ts';

/** A part of a kernel, two levels deep at most, and the guarded state in it. */
export interface GuardedPart {
  /** `ftrace.records`, as the explorer names its parts. */
  readonly name: string;
  readonly rows: readonly Row[];
  readonly of: (k: KernelView) => unknown;
}

interface Row extends GuardedState {
  /** The path below the part. */
  readonly path: readonly string[];
}

/** Everything that the table names, by its part. */
export const GUARDED_PARTS: readonly GuardedPart[] = partsOf(GUARDED_STATE);

function partsOf(table: readonly GuardedState[]): GuardedPart[] {
  const rows = new Map<string, Row[]>();
  for (const state of table) {
    const [room = '', part = '', ...path] = state.state.split('.');
    const name = `${room}.${part}`;
    rows.set(name, [...(rows.get(name) ?? []), { ...state, path }]);
  }
  return [...rows].map(([name, own]) => {
    const [room = '', part = ''] = name.split('.');
    return { name, rows: own, of: (k) => (k as unknown as Rooms)[room]?.[part] };
  });
}

type Rooms = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The kernel before and after a change, and the locks of the task that made it. */
export interface LockedChange {
  readonly before: KernelView;
  readonly after: KernelView;
  readonly holds: (lock: string) => boolean;
  /** The part of a routine that ran. */
  readonly by: string;
}

/** What a change of a part lacks; `guarded` is called for each write that the table has a row for. */
export function unlockedWrites(
  { name, rows }: GuardedPart,
  [old, now]: readonly [unknown, unknown],
  change: LockedChange,
  guarded: () => void,
): LockFinding[] {
  return changedPaths(old, now).flatMap((path) =>
    rows.flatMap((row): LockFinding[] => {
      const keys = keysOf(row.path, path);
      if (keys === undefined) return [];
      const write: Write = { ...change, keys, old: valueAt(old, path), new: valueAt(now, path) };
      if (row.when?.(write) === false) return [];
      guarded();
      const missing = row.locks
        .map((guard) => locksOf(guard, write))
        .find((locks) => !locks.some(change.holds));
      if (missing === undefined) return [];
      return [{ is: 'writes-without-lock', what: [name, ...path].join('.'), locks: missing, by: change.by }];
    }),
  );
}

function locksOf(guard: Guard, write: Write): readonly string[] {
  return typeof guard === 'string' ? [guard] : guard(write);
}

/** The keys at the stars of a row; undefined: it is another path. */
function keysOf(row: readonly string[], path: readonly string[]): string[] | undefined {
  const isOpen = row.at(-1) === '**';
  const fixed = isOpen ? row.slice(0, -1) : row;
  if (isOpen ? path.length < fixed.length : path.length !== fixed.length) return undefined;
  if (!fixed.every((segment, i) => segment === '*' || segment === path[i])) return undefined;
  return path.filter((_, i) => i >= fixed.length || fixed[i] === '*');
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (parent as Readonly<Record<string, unknown>> | undefined)?.[key],
    value,
  );
}
