import type { Flavour } from '../../model/core/part.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { FreedKind } from './freed-memory.ts';
import { FREED_KINDS } from './freed-memory.ts';

/* All memory of a kernel that calls read. It is gathered after every step of an operation: most change none of it. */

export interface Memory {
  readonly kind: FreedKind;
  readonly name: string;
  readonly needs: readonly Flavour[];
  /** Left to its client. */
  readonly isIdle: boolean;
}

/** A call that begins now may come to it, in a way that counts also within an action. */
export function isCalled(k: KernelView, { kind: { isCalled: called, isFound }, name }: Memory): boolean {
  return called !== null && (called ?? isFound)(k, name);
}

/** Ends the names of a kind. */
const END = '';

/** The names of all memory, kind after kind, and then those of what is idle: equal lists are of the same memory. */
export function namesOf(k: KernelView): string[] {
  const names: string[] = [];
  for (const kind of FREED_KINDS) {
    const first = names.length;
    kind.names(k, names);
    const { length } = names;
    names.push(END);
    if (kind.isIdle === undefined) continue;
    for (let i = first; i < length; i++) if (kind.isIdle(k, names[i]!)) names.push(names[i]!);
    names.push(END);
  }
  return names;
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** All memory by kind and name; what it needs is decided when it is first seen. */
export function memoryOf(k: KernelView, known: ReadonlyMap<string, Memory>): Map<string, Memory> {
  const all = new Map<string, Memory>();
  for (const kind of FREED_KINDS) {
    const names: string[] = [];
    kind.names(k, names);
    for (const name of names) {
      const key = `${kind.is} ${name}`;
      const needs = known.get(key)?.needs ?? kind.needs(k, name);
      all.set(key, { kind, name, needs, isIdle: kind.isIdle?.(k, name) === true });
    }
  }
  return all;
}
