import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { item } from '../../../model/core/present.ts';
import type { Profile } from '../../../model/core/profile.ts';
import { designOf } from '../../../model/trampoline/designs/chosen.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { rarely } from './weighed.ts';

/**
 * The drawn properties of an access: which function is the first, which of its arguments are read, and other reads.
 */
const accesses = fc.record({
  isRead: fc.boolean(),
  first: fc.nat(),
  mask: fc.nat(2 ** 6 - 1),
  returnValue: fc.boolean(),
  beyond: rarely,
});

type Access = typeof accesses extends fc.Arbitrary<infer T> ? T : never;

/** Where a design checks programs of multi links against a first function, every other one of them reads some of that. */
export function withAccesses(
  profile: Profile,
  functions: readonly TracedFunction[],
  loads: fc.Arbitrary<Action>,
): fc.Arbitrary<Action> {
  const possible = functions.filter(({ bpf, module }) => !bpf && module === '');
  if (designOf(profile)?.firstTarget !== true || possible.length === 0) return loads;
  return fc.tuple(loads, accesses).map(([load, access]) => accessed(load, possible, access));
}

/** Now and then it reads past the last argument, or a return value that an entry program does not have. */
function accessed(load: Action, functions: readonly TracedFunction[], access: Access): Action {
  if (load.do !== 'BPF_PROG_LOAD' || !load.program.multi || !access.isRead) return load;
  const { name, signature } = item(functions, access.first % functions.length);
  const numbers = signature.args.map((_, i) => i).filter((i) => ((access.mask >> i) & 1) === 1);
  const readsReturn = access.returnValue && (load.program.kind !== 'fentry' || access.beyond);
  return {
    ...load,
    target: name,
    program: {
      ...load.program,
      reads: readsReturn ? 'return directly' : 'direct',
      accesses: access.beyond ? [...numbers, signature.args.length] : numbers,
    },
  };
}
