/*
 * The algebra of mixing trampolines: sets of functions (`struct bpf_tramp_id`), each of which has one trampoline. No
 * two of them have a function in common, and a program that comes to some functions cuts those that have more.
 */

/** Names of functions, none twice. */
export type Ids = readonly string[];

/** What has a set of functions: a trampoline, or a row of a link. */
export interface PartitionPart {
  readonly ids: Ids;
}

/** A part that has functions which are asked for (`common`), and what it has beside them. */
export interface Cut<P> {
  readonly part: P;
  readonly common: Ids;
  readonly other: Ids;
}

/** What has to be done before a program is on the functions that are asked for: `rest` are in no part yet. */
export interface PartitionPlan<P> {
  readonly cuts: readonly Cut<P>[];
  readonly rest: Ids;
}

/** Which parts have functions of `ids`, in the order of the parts. */
export function planCuts<P extends PartitionPart>(parts: readonly P[], ids: Ids): PartitionPlan<P>;
/** With `most` of them found, another part to look at is one too many: undefined. */
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

/** id_and() and id_sub(): what of `ids` is in the other set, and what is not. */
export function cut(ids: Ids, by: ReadonlySet<string>): { readonly common: Ids; readonly other: Ids } {
  const common: string[] = [];
  const other: string[] = [];
  for (const id of ids) (by.has(id) ? common : other).push(id);
  return { common, other };
}

/** Items by what they have in common, the first one first. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Functions of one model class that have the same programs, the oldest first. */
export interface PartitionRow extends PartitionPart {
  readonly model: string;
  readonly progs: readonly string[];
}

/** A program comes to some functions of one model class: rows that have more are split, and what is in none is one. */
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

/** A program leaves: rows without any are gone, and no two become one again. */
export function detachFromRows(rows: readonly PartitionRow[], prog: string): PartitionRow[] {
  return rows.flatMap((row) => {
    const progs = row.progs.filter((other) => other !== prog);
    return progs.length === 0 ? [] : [progs.length === row.progs.length ? row : { ...row, progs }];
  });
}
