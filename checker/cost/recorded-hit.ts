import type { HitCost } from './hit.ts';

/** One call of a traced function on a real kernel, instruction by instruction; programs and handlers are left out. */
export interface RecordedHit {
  /** 6.12, 7.2 … */
  readonly kernel: string;
  /** fentry, kprobe-multi … */
  readonly hit: string;
  /** Instructions of assembly and generated code, by kind. */
  readonly code: Readonly<Record<string, number>>;
  /** Functions in C called from such code: with all that they call. */
  readonly functions: InC;
  /** Their callees: their cost is included. */
  readonly inner: InC;
}

type InC = Readonly<Record<string, { readonly calls: number; readonly instructions: number }>>;

/** Instructions of a recorded hit outside of functions in C. */
export function codeOf({ code }: RecordedHit): number {
  return Object.values(code).reduce((sum, instructions) => sum + instructions, 0);
}

/**
 * The instructions of functions in C in a hit, as recorded on the same kernel: in the same hit, or, if that was not
 * recorded there, in others if they all agree. Undefined: one of them is not known.
 */
export function instructionsInC(
  { cFunctions }: Pick<HitCost, 'cFunctions'>,
  kernel: string,
  hit: string,
  recorded: readonly RecordedHit[],
): number | undefined {
  const own = recorded.filter((hit) => hit.kernel === kernel);
  const same = own.filter((recordedHit) => recordedHit.hit === hit);
  let sum = 0;
  for (const [name, times] of Object.entries(cFunctions)) {
    const each = eachTime(name, same) ?? eachTime(name, own);
    if (each === undefined) return undefined;
    sum += times * each;
  }
  return sum;
}

/** Instructions of one call of a function, if the recorded hits agree on it. */
export function eachTime(name: string, recorded: readonly RecordedHit[]): number | undefined {
  const counts = new Set(
    recorded.flatMap(({ functions, inner }) => {
      const item = functions[name] ?? inner[name];
      return item === undefined ? [] : [item.instructions / item.calls];
    }),
  );
  const [only] = counts;
  return counts.size === 1 ? only : undefined;
}
