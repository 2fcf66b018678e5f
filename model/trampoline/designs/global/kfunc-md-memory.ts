import { Oops, readOfFreed, useAfterFree } from '../../../core/oops.ts';
import type { MemoryObject } from '../../../text/memory-object.ts';
import { addressOf, FUNCTION_BYTES, functionAddress } from '../../../text/space.ts';
import type { Word } from '../../../x86/word.ts';
import { displacement, fromHex, fromNumber, plus, ZERO } from '../../../x86/word.ts';
import type { BpfView } from '../../world.ts';
import { BPF_FUNC, programOfStruct, programStructAt } from '../../world.ts';
import { dataOf, placeOfNumber } from './kfunc-md.ts';

/*
 * The objects as the machine code of the global trampoline reads them: addresses, and words. They are computed
 * from the state when they are read, so that the state has no second copy. Words that the code does not read
 * (back pointers of lists, rcu_head, the counter of percpu_ref) are zero.
 *
 * ```text
 *   kfunc_mds             +0  the array
 *   kfunc_md_array        +0  used, or the pointer to the metadata of padded functions    +24 hash_bits    +32 the lists, a pointer each
 *   kfunc_md              +0  next    +32 func    +40 bpf_progs[3]    +80 users (2 bytes)
 *                         +82 bpf_origin_call, bpf_prog_cnt, nr_args (a byte each)
 *   kfunc_md_tramp_prog   +0  next    +8 prog    +16 cookie
 *   padding               −5  b8 and the index, four bytes: `mov $index,%eax`, or five nops
 *   bpf_prog              +0  nonzero if it is sleepable    +40 bpf_func    +56 active (+48: its instructions)
 * ```
 */
export const MD = { NEXT: 0, FUNC: 32, PROGS: 40, USERS: 80, ORIGIN_CALL: 82 } as const;
export const NODE = { NEXT: 0, PROG: 8, COOKIE: 16 } as const;
export const ARRAY = { USED: 0, MDS: 0, HASH_BITS: 24, LISTS: 32 } as const;
export const PROG = { SLEEPABLE: 0, FUNC: BPF_FUNC, ACTIVE: 56 } as const;

/** The pointer to the array: a variable of the kernel, close to its text. */
const KFUNC_MDS = fromHex('0xffffffff82000000');
/** Base addresses of the objects, apart from those that tracepoints read (`tracepoint/memory.ts`), and their sizes. */
const MDS = fromHex('0xffff888400000000');
const NODES = fromHex('0xffff888500000000');
const ARRAYS = fromHex('0xffff888600000000');
/** Of all `struct bpf_prog` together. */
const PROGRAMS_BYTES = 0x10_0000;

const MD_BYTES = 128;
const NODE_BYTES = 64;
const ARRAY_BYTES = 2 ** 21;
const PROG_BYTES = 64;
/** The part of an array that is loaded at a time. */
const PART_BYTES = 128;
/** An access up to here is one through a NULL pointer. */
const FIRST_PAGE = 4096;

/** Address of metadata by its number. */
export function mdAt(number: number): Word {
  return number === 0 ? ZERO : plus(MDS, number * MD_BYTES);
}

/** The number of the metadata at an address. */
export function mdNumber(address: Word): number {
  return (displacement(address, MDS) ?? 0) / MD_BYTES;
}

function nodeAt(number: number): Word {
  return number === 0 ? ZERO : plus(NODES, number * NODE_BYTES);
}

function arrayAt(number: number): Word {
  return plus(ARRAYS, number * ARRAY_BYTES);
}

/** Symbols that the code refers to. */
export function addressOfData(k: BpfView, symbol: string): Word {
  return symbol === 'kfunc_mds' ? KFUNC_MDS : addressOf(k, symbol);
}

/** The object that the code finds at an address. */
export function memoryAt(k: BpfView, address: Word): MemoryObject | undefined {
  if (address.hi === 0 && address.lo >= 0 && address.lo < FIRST_PAGE)
    throw new Oops({ is: 'function without metadata', address: `0x${address.lo.toString(16)}` });
  if (isIn(address, KFUNC_MDS, 8)) return { base: KFUNC_MDS, words: [arrayAt(dataOf(k).current)] };
  const padding = paddingAt(k, address);
  if (padding !== undefined) return padding;
  const part = partOf(k, address);
  if (part !== undefined) return part;
  const offset = displacement(address, programStructAt(0));
  if (offset === undefined || offset < 0 || offset >= PROGRAMS_BYTES) return undefined;
  return programAt(k, programOfStruct(plus(address, -(offset % PROG_BYTES))));
}

