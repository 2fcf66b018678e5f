import type { AbiLaw } from '../law/argument-law.ts';

export const prefixSharingNeedsNoMoreImages: AbiLaw = {
  name: 'abi/prefix-sharing-needs-no-more-images',
  sentence:
    'Letting a function use the image of one whose words begin with its own never raises the number of images.',
  source: 'include/linux/bpf.h  struct btf_func_model',
  premise: ({ functions }) => functions.length > 1,
  witness: 'two or more functions',
  breach: ({ arch, how, functions }, { trampolinesNeeded }) => {
    const exact = trampolinesNeeded(functions, arch, { ...how, plans: 'exact' }).trampolines;
    const prefix = trampolinesNeeded(functions, arch, { ...how, plans: 'prefix' }).trampolines;
    if (prefix <= exact) return undefined;
    return { is: 'prefixes-need-more', expected: exact, observed: prefix };
  },
};
