import type { Ip, OpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import type { Unloads } from '../text/module.ts';
import { addressesNow, unloadsOf } from '../text/module.ts';
import { ftraceHashRecUpdate } from './accounting.ts';
import type { Which } from './filter-hash.ts';
import { freeHashes, freeHashesUnderPointers, publishHash, readHash } from './filter-hash.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import type { Hash } from './ops.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_MODIFYING,
  FTRACE_OPS_FL_SUBOP,
  filterOf,
  ftraceOpsInit,
  GLOBAL_OPS,
  hashOwner,
  notraceOf,
  opsOf,
  withIps,
  withoutIps,
} from './ops.ts';
import { needsUpdate } from './startup.ts';
import { freeFtraceHashRcu } from './tables.ts';
import { FTRACE_UPDATE_CALLS, ftraceRunUpdateCode } from './update-code.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * The filter and the notrace hash of an ops. An empty filter means every function, which makes the removal of the
 * last function of an enabled ops the opposite of what its caller wants.
 *
 * Locks: `regex_lock` of the hashes around the copy, `ftrace_lock` around the change.
 */

/** `made`: how often modules had been unloaded when the hash was made. */
interface MoveArgs {
  ops: OpsId;
  which: Which;
  hash: Hash;
  made?: Unloads | undefined;
}

/** `changed`: the enabled ops because of which the text has to change. */
interface MoveLocals extends MoveArgs {
  oldFilter: Hash;
  oldNotrace: Hash;
  replaced: { readonly table: number } | undefined;
  changed: string;
  command?: number;
}

/**
 * __ftrace_hash_move_and_update_ops(), `ftrace_lock` held: an ops gets another hash. The records lose it with the
 * old hash and count it again with the new one; the text follows if the ops, or another that shares the hash, is
 * enabled. Both counts together may leave a record as it was: only what differs is patched. The old hash is freed
 * after an RCU grace period, for ftrace_ops_test() runs with preemption disabled. An empty hash is EMPTY_HASH, and needs
 * no memory.
 */
export const hashMoveAndUpdateOps = routine<FtraceWorld, MoveArgs, MoveLocals>(
  '__ftrace_hash_move_and_update_ops',
  ({ refuse, allocate, when, call, step, reclaim }) => [
    refuse(
      'EINVAL',
      'a notrace hash for an IPMODIFY ops',
      (k, { ops, which }) => which === 'notrace' && (opsOf(k, ops).flags & FTRACE_OPS_FL_IPMODIFY) !== 0,
    ),
    when('the new hash has functions', (_, { hash }) => hash.length > 0, [allocate('the new hash')]),
    when('it is the filter', (_, { which }) => which === 'filter', [
      call(hashUpdateIpmodify, (k, { ops, hash }) => ({
        ops,
        from: filterOf(k, ops),
        fromAll: filterOf(k, ops).length === 0,
        to: hash,
        toAll: hash.length === 0,
        updateTarget: false,
      })),
    ]),
    step('replace the hash', replaceHash),
    when('an ops that uses it is enabled', (k, locals) => needsUpdate(k, { command: locals.command ?? 0 }), [
      // ftrace_get_addr_curr() uses the old hashes until the text has changed.
      step('mark modifying', (k, locals) => {
        const ops = ensureOps(k, locals.changed);
        ops.flags |= FTRACE_OPS_FL_MODIFYING;
        ops.oldFilter = locals.oldFilter;
        ops.oldNotrace = locals.oldNotrace;
      }),
      call(ftraceRunUpdateCode, () => ({ command: FTRACE_UPDATE_CALLS })),
      step('modifying is over', (k, locals) => {
        const ops = ensureOps(k, locals.changed);
        ops.flags &= ~FTRACE_OPS_FL_MODIFYING;
        ops.oldFilter = null;
        ops.oldNotrace = null;
      }),
    ]),
    reclaim('free the old hash', freeFtraceHashRcu, (_, { replaced }) => replaced),
  ],
);

/**
 * ftrace_hash_rec_disable_modify(), rcu_assign_pointer(), ftrace_hash_rec_enable_modify(). Only ops that share
 * the hash of `global_ops` follow each other; another ops that borrows a hash (`tmp_ops`) is not updated.
 */
function replaceHash(k: FtraceWorld, locals: MoveLocals): void {
  const owner = opsOf(k, locals.ops).hashOf;
  const sharing = [
    locals.ops,
    ...k.ftrace.opsList.filter((name) => name !== locals.ops && sharesHash(k, name, owner)),
  ];
  const updated = owner === GLOBAL_OPS ? sharing : [locals.ops];
  locals.oldFilter = filterOf(k, locals.ops);
  locals.oldNotrace = notraceOf(k, locals.ops);
  for (const name of updated) ftraceHashRecUpdate(k, name, false);
  locals.replaced = publishHash(k, owner, locals.which, addressesNow(k, locals.hash, locals.made));
  for (const name of updated) ftraceHashRecUpdate(k, name, true);
  const changed = updated.find((name) => (opsOf(k, name).flags & FTRACE_OPS_FL_ENABLED) !== 0);
  if (changed === undefined) return;
  locals.changed = changed;
  locals.command = FTRACE_UPDATE_CALLS;
}

