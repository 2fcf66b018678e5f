import type { AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  branches,
  gotos,
  modelled,
  returns,
  SINCE_6_12,
  UNTIL_6_12,
  V6_1,
  V7_2,
} from './row.ts';

/** Look-ups, and the tables of direct calls, kernel/trace/ftrace.c. */
export const FTRACE_TABLES: readonly AuditedFunction[] = [
  {
    fn: 'ftrace_location',
    in: ALL,
    rows: [
      gotos(UNTIL_6_12, 'out: the address is in no function', modelled('model/ftrace/direct-ip.ts notASite')),
      returns(
        V7_2,
        '0: the address is in no function',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
    ],
  },
  {
    fn: 'ftrace_find_rec_direct',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: no entry; since 6.12 with preemption off from the load of direct_functions',
        modelled('model/ftrace/direct-table.ts lookupDirect'),
      ),
    ],
  },
  {
    fn: 'ftrace_find_direct_func',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'the descriptor of the address, or NULL',
        modelled('modify_ftrace_direct(ip): the trampoline has no descriptor'),
      ),
    ],
  },
  {
    fn: 'ftrace_alloc_direct_func',
    in: V6_1,
    rows: [
      allocates(
        V6_1,
        'the descriptor; NULL',
        modelled(
          'register_ftrace_direct(ip): allocate the descriptor of the trampoline',
          'modify_ftrace_direct(ip): allocate the descriptor of the new trampoline',
        ),
      ),
    ],
  },
  {
    fn: 'ftrace_add_rec_direct',
    in: V6_1,
    rows: [
      allocates(
        V6_1,
        'a larger table, if direct_functions is empty or full; NULL',
        modelled(
          'register_ftrace_direct: allocate a larger direct_functions',
          'register_ftrace_direct(ip): allocate a larger direct_functions',
        ),
      ),
      allocates(
        V6_1,
        'the entry; NULL',
        modelled(
          'register_ftrace_direct: allocate the entries',
          'register_ftrace_direct(ip): allocate the entry',
        ),
      ),
    ],
  },
  {
    fn: 'dup_hash',
    in: V6_1,
    rows: [
      allocates(
        V6_1,
        'the hash in its new size; NULL',
        modelled(
          'register_ftrace_direct: allocate a larger direct_functions',
          'register_ftrace_direct(ip): allocate a larger direct_functions',
          '__ftrace_hash_move_and_update_ops: allocate the new hash',
        ),
      ),
    ],
  },
  {
    fn: '__move_hash',
    in: SINCE_6_12,
    rows: [
      allocates(
        SINCE_6_12,
        'the hash in its new size; NULL',
        modelled('__ftrace_hash_move_and_update_ops: allocate the new hash'),
      ),
    ],
  },
  {
    fn: '__ftrace_hash_move',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EMPTY_HASH for a hash without functions, with no allocation',
        modelled('__ftrace_hash_move_and_update_ops: the new hash has functions'),
      ),
    ],
  },
  {
    fn: 'remove_hash',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'the notrace hash is empty: nothing is removed',
        modelled('model/ftrace/ops.ts withoutIps'),
      ),
    ],
  },
  {
    fn: 'add_ftrace_hash_entry_direct',
    in: V7_2,
    rows: [
      allocates(
        V7_2,
        'the entry; NULL',
        modelled('update_ftrace_direct_add: allocate the new filter and the new direct_functions'),
      ),
    ],
  },
  {
    fn: 'is_permanent_ops_registered',
    in: ALL,
    rows: [
      returns(
        ALL,
        'true: a PERMANENT ops is on the list',
        modelled('ftrace_enable_sysctl: a permanent ops is registered'),
      ),
    ],
  },
  {
    fn: 'ftrace_startup_sysctl',
    in: ALL,
    rows: [
      returns(ALL, 'ftrace is dead', modelled('ftrace_enable_sysctl: ftrace is dead')),
      branches(
        ALL,
        'no ops is registered, and no text changes',
        modelled('ftrace_enable_sysctl: ops are registered'),
      ),
    ],
  },
  {
    fn: 'ftrace_shutdown_sysctl',
    in: ALL,
    rows: [
      returns(ALL, 'ftrace is dead', modelled('ftrace_enable_sysctl: ftrace is dead')),
      branches(
        ALL,
        'no ops is registered, and no text changes',
        modelled('ftrace_enable_sysctl: ops are registered'),
      ),
    ],
  },
  {
    fn: 'ftrace_update_code',
    in: ALL,
    rows: [
      returns(
        ALL,
        '-1: ftrace has died; the records that follow are zero',
        modelled('ftrace_module_enable: ftrace is dead'),
      ),
    ],
  },
  {
    fn: 'skip_record',
    in: ALL,
    rows: [
      returns(
        ALL,
        'true: the record is DISABLED and not in effect',
        modelled('model/ftrace/record.ts skipRecord'),
      ),
    ],
  },
  {
    fn: 'test_rec_ops_needs_regs',
    in: ALL,
    rows: [
      branches(
        ALL,
        'the walk ends at the first ops that needs registers',
        modelled('model/ftrace/accounting.ts testRecOpsNeedsRegs'),
      ),
    ],
  },
  {
    fn: 'ftrace_kill',
    in: ALL,
    rows: [
      branches(
        ALL,
        'ftrace_disabled is set with no lock held, and the trace function is the stub',
        modelled('model/ftrace/world.ts ftraceWarnOn'),
      ),
    ],
  },
];
