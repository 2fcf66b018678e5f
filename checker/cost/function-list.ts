/** A function of a list, as far as attaching to it is concerned. */
export interface ListedFunction {
  readonly name: string;
  /** Its type, `ptr, u32 -> s32`; undefined: it has one that no kernel attaches a program to. */
  readonly signature: string | undefined;
  /** Why it has none, in a few words: `it takes variable arguments`. */
  readonly why: string | undefined;
}

/** Functions that are alike in what keeps a program off them. */
export interface LeftOut {
  /** `it takes variable arguments`. */
  readonly why: string;
  readonly count: number;
  /** The first of them. */
  readonly example: string;
}

/** Functions by the reason for which they are left out, the most frequent reason first. */
export function leftOut(functions: readonly { readonly name: string; readonly why: string }[]): LeftOut[] {
  const groups = new Map<string, LeftOut>();
  for (const { name, why } of functions) {
    const group = groups.get(why) ?? { why, count: 0, example: name };
    groups.set(why, { ...group, count: group.count + 1 });
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}
