import type fc from 'fast-check';
import { sequencesFor } from '../checker/sequences/arbitrary.ts';
import { profileNamed } from '../model/core/profile.ts';
import { designOf } from '../model/trampoline/designs/chosen.ts';
import type { Sequence } from './sequence.ts';

/**
 * Sequences of up to 40 calls in a kernel, for your own properties: `fc.assert(fc.property(sequences('6.12'),
 * holds))`. Most calls make sense in the state that they meet; some are tried regardless, and some fail for
 * lack of memory. fast-check shrinks a sequence by how it was drawn; `shrink()` then shrinks it by its
 * meaning. Throws an InputError for an unknown kernel.
 */
export function sequences(profile: string): fc.Arbitrary<Sequence> {
  designOf(profileNamed(profile));
  return sequencesFor(profile);
}
