import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { JudgedInput } from './corpus.ts';
import type { Input } from './input.ts';
import { brokenBy } from './input.ts';

/** What became of a mutant. */
export type MutantVerdict =
  /** A law that the sound kernel keeps is broken, by the n-th of the inputs that it is judged on. */
  | { readonly is: 'killed'; readonly by: string; readonly on: Input['is'] | 'start'; readonly after: number }
  /** None of these inputs breaks one. */
  | { readonly is: 'survived'; readonly after: number }
  /** Nothing runs it. */
  | { readonly is: 'unreached' }
  /** It runs, and there is never another argument than the right one: it does not count. */
  | { readonly is: 'no fault' };

/** What has survived without a fault: an argument that has no other, and a list that no input makes long enough. */
export function verdictWithout(operator: string): MutantVerdict {
  return { is: operator === 'argument' ? 'no fault' : 'unreached' };
}

/** Judges a kernel on inputs, one after the other, until one shows that it is not the sound one. */
export function verdictOn(inputs: readonly JudgedInput[], program?: KernelProgram): MutantVerdict {
  if (inputs.length === 0) return { is: 'unreached' };
  for (const [i, { input, sound }] of inputs.entries()) {
    const [by] = brokenBy(input, sound, program);
    if (by !== undefined) return { is: 'killed', by, on: input.is, after: i + 1 };
  }
  return { is: 'survived', after: inputs.length };
}

/** The verdict of two trials, of which the first did not kill it; what one of them makes is made. */
export function inAll(first: MutantVerdict, second: MutantVerdict): MutantVerdict {
  if ('after' in first && 'after' in second) return { ...second, after: first.after + second.after };
  return 'after' in first ? first : second;
}
