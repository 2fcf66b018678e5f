import type { Errno } from '../core/errno.ts';
import type { Ip } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { addressNow } from '../text/module.ts';
import { notDirect, notEnabled } from './direct.ts';
import type { HashArgs } from './direct-hash.ts';
import { isEmpty, noDirectCalls, tableNow } from './direct-hash.ts';
import { changeDirect, takeSite } from './direct-modify.ts';
import { publishHash } from './filter-hash.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import { ensureOps, FTRACE_OPS_FL_STUB, filterOf, ftraceOpsInit } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { freeTable } from './tables.ts';
import type { FtraceWorld } from './world.ts';

/*
 * update_ftrace_direct_mod() (7.0): other addresses for some sites of an ops. The detour of `direct-modify.ts`
 * again, with a temporary ops whose filter is the caller's table, so that only the sites concerned leave their
 * direct call.
 */

/** A static ops: only one change at a time, by `direct_mutex`. */
const TMP_OPS = 'tmp_ops(mod)';

interface ModArgs extends HashArgs {
  /** False when the caller holds `direct_mutex`: it is an ops_func. */
  lockDirectMutex: boolean;
}

/** The change between its steps. */
interface ModLocals extends HashArgs {
  errno: Errno | 0;
  ip: Ip;
}

/**
 * The body, under `direct_mutex`. The static `tmp_ops` is safe because of that lock. Functions of the table
 * without an entry are skipped silently: the answer is 0.
 */
const modDirect = routine<FtraceWorld, HashArgs, ModLocals>(
  'update_ftrace_direct_mod: modify',
  ({ refuse, step, call, holding, when, each, refuseWith }) => [
    refuse('EINVAL', 'no function has a direct call', noDirectCalls),
    refuse('EINVAL', 'the ops has no filter', (k, { ops }) => filterOf(k, ops).length === 0),
    step('prepare tmp_ops', (k, locals) => {
      const tmp = ensureOps(k, TMP_OPS);
      tmp.func = 'ftrace_stub';
      tmp.flags |= FTRACE_OPS_FL_STUB;
      ftraceOpsInit(tmp, TMP_OPS);
      const old = publishHash(k, TMP_OPS, 'filter', Object.keys(tableNow(k, locals)).sort());
      if (old !== undefined) freeTable(k, old);
    }),
    call(registerFtraceFunctionNolock, () => ({ ops: TMP_OPS })),
    call(
      hashUpdateIpmodify,
      (k, { ops }) => ({ ops, from: filterOf(k, ops), to: filterOf(k, ops), updateTarget: true }),
      (_, locals, errno) => {
        locals.errno = errno;
      },
    ),
    when('all owners agree', (_, { errno }) => errno === 0, [
      holding('ftrace_lock', [
        each<string>('a site', (_, { hash }) => Object.keys(hash), takeSite, [
          step('change its direct call', (k, { hash, ip, got }) =>
            changeDirect(k, addressNow(k, ip, got), entry(hash, ip)),
          ),
        ]),
      ]),
    ]),
    call(
      unregisterFtraceFunction,
      () => ({ ops: TMP_OPS }),
      () => {},
    ),
    refuseWith(['EAGAIN', 'EBUSY', 'EINVAL'], 'an owner cannot share with IPMODIFY', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

/** update_ftrace_direct_mod(), kernel/trace/ftrace.c. The addresses that the sites have now are not compared. */
export const updateFtraceDirectMod = routine<FtraceWorld, ModArgs>(
  'update_ftrace_direct_mod',
  ({ refuse, when, holding, call }) => [
    refuse('EINVAL', 'nothing is changed', isEmpty),
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    when(
      'direct_mutex is not held',
      (_, { lockDirectMutex }) => lockDirectMutex,
      [holding('direct_mutex', [call(modDirect, (_, { ops, hash, got }) => ({ ops, hash, got }))])],
      [call(modDirect, (_, { ops, hash, got }) => ({ ops, hash, got }))],
    ),
  ],
);
