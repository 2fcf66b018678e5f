import type { OopsCause } from './crash.ts';
import { crashText } from './crash-words.ts';
import type { KernelObject } from './kernel-object.ts';

/*
 * The routine that follows a bad pointer throws: nothing after it in the same operation happened, and no
 * rollback runs.
 */

/** The kernel would have crashed here: a NULL pointer, a BUG. The state that it leaves says nothing any more. */
export class Oops extends Error {
  override name = 'Oops';
  constructor(readonly crash: OopsCause) {
    super(crashText(crash));
  }
}

/** Something that has been freed was followed a pointer to, by this function if only it does that. */
export function useAfterFree(object: KernelObject, by = ''): Oops {
  return new Oops({ is: 'use after free', object, by });
}

/** The same, of data that machine code is given a pointer to. */
export function readOfFreed(object: KernelObject, by = ''): Oops {
  return new Oops({ is: 'read of freed data', object, by });
}
