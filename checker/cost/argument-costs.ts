import { present } from '../../model/core/present.ts';
import { COUNTED_ON, recordedInstructions } from './cost-rows.ts';
import { HIT_KINDS, hitCost } from './hit.ts';
import type { RecordedHit } from './recorded-hit.ts';

/** A way to give a program the arguments and the return value of a function. */
export interface ArgumentCost {
  readonly how: string;
  /** Outside of functions in C: instructions, and their accesses to memory. */
  readonly code:
    | { readonly instructions: number; readonly reads: number; readonly writes: number }
    | undefined;
  /** Recorded in functions in C, on each kernel. */
  readonly inC: readonly { readonly kernel: string; readonly instructions: number }[];
}

/** The recorded functions that bpf_read_argN() would call for one argument. */
const READ_ARG = 'bpf_read_argN';

/**
 * Three ways that were discussed in 2021: an image saves the words that a function has; a hook at the entry and one at the
 * exit save `struct pt_regs` each; and from these a helper finds an argument by BTF at run time. The helper was never
 * written: it would look up the name of the address, the type of that name, and the function's prototype.
 */
export function argumentCosts(benchmarked: readonly RecordedHit[]): ArgumentCost[] {
  return [
    { how: 'words saved by an image (fexit)', code: codeOf('fexit'), inC: [] },
    { how: 'two sets of pt_regs (kretprobe)', code: codeOf('kretprobe'), inC: [] },
    {
      how: 'bpf_read_argN(), each argument',
      code: undefined,
      inC: benchmarked
        .filter(({ hit }) => hit === READ_ARG)
        .map((hit) => ({ kernel: hit.kernel, instructions: recordedInstructions(hit) })),
    },
  ];
}

function codeOf(name: string): ArgumentCost['code'] {
  const kind = present(
    HIT_KINDS.find((hit) => hit.name === name),
    name,
  );
  const { instructions, reads, writes } = present(hitCost(COUNTED_ON, kind), name);
  return { instructions, reads, writes };
}
