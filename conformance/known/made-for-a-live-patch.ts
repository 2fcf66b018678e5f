import type { KernelView } from '../../model/kernel.ts';

/* Owners of direct calls that a refused live patch leaves changed. */

/** An owner could not agree, and keeps its flag: the release of a link that is under way makes its image again. */
export function isMadeForOneLater(before: KernelView, after: KernelView): boolean {
  return (
    before.deferred.length > 0 &&
    Object.entries(after.bpf.trampolines).some(
      ([target, { flags }]) =>
        flags.SHARE_IPMODIFY && before.bpf.trampolines[target]?.flags.SHARE_IPMODIFY === false,
    )
  );
}

/** An owner has agreed: its image was made again, to call through the stack. */
export function isMadeForALivePatch(before: KernelView, after: KernelView): boolean {
  return Object.entries(after.bpf.trampolines).some(([target, { flags, curImage }]) => {
    const old = before.bpf.trampolines[target];
    return flags.ORIG_STACK && old?.flags.ORIG_STACK === false && old.curImage !== curImage;
  });
}
