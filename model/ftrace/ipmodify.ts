import { fixedKeys } from '../core/fixed-keys.ts';
import type { Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Ended } from '../core/world.ts';
import { warn } from '../core/world.ts';
import { followFilter, opsOnList } from './filter-hash.ts';
import type { Hash } from './ops.ts';
import {
  FTRACE_OPS_FL_DIRECT,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_IPMODIFY,
  hashContainsIp,
  hashHas,
  opsHas,
  opsOf,
} from './ops.ts';
import { FTRACE_FL_DIRECT, FTRACE_FL_DISABLED, FTRACE_FL_IPMODIFY, has } from './record.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { ftraceWarnOn } from './world.ts';

/*
 * Which ops may change `regs->ip` of a function. At most one IPMODIFY ops (a live patch, a kprobe with a post_handler)
 * may trace it, and the owner of a direct call has to agree, because its trampoline would call the original by
 * address.
 *
 * ```text
 *   the function has       IPMODIFY ops joins                          direct ops joins
 *   -------------------    ----------------------------------------    ------------------------------------
 *   nothing                mark FTRACE_FL_IPMODIFY                     –
 *   an IPMODIFY ops        EBUSY, marks are undone                     ops_func(ENABLE_SHARE_IPMODIFY_SELF)
 *   a direct ops           ops_func(ENABLE_SHARE_IPMODIFY_PEER)        EBUSY (direct_functions)
 *                          before ftrace_startup()
 *   ... and leaves again   ops_func(DISABLE_SHARE_IPMODIFY_PEER)       –
 * ```
 *
 * Locks: `direct_mutex` around all of it, `ftrace_lock` while records are read. BPF's ops_func takes the lock of
 * its trampoline on top, which elsewhere is taken before `direct_mutex`; hence its mutex_trylock() and EAGAIN.
 */

/**
 * `enum ftrace_ops_cmd`: the query to the client of a direct call when its function and an IPMODIFY ops meet.
 * The answer comes through an upcall: ftrace does not know the client.
 */
export type OpsCmd =
  | 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF'
  | 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER'
  | 'FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER';

/** Arguments of the upcall `ops->ops_func`. */
export interface OpsFuncArgs {
  ops: OpsId;
  ip: Ip;
  cmd: OpsCmd;
}

export const OPS_FUNC = 'ops_func';

interface UpdateArgs {
  ops: OpsId;
  from: Hash;
  /** The ops traced every function before, or will from now on (`old_hash` or `new_hash` is NULL): EINVAL. */
  fromAll?: boolean;
  to: Hash;
  toAll?: boolean;
  /** Only the addresses of the direct calls change: the owner is asked for every function of the ops. */
  updateTarget: boolean;
}

interface UpdateLocals extends UpdateArgs {
  ip: Ip;
}

/**
 * __ftrace_hash_update_ipmodify(), `ftrace_lock` held. Marks that were made are undone when another IPMODIFY ops
 * is met, but not when the owner of a direct call refuses: a direct ops makes no marks. SELF comes with the
 * trampoline's lock held by the same task, so ops_func must not take it again. __modify_ftrace_direct() does not hold
 * `ftrace_lock`: a record may go with its module before its turn.
 */
export const hashUpdateIpmodify = routine<FtraceWorld, UpdateArgs, UpdateLocals>(
  '__ftrace_hash_update_ipmodify',
  (words) => {
    const { finish, refuse, each, step, when } = words;
    return [
      finish('the ops is not enabled', (k, locals) => !opsHas(k, locals, FTRACE_OPS_FL_ENABLED)),
      finish(
        'neither IPMODIFY nor DIRECT',
        (k, locals) => !opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY) && !opsHas(k, locals, FTRACE_OPS_FL_DIRECT),
      ),
      finish('both IPMODIFY and DIRECT', (k, locals) => {
        const both = opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY) && opsHas(k, locals, FTRACE_OPS_FL_DIRECT);
        if (both) warn(k, { is: 'ipmodify and direct' });
        return both;
      }),
      refuse(
        'EINVAL',
        'the ops would trace every function',
        (_, locals) => locals.fromAll === true || locals.toAll === true,
      ),
      each(
        'record',
        (k, locals) => fixedKeys(k.ftrace.records).filter((ip) => concerns(k, locals, ip)),
        (locals, ip) => {
          locals.ip = ip;
        },
        [
          when(
            'the function joins an ops while another is IPMODIFY there',
            (k, { to, ip }) =>
              hashHas(to, ip) && ((k.ftrace.records[ip]?.flags ?? 0) & FTRACE_FL_IPMODIFY) !== 0,
            shareWithIpmodify(words),
            [step('mark the record', mark)],
          ),
        ],
      ),
    ];
  },
);

/** The record is IPMODIFY already: a second such ops is refused, the owner of a direct call may agree to share. */
function shareWithIpmodify({ refuse, step, upcall }: RoutineWords<FtraceWorld, UpdateLocals>): Part[] {
  return [
    refuse('EBUSY', 'another IPMODIFY ops has the function', (k, locals) => {
      if (!opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY)) return false;
      unmark(k, locals);
      return true;
    }),
    step('check that the record is not direct yet', (k, locals) => {
      const direct = !locals.updateTarget && has(entry(k.ftrace.records, locals.ip), FTRACE_FL_DIRECT);
      ftraceWarnOn(k, direct, { is: 'direct already', ip: locals.ip });
    }),
    refuse(
      'EBUSY',
      'the direct call cannot share with IPMODIFY',
      (k, locals) => !opsOf(k, locals.ops).hasOpsFunc,
    ),
    upcall(OPS_FUNC, (_, locals) => ({
      ops: locals.ops,
      ip: locals.ip,
      cmd: 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF',
    })),
  ];
}

