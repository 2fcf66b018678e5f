import type { LockFinding } from '../finding/lock-finding.ts';

/*
 * The order of locks, as lockdep keeps it: an edge from each lock that a task holds to one that it takes and may wait
 * for. A cycle is a deadlock of some schedule, whether or not one was met. Edges are between classes of locks.
 */

/** `direct_mutex ▸ ftrace_lock`: the second was taken with the first held. */
export type LockEdges = ReadonlySet<string>;

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
    const edge = `${outer} ▸ ${taken}`;
    if (outer === taken || all.has(edge)) continue;
    const back = pathBetween(all, taken, outer);
    all = new Set([...all, edge]);
    if (back !== undefined) return { edges: all, finding: { is: 'locks-in-a-cycle', locks: back } };
  }
  return { edges: all };
}

/** The shortest path along the edges, with both its ends. */
function pathBetween(edges: LockEdges, from: string, to: string): string[] | undefined {
  const paths = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    if (path.at(-1) === to) return path;
    for (const edge of edges) {
      const [outer = '', inner = ''] = edge.split(' ▸ ');
      if (outer !== path.at(-1) || seen.has(inner)) continue;
      seen.add(inner);
      paths.push([...path, inner]);
    }
  }
  return undefined;
}
