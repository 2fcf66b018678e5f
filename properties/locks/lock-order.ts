import type { LockFinding } from '../finding/lock-finding.ts';

/*
 * The order of locks, as lockdep keeps it: an edge from each lock that a task holds to one that it takes and may wait
 * for. A cycle is a deadlock of some schedule, whether or not one was met. Edges are between classes of locks.
 */

/** The classes that were taken with one of each class held. */
export type LockEdges = ReadonlyMap<string, ReadonlySet<string>>;

/** Locks that are initialised at one place are one class; within it, order is by number. */
export function lockClass(lock: string): string {
  return lock
    .replace(/^mutex of tr\(.*|^trampoline_locks\[.*/, 'tr->mutex')
    .replace(/^mutex of .*/, 'mutex of a multi link')
    .replace(/^dst_mutex of .*/, 'dst_mutex')
    .replace(/^.*\.regex_lock$/, 'regex_lock');
}

/** The edges with those of taking a lock; the same set, where nothing is new. */
export function withLock(
  edges: LockEdges,
  held: readonly string[],
  lock: string,
): { readonly edges: LockEdges; readonly finding?: LockFinding } {
  const taken = lockClass(lock);
  let all = edges;
  for (const outer of held.map(lockClass)) {
    const inner = all.get(outer);
    if (outer === taken || inner?.has(taken) === true) continue;
    const back = pathBetween(all, taken, outer);
    all = new Map([...all, [outer, new Set([...(inner ?? []), taken])]]);
    if (back !== undefined) return { edges: all, finding: { is: 'locks-in-a-cycle', locks: back } };
  }
  return { edges: all };
}

/** The shortest path along the edges, with both its ends. */
function pathBetween(edges: LockEdges, from: string, to: string): string[] | undefined {
  const paths = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const outer = path.at(-1) ?? from;
    if (outer === to) return path;
    for (const inner of edges.get(outer) ?? []) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      paths.push([...path, inner]);
    }
  }
  return undefined;
}
