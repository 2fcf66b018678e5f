import type { Argument } from '../../model/abi/x86-64.ts';
import type { StubRun } from '../../model/tracepoint/execute-stub.ts';
import type { StubFinding } from '../finding/stub-finding.ts';

/** A property of a raw tracepoint's stub, for all values of its arguments: one run decides it. */
export interface StubLaw {
  /** `tracepoint/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** The text of its witness in "exercised in 8.2 % of sequences (…)". */
  readonly witness: string;
  /** Whether a stub for these arguments exercises the law at all. */
  readonly premise: (args: readonly Argument[]) => boolean;
  readonly judge: (args: readonly Argument[], run: StubRun) => StubFinding | undefined;
}
