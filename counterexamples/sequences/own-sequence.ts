import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { absentCall } from '../../checker/sequences/judge-sequence.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { readForKernels } from '../for-all-kernels.ts';
import { parseSequence } from './attach-trace.ts';

/** A user's sequence, in the kernel that it names, or in each that has all of its calls. */
export interface OwnSequence {
  readonly isForAll: boolean;
  readonly cases: readonly [AttachCase, ...AttachCase[]];
  readonly planted: string | undefined;
  /** Of a file for all kernels those that lack a call, and which. */
  readonly lacking: readonly { readonly profile: string; readonly call: string }[];
  /** The expected answer of each action. */
  readonly answers: readonly string[];
  /** The line of each action in the file, from 1. */
  readonly lines: readonly number[];
}

/** Reads a sequence, saved or written by hand; an InputError names the line that cannot be read. */
export function readOwnSequence(text: string): OwnSequence {
  const { isForAll, read } = readForKernels(text, parseSequence);
  const { case: c, planted, answers, lines } = read;
  const all = (isForAll ? KERNELS : [c.profile]).map((profile) => {
    const own = { ...c, profile };
    return { own, call: isForAll ? absentCall(own)?.do : undefined };
  });
  const [first, ...others] = all.flatMap(({ own, call }) => (call === undefined ? [own] : []));
  if (first === undefined) throw new InputError('no kernel has all of these calls');
  const lacking = all.flatMap(({ own: { profile }, call }) =>
    call === undefined ? [] : [{ profile, call }],
  );
  return { isForAll, cases: [first, ...others], planted, lacking, answers, lines };
}
