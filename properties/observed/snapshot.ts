import type { KernelView } from '../../model/kernel.ts';

/*
 * A kernel between two actions of a sequence, as it stays: most actions change little of it, so that it shares all
 * other parts with the one before. Laws derive the same values from it; each is derived once.
 */

const SNAPSHOTS = new WeakSet<KernelView>();

/** A copy of a kernel that never changes; the same one if an earlier copy is of the same state. */
export function snapshotOf(k: KernelView, earlier?: KernelView): KernelView {
  const taken = shared(k, earlier) as KernelView;
  SNAPSHOTS.add(taken);
  return taken;
}

/** Memoizes what is derived from a snapshot; of a kernel that may change, it is derived each time. */
export function perSnapshot<T extends object, A>(derive: (k: KernelView, by: A) => T) {
  const found = new WeakMap<KernelView, { readonly by: A; readonly value: T }>();
  return (k: KernelView, by: A): T => {
    const known = found.get(k);
    if (known?.by === by) return known.value;
    const value = derive(k, by);
    if (SNAPSHOTS.has(k)) found.set(k, { by, value });
    return value;
  };
}

/** A part as it is now: the earlier copy of it if that is equal, in the order of its keys as well. */
function shared(now: unknown, earlier: unknown): unknown {
  if (typeof now !== 'object' || now === null) return now;
  if (Array.isArray(now)) return sharedList(now, Array.isArray(earlier) ? earlier : undefined);
  const isObject = typeof earlier === 'object' && earlier !== null && !Array.isArray(earlier);
  return sharedObject(now as Fields, isObject ? (earlier as Fields) : undefined);
}

type Fields = Record<string, unknown>;

function sharedList(now: readonly unknown[], earlier: readonly unknown[] | undefined): readonly unknown[] {
  let same = earlier?.length === now.length;
  const list = now.slice();
  for (let i = 0; i < list.length; i++) {
    const was = earlier?.[i];
    const is = shared(list[i], was);
    list[i] = is;
    if (is !== was) same = false;
  }
  return same ? earlier! : list;
}

/** A spread copies an object in one go; on Node 20 with shapes of its own, later with those of the original. */
function sharedObject(now: Fields, earlier: Fields | undefined): Fields {
  const keys = earlier === undefined ? [] : Object.keys(earlier);
  const copied = { ...now };
  let same = earlier !== undefined;
  let i = 0;
  for (const key in copied) {
    if (keys[i++] !== key) same = false;
    const value = copied[key];
    const was = earlier?.[key];
    if (value === was) continue;
    const is = typeof value === 'object' && value !== null ? shared(value, was) : value;
    copied[key] = is;
    if (is !== was) same = false;
  }
  return same && i === keys.length ? earlier! : copied;
}
