import type { Errno } from '../core/errno.ts';
import type { CodeName, Ip } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import type { DirectArgs } from './direct.ts';
import { notDirect, notEnabled } from './direct.ts';
import { readHash } from './filter-hash.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import { ensureOps, FTRACE_OPS_FL_STUB, ftraceOpsInit, opsOf } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Changing the address of the direct calls of an ops. Called `modify_ftrace_direct_multi` from 5.15 to 6.3.
 *
 * ```text
 *   before            call old_tramp         (count 1, DIRECT)
 *   tmp_ops joins     call ftrace_regs_caller -> list: call_direct_funcs() reads the address
 *   entries change      the same site; each call reads the old address or the new one
 *   tmp_ops leaves    call new_tramp         (count 1, DIRECT)
 * ```
 *
 * The site is never patched from one direct call to another: the detour through the list makes every call in
 * between read the table, and each of them finds one address or the other.
 */

const TMP_OPS = 'tmp_ops';

interface ModifyLocals extends DirectArgs {
  errno: Errno | 0;
  ip: Ip;
}

/** The filter is checked again as it is. */
function withSameFilter(k: FtraceView, { ops }: Pick<DirectArgs, 'ops'>) {
  const filter = readHash(k, ops, 'filter');
  return { ops, from: filter, to: filter, updateTarget: true };
}

/**
 * __modify_ftrace_direct(), `direct_mutex` held. The temporary ops borrows the hashes of the client's ops and
 * does nothing itself. As registering it checks only the temporary ops, __ftrace_hash_update_ipmodify() then queries
 * the owner again whether its new trampoline can share with IPMODIFY. `ftrace_lock` guards only the change of the
 * entries.
 */
const modifyDirect = routine<FtraceWorld, DirectArgs, ModifyLocals>(
  '__modify_ftrace_direct',
  ({ step, call, holding, when, each, refuseWith }) => [
    step('prepare tmp_ops', (k, { ops, addr }) => {
      const tmp = ensureOps(k, TMP_OPS);
      tmp.func = 'ftrace_stub';
      tmp.flags |= FTRACE_OPS_FL_STUB;
      ftraceOpsInit(tmp, TMP_OPS);
      tmp.hashOf = opsOf(k, ops).hashOf;
      tmp.directCall = addr;
    }),
    call(registerFtraceFunctionNolock, () => ({ ops: TMP_OPS })),
    call(hashUpdateIpmodify, withSameFilter, (_, locals, errno) => {
      locals.errno = errno;
    }),
    when('its owner agrees', (_, { errno }) => errno === 0, [
      holding('ftrace_lock', [
        each<string>('a site of the filter', (k, { ops }) => readHash(k, ops, 'filter'), takeSite, [
          step('change its direct call', (k, { ops, ip, addr }) => {
            changeDirect(k, ip, addr);
            // After the last one comes ops->direct_call.
            if (ip === readHash(k, ops, 'filter').at(-1)) ensureOps(k, ops).directCall = addr;
          }),
        ]),
      ]),
    ]),
    call(
      unregisterFtraceFunction,
      () => ({ ops: TMP_OPS }),
      () => {},
    ),
    refuseWith(['EAGAIN', 'EBUSY'], 'its owner cannot share with IPMODIFY', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

/** The loop variable of the walk over the filter's buckets. */
export function takeSite(locals: { ip: Ip }, ip: Ip): void {
  locals.ip = ip;
}

/** `entry->direct = addr`, in place: readers see the old or the new word. A site without an entry is skipped. */
export function changeDirect({ ftrace }: FtraceWorld, ip: Ip, addr: CodeName): void {
  if (ftrace.directFunctions[ip] !== undefined) ftrace.directFunctions[ip] = addr;
}

/**
 * modify_ftrace_direct_nolock(): for bpf_tramp_ftrace_ops_func(), which ftrace calls with `direct_mutex` held.
 */
export const modifyFtraceDirectNolock = routine<FtraceWorld, DirectArgs>(
  'modify_ftrace_direct_nolock',
  ({ refuse, call }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    call(modifyDirect, (_, { ops, addr }) => ({ ops, addr })),
  ],
);

/** modify_ftrace_direct(ops, addr); modify_ftrace_direct_multi() until 6.3. The filter is not checked again. */
export const modifyFtraceDirect = routine<FtraceWorld, DirectArgs>(
  'modify_ftrace_direct',
  ({ refuse, holding, call }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    holding('direct_mutex', [call(modifyDirect, (_, { ops, addr }) => ({ ops, addr }))]),
  ],
);
