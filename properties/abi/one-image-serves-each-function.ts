import { printSignature } from '../../model/trampoline/signature.ts';
import type { AbiLaw } from '../law/argument-law.ts';

export const oneImageServesEachFunction: AbiLaw = {
  name: 'abi/one-image-serves-each-function',
  sentence:
    'Exactly one image serves each function, and there are no more images than distinct pairs of signature and programs.',
  source: 'include/linux/bpf.h  struct btf_func_model',
  premise: ({ functions }) => functions.length > 1,
  witness: 'two or more functions',
  breach: ({ arch, how, functions }, { trampolinesNeeded }) => {
    const { trampolines, classes } = trampolinesNeeded(functions, arch, how);
    const served = classes.flatMap(({ members }) => members).toSorted((a, b) => a - b);
    const expected = functions.map((_, i) => i);
    if (served.join() !== expected.join())
      return { is: 'functions-are-served-otherwise', expected, observed: served };
    const different = new Set(functions.map((item) => `${printSignature(item)} ${item.programs}`)).size;
    const empty = classes.filter(({ members }) => members.length === 0).length;
    if (trampolines !== classes.length || trampolines > different || empty > 0)
      return {
        is: 'image-count-differs',
        functions: functions.length,
        expected: different,
        observed: { images: trampolines, classes: classes.length, empty },
      };
    return undefined;
  },
};
