import type { Errno } from '../core/errno.ts';
import type { CodeName, FunctionName, ImageId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../ftrace/direct.ts';
import { updateFtraceDirectAdd, updateFtraceDirectDel } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../ftrace/direct-hash-modify.ts';
import { modifyFtraceDirect, modifyFtraceDirectNolock } from '../ftrace/direct-modify.ts';
import { ftraceJmpSet } from '../ftrace/jmp.ts';
import { ftraceSetFilterIp } from '../ftrace/set-filter.ts';
import { enteredByJmp } from './flags.ts';
import { fopsOf, trOf } from './trampoline.ts';
import type { BpfView, BpfWorld } from './world.ts';

/*
 * The direct call of a site that ftrace manages: direct_ops_add(), direct_ops_mod(), direct_ops_del() in
 * kernel/bpf/trampoline.c (7.2), and their counterparts in older kernels.
 *
 * ```text
 *          6.1, 6.12: one ops for each trampoline             7.2: one ops for all
 *   add    ftrace_set_filter_ip(), register_ftrace_direct()   update_ftrace_direct_add()
 *   mod    modify_ftrace_direct()                             update_ftrace_direct_mod()
 *   del    unregister_ftrace_direct(), the filter stays       update_ftrace_direct_del()
 * ```
 */

/** The address of an image for ftrace: with ftrace_jmp_set() when it is to be jumped to. */
export function addressOfImage(k: BpfView, target: FunctionName, image: ImageId): CodeName {
  return enteredByJmp(trOf(k, target).flags) ? ftraceJmpSet(image) : image;
}

/**
 * direct_ops_add(). 6.1 ignores the errno of ftrace_set_filter_ip(); the filter is then empty or stale, and
 * register_ftrace_direct() refuses or registers what it holds.
 */
export const registerDirect = routine<
  BpfWorld,
  { target: FunctionName; image: ImageId },
  { target: FunctionName; image: ImageId; errno: Errno | 0 }
>('direct_ops_add', ({ when, call, refuseWith }) => [
  when(
    'a table of sites',
    (k) => profileNamed(k.profile).singleDirectOps,
    [
      call(updateFtraceDirectAdd, (k, { target, image }) => ({
        ops: fopsOf(k, target),
        hash: { [target]: addressOfImage(k, target, image) },
      })),
    ],
    [
      call(
        ftraceSetFilterIp,
        (k, { target }) => ({ ops: fopsOf(k, target), ip: target, remove: false, reset: true }),
        (_, locals, errno) => {
          locals.errno = errno;
        },
      ),
      refuseWith(['ENOMEM', 'ENODEV', 'EINVAL', 'EBUSY'], 'the filter cannot be set', (k, { errno }) =>
        errno === 0 || profileNamed(k.profile).bpfIgnoresFilterErrors ? undefined : errno,
      ),
      call(registerFtraceDirect, (k, { target, image }) => ({ ops: fopsOf(k, target), addr: image })),
    ],
  ),
]);

/** direct_ops_mod(). From ops_func `direct_mutex` is held already. */
export const modifyDirect = routine<
  BpfWorld,
  { target: FunctionName; image: ImageId; lockDirectMutex: boolean }
>('direct_ops_mod', ({ when, call }) => [
  when(
    'a table of sites',
    (k) => profileNamed(k.profile).singleDirectOps,
    [
      call(updateFtraceDirectMod, (k, { target, image, lockDirectMutex }) => ({
        ops: fopsOf(k, target),
        hash: { [target]: addressOfImage(k, target, image) },
        lockDirectMutex,
      })),
    ],
    [
      when(
        'direct_mutex is not held',
        (_, { lockDirectMutex }) => lockDirectMutex,
        [call(modifyFtraceDirect, (k, { target, image }) => ({ ops: fopsOf(k, target), addr: image }))],
        [
          call(modifyFtraceDirectNolock, (k, { target, image }) => ({
            ops: fopsOf(k, target),
            addr: image,
          })),
        ],
      ),
    ],
  ),
]);

/** direct_ops_del(). The filter of a trampoline's ops is kept (free_filters is false). */
export const unregisterDirect = routine<BpfWorld, { target: FunctionName; image: ImageId }>(
  'direct_ops_del',
  ({ when, call }) => [
    when(
      'a table of sites',
      (k) => profileNamed(k.profile).singleDirectOps,
      [
        call(updateFtraceDirectDel, (k, { target, image }) => ({
          ops: fopsOf(k, target),
          hash: { [target]: addressOfImage(k, target, image) },
        })),
      ],
      [
        call(unregisterFtraceDirect, (k, { target, image }) => ({
          ops: fopsOf(k, target),
          addr: image,
          freeFilters: false,
        })),
      ],
    ),
  ],
);
