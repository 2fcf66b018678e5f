import type { Argument } from '../../model/abi/x86-64.ts';
import { item } from '../../model/core/present.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';
import { CONSTANT } from '../../model/x86/origin.ts';
import type { StubFinding } from '../finding/stub-finding.ts';
import type { StubLaw } from '../law/stub-law.ts';
import { wrongByte } from '../observed/context-bytes.ts';

export const narrowArgumentsAreZeroExtended: StubLaw = {
  name: 'tracepoint/narrow-arguments-are-zero-extended',
  sentence: 'An argument of less than eight bytes, signed or not, is zero-extended in ctx.',
  source: 'include/trace/bpf_probe.h  __CAST_TO_U64',
  witness: 'an argument narrower than eight bytes',
  premise: (args) => args.some(({ size }) => size < 8),
  judge: (args, { context }) =>
    wrongByte(
      args,
      context,
      (byte, size) => byte >= size,
      () => CONSTANT,
    ) ?? notZero(args, context),
};

/** The contents of ctx above the arguments have to be zero in every run. */
function notZero(args: readonly Argument[], context: readonly TaggedWord[]): StubFinding | undefined {
  for (const [i, { size }] of args.entries()) {
    const observed = item(context, i);
    const { hi, lo } = observed.value;
    const isClean = (size === 8 || hi === 0) && (size >= 4 || lo >>> (8 * size) === 0);
    if (!isClean) return { is: 'context-is-not-zero-extended', slot: i, bytes: size, observed };
  }
  return undefined;
}