/** `op->func_hash == &global_ops.local_hash`. */
function sharesHash(k: FtraceView, name: OpsId, owner: OpsId): boolean {
  return opsOf(k, name).hashOf === owner;
}

/** `remove` with `reset` starts from an empty hash, so every function is ENOENT. */
export interface SetHashArgs {
  ops: OpsId;
  which: Which;
  ips: readonly Ip[];
  remove: boolean;
  reset: boolean;
}

type SetHashLocals = SetHashArgs & { hash: Hash; made: Unloads };

/**
 * ftrace_set_hash(): adds functions to the filter or the notrace hash, or removes them. All of them are checked
 * before anything changes (ftrace_match_addr()). ftrace being dead is checked without a lock, before anything
 * else.
 */
export const ftraceSetHash = routine<FtraceWorld, SetHashArgs, SetHashLocals>(
  'ftrace_set_hash',
  ({ refuse, refuseWith, holding, allocate, step, call, when, upcall }) => [
    refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
    holding(
      (k, { ops }) => `${hashOwner(k, ops)}.regex_lock`,
      [
        allocate('a copy of the hash'),
        refuseWith(['EINVAL', 'ENOENT'], 'an ip is no call site, or is not in the hash', (k, locals) => {
          const start = startOf(k, locals);
          for (const ip of locals.ips) {
            if (k.ftrace.records[ip] === undefined) return 'EINVAL';
            if (locals.remove && !start.includes(ip)) return 'ENOENT';
          }
          locals.made = unloadsOf(k);
          return undefined;
        }),
        step('build the hash', (k, locals) => {
          const start = startOf(k, locals);
          const ips = addressesNow(k, locals.ips, locals.made);
          locals.hash = locals.remove ? withoutIps(start, ips) : withIps(start, ips);
          locals.made = unloadsOf(k);
        }),
        holding('ftrace_lock', [
          when(
            'a manager traces for the ops',
            (k, { ops }) => (opsOf(k, ops).flags & FTRACE_OPS_FL_SUBOP) !== 0,
            [upcall(UPDATE_SUBOPS, (_, { ops, which, hash, made }) => ({ subops: ops, which, hash, made }))],
            [call(hashMoveAndUpdateOps, (_, { ops, which, hash, made }) => ({ ops, which, hash, made }))],
          ),
        ]),
      ],
    ),
  ],
);

/** ftrace_hash_move_and_update_subops() belongs to function graph, which manages several users by one ops. */
export const UPDATE_SUBOPS = 'ftrace_hash_move_and_update_subops';

/** The hash to begin with: a copy of `*orig_hash`, or an empty one. */
function startOf(k: FtraceView, { ops, which, reset }: SetHashArgs): Hash {
  return reset ? [] : readHash(k, ops, which);
}

/**
 * ftrace_set_filter_ip(), kernel/trace/ftrace.c. On an ops that is not registered it only fills the hash; on an
 * enabled one it patches the sites.
 */
export const ftraceSetFilterIp = routine<
  FtraceWorld,
  { ops: OpsId; ip: Ip; remove: boolean; reset: boolean }
>('ftrace_set_filter_ip', ({ step, call }) => [
  step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
  call(ftraceSetHash, (_, { ops, ip, remove, reset }) => ({
    ops,
    which: 'filter' as const,
    ips: [ip],
    remove,
    reset,
  })),
]);

/** ftrace_set_filter_ips() (since 5.18): many functions in one new hash, for fprobes and kprobe.multi. */
export const ftraceSetFilterIps = routine<
  FtraceWorld,
  { ops: OpsId; ips: readonly Ip[]; remove: boolean; reset: boolean }
>('ftrace_set_filter_ips', ({ step, call }) => [
  step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
  call(ftraceSetHash, (_, { ops, ips, remove, reset }) => ({
    ops,
    which: 'filter' as const,
    ips,
    remove,
    reset,
  })),
]);

/** ftrace_set_notrace(), kernel/trace/ftrace.c: functions by name; no match is EINVAL. IPMODIFY ops refuse it. */
export const ftraceSetNotrace = routine<FtraceWorld, { ops: OpsId; ip: Ip; reset: boolean }>(
  'ftrace_set_notrace',
  ({ step, call }) => [
    step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
    call(ftraceSetHash, (_, { ops, ip, reset }) => ({
      ops,
      which: 'notrace' as const,
      ips: [ip],
      remove: false,
      reset,
    })),
  ],
);

/**
 * ftrace_free_filter(): frees both hashes at once, with no grace period. Before 6.15 it does not check that the ops
 * is unregistered, and leaves the pointers: whatever uses the ops again follows them.
 */
export const ftraceFreeFilter = routine<FtraceWorld, { ops: OpsId }>('ftrace_free_filter', ({ step }) => [
  step('free both hashes', (k, locals) => {
    const ops = ensureOps(k, locals.ops);
    ftraceOpsInit(ops, locals.ops);
    if (!profileNamed(k.profile).filterReset) freeHashesUnderPointers(k, ops.hashOf);
    else if ((ops.flags & FTRACE_OPS_FL_ENABLED) !== 0) warn(k, { is: 'filter of an enabled ops freed' });
    else freeHashes(k, ops.hashOf);
  }),
]);
