import { entry, item } from '../core/present.ts';
import type { MemoryObject } from '../text/memory-object.ts';
import { addressOf } from '../text/space.ts';
import type { Word } from '../x86/word.ts';
import { displacement, fromHex, fromNumber, plus, ZERO } from '../x86/word.ts';
import { FUNC } from './site.ts';
import type { TracepointView } from './tracepoint.ts';
import { arrayNamed, tracepointsOf } from './tracepoint.ts';

/*
 * The data that a tracepoint's code reads: the pointer to the array of probes, and the array; and the addresses
 * of the objects that probes are registered with, which no code dereferences but the program's own.
 */

/** Base addresses: `tp->funcs` of each tracepoint, and the arrays of probes. */
const POINTERS = fromHex('0xffffffff82800000');
const POINTER_BYTES = 8;
const ARRAYS = fromHex('0xffff888100000000');
/** Address range of one array, and the part of it that is read at a time. */
const ARRAY_BYTES = 0x1000;
const CHUNK_BYTES = 0x60;

/** Data of probes, by the kind of its owner: `data#1`, `prog#1`, `link#1`; `call#0` is that of perf events. */
const DATA: Readonly<Record<string, Word>> = {
  data: fromHex('0xffff888200000000'),
  prog: fromHex('0xffffc90000300000'),
  link: fromHex('0xffff888200200000'),
  call: fromHex('0xffffffff82a00000'),
};
const DATA_BYTES = 64;

/** Address of the pointer `tp->funcs` of a tracepoint. */
export function funcsPointer(k: TracepointView, tracepoint: string): Word {
  return plus(POINTERS, POINTER_BYTES * Object.keys(tracepointsOf(k).points).indexOf(tracepoint));
}

/** Address of an object by its name. Throws for a name that no object can have. */
export function dataAddress(name: string): Word {
  const [, kind = '', number = ''] = /^([a-z]+)#([0-9]+)$/.exec(name) ?? [];
  const base = DATA[kind];
  if (base === undefined) throw new Error(`${name} is no data of a probe`);
  return plus(base, DATA_BYTES * Number(number));
}

/** Name of the object at an address; undefined: none. */
export function dataAt(address: Word): string | undefined {
  for (const kind in DATA) {
    const by = displacement(address, entry(DATA, kind));
    if (by !== undefined && by >= 0 && by < 0x200000 && by % DATA_BYTES === 0)
      return `${kind}#${by / DATA_BYTES}`;
  }
  return undefined;
}

/** The object that tracepoint code reads at an address. */
export function tracepointMemory(k: TracepointView, address: Word): MemoryObject | undefined {
  if (k.tracepoints === undefined) return undefined;
  return pointerAt(k, address) ?? arrayAt(k, address);
}

/** `tp->funcs`: rcu_dereference_raw() in the site and in the iterator. */
function pointerAt(k: TracepointView, address: Word): MemoryObject | undefined {
  const by = displacement(address, POINTERS);
  const points = Object.values(tracepointsOf(k).points);
  if (by === undefined || by < 0 || by >= POINTER_BYTES * points.length) return undefined;
  const point = item(points, Math.floor(by / POINTER_BYTES));
  return {
    base: plus(POINTERS, by - (by % POINTER_BYTES)),
    words: [point.funcs === '' ? ZERO : arrayAddress(point.funcs)],
  };
}

/** Arrays are allocated one after the other and never at the same address again. */
function arrayAddress(array: string): Word {
  return plus(ARRAYS, ARRAY_BYTES * Number(array.slice(array.indexOf('#') + 1)));
}

/** Part of an array; after its last probe a function that is NULL. */
function arrayAt(k: TracepointView, address: Word): MemoryObject | undefined {
  const by = displacement(address, ARRAYS);
  const { made } = tracepointsOf(k);
  if (by === undefined || by < 0 || by >= ARRAY_BYTES * (made + 1)) return undefined;
  const name = `funcs#${Math.floor(by / ARRAY_BYTES)}`;
  const array = arrayNamed(k, name);
  const from = Math.floor((by % ARRAY_BYTES) / CHUNK_BYTES);
  const each = CHUNK_BYTES / FUNC.BYTES;
  const words = Array.from({ length: each }, (_, i) => array[from * each + i]).flatMap((item) =>
    item === undefined
      ? [ZERO, ZERO, ZERO]
      : [addressOf(k, item.func), dataAddress(item.data), fromNumber(item.prio)],
  );
  return { base: plus(arrayAddress(name), from * CHUNK_BYTES), words };
}
