import { KERNELS } from '../model/core/profile.ts';

/** The content of a file, and its kernels: the one that it names, or all. */
export interface ReadForKernels<T> {
  readonly isForAll: boolean;
  readonly read: T;
}

/** A file may be for all kernels. */
const FOR_ALL = /^([^\S\n]*kernel[^\S\n]+)all[^\S\n]*(#.*)?$/m;

/**
 * Reads a file that may be for all kernels. Names of calls differ between them: it is read with the spelling of the
 * newest kernel that can read it.
 */
export function readForKernels<T>(text: string, read: (text: string) => T): ReadForKernels<T> {
  if (!FOR_ALL.test(text)) return { isForAll: false, read: read(text) };
  let wrong: unknown;
  for (const kernel of KERNELS.toReversed()) {
    try {
      return { isForAll: true, read: read(text.replace(FOR_ALL, `$1${kernel}`)) };
    } catch (error) {
      wrong ??= error;
    }
  }
  throw wrong;
}
