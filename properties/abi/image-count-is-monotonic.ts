import type { AbiLaw } from '../law/argument-law.ts';

export const imageCountIsMonotonic: AbiLaw = {
  name: 'abi/image-count-is-monotonic',
  sentence: 'Adding a function never lowers the number of images needed.',
  source: 'include/linux/bpf.h  struct btf_func_model',
  premise: ({ functions }) => functions.length > 1,
  witness: 'two or more functions, one left out',
  breach: ({ arch, how, functions }, { trampolinesNeeded }) => {
    const all = trampolinesNeeded(functions, arch, how).trampolines;
    const fewer = trampolinesNeeded(functions.slice(0, -1), arch, how).trampolines;
    if (fewer <= all) return undefined;
    return { is: 'fewer-functions-need-more', expected: all, observed: fewer };
  },
};
