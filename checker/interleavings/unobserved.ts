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

/** Whether a call may still come into an image: a site or a direct call leads there, or some site is being changed. */
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

/** What CPUs may come to execute at a site: what stands there, what it is changed to and from. */
function instructionsAt(k: KernelView, fn: FunctionName): string[] {
  const { sites, poke, views } = k.text;
  const changes = (poke?.vec ?? []).filter(({ place }) => place.kind === 'site' && place.name === fn);
  const older = views.flatMap((view) => view[fn]?.whole ?? []);
  return [...changes.flatMap(({ from, to }) => [from, to]), ...older, entry(sites, fn)];
}

/** Whether a task in a call is in an image, or comes back to it, or holds its address. */
export function isIn(k: KernelView, image: ImageId, caller: CallerPart): boolean {
  if (caller === null) return false;
  const { machine, interrupted } = caller;
  return savedWords(machine).some((word) => isWithin(k, image, word)) || isIn(k, image, interrupted);
}

function isWithin(k: KernelView, image: ImageId, word: Word): boolean {
  const by = displacement(word, addressOf(k, image));
  return by !== undefined && by >= 0 && by < PAGE_BYTES;
}
