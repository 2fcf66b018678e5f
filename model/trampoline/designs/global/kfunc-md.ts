import type { ProgId } from '../../../core/ids.ts';
import { entry } from '../../../core/present.ts';
import type { DeepReadonly } from '../../../core/readonly.ts';
import { functionAddress } from '../../../text/space.ts';
import type { Word } from '../../../x86/word.ts';
import type { TracingKind } from '../../program.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import { designData } from '../design.ts';

/*
 * Metadata of a function in the global trampoline (include/linux/kfunc_md.h of the series): found by the function's
 * address, by its code with instructions, by its functions in C here.
 */

/** `struct kfunc_md`. */
export interface KfuncMd {
  readonly func: string;
  readonly nrArgs: number;
  /** Links that hold it. */
  users: number;
  /** `bpf_prog_cnt`, and the first program of each list, by the number of its node; 0: none. */
  progCount: number;
  readonly progs: [number, number, number];
  originCall: boolean;
  /** Calls between `kfunc_md_enter()` and `kfunc_md_exit()`. */
  refs: number;
  /** Number of the next one in its list of the hash; 0: none. */
  next: number;
}

/** `struct kfunc_md_tramp_prog`: a program in a list of a function. */
export interface TrampProg {
  readonly func: string;
  readonly prog: ProgId;
  readonly cookie: Word;
  next: number;
}

/** `struct kfunc_md_array`: the hash, with the first entry of each list that is not empty. */
export interface MdArray {
  readonly bits: number;
  used: number;
  readonly heads: Record<number, number>;
  /** Another one is current, and this one waits to be freed. */
  retired: boolean;
}

/** State of the design: objects in memory by number, and which array `kfunc_mds` points to. */
export interface GlobalData {
  readonly mds: Record<number, KfuncMd>;
  readonly nodes: Record<number, TrampProg>;
  readonly arrays: Record<number, MdArray>;
  current: number;
  /** The index in the padding of each function that has metadata; null: metadata is found in the hash. */
  readonly paddings: Record<string, number> | null;
  /** Numbers that were given away while tasks were in the middle of calls. */
  generations: number;
}

/** `default_mds`, which is in the kernel's own data. */
export const DEFAULT_ARRAY = 0;
/** `MIN_KFUNC_MD_ARRAY_BITS`. */
export const MIN_BITS = 4;

/** Lists of a function in the order of `enum bpf_tramp_prog_type`. */
export const LISTS = { FENTRY: 0, FEXIT: 1, MODIFY_RETURN: 2 } as const;

/** bpf_attach_type_to_tramp(). */
export function listOf(kind: TracingKind): 0 | 1 | 2 {
  if (kind === 'fexit') return LISTS.FEXIT;
  return kind === 'fmod_ret' ? LISTS.MODIFY_RETURN : LISTS.FENTRY;
}

/** `struct kfunc_md_array` with 2^bits lists. */
export function emptyArray(bits: number): MdArray {
  return { bits, used: 0, heads: {}, retired: false };
}

export function dataOf(k: BpfWorld): GlobalData;
export function dataOf(k: BpfView): DeepReadonly<GlobalData>;
export function dataOf(k: BpfView): DeepReadonly<GlobalData> {
  return designData<GlobalData>(k);
}

/** The array that `kfunc_mds` points to. */
export function currentArray(k: BpfWorld): MdArray;
export function currentArray(k: BpfView): DeepReadonly<MdArray>;
export function currentArray(k: BpfView): DeepReadonly<MdArray> {
  const { arrays, current } = dataOf(k);
  return entry(arrays, current);
}

/**
 * Numbers of metadata and of nodes are those of their function, and further ones a whole space of functions later, so
 * that what is made in another order has the same numbers.
 */
const FUNCTIONS_MOST = 2 ** 17;

/**
 * A number for an object of a function: the lowest free one. While tasks are in the middle of calls it is one
 * that was never used, so that who goes back to memory that was freed is seen there.
 */
export function freshNumber(k: BpfWorld, table: Readonly<Record<number, object>>, func: string): number {
  const data = dataOf(k);
  const first = 1 + entry(k.text.functions, func);
  let generation = 0;
  if (k.text.views.length > 0) generation = ++data.generations;
  while (table[first + generation * FUNCTIONS_MOST] !== undefined) generation++;
  data.generations = k.text.views.length > 0 ? generation : 0;
  return first + generation * FUNCTIONS_MOST;
}

