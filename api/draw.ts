import type fc from 'fast-check';
import { sequencesFor } from '../checker/sequences/arbitrary.ts';
import { profileNamed } from '../model/core/profile.ts';
import { designOf } from '../model/trampoline/designs/chosen.ts';
import type { Sequence } from './sequence.ts';

/**
 * Sequences of up to 40 calls in a kernel, for properties of your own: `fc.assert(fc.property(sequences('6.12'), holds))`. Most calls are
 * sensible where they stand; some are tried all the same, and some of them fail for want of memory. Where fast-check has
 * shrunk one by how it was drawn, `shrink()` goes on by what it means. Throws an InputError when there is no such kernel.
 */
export function sequences(profile: string): fc.Arbitrary<Sequence> {
  designOf(profileNamed(profile));
  return sequencesFor(profile);
}
