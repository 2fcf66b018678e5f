import type { Needed } from '../../model/abi/sharing.ts';
import { item } from '../../model/core/present.ts';
import { isSame } from '../finding/same.ts';
import type { AbiLaw, FunctionSample } from '../law/argument-law.ts';

export const sharingIgnoresOrder: AbiLaw = {
  name: 'abi/sharing-ignores-order',
  sentence: 'Neither the number of images nor who shares them depends on the order of the functions.',
  source: 'include/linux/bpf.h  struct btf_func_model',
  premise: ({ order }) => order.some((index, i) => index !== i),
  witness: 'the functions in another order',
  breach: (sample, { trampolinesNeeded }) => {
    const { arch, how, functions, order } = sample;
    const straight = sharers(trampolinesNeeded(functions, arch, how));
    const reordered = trampolinesNeeded(
      order.map((index) => item(functions, index)),
      arch,
      how,
    );
    const again = sharers(inStraightOrder(reordered, sample));
    if (isSame(straight, again)) return undefined;
    return { is: 'sharers-depend-on-the-order', order, expected: straight, observed: again };
  },
};

function inStraightOrder({ trampolines, classes }: Needed, { order }: FunctionSample): Needed {
  return {
    trampolines,
    classes: classes.map(({ plan, members }) => ({ plan, members: members.map((i) => item(order, i)) })),
  };
}

/** The sets of functions that share an image, in a canonical order. */
function sharers({ classes }: Needed): number[][] {
  const sets = classes.map(({ members }) => members.toSorted((a, b) => a - b));
  return sets.toSorted(([a = -1], [b = -1]) => a - b);
}