/** The function that an object of this number is of, by its place in the address space. */
export function placeOfNumber(number: number): number {
  return (number - 1) % FUNCTIONS_MOST;
}

const GOLDEN_RATIO_64 = 0x61c8864680b583ebn;

/** The upper halves of the products of hash_ptr(), by the places of functions: working one out takes long. */
const PRODUCTS: number[] = [];

function productOf(place: number): number {
  const { hi, lo } = functionAddress(place);
  const address = (BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0);
  return Number(BigInt.asUintN(64, address * GOLDEN_RATIO_64) >> 32n);
}

/** hash_ptr(): which list of an array a function is in. */
export function bucketOf(k: BpfView, func: string, { bits }: DeepReadonly<MdArray>): number {
  const place = entry(k.text.functions, func);
  return (PRODUCTS[place] ??= productOf(place)) >>> (32 - bits);
}

/** __kfunc_md_get(): the number of a function's metadata in an array; 0: there is none, as for text that is gone. */
export function findMd(k: BpfView, func: string, array: DeepReadonly<MdArray> = currentArray(k)): number {
  const { mds, paddings } = dataOf(k);
  if (paddings !== null) return paddings[func] ?? 0;
  if (k.text.functions[func] === undefined) return 0;
  let number = array.heads[bucketOf(k, func, array)] ?? 0;
  while (number !== 0 && entry(mds, number).func !== func) number = entry(mds, number).next;
  return number;
}

/** hlist_add_head_rcu(); or the index of the metadata is written into the padding of its function. */
export function insertMd(k: BpfWorld, array: MdArray, number: number, md: KfuncMd): void {
  const { paddings } = dataOf(k);
  if (paddings !== null) {
    dataOf(k).mds[number] = md;
    paddings[md.func] = number;
    array.used++;
    return;
  }
  const bucket = bucketOf(k, md.func, array);
  md.next = array.heads[bucket] ?? 0;
  dataOf(k).mds[number] = md;
  array.heads[bucket] = number;
  array.used++;
}

/** hlist_del_rcu(): a walk that is on it still finds the next one. Padding becomes nops again. */
export function unhashMd(k: BpfWorld, array: MdArray, number: number): void {
  const { mds, paddings } = dataOf(k);
  const { func, next } = entry(mds, number);
  array.used--;
  if (paddings !== null) {
    delete paddings[func];
    return;
  }
  const bucket = bucketOf(k, func, array);
  if (array.heads[bucket] === number) {
    if (next === 0) delete array.heads[bucket];
    else array.heads[bucket] = next;
    return;
  }
  for (let index = array.heads[bucket] ?? 0; index !== 0; index = entry(mds, index).next)
    if (entry(mds, index).next === number) entry(mds, index).next = next;
}

/** The numbers of all entries of an array, list by list. */
export function entriesOf(k: BpfView, array: DeepReadonly<MdArray>): number[] {
  const found: number[] = [];
  forEachMd(k, array, (_, number) => found.push(number));
  return found;
}

/** Visits all entries of an array, list by list. */
export function forEachMd(
  k: BpfView,
  { bits, heads }: DeepReadonly<MdArray>,
  visit: (md: DeepReadonly<KfuncMd>, number: number) => void,
): void {
  const { mds, paddings } = dataOf(k);
  if (paddings !== null) {
    for (const number of Object.values(paddings)) visit(entry(mds, number), number);
    return;
  }
  for (let bucket = 0; bucket < 2 ** bits; bucket++) {
    let number = heads[bucket] ?? 0;
    while (number !== 0) {
      const md = entry(mds, number);
      visit(md, number);
      number = md.next;
    }
  }
}

/** The programs of a list of a function, in its order. */
export function nodesOf(k: BpfView, md: DeepReadonly<KfuncMd>, list: 0 | 1 | 2): number[] {
  const { nodes } = dataOf(k);
  const found: number[] = [];
  for (let number = md.progs[list]; number !== 0; number = entry(nodes, number).next) found.push(number);
  return found;
}
