import { ENTRY_OF_ANOTHER, FIRST_FAILURE } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  branches,
  defers,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  SINCE_6_12,
  V6_1,
  V7_2,
  waits,
} from './row.ts';

/** Direct calls are removed, changed, and taken from tables, kernel/trace/ftrace.c; one long table on purpose. */
export const FTRACE_DIRECT_CHANGE: readonly AuditedFunction[] = [
  {
    fn: 'check_direct_multi',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL: FTRACE_OPS_FL_INITIALIZED is not set',
        modelled('model/ftrace/direct.ts notDirect'),
      ),
      returns(ALL, 'EINVAL: not all of MULTI_FLAGS are set', modelled('model/ftrace/direct.ts notDirect')),
    ],
  },
  {
    fn: 'unregister_ftrace_direct_multi',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'EINVAL: the ops is not direct',
        modelled('unregister_ftrace_direct: the ops is not direct'),
      ),
      returns(
        V6_1,
        'EINVAL: the ops is not enabled',
        modelled('unregister_ftrace_direct: the ops is not enabled'),
      ),
      locks(
        V6_1,
        'direct_mutex: the ops is unregistered and its entries are removed; func and trampoline are reset after it',
        modelled('unregister_ftrace_direct: lock direct_mutex'),
      ),
      branches(
        V6_1,
        'the errno of unregister_ftrace_function(), with the entries removed',
        modelled('unregister_ftrace_direct: unregister_ftrace_function failed'),
      ),
    ],
  },
  {
    fn: 'unregister_ftrace_direct',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not direct',
        modelled('unregister_ftrace_direct: the ops is not direct'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not enabled',
        modelled('unregister_ftrace_direct: the ops is not enabled'),
      ),
      locks(
        SINCE_6_12,
        'direct_mutex: the ops is unregistered and reset; not ftrace_free_filter()',
        modelled('unregister_ftrace_direct: lock direct_mutex'),
      ),
      branches(
        SINCE_6_12,
        'the errno of unregister_ftrace_function(), with the entries removed',
        modelled('unregister_ftrace_direct: unregister_ftrace_function failed'),
      ),
    ],
  },
  {
    fn: 'unregister_ftrace_direct',
    in: V6_1,
    rows: [
      locks(
        V6_1,
        'direct_mutex: the whole call, the grace period for a descriptor included',
        modelled('unregister_ftrace_direct(ip): lock direct_mutex'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV: no call site',
        modelled('unregister_ftrace_direct(ip): not a call site'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV: find_direct_entry() finds none',
        modelled('unregister_ftrace_direct(ip): the site has no direct call'),
      ),
      waits(
        V6_1,
        'synchronize_rcu_tasks() with direct_mutex held, if the descriptor has no site left',
        modelled('unregister_ftrace_direct(ip): wait for rcu_tasks'),
      ),
      branches(
        V6_1,
        'the errno of ftrace_set_filter_ip(), with a WARN, after the entry was removed',
        modelled('unregister_ftrace_direct(ip): direct_ops did not have the site'),
      ),
    ],
  },
  {
    fn: 'find_direct_entry',
    in: V6_1,
    rows: [
      returns(V6_1, 'NULL: no record', modelled('model/ftrace/direct-ip.ts notASite')),
      returns(
        V6_1,
        'NULL with a WARN if the record is DIRECT: no entry',
        modelled('model/ftrace/direct-ip.ts noEntry'),
      ),
    ],
  },
  {
    fn: 'modify_ftrace_direct',
    in: V6_1,
    rows: [
      locks(V6_1, 'direct_mutex: the whole call', modelled('modify_ftrace_direct(ip): lock direct_mutex')),
      locks(
        V6_1,
        'ftrace_lock: the checks and the descriptor; ftrace_modify_direct_caller() drops it and takes it again',
        modelled(
          'modify_ftrace_direct(ip): lock ftrace_lock',
          'modify_ftrace_direct(ip): lock ftrace_lock (2)',
        ),
      ),
      gotos(V6_1, 'out_unlock, ENODEV: no call site', modelled('modify_ftrace_direct(ip): not a call site')),
      gotos(
        V6_1,
        'out_unlock, ENODEV: find_direct_entry() finds none',
        modelled('modify_ftrace_direct(ip): the site has no direct call'),
      ),
      gotos(
        V6_1,
        'out_unlock, EINVAL: the entry has another address',
        modelled('modify_ftrace_direct(ip): the direct call has another address'),
      ),
      gotos(
        V6_1,
        'out_unlock, EINVAL with a WARN: no descriptor has the address',
        modelled('modify_ftrace_direct(ip): the trampoline has no descriptor'),
      ),
      allocates(
        V6_1,
        'a descriptor, if other sites use the old one; out_unlock with ENOMEM',
        modelled('modify_ftrace_direct(ip): allocate the descriptor of the new trampoline'),
      ),
      branches(
        V6_1,
        'ftrace_modify_direct_caller() failed, the descriptor is what it was',
        modelled('modify_ftrace_direct(ip): roll back'),
      ),
      waits(
        V6_1,
        'synchronize_rcu_tasks() with both locks held, after a failure that leaves a new descriptor unused',
        modelled('modify_ftrace_direct(ip): wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'ftrace_modify_direct_caller',
    in: V6_1,
    rows: [
      locks(
        V6_1,
        'ftrace_lock is released for the whole function',
        modelled('modify_ftrace_direct(ip): lock ftrace_lock (2)'),
      ),
      gotos(
        V6_1,
        'out_lock: stub_ops cannot have the site',
        modelled('ftrace_modify_direct_caller: ftrace_set_filter_ip'),
      ),
      gotos(
        V6_1,
        'out_lock: stub_ops cannot be registered, and loses the site again',
        modelled('ftrace_modify_direct_caller: roll back'),
      ),
    ],
  },
  {
    fn: 'modify_ftrace_direct_multi',
    in: V6_1,
    rows: [
      returns(V6_1, 'EINVAL: the ops is not direct', modelled('modify_ftrace_direct: the ops is not direct')),
      returns(
        V6_1,
        'EINVAL: the ops is not enabled',
        modelled('modify_ftrace_direct: the ops is not enabled'),
      ),
      locks(V6_1, 'direct_mutex: all that follows', modelled('modify_ftrace_direct: lock direct_mutex')),
    ],
  },
  {
    fn: 'modify_ftrace_direct',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not direct',
        modelled('modify_ftrace_direct: the ops is not direct'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not enabled',
        modelled('modify_ftrace_direct: the ops is not enabled'),
      ),
      locks(
        SINCE_6_12,
        'direct_mutex: all that follows',
        modelled('modify_ftrace_direct: lock direct_mutex'),
      ),
    ],
  },
  {
    fn: 'modify_ftrace_direct_multi_nolock',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'EINVAL: the ops is not direct',
        modelled('modify_ftrace_direct_nolock: the ops is not direct'),
      ),
      returns(
        V6_1,
        'EINVAL: the ops is not enabled',
        modelled('modify_ftrace_direct_nolock: the ops is not enabled'),
      ),
    ],
  },
  {
    fn: 'modify_ftrace_direct_nolock',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not direct',
        modelled('modify_ftrace_direct_nolock: the ops is not direct'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: the ops is not enabled',
        modelled('modify_ftrace_direct_nolock: the ops is not enabled'),
      ),
    ],
  },
  {
    fn: '__modify_ftrace_direct_multi',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'tmp_ops cannot be registered',
        modelled('__modify_ftrace_direct: register_ftrace_function_nolock'),
      ),
      gotos(
        V6_1,
        'out: __ftrace_hash_update_ipmodify() failed; tmp_ops is unregistered',
        modelled('__modify_ftrace_direct: its owner cannot share with IPMODIFY'),
      ),
      locks(V6_1, 'ftrace_lock: the entries change', modelled('__modify_ftrace_direct: lock ftrace_lock')),
    ],
  },
  {
    fn: '__modify_ftrace_direct',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'tmp_ops cannot be registered',
        modelled('__modify_ftrace_direct: register_ftrace_function_nolock'),
      ),
      gotos(
        SINCE_6_12,
        'out: __ftrace_hash_update_ipmodify() failed; tmp_ops is unregistered',
        modelled('__modify_ftrace_direct: its owner cannot share with IPMODIFY'),
      ),
      locks(
        SINCE_6_12,
        'ftrace_lock: the entries and ops->direct_call change',
        modelled('__modify_ftrace_direct: lock ftrace_lock'),
      ),
    ],
  },
  {
    fn: 'register_ftrace_direct_cb',
    in: SINCE_6_12,
    rows: [
      defers(
        SINCE_6_12,
        'the callback of call_rcu_tasks(): the table is freed',
        modelled('register_ftrace_direct_cb: wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'update_ftrace_direct_add',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'EINVAL: the table of the caller is empty',
        modelled('update_ftrace_direct_add: nothing is added'),
      ),
      locks(
        V7_2,
        'direct_mutex: all that follows; not the grace period of the old table',
        modelled('update_ftrace_direct_add: lock direct_mutex'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: a site has a direct call',
        modelled('update_ftrace_direct_add: a site has a direct call'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: an ops without sites has a func or a trampoline',
        modelled('update_ftrace_direct_add: the ops is in use'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: an ops without sites is enabled',
        modelled('update_ftrace_direct_add: the ops is in use'),
      ),
      allocates(
        V7_2,
        'hash_add(): the new filter; out_unlock with ENOMEM',
        modelled('update_ftrace_direct_add: allocate the new filter and the new direct_functions'),
      ),
      allocates(V7_2, 'hash_add(): the new direct_functions; out_unlock with ENOMEM', omitted(FIRST_FAILURE)),
      branches(
        V7_2,
        'register_ftrace_function_nolock() failed, the ops has its old filter, no func and no trampoline',
        modelled('update_ftrace_direct_add: roll back (3)'),
      ),
      locks(
        V7_2,
        'ftrace_lock: ftrace_update_ops() of an ops that has sites',
        modelled('update_ftrace_direct_add: lock ftrace_lock'),
      ),
      branches(
        V7_2,
        'on any failure the old direct_functions is published again, and the new one is freed',
        modelled('update_ftrace_direct_add: roll back (2)'),
      ),
      defers(
        V7_2,
        'out_unlock: call_rcu_tasks() of the table that is no longer used, unless it is EMPTY_HASH',
        modelled(
          'update_ftrace_direct_add: roll back',
          'update_ftrace_direct_add: free the old direct_functions',
          'update_ftrace_direct_add: free the old direct_functions (2)',
        ),
      ),
    ],
  },
  {
    fn: 'hash_add',
    in: V7_2,
    rows: [
      allocates(
        V7_2,
        'a copy of the first hash; NULL',
        modelled('update_ftrace_direct_add: allocate the new filter and the new direct_functions'),
      ),
      allocates(V7_2, 'an entry for each of the second; NULL', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'update_ftrace_direct_del',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'EINVAL: the table of the caller is empty',
        modelled('update_ftrace_direct_del: nothing is removed'),
      ),
      returns(
        V7_2,
        'EINVAL: the ops is not direct',
        modelled('update_ftrace_direct_del: the ops is not direct'),
      ),
      returns(
        V7_2,
        'EINVAL: the ops is not enabled',
        modelled('update_ftrace_direct_del: the ops is not enabled'),
      ),
      locks(
        V7_2,
        'direct_mutex: all that follows; not the grace period of the old table',
        modelled('update_ftrace_direct_del: lock direct_mutex'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: direct_functions is EMPTY_HASH',
        modelled('update_ftrace_direct_del: no function has a direct call'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: the filter is empty',
        modelled('update_ftrace_direct_del: the filter is empty'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: a site has no entry, or one with another address',
        modelled('update_ftrace_direct_del: a site does not call there'),
      ),
      allocates(
        V7_2,
        'hash_sub(): the smaller filter and the smaller direct_functions; out_unlock with ENOMEM',
        modelled('update_ftrace_direct_del: allocate the smaller filter and the smaller direct_functions'),
      ),
      gotos(
        V7_2,
        'out_unlock, ENOMEM with a WARN in hash_sub(): a site is in direct_functions for another ops',
        omitted(ENTRY_OF_ANOTHER),
      ),
      locks(
        V7_2,
        'ftrace_lock: ftrace_update_ops() of an ops that keeps sites',
        modelled('update_ftrace_direct_del: lock ftrace_lock'),
      ),
      branches(
        V7_2,
        'unregister_ftrace_function() or ftrace_update_ops() failed, direct_functions stays',
        modelled(
          'update_ftrace_direct_del: unregister_ftrace_function',
          'update_ftrace_direct_del: ftrace_update_ops',
        ),
      ),
      defers(
        V7_2,
        'out_unlock: call_rcu_tasks() of the table that is no longer used, unless it is EMPTY_HASH',
        modelled('update_ftrace_direct_del: free the old direct_functions'),
      ),
    ],
  },
  {
    fn: 'hash_sub',
    in: V7_2,
    rows: [
      allocates(
        V7_2,
        'a copy of the first hash; NULL',
        modelled('update_ftrace_direct_del: allocate the smaller filter and the smaller direct_functions'),
      ),
      returns(
        V7_2,
        'NULL with a WARN: an entry of the second is not in the first',
        omitted(ENTRY_OF_ANOTHER),
      ),
    ],
  },
  {
    fn: 'update_ftrace_direct_mod',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'EINVAL: the table of the caller is empty',
        modelled('update_ftrace_direct_mod: nothing is changed'),
      ),
      returns(
        V7_2,
        'EINVAL: the ops is not direct',
        modelled('update_ftrace_direct_mod: the ops is not direct'),
      ),
      returns(
        V7_2,
        'EINVAL: the ops is not enabled',
        modelled('update_ftrace_direct_mod: the ops is not enabled'),
      ),
      locks(
        V7_2,
        'direct_mutex, unless the caller holds it: all that follows',
        modelled('update_ftrace_direct_mod: lock direct_mutex'),
      ),
      gotos(
        V7_2,
        'unlock, EINVAL: direct_functions is EMPTY_HASH',
        modelled('update_ftrace_direct_mod: modify: no function has a direct call'),
      ),
      gotos(
        V7_2,
        'unlock, EINVAL: the ops has no filter hash',
        modelled('update_ftrace_direct_mod: modify: the ops has no filter'),
      ),
      gotos(
        V7_2,
        'unlock: tmp_ops cannot be registered',
        modelled('update_ftrace_direct_mod: modify: register_ftrace_function_nolock'),
      ),
      gotos(
        V7_2,
        'out: __ftrace_hash_update_ipmodify() failed; tmp_ops is unregistered',
        modelled('update_ftrace_direct_mod: modify: an owner cannot share with IPMODIFY'),
      ),
      locks(
        V7_2,
        'ftrace_lock: the entries change',
        modelled('update_ftrace_direct_mod: modify: lock ftrace_lock'),
      ),
    ],
  },
];
