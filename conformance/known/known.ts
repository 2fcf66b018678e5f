import type { ImageCase } from '../../checker/images/case.ts';
import type { Known } from '../../checker/images/known-breach.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { CLOBBER } from '../../model/trampoline/stage/groups.ts';
import { argumentsReachPrograms } from '../../properties/trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from '../../properties/trampoline/arguments-reach-the-original.ts';
import { callerSeesTheReturnValue } from '../../properties/trampoline/caller-sees-the-return-value.ts';
import { narrowArgumentsAreDefined } from '../../properties/trampoline/narrow-arguments-are-defined.ts';
import { patchPointsAreSafe } from '../../properties/trampoline/patch-points-are-safe.ts';
import { programsRunInOrder } from '../../properties/trampoline/programs-run-in-order.ts';
import {
  areBehindTheCopy,
  endsEarly,
  isAboveACallSite,
  isAll,
  isByteTakenElsewhere,
  isTakenElsewhere,
  shows,
} from './image-causes.ts';

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

/** The evidence for the three breaches by an aligned stack argument. */
const NO_ALIGNMENT =
  'arch/x86/net/bpf_jit_comp.c  save_args of 6.12.117 and 7.2.13, which count words and know no alignment';

/** The evidence for the two breaches by stack arguments of a struct_ops member. */
const NO_CALL_SITE =
  'a module on 6.12.117 and 7.2.13 that calls its members (conformance/images/struct-ops-images.ts): ctx[6] is the eighth argument, ctx[7] a word of the caller; arch/x86/net/bpf_jit_comp.c  save_args of 6.12.117 (rbp+0x18) and 7.2.13 (bpf_trampoline_use_jmp(), which BPF_TRAMP_F_INDIRECT does not change)';

const SEVEN = Array.from({ length: 7 }, () => 'u64');

/** What the nop after the call of the original skips. */
const ALL_FEXIT = 0;

export const KNOWN: readonly KnownBreach[] = [
  {
    name: 'early-return-passes-the-patched-nop',
    sentence:
      'A modified return branches straight to the exit programs, past the nop that a retired image is patched at.',
    evidence:
      'arch/x86/net/bpf_jit_comp.c of 6.1.192 and 6.12.117; fixed in 7.2.10 (Skip detached progs in trampoline images that are still in use)',
    law: patchPointsAreSafe.name,
    kernels: ['6.1', '6.12'],
    matches: shows(
      'patched-image-breaks',
      ({ law, skipped, finding }, _, path) =>
        law === programsRunInOrder.name &&
        skipped === ALL_FEXIT &&
        finding.is === 'step-is-another' &&
        finding.expected.is === 'return' &&
        finding.observed.is === 'program' &&
        finding.observed.program?.kind === 'fexit' &&
        endsEarly(path),
    ),
    example: { ...PLAIN, programs: parsePrograms('fmod_ret, fexit') },
  },
  {
    name: 'rdx-of-a-wide-return-is-lost',
    sentence:
      'A program that reads the return value attaches to a function that returns 16 bytes; only rax is saved.',
    evidence:
      'kernel/bpf/verifier.c of 6.1.192, which lacks the test that 6.12.115 and 7.2 have (Reject >8 byte return values on return-reading paths)',
    law: callerSeesTheReturnValue.name,
    kernels: ['6.1'],
    matches: shows(
      'returned-register-differs',
      ({ register, expected, observed }, { request: { signature, programs } }) =>
        register === 'rdx' &&
        expected.is === 'of the original' &&
        isAll(observed, CLOBBER) &&
        signature.ret.size === 16 &&
        programs.some(({ kind }) => kind !== 'fentry'),
    ),
    example: { ...PLAIN, kernel: '6.1', ibt: false, ret: 'u128', programs: parsePrograms('fexit') },
  },
  {
    name: 'aligned-stack-argument-seen-by-programs',
    sentence: 'A __int128 that the ABI aligns on the stack is read from the word before it.',
    evidence: NO_ALIGNMENT,
    law: argumentsReachPrograms.name,
    kernels: ['6.12', '7.2'],
    matches: shows(
      'program-arguments-differ',
      ({ words }, subject) =>
        !isAboveACallSite(subject) && words.every((word) => isTakenElsewhere(word, subject)),
    ),
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128'],
      programs: parsePrograms('fentry'),
    },
  },
  {
    name: 'aligned-stack-argument-before-a-narrow-one',
    sentence:
      'A narrow argument after a __int128 that the ABI aligns on the stack is read from a wrong word.',
    evidence: NO_ALIGNMENT,
    law: narrowArgumentsAreDefined.name,
    kernels: ['6.12', '7.2'],
    matches: shows(
      'upper-bytes-differ',
      ({ bytes }, subject) =>
        !isAboveACallSite(subject) && bytes.every((byte) => isByteTakenElsewhere(byte, subject)),
    ),
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128', 'u8'],
      programs: parsePrograms('fentry'),
    },
  },
  {
    name: 'aligned-stack-argument-of-the-original',
    sentence:
      'The copy of the stack arguments for the original stops before the last word of an aligned __int128.',
    evidence: NO_ALIGNMENT,
    law: argumentsReachTheOriginal.name,
    kernels: ['6.12', '7.2'],
    matches: shows('arguments-of-the-original-differ', ({ words }, subject) =>
      areBehindTheCopy(words, subject),
    ),
    example: {
      ...PLAIN,
      args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u64', 'u128'],
      programs: parsePrograms('fexit'),
    },
  },
  {
    name: 'stack-argument-of-a-struct-ops-member',
    sentence:
      'The image of a struct_ops member reads its stack arguments one word too high: it expects the return address of a call site.',
    evidence: NO_CALL_SITE,
    law: argumentsReachPrograms.name,
    kernels: ['6.12', '7.2'],
    restsOn: ['memberArgsAbove'],
    matches: shows(
      'program-arguments-differ',
      ({ words }, subject) =>
        isAboveACallSite(subject) && words.every((word) => isTakenElsewhere(word, subject)),
    ),
    example: { ...PLAIN, args: SEVEN, programs: parsePrograms('fentry struct_ops') },
  },
  {
    name: 'narrow-stack-argument-of-a-struct-ops-member',
    sentence: 'A narrow stack argument of a struct_ops member is read from the word after it.',
    evidence: NO_CALL_SITE,
    law: narrowArgumentsAreDefined.name,
    kernels: ['6.12', '7.2'],
    restsOn: ['memberArgsAbove'],
    matches: shows(
      'upper-bytes-differ',
      ({ bytes }, subject) =>
        isAboveACallSite(subject) && bytes.every((byte) => isByteTakenElsewhere(byte, subject)),
    ),
    example: { ...PLAIN, args: [...SEVEN, 'u8'], programs: parsePrograms('fentry struct_ops') },
  },
];
