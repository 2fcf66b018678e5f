import { entry, item } from '../../../core/present.ts';
import type { DeepReadonly } from '../../../core/readonly.ts';
import { FTRACE_OPS_FL_ENABLED, filterOf, opsHas } from '../../../ftrace/ops.ts';
import type { BpfView } from '../../world.ts';
import type { Disagreement } from '../disagreement.ts';
import { globalOps } from './global-update.ts';
import type { MdArray } from './kfunc-md.ts';
import { currentArray, DEFAULT_ARRAY, dataOf, entriesOf, nodesOf } from './kfunc-md.ts';

/*
 * Invariants of the global trampoline between operations: no array is leaked, counters match the lists that they
 * count, each ops traces exactly the functions with programs of its argument count, and each link is one user of
 * each of its functions.
 */

/** The first invariant of the hash and its programs that is violated, while nothing is under way. */
export function disagreementOf(k: BpfView): Disagreement | undefined {
  return ofArrays(k) ?? ofEntries(k) ?? ofLinks(k);
}

/** kfree_rcu() must come for every retired array. Array 0 is static, and never freed. */
function ofArrays(k: BpfView): Disagreement | undefined {
  const { arrays, current } = dataOf(k);
  for (const number in arrays)
    if (Number(number) !== current && Number(number) !== DEFAULT_ARRAY && !entry(arrays, number).retired)
      return { is: 'array-is-never-freed', array: Number(number) };
  return ofCount(k, currentArray(k));
}

/** `kfunc_md_used` is what growing and shrinking depend on. */
function ofCount(k: BpfView, array: DeepReadonly<MdArray>): Disagreement | undefined {
  const entries = entriesOf(k, array).length;
  if (array.used === entries) return undefined;
  return { is: 'entry-count-differs', expected: entries, observed: array.used };
}

/**
 * Counts and flags of an entry follow from its lists of programs. `bpf_origin_call` tells the C part to take a
 * reference and to call the function: wrong, it either runs fexit programs without the function or frees
 * metadata early.
 */
function ofEntries(k: BpfView): Disagreement | undefined {
  for (const number of entriesOf(k, currentArray(k))) {
    const md = entry(dataOf(k).mds, number);
    const counts = ([0, 1, 2] as const).map((list) => nodesOf(k, md, list).length);
    const sum = item(counts, 0) + item(counts, 1) + item(counts, 2);
    if (md.progCount !== sum)
      return {
        is: 'program-count-differs',
        of: md.func,
        counter: 'bpf_prog_cnt',
        expected: sum,
        observed: md.progCount,
      };
    if (md.originCall !== item(counts, 1) + item(counts, 2) > 0)
      return { is: 'origin-call-differs', fn: md.func, observed: md.originCall };
    const ops = globalOps(md.nrArgs);
    const traced = opsHas(k, { ops }, FTRACE_OPS_FL_ENABLED) && filterOf(k, ops).includes(md.func);
    if (traced !== sum > 0) return { is: 'ops-traces-otherwise', ops, fn: md.func, programs: sum, traced };
  }
  return undefined;
}

/**
 * Each link is one user of each of its functions, and has its program there once. Metadata without a user is
 * freed under a call; with one too many it is never freed.
 */
function ofLinks(k: BpfView): Disagreement | undefined {
  const users: Record<string, number> = {};
  for (const link in k.bpf.links) {
    const { kind, targets } = entry(k.bpf.links, link);
    if (kind === 'tracing multi') for (const target of targets) users[target] = (users[target] ?? 0) + 1;
  }
  const held = Object.fromEntries(
    entriesOf(k, currentArray(k)).map((number) => [
      entry(dataOf(k).mds, number).func,
      entry(dataOf(k).mds, number).users,
    ]),
  );
  for (const func of new Set([...Object.keys(users), ...Object.keys(held)])) {
    const expected = users[func] ?? 0;
    const observed = held[func] ?? 0;
    if (expected !== observed) return { is: 'user-count-differs', fn: func, expected, observed };
  }
  return undefined;
}

/** Metadata, programs in lists, and replaced arrays that wait to be freed. The current array stays. */
export function allocated(k: BpfView): string[] {
  const { mds, nodes, arrays } = dataOf(k);
  return [
    ...Object.values(mds).map(({ func }) => `metadata of ${func}`),
    ...Object.values(nodes).map(({ func, prog }) => `prog#${prog} in a list of ${func}`),
    ...Object.keys(arrays)
      .filter((number) => Number(number) !== DEFAULT_ARRAY && entry(arrays, number).retired)
      .map((number) => `array#${number} of metadata`),
  ];
}
