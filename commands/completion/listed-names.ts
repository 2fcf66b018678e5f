import { clientNames } from '../../checker/cost/client.ts';
import { MECHANISMS } from '../../checker/matrix/mechanism.ts';
import { ARCHES } from '../../model/abi/arch.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { BOOTS, KERNELS, profileNames } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { ALL_PLANTED } from '../../properties/planted/all.ts';
import { HISTORICAL_BUGS } from '../../properties/planted/history/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import type { CompletedNames } from './completed-names.ts';

type Named = { readonly name: string };

const namesOf = (...lists: readonly (readonly Named[])[]) => lists.flat().map(({ name }) => name);
const { images, sequences, interleavings, stubs, arguments: places } = ALL_PLANTED;

/** The names of all lists as they are now: the user's modules add some. It loads the model and its laws. */
export function listedNames(): CompletedNames {
  return {
    options: {
      'attachcheck law': namesOf(IMAGE_LAWS, ATTACH_LAWS, HIT_LAWS),
      'explore law': namesOf(ALL_TASK_LAWS),
      'stubs law': namesOf(STUB_LAWS),
      'abi law': namesOf(ABI_LAWS),
      'attachcheck planted': namesOf(images, sequences),
      'explore planted': namesOf(interleavings),
      'exhaust law': namesOf(ATTACH_LAWS, HIT_LAWS),
      'exhaust planted': namesOf(sequences),
      'near law': namesOf(ATTACH_LAWS, HIT_LAWS, ALL_TASK_LAWS),
      'near planted': namesOf(sequences, interleavings),
      'matrix planted': namesOf(sequences),
      'stubs planted': namesOf(stubs),
      'abi planted': namesOf(places),
      'attachcheck kernel': [...profileNames(), ...namesOf(DESIGNS)],
      kernel: profileNames(),
      'why kernel': KERNELS,
      'abi kernel': KERNELS,
      'image kernel': KERNELS,
      designs: clientNames(),
      arch: ARCHES,
      boot: BOOTS,
    },
    arguments: {
      refine: namesOf(DESIGNS),
      matrix: namesOf(MECHANISMS),
      why: Object.keys(ERRNO),
      bugs: namesOf(HISTORICAL_BUGS),
      new: ['design'],
    },
  };
}
