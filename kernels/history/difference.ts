/** What of an answer differs. */
export type Aspect =
  | 'errno'
  | 'entry'
  | 'enabled_functions'
  | 'events'
  | 'rax'
  | 'preserved registers'
  | 'call'
  | 'kernel lost';

/** The first place where the kernel and the model differ. */
export interface KernelDifference {
  /** Index of the call after which it shows; the number of calls: when everything is taken off. */
  readonly step: number;
  readonly aspect: Aspect;
  /** The function that was examined; empty: it is the call itself. */
  readonly fn: string;
  /** A line for each event; otherwise one. */
  readonly kernel: readonly string[];
  readonly model: readonly string[];
}

export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
