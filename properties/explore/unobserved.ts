import type { Kernel } from '../../model/kernel.ts';
import { savedWords } from '../../model/snapshot.ts';
import { addressOf, branchTarget, PAGE_BYTES } from '../../model/text/space.ts';
import { siteAddress } from '../../model/text/text.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement } from '../../model/x86/word.ts';
import type { CallerPart } from './parts.ts';

/*
 * What no one else can see, now or later, is not put off: that grace periods end which a retired image is waiting for in
 * which nobody is and to which nothing leads any more, and changes of text that nobody comes to.
 */

/** Whether a call may still come into an image: a site or a direct call leads there. */
export function isReachable(k: Kernel, image: string): boolean {
  if (k.text.pages[image] === undefined) return false;
  const { directFunctions, ops } = k.ftrace;
  if (Object.values(directFunctions).some((address) => address.startsWith(image))) return true;
  if (Object.values(ops).some(({ directCall }) => directCall.startsWith(image))) return true;
  return Object.entries(k.text.sites).some(
    ([fn, bytes]) => !bytes.startsWith('0f') && isWithin(k, image, branchTarget(bytes, siteAddress(k, fn))),
  );
}

/** Whether a task in a call is in an image, or comes back to it, or holds its address. */
export function isIn(k: Kernel, image: string, caller: CallerPart): boolean {
  return caller !== null && savedWords(caller.machine).some((word) => isWithin(k, image, word));
}

/** Whether text that is being changed can be fetched by nobody: no task calls the function, or is in the image. */
export function isChangedUnseen(
  k: Kernel,
  callers: readonly CallerPart[],
  called: ReadonlySet<string>,
): boolean {
  const { poke } = k.text;
  if (poke === null) return false;
  return poke.vec.every(({ place: { kind, name } }) => {
    if (kind === 'site') return !called.has(name);
    return kind === 'page' && !isReachable(k, name) && !callers.some((caller) => isIn(k, name, caller));
  });
}

function isWithin(k: Kernel, image: string, word: Word): boolean {
  const by = displacement(word, addressOf(k, image));
  return by !== undefined && by >= 0 && by < PAGE_BYTES;
}
