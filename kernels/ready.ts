import { InputError } from '../model/core/input-error.ts';
import type { Bootable } from './boot/guest.ts';
import { bootableIn, kernelFolder, missingIn } from './cache.ts';
import { isOfSources } from './setup/recorder-key.ts';
import { EMULATOR, requireTools } from './setup/tools.ts';

/** The files of a kernel that has been set up. Throws an InputError that says how to do that, or what to install. */
export function readyKernel(kernel: string): Bootable {
  const folder = kernelFolder(kernel);
  if (missingIn(folder).length > 0)
    throw new InputError(`${kernel} is not in ${folder}: npm run check -- kernel setup ${kernel}`);
  if (!isOfSources(folder))
    throw new InputError(
      `the recorder in ${folder} is of other sources than these: npm run check -- kernel setup ${kernel}`,
    );
  requireTools(EMULATOR);
  return bootableIn(folder);
}
