import type { ImageCase, Known } from '../../checker/images/case.ts';
import { targetOfCase } from '../../checker/images/case.ts';
import { argumentSlots, stackWords } from '../../model/abi/x86-64.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { argumentsReachPrograms } from '../../properties/trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from '../../properties/trampoline/arguments-reach-the-original.ts';
import { callerSeesTheReturnValue } from '../../properties/trampoline/caller-sees-the-return-value.ts';
import { narrowArgumentsAreDefined } from '../../properties/trampoline/narrow-arguments-are-defined.ts';
import { patchPointsAreSafe } from '../../properties/trampoline/patch-points-are-safe.ts';

/** A law that a real kernel breaks: where it shows, and a case that has to break it as long as it is listed. */
export interface KnownBreach extends Known {
  readonly sentence: string;
  /** The recording or the source that shows it. */
  readonly evidence: string;
  readonly example: ImageCase;
}

const PLAIN: ImageCase = {
  kernel: '6.12',
  boot: 'default',
  ibt: true,
  args: [],
  ret: 'u64',
  programs: [],
  ipmodify: false,
  tailCalls: false,
};

/** Where the three breaches by an aligned stack argument come from. */
const NO_ALIGNMENT =
  'arch/x86/net/bpf_jit_comp.c  save_args of 6.12.117 and 7.2.13, which count words and know no alignment';

/** Whether alignment moves a stack argument to another place than the generator takes it from. */
function alignsStackArguments(c: ImageCase): boolean {
  const { args } = targetOfCase(c).signature;
  return stackWords(argumentSlots(args, 'abi')) !== stackWords(argumentSlots(args, 'ignored'));
}

export const KNOWN: readonly KnownBreach[] = [
  {
    name: 'early-return-passes-the-patched-nop',
    sentence:
      'A modified return branches straight to the exit programs, past the nop that a retired image is patched at.',
    evidence:
      'arch/x86/net/bpf_jit_comp.c of 6.1.192 and 6.12.117; mended in 7.2.10 (Skip detached progs in trampoline images that are still in use)',
    law: patchPointsAreSafe.name,
    kernels: ['6.1', '6.12'],
    shows: /^the return is next \(trampoline\/programs-run-in-order\)/,
    when: ({ programs }) =>
      programs.some(({ kind }) => kind === 'fmod_ret') && programs.some(({ kind }) => kind === 'fexit'),
    example: { ...PLAIN, programs: parsePrograms('fmod_ret, fexit') },
  },
  {
    name: 'rdx-of-a-wide-return-is-lost',
    sentence:
      'A program that reads the return value attaches to a function that returns 16 bytes; only rax is kept.',
    evidence:
      'kernel/bpf/verifier.c of 6.1.192, which lacks the test that 6.12.115 and 7.2 have (Reject >8 byte return values on return-reading paths)',
    law: callerSeesTheReturnValue.name,
    kernels: ['6.1'],
    shows: /^rdx is .*; rdx is a register that a callee destroyed/,
    when: ({ ret, programs }) => /^[us]128$/.test(ret) && programs.some(({ kind }) => kind !== 'fentry'),
    example: { ...PLAIN, kernel: '6.1', ibt: false, ret: 'u128', programs: parsePrograms('fexit') },
  },
  {
    name: 'aligned-stack-argument-seen-by-programs',
    sentence: 'A __int128 that the ABI aligns on the stack is read from the word in front of it.',
    evidence: NO_ALIGNMENT,
    law: argumentsReachPrograms.name,
    kernels: ['6.12', '7.2'],
    shows: /^ctx\[\d+\] of .* holds argument word \d+; it holds /,
    when: alignsStackArguments,
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128'],
      programs: parsePrograms('fentry'),
    },
  },
  {
    name: 'aligned-stack-argument-before-a-narrow-one',
    sentence:
      'A narrow argument behind a __int128 that the ABI aligns on the stack is read from a wrong word.',
    evidence: NO_ALIGNMENT,
    law: narrowArgumentsAreDefined.name,
    kernels: ['6.12', '7.2'],
    shows: /is what the caller left there; /,
    when: alignsStackArguments,
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128', 'u8'],
      programs: parsePrograms('fentry'),
    },
  },
  {
    name: 'aligned-stack-argument-of-the-original',
    sentence:
      'The copy of the stack arguments for the original ends before the last word of an aligned __int128.',
    evidence: NO_ALIGNMENT,
    law: argumentsReachTheOriginal.name,
    kernels: ['6.12', '7.2'],
    shows: /^the original finds argument word \d+ in \d+\(%rsp\); /,
    when: alignsStackArguments,
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128'],
      programs: parsePrograms('fexit'),
    },
  },
];
