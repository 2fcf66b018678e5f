import type { Argument } from '../../model/abi/x86-64.ts';
import type { SeenWord, StubRun } from '../../model/tracepoint/execute-stub.ts';
import { argumentOrigin, DATA_ORIGIN, executeStub } from '../../model/tracepoint/execute-stub.ts';
import { CONSTANT, tagAt, tagOf, wholeGroup } from '../../model/x86/origin.ts';
import { toHex } from '../../model/x86/word.ts';

/** What is wrong with a stub: what is expected, and what was seen. */
export interface StubFinding {
  readonly expected: string;
  readonly observed: string;
}

/** A property of the stub of a raw tracepoint, for all values of its arguments: one run decides it. */
export interface StubLaw {
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** Whether a stub for these arguments exercises the law at all. */
  readonly premise: (args: readonly Argument[]) => boolean;
  readonly judge: (args: readonly Argument[], run: StubRun) => StubFinding | undefined;
}

/** Executes a stub and asks the laws; a run that goes wrong breaks the first. */
export function judgeStub(
  stub: Uint8Array,
  args: readonly Argument[],
): (StubFinding & { readonly law: StubLaw }) | undefined {
  const run = executeStub(stub, args.length);
  if (typeof run === 'string')
    return { law: STUB_LAWS[0]!, expected: 'the stub comes to __bpf_trace_run()', observed: run };
  for (const law of STUB_LAWS) {
    const found = law.judge(args, run);
    if (found !== undefined) return { law, ...found };
  }
  return undefined;
}

export const argumentsReachTheContext: StubLaw = {
  name: 'tracepoint/arguments-reach-the-context',
  sentence:
    "A raw tracepoint program's ctx[i] holds the bytes of argument i, and what was registered arrives as data.",
  source: 'include/trace/bpf_probe.h  __BPF_DECLARE_TRACE; kernel/trace/bpf_trace.c  bpf_trace_run1',
  premise: () => true,
  judge: (args, { data, context }) => {
    if (wholeGroup(data.tagLo, data.tagHi) !== DATA_ORIGIN)
      return { expected: 'rdi holds the data of the probe', observed: `it holds ${toHex(data.value)}` };
    return wrongByte(
      args,
      context,
      (byte, size) => byte < size,
      (i, byte) => tagOf(argumentOrigin(i), byte),
    );
  },
};

export const narrowArgumentsAreZeroExtended: StubLaw = {
  name: 'tracepoint/narrow-arguments-are-zero-extended',
  sentence: 'Above an argument of less than eight bytes, signed or not, ctx holds zero.',
  source: 'include/trace/bpf_probe.h  __CAST_TO_U64',
  premise: (args) => args.some(({ size }) => size < 8),
  judge: (args, { context }) =>
    wrongByte(
      args,
      context,
      (byte, size) => byte >= size,
      () => CONSTANT,
    ) ?? notZero(args, context),
};

export const STUB_LAWS: readonly StubLaw[] = [argumentsReachTheContext, narrowArgumentsAreZeroExtended];

/** The first byte, of those that are asked for, which came from somewhere else than it has to. */
function wrongByte(
  args: readonly Argument[],
  context: readonly SeenWord[],
  asked: (byte: number, size: number) => boolean,
  wanted: (i: number, byte: number) => number,
): StubFinding | undefined {
  for (const [i, { size }] of args.entries()) {
    const { tagLo, tagHi } = context[i]!;
    for (let byte = 0; byte < 8; byte++) {
      if (!asked(byte, size)) continue;
      const tag = tagAt(byte < 4 ? tagLo : tagHi, byte % 4);
      if (tag !== wanted(i, byte))
        return {
          expected: `byte ${byte} of ctx[${i}] is ${sourceName(wanted(i, byte))}`,
          observed: `it is ${sourceName(tag)}`,
        };
    }
  }
  return undefined;
}

/** What every run has above the arguments has to be zero. */
function notZero(args: readonly Argument[], context: readonly SeenWord[]): StubFinding | undefined {
  for (const [i, { size }] of args.entries()) {
    const { hi, lo } = context[i]!.value;
    const isClean = (size === 8 || hi === 0) && (size >= 4 || lo >>> (8 * size) === 0);
    if (!isClean)
      return { expected: `ctx[${i}] is zero above ${size} bytes`, observed: `it is ${toHex({ hi, lo })}` };
  }
  return undefined;
}

function sourceName(tag: number): string {
  if (tag === 0) return 'never written';
  if (tag === CONSTANT) return 'the same for all arguments';
  if (tag < 8) return 'computed';
  const origin = tag >>> 3;
  return origin === DATA_ORIGIN
    ? `byte ${tag & 7} of the data`
    : `byte ${tag & 7} of argument ${origin - DATA_ORIGIN}`;
}
