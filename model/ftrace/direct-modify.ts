import type { Errno } from '../core/errno.ts';
import type { CodeName, Ip } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import type { DirectArgs } from './direct.ts';
import { notDirect, notEnabled } from './direct.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import { ensureOps, FTRACE_OPS_FL_STUB, filterOf, ftraceOpsInit, opsOf } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import type { FtraceWorld } from './world.ts';

/*
 * Changing where the direct calls of an ops lead. Called `modify_ftrace_direct_multi` from 5.15 to 6.3.
 */

const TMP_OPS = 'tmp_ops';

interface ModifyLocals extends DirectArgs {
  errno: Errno | 0;
  ip: Ip;
}

/**
 * __modify_ftrace_direct(): a temporary ops on the same functions makes their sites call through the list, where each
 * call finds one address or the other; then the addresses change; then the temporary ops goes, and with it the
 * detour. Its owner is asked once more whether the new trampoline can share with IPMODIFY.
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
    call(
      hashUpdateIpmodify,
      (k, { ops }) => ({ ops, from: filterOf(k, ops), to: filterOf(k, ops), updateTarget: true }),
      (_, locals, errno) => {
        locals.errno = errno;
      },
    ),
    when('its owner agrees', (_, { errno }) => errno === 0, [
      holding('ftrace_lock', [
        each<string>('a site of the filter', (k, { ops }) => filterOf(k, ops), takeSite, [
          step('change its direct call', (k, { ops, ip, addr }) => {
            changeDirect(k, ip, addr);
            // After the last one comes ops->direct_call.
            if (ip === filterOf(k, ops).at(-1)) ensureOps(k, ops).directCall = addr;
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

export function takeSite(locals: { ip: Ip }, ip: Ip): void {
  locals.ip = ip;
}

/** An entry of direct_functions gets another address, in place. A site without one is passed over. */
export function changeDirect({ ftrace }: FtraceWorld, ip: Ip, addr: CodeName): void {
  if (ftrace.directFunctions[ip] !== undefined) ftrace.directFunctions[ip] = addr;
}

/** modify_ftrace_direct_nolock(): called by an owner's ops_func, with `direct_mutex` held. */
export const modifyFtraceDirectNolock = routine<FtraceWorld, DirectArgs>(
  'modify_ftrace_direct_nolock',
  ({ refuse, call }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    call(modifyDirect, (_, { ops, addr }) => ({ ops, addr })),
  ],
);

/** modify_ftrace_direct(ops, addr); modify_ftrace_direct_multi() until 6.3. */
export const modifyFtraceDirect = routine<FtraceWorld, DirectArgs>(
  'modify_ftrace_direct',
  ({ refuse, holding, call }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    holding('direct_mutex', [call(modifyDirect, (_, { ops, addr }) => ({ ops, addr }))]),
  ],
);
