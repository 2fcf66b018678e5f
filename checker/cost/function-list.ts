import type { RefusedCall } from './refused-call.ts';

/** A function of a list, as far as attaching to it is concerned. */
export interface ListedFunction {
  readonly name: string;
  /** Its type, `ptr, u32 -> s32`; undefined: it has one that no kernel attaches a program to. */
  readonly signature: string | undefined;
  /** Why it has none, in a few words: `it takes variable arguments`. */
  readonly why: string | undefined;
}

/** Why a function refuses a program. */
export interface KeptOff {
  /** `it takes variable arguments`. */
  readonly why: string;
  /** What refuses it; undefined: nothing was tried, for the function has no type. */
  readonly by: RefusedCall | undefined;
}

/** Functions that refuse a program for the same reason. */
export interface LeftOut extends KeptOff {
  /** All of them, in the order of the list. */
  readonly functions: readonly string[];
}

/** Functions by why they refuse a program, the most frequent first. */
export function leftOut(functions: readonly (KeptOff & { readonly name: string })[]): LeftOut[] {
  const groups = new Map<string, { readonly off: KeptOff; readonly functions: string[] }>();
  for (const { name, why, by } of functions) {
    const key = JSON.stringify([why, by]);
    const group = groups.get(key) ?? { off: { why, by }, functions: [] };
    group.functions.push(name);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ off, functions: names }) => ({ ...off, functions: names }))
    .toSorted((a, b) => b.functions.length - a.functions.length);
}