function isIn(address: Word, base: Word, bytes: number): boolean {
  const by = displacement(address, base);
  return by !== undefined && by >= 0 && by < bytes;
}

/** The part of an object that an address is in. */
function partOf(k: BpfView, address: Word): MemoryObject | undefined {
  switch (address.hi) {
    case MDS.hi:
      return mdWords(k, Math.floor((address.lo >>> 0) / MD_BYTES));
    case NODES.hi:
      return nodeWords(k, Math.floor((address.lo >>> 0) / NODE_BYTES));
    case ARRAYS.hi:
      return arrayWords(k, address.lo >>> 0);
    default:
      return undefined;
  }
}

/** Five nops, and what makes an instruction of the index after it, in the eight bytes before a function. */
const NOPS = 0x90909090 | 0;
/** The padding of a function with an index: `mov $index, %eax` after nops (`CONFIG_FUNCTION_PADDING_BYTES`). */
const MOV = 0xb8909090 | 0;

/** The index of a function's metadata in the padding before the function. */
function paddingAt(k: BpfView, address: Word): MemoryObject | undefined {
  const { paddings } = dataOf(k);
  const by = displacement(address, plus(functionAddress(0), -8));
  if (paddings === null || by === undefined || by < 0 || by % FUNCTION_BYTES >= 8) return undefined;
  const place = Math.floor(by / FUNCTION_BYTES);
  const index = paddings[functionAt(k, place + 1)];
  const word = index === undefined ? { lo: NOPS, hi: NOPS } : { lo: MOV, hi: index };
  return { base: plus(functionAddress(place), -8), words: [word] };
}

/** `struct kfunc_md`. */
function mdWords(k: BpfView, number: number): MemoryObject {
  const md = dataOf(k).mds[number];
  if (md === undefined) throw readOfFreed({ is: 'metadata', fn: functionAt(k, number) });
  const { func, progs, users, originCall, progCount, nrArgs, next } = md;
  const counts = { lo: users | (Number(originCall) << 16) | (progCount << 24), hi: nrArgs };
  const words = [mdAt(next), ZERO, ZERO, ZERO, addressOf(k, func), ...progs.map(nodeAt), ZERO, ZERO, counts];
  return { base: mdAt(number), words };
}

/** `struct kfunc_md_tramp_prog`. */
function nodeWords(k: BpfView, number: number): MemoryObject {
  const node = dataOf(k).nodes[number];
  if (node === undefined) throw readOfFreed({ is: 'metadata node', fn: functionAt(k, number) });
  const { next, prog, cookie } = node;
  return { base: nodeAt(number), words: [nodeAt(next), programStructAt(prog), cookie] };
}

/** Sixteen words of an array. */
function arrayWords(k: BpfView, offset: number): MemoryObject {
  const number = Math.floor(offset / ARRAY_BYTES);
  const array = dataOf(k).arrays[number];
  if (array === undefined) throw readOfFreed({ is: 'metadata array' });
  const from = (offset % ARRAY_BYTES) & -PART_BYTES;
  const words = Array.from({ length: PART_BYTES / 8 }, (_, i) => {
    const index = from + 8 * i;
    if (index === ARRAY.USED) return dataOf(k).paddings === null ? fromNumber(array.used) : MDS;
    if (index === ARRAY.HASH_BITS) return fromNumber(array.bits);
    return index < ARRAY.LISTS ? ZERO : mdAt(array.heads[(index - ARRAY.LISTS) / 8] ?? 0);
  });
  return { base: plus(arrayAt(number), from), words };
}

/** The fields of `struct bpf_prog` that the code reads. */
function programAt(k: BpfView, number: number): MemoryObject {
  const prog = k.bpf.progs[number];
  if (prog === undefined || prog.freed)
    throw useAfterFree({ is: 'program', number }, 'bpf_global_caller_run');
  const words = Array.from({ length: PROG_BYTES / 8 }, () => ZERO);
  words[PROG.SLEEPABLE / 8] = fromNumber(Number(prog.program.sleepable));
  words[PROG.FUNC / 8] = addressOf(k, `prog#${number}`);
  return { base: programStructAt(number), words };
}

function functionAt({ text }: BpfView, number: number): string {
  const place = placeOfNumber(number);
  return Object.keys(text.functions).find((name) => text.functions[name] === place) ?? '?';
}
