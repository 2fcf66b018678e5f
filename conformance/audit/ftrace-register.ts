import { NOT_COMPILED, ONE_STEP, TRACING_FILES } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
  ALL,
  branches,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  UNTIL_6_12,
  V6_1,
  V7_2,
  waits,
} from './row.ts';

/** An ops is registered and unregistered, kernel/trace/ftrace.c; one long table on purpose. */
export const FTRACE_REGISTER: readonly AuditedFunction[] = [
  {
    fn: 'register_ftrace_function',
    in: ALL,
    rows: [
      locks(
        ALL,
        'direct_mutex: the query to the owners of direct calls, and the registration',
        modelled('register_ftrace_function: lock direct_mutex'),
      ),
      gotos(
        ALL,
        'out_unlock: prepare_direct_functions_for_ipmodify() failed',
        modelled('register_ftrace_function: prepare_direct_functions_for_ipmodify'),
      ),
    ],
  },
  {
    fn: 'register_ftrace_function_nolock',
    in: ALL,
    rows: [
      locks(
        ALL,
        'ftrace_lock: ftrace_startup()',
        modelled('register_ftrace_function_nolock: lock ftrace_lock'),
      ),
    ],
  },
  {
    fn: 'unregister_ftrace_function',
    in: ALL,
    rows: [
      locks(
        ALL,
        'ftrace_lock: ftrace_shutdown(); released before the owners of direct calls are notified',
        modelled('unregister_ftrace_function: lock ftrace_lock'),
      ),
      branches(
        ALL,
        'the errno of ftrace_shutdown(), after cleanup_direct_functions_after_ipmodify()',
        modelled('unregister_ftrace_function: ftrace_shutdown failed'),
      ),
    ],
  },
  {
    fn: 'ftrace_ops_init',
    in: ALL,
    rows: [
      locks(ALL, 'ops_mutex: the first initialisation of an ops', omitted(ONE_STEP)),
      returns(
        ALL,
        'the ops was initialised while the lock was taken',
        omitted(
          'the flag is set in one step of the model, and a second initialisation writes the same values',
        ),
      ),
    ],
  },
  {
    fn: '__register_ftrace_function',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL: FTRACE_OPS_FL_DELETED',
        modelled('__register_ftrace_function: the ops was deleted'),
      ),
      returns(
        ALL,
        'EBUSY with a WARN: the ops is enabled',
        modelled('__register_ftrace_function: the ops is enabled'),
      ),
      returns(ALL, 'EINVAL: FTRACE_OPS_FL_SAVE_REGS where registers cannot be saved', omitted(NOT_COMPILED)),
      returns(
        ALL,
        'EBUSY: FTRACE_OPS_FL_PERMANENT while kernel.ftrace_enabled is 0',
        modelled('__register_ftrace_function: the ops is permanent and kernel.ftrace_enabled is 0'),
      ),
    ],
  },
  {
    fn: '__unregister_ftrace_function',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EBUSY with a WARN: the ops is not enabled',
        modelled('__unregister_ftrace_function: the ops is not enabled'),
      ),
      returns(
        ALL,
        '-1 of remove_ftrace_ops(): the list does not have the ops',
        modelled('__unregister_ftrace_function: the ops is not on the list'),
      ),
    ],
  },
  {
    fn: 'ftrace_trampoline_free',
    in: ALL,
    rows: [
      branches(
        ALL,
        'an ops without a page of its own has nothing that is freed',
        modelled('ftrace_trampoline_free: the page was allocated for the ops'),
      ),
    ],
  },
  {
    fn: 'remove_ftrace_ops',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: the ops is the only one of the list',
        modelled('__unregister_ftrace_function: unlink the ops'),
      ),
      returns(
        ALL,
        '-1: the list does not have the ops',
        modelled('__unregister_ftrace_function: the ops is not on the list'),
      ),
    ],
  },
  {
    fn: 'update_ftrace_function',
    in: ALL,
    rows: [
      returns(
        ALL,
        'ftrace_trace_function is what it was',
        modelled('model/ftrace/ops-list.ts updateFtraceFunction'),
      ),
      returns(
        ALL,
        'the list function is set without a grace period: it can be called with any function_trace_op',
        modelled('model/ftrace/ops-list.ts updateFtraceFunction'),
      ),
      waits(
        ALL,
        'synchronize_rcu_tasks_rude() and an IPI before a single handler is set, where sites cannot be patched',
        omitted(NOT_COMPILED),
      ),
    ],
  },
  {
    fn: 'ftrace_startup',
    in: ALL,
    rows: [
      returns(ALL, 'ENODEV: ftrace is dead', modelled('ftrace_startup: ftrace is dead')),
      returns(
        ALL,
        '__register_ftrace_function() failed',
        modelled('ftrace_startup: __register_ftrace_function'),
      ),
      returns(
        ALL,
        'ftrace_hash_ipmodify_enable() failed: the ops leaves the list, is not enabled, and its trampoline is freed if it is DYNAMIC',
        modelled('ftrace_startup: __ftrace_hash_update_ipmodify', 'ftrace_startup: roll back'),
      ),
      returns(
        ALL,
        'ENODEV: ftrace died while text was patched; the ops leaves the list, and stays ENABLED, ADDING and counted',
        modelled('ftrace_startup: ftrace died over it', 'ftrace_startup: roll back (2)'),
      ),
    ],
  },
  {
    fn: 'ftrace_startup_enable',
    in: ALL,
    rows: [
      returns(
        ALL,
        'nothing is to be patched, or kernel.ftrace_enabled is 0',
        modelled('ftrace_startup: text has to change'),
      ),
    ],
  },
  {
    fn: 'ftrace_shutdown',
    in: ALL,
    rows: [
      returns(ALL, 'ENODEV: ftrace is dead', modelled('ftrace_shutdown: ftrace is dead')),
      returns(
        ALL,
        '__unregister_ftrace_function() failed',
        modelled('ftrace_shutdown: __unregister_ftrace_function'),
      ),
      gotos(
        ALL,
        'out: nothing is to be patched, or kernel.ftrace_enabled is 0',
        modelled('ftrace_shutdown: text has to change'),
      ),
      waits(
        ALL,
        'synchronize_rcu_tasks_rude() if the ops is DYNAMIC',
        modelled('ftrace_shutdown: wait for rcu_tasks_rude'),
      ),
      waits(
        ALL,
        'synchronize_rcu_tasks() if the ops is DYNAMIC; 6.1 only with CONFIG_PREEMPTION, which PREEMPT_DYNAMIC selects',
        modelled('ftrace_shutdown: wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'ftrace_remove_trampoline_from_kallsyms',
    in: ALL,
    rows: [
      waits(
        ALL,
        'synchronize_rcu() after the trampoline of an ops left the list that kallsyms reads',
        modelled('ftrace_trampoline_free: wait for rcu'),
      ),
    ],
  },
  {
    fn: 'prepare_direct_functions_for_ipmodify',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: the ops is not IPMODIFY',
        modelled('prepare_direct_functions_for_ipmodify: not IPMODIFY'),
      ),
      locks(
        ALL,
        'ftrace_lock: the search of the list for a direct ops, function by function; released before its owner is called',
        modelled('prepare_direct_functions_for_ipmodify: lock ftrace_lock'),
      ),
      returns(
        ALL,
        'EBUSY: the direct ops has no ops_func',
        modelled('prepare_direct_functions_for_ipmodify: the direct ops cannot share'),
      ),
      returns(
        ALL,
        'the errno of ops_func; what the owners before it agreed to stays',
        modelled('prepare_direct_functions_for_ipmodify: ops_func'),
      ),
    ],
  },
  {
    fn: 'cleanup_direct_functions_after_ipmodify',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the ops is not IPMODIFY',
        modelled('cleanup_direct_functions_after_ipmodify: not IPMODIFY'),
      ),
      locks(
        ALL,
        'direct_mutex: all of it',
        modelled('cleanup_direct_functions_after_ipmodify: lock direct_mutex'),
      ),
      locks(
        ALL,
        'ftrace_lock: the search of the list, function by function',
        modelled('cleanup_direct_functions_after_ipmodify: lock ftrace_lock'),
      ),
    ],
  },
  {
    fn: '__ftrace_hash_update_ipmodify',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: the ops is not enabled',
        modelled('__ftrace_hash_update_ipmodify: the ops is not enabled'),
      ),
      returns(
        ALL,
        '0: neither IPMODIFY nor DIRECT',
        modelled('__ftrace_hash_update_ipmodify: neither IPMODIFY nor DIRECT'),
      ),
      returns(
        ALL,
        '0 with a WARN: both IPMODIFY and DIRECT',
        modelled('__ftrace_hash_update_ipmodify: both IPMODIFY and DIRECT'),
      ),
      returns(
        ALL,
        'EINVAL: the old or the new hash is NULL, which is every function',
        modelled('__ftrace_hash_update_ipmodify: the ops would trace every function'),
      ),
      gotos(
        ALL,
        'rollback: another IPMODIFY ops has the function; marks of the records before it are undone, EBUSY',
        modelled(
          '__ftrace_hash_update_ipmodify: another IPMODIFY ops has the function',
          'model/ftrace/ipmodify.ts unmark',
        ),
      ),
      gotos(
        UNTIL_6_12,
        'err_out: the rollback has reached the record that was refused, EBUSY',
        modelled('__ftrace_hash_update_ipmodify: another IPMODIFY ops has the function'),
      ),
      returns(
        V7_2,
        'EBUSY: the rollback has reached the record that was refused',
        modelled('__ftrace_hash_update_ipmodify: another IPMODIFY ops has the function'),
      ),
      returns(
        ALL,
        'EBUSY: the record is IPMODIFY and the direct ops has no ops_func; no rollback',
        modelled('__ftrace_hash_update_ipmodify: the direct call cannot share with IPMODIFY'),
      ),
      returns(ALL, 'the errno of ops_func; no rollback', modelled('__ftrace_hash_update_ipmodify: ops_func')),
    ],
  },
  {
    fn: '__ftrace_hash_rec_update',
    in: ALL,
    rows: [
      returns(
        ALL,
        'false: the ops is not enabled',
        modelled('model/ftrace/accounting.ts ftraceHashRecUpdate'),
      ),
      returns(
        V6_1,
        'false: the notrace hash is to be counted, and is empty',
        omitted(
          '6.1 counts the functions that a notrace hash gains or loses, later kernels uncount and count all: the records end alike',
        ),
      ),
      returns(
        ALL,
        'false with ftrace dead: a record would count FTRACE_REF_MAX ops',
        modelled('model/ftrace/accounting.ts overflows'),
      ),
      returns(
        ALL,
        'false with ftrace dead: a record counts no ops already',
        modelled('model/ftrace/accounting.ts underflows'),
      ),
      returns(
        ALL,
        'the answer so far: every function of the hash was found',
        omitted('ends the walk of the records early: those that follow are not in the hash'),
      ),
    ],
  },
  {
    fn: 'ftrace_hash_rec_update_modify',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the hash is not that of global_ops: no other ops follows',
        modelled('model/ftrace/set-filter.ts replaceHash'),
      ),
    ],
  },
  {
    fn: 'ops_references_ip',
    in: ALL,
    rows: [
      returns(ALL, 'false: the ops is not enabled', modelled('model/ftrace/ipmodify.ts findPeer')),
      returns(ALL, 'true: the ops traces a module that is being loaded', omitted(TRACING_FILES)),
      returns(
        ALL,
        'false: a filter that does not have the function',
        modelled('model/ftrace/ops.ts hashContainsIp'),
      ),
      returns(
        ALL,
        'false: the notrace hash has the function',
        modelled('model/ftrace/ops.ts hashContainsIp'),
      ),
    ],
  },
  {
    fn: 'ftrace_get_addr_new',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the address in direct_functions; a WARN if it has none',
        modelled('model/ftrace/accounting.ts ftraceGetAddrNew'),
      ),
      returns(
        ALL,
        'ftrace_caller with ftrace dead: no ops has the trampoline of the record',
        modelled('model/ftrace/accounting.ts ftraceGetAddrNew'),
      ),
      returns(ALL, 'the trampoline of the ops', modelled('model/ftrace/accounting.ts ftraceGetAddrNew')),
    ],
  },
  {
    fn: 'ftrace_get_addr_curr',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the address in direct_functions; a WARN if it has none',
        modelled('model/ftrace/accounting.ts ftraceGetAddrCurr'),
      ),
      returns(
        ALL,
        'ftrace_caller with ftrace dead: no ops has the trampoline that the record has in effect',
        modelled('model/ftrace/accounting.ts ftraceGetAddrCurr'),
      ),
      returns(ALL, 'the trampoline of the ops', modelled('model/ftrace/accounting.ts ftraceGetAddrCurr')),
    ],
  },
  {
    fn: 'ftrace_find_tramp_ops_curr',
    in: ALL,
    rows: [
      returns(ALL, 'removed_ops, by its old hashes', modelled('model/ftrace/accounting.ts findTrampOpsCurr')),
      returns(
        ALL,
        'an ops that is MODIFYING, by its old hashes',
        modelled('model/ftrace/accounting.ts findTrampOpsCurr'),
      ),
      returns(ALL, 'another ops, by its hashes', modelled('model/ftrace/accounting.ts findTrampOpsCurr')),
    ],
  },
  {
    fn: 'ftrace_find_tramp_ops_any_other',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the first other ops with a trampoline that traces the function',
        modelled('model/ftrace/accounting.ts findTrampOpsAnyOther'),
      ),
    ],
  },
  {
    fn: 'ftrace_check_record',
    in: ALL,
    rows: [
      returns(
        ALL,
        'FTRACE_UPDATE_IGNORE: the record is DISABLED',
        modelled('model/ftrace/record.ts ftraceTestRecord'),
      ),
      returns(
        ALL,
        'FTRACE_UPDATE_IGNORE: what is in effect is what is wanted',
        modelled('model/ftrace/record.ts ftraceTestRecord'),
      ),
      returns(ALL, 'FTRACE_UPDATE_MAKE_CALL', modelled('model/ftrace/record.ts ftraceTestRecord')),
      returns(ALL, 'FTRACE_UPDATE_MODIFY_CALL', modelled('model/ftrace/record.ts ftraceTestRecord')),
    ],
  },
];
