import { savedWords } from '../../model/call/snapshot.ts';
import type { FunctionName, ImageId } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { KernelView } from '../../model/kernel.ts';
import { addressOf, branchTarget, PAGE_BYTES } from '../../model/text/space.ts';
import { NOP5, siteAddress } from '../../model/text/text.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement } from '../../model/x86/word.ts';
import type { CallerPart } from './parts.ts';

/*
 * Reachability of an image, over-approximated: the argument of `unseen-moves.ts` needs that an image counts as
 * unreachable only if no call can ever enter it again.
 *
 * An image is entered through a call site, a direct call, or an address that a task already holds. All bytes that
 * a CPU may still fetch at a site count (memory, both sides of a poke under way, and what a CPU has not yet seen
 * overwritten), as does every entry of `direct_functions` and every `ops->direct_call`, whether in effect or not.
 * A task is in an image if any word of its machine, registers and stack, points into it. Counting too much as
 * reachable costs states; it never hides a breach.
 */

/** Whether a call may still enter an image: a site or a direct call points there, or a site is being changed. */
export function isReachable(k: KernelView, image: ImageId): boolean {
  const { directFunctions, ops } = k.ftrace;
  if (Object.values(directFunctions).some((address) => ftraceJmpGet(address) === image)) return true;
  if (Object.values(ops).some(({ directCall }) => ftraceJmpGet(directCall) === image)) return true;
  return Object.keys(k.text.sites).some((fn) =>
    instructionsAt(k, fn).some(
      (bytes) => bytes !== NOP5 && isWithin(k, image, branchTarget(bytes, siteAddress(k, fn))),
    ),
  );
}

/** What CPUs may come to execute at a site: the instruction there, and those it changes from and to. */
function instructionsAt(k: KernelView, fn: FunctionName): string[] {
  const { sites, poke, views } = k.text;
  const changes = (poke?.vec ?? []).filter(({ place }) => place.kind === 'site' && place.name === fn);
  const older = views.flatMap((view) => view[fn]?.whole ?? []);
  return [...changes.flatMap(({ from, to }) => [from, to]), ...older, entry(sites, fn)];
}

/** Whether a task in a call is in an image, returns into it, or holds its address. */
export function isIn(k: KernelView, image: ImageId, caller: CallerPart): boolean {
  if (caller === null) return false;
  const { machine, interrupted } = caller;
  return savedWords(machine).some((word) => isWithin(k, image, word)) || isIn(k, image, interrupted);
}

function isWithin(k: KernelView, image: ImageId, word: Word): boolean {
  const by = displacement(word, addressOf(k, image));
  return by !== undefined && by >= 0 && by < PAGE_BYTES;
}
