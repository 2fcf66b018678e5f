import type { ImageId } from '../../core/ids.ts';
import { routine } from '../../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../../ftrace/direct.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from '../../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../../ftrace/direct-hash-modify.ts';
import { modifyFtraceDirect } from '../../ftrace/direct-modify.ts';
import { isCoreOps } from '../../ftrace/ops.ts';
import { ftraceSetFilterIps } from '../../ftrace/set-filter.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { TrArgs } from './multi-trampoline.ts';
import { multiOf } from './multi-trampoline.ts';

/*
 * The call sites of several functions and their image: direct calls through an ops of the trampoline, with all
 * functions in its filter, or through the single `direct_ops` (7.2), with a table of them. One change of ftrace
 * for all sites.
 */

/**
 * The sites of a trampoline, and the image to call. All sites of a trampoline call the same image at any time
 * that no change of ftrace is under way.
 */
interface SitesArgs extends TrArgs {
  image: ImageId;
}

/** A table with the image for each function. */
function hashOf(k: BpfView, { tr, image }: SitesArgs): Record<string, string> {
  return Object.fromEntries(multiOf(k, tr).ids.map((id) => [id, image]));
}

function fopsOf(k: BpfView, { tr }: TrArgs): string {
  return multiOf(k, tr).fops;
}

/**
 * `direct_ops` in the kernel's data, or an ops of the trampoline. The former has entries of other trampolines
 * in its filter, so that sites are named by a table each time.
 */
function isOneForAll(k: BpfView, locals: TrArgs): boolean {
  return isCoreOps(fopsOf(k, locals));
}

/** register_fentry(): all sites get a direct call. */
export const registerMulti = routine<BpfWorld, SitesArgs>('register_fentry (multi)', ({ when, call }) => [
  when(
    'one ops serves all',
    isOneForAll,
    [call(updateFtraceDirectAdd, (k, locals) => ({ ops: fopsOf(k, locals), hash: hashOf(k, locals) }))],
    [
      // `reset`: the filter of an earlier set of the same name is replaced.
      call(ftraceSetFilterIps, (k, locals) => ({
        ops: fopsOf(k, locals),
        ips: multiOf(k, locals.tr).ids,
        remove: false,
        reset: true,
      })),
      call(registerFtraceDirect, (k, locals) => ({ ops: fopsOf(k, locals), addr: locals.image })),
    ],
  ),
]);

/**
 * modify_fentry(): the direct calls get the address of the next image. While the temporary ops is registered,
 * the sites call the list function, and each call reads the address once: it runs the old image or the new one.
 */
export const modifyMulti = routine<BpfWorld, SitesArgs>('modify_fentry (multi)', ({ when, call }) => [
  when(
    'one ops serves all',
    isOneForAll,
    [
      call(updateFtraceDirectMod, (k, locals) => ({
        ops: fopsOf(k, locals),
        hash: hashOf(k, locals),
        lockDirectMutex: true,
      })),
    ],
    [call(modifyFtraceDirect, (k, locals) => ({ ops: fopsOf(k, locals), addr: locals.image }))],
  ),
]);

/** unregister_fentry(): the direct calls are removed. The image stays. */
export const unregisterSites = routine<BpfWorld, TrArgs>('unregister_fentry (multi)', ({ when, call }) => [
  when(
    'one ops serves all',
    isOneForAll,
    [
      call(updateFtraceDirectDel, (k, locals) => ({
        ops: fopsOf(k, locals),
        // update_ftrace_direct_del() compares each address with the entry: it has to be the image that the
        // sites call now.
        hash: hashOf(k, { ...locals, image: multiOf(k, locals.tr).image }),
      })),
    ],
    [
      call(unregisterFtraceDirect, (k, locals) => ({
        ops: fopsOf(k, locals),
        addr: multiOf(k, locals.tr).image,
        freeFilters: false,
      })),
    ],
  ),
]);