/** Records whose membership changes; all members when the addresses of direct calls change. */
function concerns(k: FtraceView, { from, to, updateTarget }: UpdateArgs, ip: Ip): boolean {
  if (has(entry(k.ftrace.records, ip), FTRACE_FL_DISABLED)) return false;
  return hashHas(from, ip) !== hashHas(to, ip) || (updateTarget && hashHas(to, ip));
}

/** Only an IPMODIFY ops marks; a direct ops passes through here without effect. */
function mark(k: FtraceWorld, locals: UpdateLocals): void {
  if (!opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY)) return;
  const rec = entry(k.ftrace.records, locals.ip);
  if (hashHas(locals.to, locals.ip)) rec.flags |= FTRACE_FL_IPMODIFY;
  else rec.flags &= ~FTRACE_FL_IPMODIFY;
}

/** The `rollback:` label: undoes the marks on the records before the one that is refused. */
function unmark(k: FtraceWorld, { from, to, ip: end }: UpdateLocals): void {
  for (const [ip, rec] of Object.entries(k.ftrace.records)) {
    if (ip === end) return;
    if (has(rec, FTRACE_FL_DISABLED) || hashHas(from, ip) === hashHas(to, ip)) continue;
    if (hashHas(to, ip)) rec.flags &= ~FTRACE_FL_IPMODIFY;
    else rec.flags |= FTRACE_FL_IPMODIFY;
  }
}

interface PeerArgs {
  ops: OpsId;
}

interface PeerLocals extends PeerArgs {
  ip: Ip;
  peer: string;
}

/**
 * prepare_direct_functions_for_ipmodify(), `direct_mutex` held: before an IPMODIFY ops is registered, the owner
 * of each direct call on its functions is asked for agreement to share. It comes before ftrace_ops_init(). What the first owners have agreed to stays when a later
 * one refuses: they keep calling the original through the stack until they are updated again.
 */
export const prepareDirectFunctionsForIpmodify = routine<FtraceWorld, PeerArgs, PeerLocals>(
  'prepare_direct_functions_for_ipmodify',
  ({ finish, each, holding, step, when, refuse, upcall }) => [
    finish('not IPMODIFY', (k, locals) => !opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY)),
    each('ip', (k, { ops }) => followFilter(k, ops), takeIp, [
      holding('ftrace_lock', [step('find the direct ops', findPeer)]),
      when('there is one', (_, locals) => 'peer' in locals, [
        refuse('EBUSY', 'the direct ops cannot share', (k, locals) => !opsOnList(k, locals.peer).hasOpsFunc),
        upcall(OPS_FUNC, (_, locals) => ({
          ops: locals.peer,
          ip: locals.ip,
          cmd: 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER',
        })),
      ]),
    ]),
  ],
);

/**
 * cleanup_direct_functions_after_ipmodify(): the owners may call the original directly again. Their answers are
 * ignored, EAGAIN included; the ops has left already. It runs after ftrace_lock was released, so a new IPMODIFY
 * ops may have come.
 */
export const cleanupDirectFunctionsAfterIpmodify = routine<FtraceWorld, PeerArgs, PeerLocals>(
  'cleanup_direct_functions_after_ipmodify',
  ({ finish, each, holding, step, when, upcall }) => [
    finish('not IPMODIFY', (k, locals) => !opsHas(k, locals, FTRACE_OPS_FL_IPMODIFY)),
    holding('direct_mutex', [
      each('ip', (k, { ops }) => followFilter(k, ops), takeIp, [
        holding('ftrace_lock', [step('find the direct ops', findPeer)]),
        when(
          'there is one that can share',
          (k, locals) => 'peer' in locals && opsOnList(k, locals.peer).hasOpsFunc,
          [
            upcall(
              OPS_FUNC,
              (_, locals) => ({
                ops: locals.peer,
                ip: locals.ip,
                cmd: 'FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER',
              }),
              ignore,
            ),
          ],
        ),
      ]),
    ]),
  ],
);

function takeIp(locals: PeerLocals, ip: Ip): void {
  locals.ip = ip;
}

/** The first ops on the list that is direct and traces the function; the lock is dropped before it is called. */
function findPeer(k: FtraceView, locals: { readonly ip: Ip; peer?: string }): void {
  const peer = k.ftrace.opsList.find((name) => {
    const { flags, filter, notrace } = opsOnList(k, name);
    const isDirect = (flags & FTRACE_OPS_FL_DIRECT) !== 0 && (flags & FTRACE_OPS_FL_ENABLED) !== 0;
    return isDirect && hashContainsIp(filter, notrace, locals.ip);
  });
  if (peer === undefined) delete locals.peer;
  else locals.peer = peer;
}

function ignore(_k: FtraceView, _at: PeerLocals, _errno: Ended): void {}
