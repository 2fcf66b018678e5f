import type { OpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import type { FgraphView } from './fgraph.ts';
import { readHash } from './filter-hash.ts';
import type { Hash } from './ops.ts';
import { hashHas, notraceOf, withIps, withoutIps } from './ops.ts';

/*
 * The hashes of a manager from those of its subops, which only ever has to trace more than each of them.
 *
 * ```text
 *             merged (6.11 to 6.14)                        rebuilt (6.15 and later)
 *   -------   -----------------------------------------    ------------------------------------------------
 *   filter    union                                        union of (filter minus notrace) of each
 *   notrace   intersection                                 empty, or the intersection if the filter is empty
 * ```
 */

/** `struct ftrace_ops_hash`. An empty filter is every function. */
export interface Hashes {
  filter: Hash;
  notrace: Hash;
}

export function hashesOf(k: FgraphView, name: OpsId): Hashes {
  return { filter: readHash(k, name, 'filter'), notrace: readHash(k, name, 'notrace') };
}

/** The hashes of a manager whose first subops starts. */
export function firstHashes(k: FgraphView, subops: OpsId): Hashes {
  const own = hashesOf(k, subops);
  return isRebuilt(k) ? addFirstHash(own) : own;
}

/** The hashes of a manager when another subops joins: nothing that it traces already is lost. */
export function nextHashes(k: FgraphView, manager: OpsId, subops: OpsId): Hashes {
  const [old, added] = [hashesOf(k, manager), hashesOf(k, subops)];
  if (isRebuilt(k)) return addNextHash(old, added);
  return { filter: union(old.filter, added.filter), notrace: intersectHash(old.notrace, added.notrace) };
}

/** Whether copies of an ops's hashes need memory: without functions they are EMPTY_HASH. */
export function copiesHashes(k: FgraphView, name: OpsId): boolean {
  const { filter, notrace } = hashesOf(k, name);
  return filter.length > 0 || notrace.length > 0;
}

/**
 * Whether the hashes of a manager need memory when another subops joins. What has an EMPTY_HASH on one side is one: but for the notrace hash of 7.2,
 * which is made before it is found to be empty.
 */
export function copiesNext(k: FgraphView, manager: OpsId, subops: OpsId): boolean {
  if (isRebuilt(k)) return true;
  const [old, added] = [hashesOf(k, manager), hashesOf(k, subops)];
  const areBoth = (which: keyof Hashes) => old[which].length > 0 && added[which].length > 0;
  return areBoth('filter') || areBoth('notrace');
}

/** The hashes of a manager with these subops, the newest first. */
export function allHashes(k: FgraphView, manager: OpsId, subops: readonly OpsId[]): Hashes {
  const [first, ...others] = subops.map((name) => hashesOf(k, name));
  if (first === undefined) return { filter: [], notrace: [] };
  if (isRebuilt(k)) return others.reduce(addNextHash, addFirstHash(first));
  return {
    filter: others.reduce((filter, next) => union(filter, next.filter), first.filter),
    notrace: others.reduce((notrace, next) => intersectHash(notrace, next.notrace), notraceOf(k, manager)),
  };
}

export function isRebuilt({ profile }: FgraphView): boolean {
  return profileNamed(profile).managerHashes === 'rebuilt';
}

/** append_hash() of 6.12: an empty filter, which means all, wins. */
function union(a: Hash, b: Hash): Hash {
  return a.length === 0 || b.length === 0 ? [] : withIps(a, b);
}

/** intersect_hash(): an empty notrace hash empties it. */
export function intersectHash(a: Hash, b: Hash): Hash {
  return a.filter((ip) => hashHas(b, ip));
}

/** add_first_hash(). A filter of which nothing is left means every function from here on. */
function addFirstHash({ filter, notrace }: Hashes): Hashes {
  return filter.length > 0 ? { filter: withoutIps(filter, notrace), notrace: [] } : { filter: [], notrace };
}

/** add_next_hash(). If nothing is left of the filter of the subops, append_hash() takes that for every function. */
function addNextHash(old: Hashes, added: Hashes): Hashes {
  const everything = old.filter.length === 0 || added.filter.length === 0;
  const filter = everything ? [] : union(withoutIps(added.filter, added.notrace), old.filter);
  return { filter, notrace: filter.length === 0 ? intersectHash(old.notrace, added.notrace) : [] };
}
