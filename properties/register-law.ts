import { InputError } from '../model/core/input-error.ts';
import type { Unregister } from '../model/core/register.ts';
import { registerAll } from '../model/core/register.ts';
import { listAttachLaw } from './attach-laws.ts';
import type { Law } from './law/image-law.ts';
import type { TaskLaw } from './law/interleaving-law.ts';
import type { AttachLaw } from './law/sequence-law.ts';
import { listImageLaw } from './laws.ts';
import { settled } from './task/settled-laws.ts';
import { listTaskLaw } from './task-laws.ts';

/** The kinds of laws, by what they judge. */
export interface Boards {
  readonly images: Law;
  readonly sequences: AttachLaw;
  readonly interleavings: TaskLaw;
}

/**
 * Adds a law from outside the tree: it is judged after all others of its kind, and by `--law NAME` alone too; a
 * `settled` law on sequences also after all operations of an interleaving have finished. Throws an InputError for a
 * name that is taken or invalid.
 */
export function registerLaw<B extends keyof Boards>(board: B, law: Boards[B]): Unregister {
  if (!/^[\w-]+\/[\w-]+$/.test(law.name))
    throw new InputError(`"${law.name}" is not the name of a law; a name is like mine/no-client-is-left`);
  return LIST[board](law);
}

const LIST: { readonly [B in keyof Boards]: (law: Boards[B]) => Unregister } = {
  images: listImageLaw,
  sequences: (law) =>
    registerAll([
      () => listAttachLaw(law),
      ...(law.settled === true ? [() => listTaskLaw(settled(law))] : []),
    ]),
  interleavings: listTaskLaw,
};
