/*
 * The algebra of mixing trampolines: disjoint sets of functions (`struct bpf_tramp_id`), each with one
 * trampoline. A program for some functions cuts each set that also has other functions:
 *
 * ```text
 *   parts {a b c} {d}   program for {b d e}   ->   {a c} {b} {d}, rest {e}
 * ```
 *
 * Cutting keeps the sets disjoint; nothing ever merges them.
 */

/** Names of functions, none twice. */
export type Ids = readonly string[];

/** An owner of a set of functions: a trampoline, or a row of a link. */
export interface PartitionPart {
  readonly ids: Ids;
}

/** A part with wanted functions (`common`), and its other ones. */
export interface Cut<P> {
  readonly part: P;
  readonly common: Ids;
  readonly other: Ids;
}

/** The cuts before a program is on the wanted functions: `rest` are in no part yet. */
export interface PartitionPlan<P> {
  readonly cuts: readonly Cut<P>[];
  readonly rest: Ids;
}

/** The parts that have functions of `ids`, in the order of the parts. */
export function planCuts<P extends PartitionPart>(parts: readonly P[], ids: Ids): PartitionPlan<P>;
/** With `most` of them found, one more part is too many: undefined. */
export function planCuts<P extends PartitionPart>(
  parts: readonly P[],
  ids: Ids,
  most: number,
): PartitionPlan<P> | undefined;
export function planCuts<P extends PartitionPart>(
  parts: readonly P[],
  ids: Ids,
  most = Number.POSITIVE_INFINITY,
): PartitionPlan<P> | undefined {
  const rest = new Set(ids);
  const cuts: Cut<P>[] = [];
  for (const part of parts) {
    if (rest.size === 0) break;
    if (cuts.length === most) return undefined;
    const { common, other } = cut(part.ids, rest);
    if (common.length === 0) continue;
    cuts.push({ part, common, other });
    for (const id of common) rest.delete(id);
  }
  return { cuts, rest: [...rest] };
}

/** id_and() and id_sub(): the elements of `ids` that are in the other set, and those that are not. */
export function cut(ids: Ids, by: ReadonlySet<string>): { readonly common: Ids; readonly other: Ids } {
  const common: string[] = [];
  const other: string[] = [];
  for (const id of ids) (by.has(id) ? common : other).push(id);
  return { common, other };
}

/** Items grouped by key, in the order of first occurrence. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Functions of one model class with the same programs, the oldest first. */
export interface PartitionRow extends PartitionPart {
  readonly model: string;
  readonly progs: readonly string[];
}

/**
 * A program is attached to functions of one model class: rows that have more are split, the rest forms one row.
 */
export function attachToRows(
  rows: readonly PartitionRow[],
  prog: string,
  model: string,
  ids: Ids,
): PartitionRow[] {
  const { cuts, rest } = planCuts(
    rows.filter((row) => row.model === model),
    ids,
  );
  const cutOf = new Map(cuts.map((cut) => [cut.part, cut]));
  const after = rows.flatMap((row) => {
    const found = cutOf.get(row);
    if (found === undefined) return [row];
    const joined = { ...row, ids: found.common, progs: [...row.progs, prog] };
    return found.other.length === 0 ? [joined] : [joined, { ...row, ids: found.other }];
  });
  return rest.length === 0 ? after : [...after, { model, ids: rest, progs: [prog] }];
}

/** A program is detached: rows without any are dropped, and no two are merged. */
export function detachFromRows(rows: readonly PartitionRow[], prog: string): PartitionRow[] {
  return rows.flatMap((row) => {
    const progs = row.progs.filter((other) => other !== prog);
    return progs.length === 0 ? [] : [progs.length === row.progs.length ? row : { ...row, progs }];
  });
}
