import type { KernelDifference } from './difference.ts';

/** What lines are sent to: a booted kernel, or what a test has in its place. */
export interface Answering {
  /** The answer to each line; without one in these seconds the kernel hangs. */
  ask(lines: readonly string[], seconds?: number): readonly string[];
}

export interface HistoryVerdict {
  readonly difference: KernelDifference | undefined;
  /** What the kernel answered to each call: `0`, `-EBUSY`, nothing for a call of a function. */
  readonly answers: readonly string[];
  /** Calls and looks that were compared. */
  readonly compared: number;
  readonly warnings: readonly string[];
  /** The kernel is not as it was at boot, or gone: the next history needs another one. */
  readonly damaged: boolean;
  /** It was lost as everything was taken off, in an order that is the driver's own: not compared. */
  readonly lostAtEnd: boolean;
}
