import { placeOn } from '../../model/abi/arch.ts';
import type { AbiLaw } from '../law/argument-law.ts';

export const argumentLocationsAreDisjoint: AbiLaw = {
  name: 'abi/argument-locations-are-disjoint',
  sentence:
    'Each argument word has its own location, and an argument is passed in registers or on the stack, never split between them.',
  source: 'arch/x86/net/bpf_jit_comp32.c  emit_kfunc_call',
  premise: ({ functions }) => functions.some(({ args }) => args.length > 0),
  witness: 'a function with an argument',
  breach: ({ arch, functions }, { passing }) => {
    for (const signature of functions) {
      const { slots } = passing(arch, signature);
      const places = slots.map(({ place }) => placeOn(arch, place));
      const twice = places.find((place, i) => places.indexOf(place) !== i);
      if (twice !== undefined) return { is: 'two-words-in-a-place', place: twice, signature };
      const split = signature.args.findIndex(
        (_, i) =>
          new Set(slots.filter(({ argument }) => argument === i).map(({ place }) => place.in)).size > 1,
      );
      if (split >= 0) return { is: 'argument-lies-in-two-kinds', argument: split, signature };
    }
    return undefined;
  },
};
