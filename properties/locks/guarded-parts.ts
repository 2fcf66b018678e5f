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
  /** Those that can match a path below the part, by its length. */
  readonly rowsAt: (length: number) => readonly Row[];
  readonly of: (k: KernelView) => unknown;
}

interface Row extends GuardedState {
  /** The path below the part. */
  readonly path: readonly string[];
  /** It ends in `**`: the rest of a written path is open. */
  readonly isOpen: boolean;
}

/** Everything that the table names, by its part. */
export const GUARDED_PARTS: readonly GuardedPart[] = partsOf(GUARDED_STATE);

function partsOf(table: readonly GuardedState[]): GuardedPart[] {
  const rows = new Map<string, Row[]>();
  for (const state of table) {
    const [room = '', part = '', ...path] = state.state.split('.');
    const name = `${room}.${part}`;
    rows.set(name, [...(rows.get(name) ?? []), rowOf(state, path)]);
  }
  return [...rows].map(([name, own]) => {
    const [room = '', part = ''] = name.split('.');
    return { name, rows: own, rowsAt: byLength(own), of: (k) => (k as unknown as Rooms)[room]?.[part] };
  });
}

function byLength(rows: readonly Row[]): GuardedPart['rowsAt'] {
  const known: (readonly Row[])[] = [];
  return (length) =>
    (known[length] ??= rows.filter(({ path, isOpen }) =>
      isOpen ? length >= path.length : length === path.length,
    ));
}

function rowOf(state: GuardedState, path: readonly string[]): Row {
  const isOpen = path.at(-1) === '**';
  return { ...state, path: isOpen ? path.slice(0, -1) : path, isOpen };
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
  { name, rowsAt }: GuardedPart,
  [old, now]: readonly [unknown, unknown],
  change: LockedChange,
  guarded: () => void,
): LockFinding[] {
  const found: LockFinding[] = [];
  for (const path of changedPaths(old, now))
    for (const row of rowsAt(path.length)) {
      const keys = keysOf(row, path);
      if (keys === undefined) continue;
      const write = { ...change, keys, old: valueAt(old, path), new: valueAt(now, path) };
      if (row.when?.(write) === false) continue;
      guarded();
      const missing = missingOf(row, write);
      if (missing === undefined) continue;
      found.push({
        is: 'writes-without-lock',
        what: [name, ...path].join('.'),
        locks: missing,
        by: change.by,
      });
    }
  return found;
}

/** The first guard of which the writer holds no lock. */
function missingOf({ locks: guards }: Row, write: Write & LockedChange): readonly string[] | undefined {
  for (const guard of guards) {
    const locks = locksOf(guard, write);
    if (!locks.some(write.holds)) return locks;
  }
  return undefined;
}

function locksOf(guard: Guard, write: Write): readonly string[] {
  return typeof guard === 'string' ? [guard] : guard(write);
}

/** The keys at the stars of a row, for a path of its length; undefined: it is another path. */
function keysOf({ path: fixed }: Row, path: readonly string[]): string[] | undefined {
  for (let i = 0; i < fixed.length; i++) if (fixed[i] !== '*' && fixed[i] !== path[i]) return undefined;
  return path.filter((_, i) => i >= fixed.length || fixed[i] === '*');
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (parent as Readonly<Record<string, unknown>> | undefined)?.[key],
    value,
  );
}
