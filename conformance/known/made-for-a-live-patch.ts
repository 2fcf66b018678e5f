import type { KernelView } from '../../model/kernel.ts';

/**
 * A refused live patch leaves the owner of a direct call changed: its image was made again, to call through the stack; or
 * it could not be, keeps its flag, and the release of a link that is under way makes it so.
 */
export function isMadeForALivePatch(before: KernelView, after: KernelView): boolean {
  const isReleased = before.deferred.length > 0;
  return Object.entries(after.bpf.trampolines).some(([target, { flags, curImage }]) => {
    const old = before.bpf.trampolines[target];
    if (old === undefined) return false;
    const isMade = flags.ORIG_STACK && !old.flags.ORIG_STACK && old.curImage !== curImage;
    return isMade || (isReleased && flags.SHARE_IPMODIFY && !old.flags.SHARE_IPMODIFY);
  });
}
