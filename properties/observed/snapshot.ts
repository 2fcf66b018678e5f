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
  let copied = earlier?.length === now.length ? undefined : now.slice();
  for (let i = 0; i < now.length; i++) {
    const was = earlier?.[i];
    const is = shared(now[i], was);
    if (copied === undefined && is !== was) copied = [...earlier!.slice(0, i), ...now.slice(i)];
    if (copied !== undefined) copied[i] = is;
  }
  return copied ?? earlier!;
}

/**
 * Most objects are as they were: one is copied when the first difference shows. A spread copies it in one go; on Node 20
 * with a shape of its own, later with that of the original.
 */
function sharedObject(now: Fields, earlier: Fields | undefined): Fields {
  const keys = earlier === undefined ? NO_KEYS : Object.keys(earlier);
  let copied: Fields | undefined;
  let i = 0;
  for (const key in now) {
    const value = now[key];
    const was = earlier?.[key];
    const is = value === was || typeof value !== 'object' || value === null ? value : shared(value, was);
    if (copied === undefined && (is !== was || keys[i] !== key)) copied = copyFrom(now, earlier, keys, i);
    if (copied !== undefined) copied[key] = is;
    i++;
  }
  if (copied !== undefined) return copied;
  return earlier !== undefined && i === keys.length ? earlier : copyFrom(now, earlier, keys, i);
}

const NO_KEYS: readonly string[] = [];

/** A copy of an object of which the first entries are those of the earlier one. */
function copyFrom(now: Fields, earlier: Fields | undefined, keys: readonly string[], same: number): Fields {
  const copied = { ...now };
  for (let i = 0; i < same; i++) copied[keys[i]!] = earlier![keys[i]!];
  return copied;
}
