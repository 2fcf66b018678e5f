import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { absentCall } from '../../checker/sequences/judge-sequence.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { readForKernels } from '../for-all-kernels.ts';
import { parseSequence } from './attach-trace.ts';

/** A sequence that somebody has written, in the kernel that it names, or in each that has all of its calls. */
export interface OwnSequence {
  readonly isForAll: boolean;
  readonly cases: readonly [AttachCase, ...AttachCase[]];
  readonly planted: string | undefined;
  /** What each action is to be answered: of a file for all kernels nothing. */
  readonly answers: readonly string[];
}

/** Reads a sequence, saved or written by hand; an InputError names the line that cannot be read. */
export function readOwnSequence(text: string): OwnSequence {
  const { isForAll, read } = readForKernels(text, parseSequence);
  const { case: c, planted, answers } = read;
  const [first, ...others] = (isForAll ? KERNELS : [c.profile])
    .map((profile) => ({ ...c, profile }))
    .filter((own) => !isForAll || absentCall(own) === undefined);
  if (first === undefined) throw new InputError('no kernel has all of these calls');
  return { isForAll, cases: [first, ...others], planted, answers: isForAll ? [] : answers };
}
