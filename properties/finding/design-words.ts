import type { Disagreement } from '../../model/trampoline/designs/disagreement.ts';
import type { SaidWords } from './said.ts';
import { programsOf } from './trampoline-words.ts';

/** The words for inconsistencies in the bookkeeping of a design. */
export const DESIGN_WORDS: SaidWords<Disagreement> = {
  'in-own-words': ({ expected, observed }) => ({ expected, observed }),
  'shared-image-is-for-others': (how) => ({
    expected: inUse(how),
    observed: `${how.image || 'it'} is for ${programsOf(how.observed, 'no program')}`,
  }),
  'shared-image-is-retired': (how) => ({ expected: inUse(how), observed: `${how.image} is retired` }),
  'multi-image-is-for-others': ({ of, expected, observed }) => ({
    expected: `the image of ${of} is generated for ${programsOf(expected, 'no program')}`,
    observed: `it is for ${programsOf(observed, 'no program')}`,
  }),
  'function-has-two-trampolines': ({ fn, other }) => ({
    expected: `${fn} has one trampoline`,
    observed: `${other} is another`,
  }),
  'program-count-differs': ({ of, counter, expected, observed }) => ({
    expected: `${of} ${counter === 'progs_cnt' ? 'counts' : 'has'} ${expected} programs`,
    observed: `${counter} is ${observed}`,
  }),
  'array-is-never-freed': ({ array }) => ({
    expected: 'every array of metadata is current or queued to be freed',
    observed: `array#${array} is neither, and never freed`,
  }),
  'entry-count-differs': ({ expected, observed }) => ({
    expected: `kfunc_mds->used is the number of its entries, ${expected}`,
    observed: `it is ${observed}`,
  }),
  'origin-call-differs': ({ fn, observed }) => ({
    expected: `bpf_origin_call of ${fn} says whether a program needs the original`,
    observed: `it is ${observed}`,
  }),
  'ops-traces-otherwise': ({ ops, fn, programs, traced }) => ({
    expected: `${ops} traces ${fn} iff it has programs: it has ${programs}`,
    observed: traced ? 'it does' : 'it does not',
  }),
  'user-count-differs': ({ fn, expected, observed }) => ({
    expected: `the metadata of ${fn} has ${expected} users, one for each link`,
    observed: `it has ${observed}`,
  }),
};

function inUse({ of, expected }: { readonly of: string; readonly expected: readonly number[] }): string {
  return `the image of ${of} is in use, and for ${programsOf(expected, 'no program')}`;
}
