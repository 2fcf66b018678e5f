import {
  IDLE,
  INIT_FUNCTIONS,
  NEVER_FAILS,
  RECORDS_OF_A_MODULE,
  TRACING_FILES,
  WRITES_A_BIT,
} from './reasons.ts';
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
  UNTIL_6_12,
  V7_2,
  V7_3,
  waits,
} from './row.ts';

/** Text, modules, the switch and the list function, kernel/trace/ftrace.c; one long table on purpose. */
export const FTRACE_UPDATE: readonly AuditedFunction[] = [
  {
    fn: 'update_ftrace_func',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        '0: the inner calls call this function already',
        modelled('update_ftrace_func: the inner calls call it already'),
      ),
    ],
  },
  {
    fn: 'ftrace_modify_all_code',
    in: ALL,
    rows: [
      returns(
        ALL,
        'ftrace dies: ftrace_update_ftrace_func() of the list function failed',
        omitted(NEVER_FAILS),
      ),
      returns(
        ALL,
        'ftrace dies: ftrace_update_ftrace_func() of the single handler failed',
        omitted(NEVER_FAILS),
      ),
    ],
  },
  {
    fn: 'ftrace_run_update_code',
    in: ALL,
    rows: [
      locks(
        ALL,
        'text_mutex, in ftrace_arch_code_modify_prepare(): all changes of text',
        modelled('ftrace_run_update_code: lock text_mutex'),
      ),
    ],
  },
  {
    fn: '__ftrace_replace_code',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: nothing changes for the record',
        modelled('model/ftrace/update-code.ts updateRecords'),
      ),
      returns(
        ALL,
        'the errno of ftrace_make_call(), of a record of a module that is loaded',
        modelled('ftrace_replace_code: ftrace has died'),
      ),
      returns(
        ALL,
        'the errnos of ftrace_make_nop() and ftrace_modify_call()',
        omitted(
          'a record of a module that is being loaded has had no call: its only update is FTRACE_UPDATE_MAKE_CALL',
        ),
      ),
    ],
  },
  {
    fn: 'ftrace_enable_sysctl',
    in: [...ALL, ...V7_3],
    rows: [
      locks(ALL, 'ftrace_lock: all of it', modelled('ftrace_enable_sysctl: lock ftrace_lock')),
      gotos(UNTIL_6_12, 'out, ENODEV: ftrace is dead', modelled('ftrace_enable_sysctl: ftrace is dead')),
      returns(V7_2, 'ENODEV: ftrace is dead', modelled('ftrace_enable_sysctl: ftrace is dead')),
      gotos(
        UNTIL_6_12,
        'out, 0: the value is read, or does not change',
        modelled('ftrace_enable_sysctl: nothing changes'),
      ),
      returns(
        V7_2,
        '0: the value is read, or does not change',
        modelled('ftrace_enable_sysctl: nothing changes'),
      ),
      gotos(UNTIL_6_12, 'out, the errno of proc_dointvec()', omitted(WRITES_A_BIT)),
      returns(V7_2, 'the errno of proc_dointvec()', omitted(WRITES_A_BIT)),
      gotos(
        UNTIL_6_12,
        'out, EBUSY: a PERMANENT ops is registered; the value is 1 again',
        modelled('ftrace_enable_sysctl: a permanent ops is registered'),
      ),
      returns(
        V7_2,
        'EBUSY: a PERMANENT ops is registered; the value is 1 again',
        modelled('ftrace_enable_sysctl: a permanent ops is registered'),
      ),
      returns(
        V7_3,
        'EOPNOTSUPP: 0 is written; the value is 1 again',
        modelled('ftrace_enable_sysctl: ftrace is not disabled at run time'),
      ),
    ],
  },
  {
    fn: 'ftrace_module_init',
    in: ALL,
    rows: [
      returns(
        ALL,
        'ftrace is dead, or the module has no call sites',
        modelled('ftrace_module_enable: ftrace is dead'),
      ),
    ],
  },
  {
    fn: 'ftrace_process_locs',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: there are no call sites',
        omitted('a module of the model has at least one function with a call site'),
      ),
      allocates(
        ALL,
        'the records of the module; ENOMEM, and a message: the module is loaded without records',
        omitted(RECORDS_OF_A_MODULE),
      ),
      locks(ALL, 'ftrace_lock: the records are entered', modelled('ftrace_module_enable: lock ftrace_lock')),
      gotos(
        ALL,
        'out, ENOMEM: the kernel has no records at all',
        omitted('the kernel of the model has booted with records of its functions'),
      ),
      waits(
        ALL,
        'synchronize_rcu() before pages that were allocated for skipped call sites are freed',
        omitted('no call site of the model is skipped, so that no page is left over'),
      ),
    ],
  },
  {
    fn: 'ftrace_module_enable',
    in: ALL,
    rows: [
      locks(ALL, 'ftrace_lock: all of it', modelled('ftrace_module_enable: lock ftrace_lock')),
      gotos(ALL, 'out_unlock: ftrace is dead', modelled('ftrace_module_enable: ftrace is dead')),
      locks(
        ALL,
        'text_mutex, if ops are registered: from before the first record until the last poke',
        modelled('ftrace_module_enable: lock text_mutex'),
      ),
      gotos(
        ALL,
        'out_loop: a record could not be patched, ftrace is dead; the records that follow stay DISABLED',
        modelled('model/ftrace/module.ts enableRecords'),
      ),
    ],
  },
  {
    fn: 'referenced_filters',
    in: ALL,
    rows: [
      branches(
        ALL,
        'a direct or IPMODIFY ops warns and is not counted',
        modelled('model/ftrace/module.ts referencedFilters'),
      ),
    ],
  },
  {
    fn: 'ftrace_release_mod',
    in: ALL,
    rows: [
      locks(ALL, 'ftrace_lock: the records leave the list', modelled('delete_module: lock ftrace_lock')),
      defers(ALL, 'call_rcu() of the names of init functions, for kallsyms', omitted(INIT_FUNCTIONS)),
      gotos(
        ALL,
        'out_unlock: ftrace is dead, and the records stay',
        modelled('delete_module: records have gone'),
      ),
      gotos(
        ALL,
        'out_unlock with a WARN: the records are those of the kernel',
        omitted('a module of the model has records of its own'),
      ),
      waits(
        ALL,
        'synchronize_rcu(), if records have gone, before they are freed',
        modelled('delete_module: wait for rcu'),
      ),
    ],
  },
  {
    fn: 'clear_mod_from_hashes',
    in: ALL,
    rows: [
      locks(
        ALL,
        'trace_types_lock and the regex_lock of each tracing instance: its hashes forget the addresses',
        omitted(TRACING_FILES),
      ),
    ],
  },
  {
    fn: 'arch_ftrace_ops_list_func',
    in: ALL,
    rows: [
      branches(
        ALL,
        'the walk is __ftrace_ops_list_func()',
        modelled('arch_ftrace_ops_list_func: there is a next ops'),
      ),
    ],
  },
  {
    fn: '__ftrace_ops_list_func',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the recursion bit is taken: no ops is called, direct calls included',
        modelled('arch_ftrace_ops_list_func: it is not recursive'),
      ),
      gotos(
        ALL,
        'out, ftrace dead: an ops that traces the function has no func; the walk ends',
        modelled('model/ftrace/run/list.ts traces'),
      ),
    ],
  },
  {
    fn: 'ftrace_ops_assist_func',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the recursion bit is taken: the ops is not called',
        modelled('ftrace_ops_assist_func: it is not recursive'),
      ),
      branches(ALL, 'an ops with FTRACE_OPS_FL_RCU is skipped where RCU is not watching', omitted(IDLE)),
    ],
  },
  {
    fn: 'ftrace_ops_test',
    in: ALL,
    rows: [
      returns(
        ALL,
        '0: the ops wants registers and the site saves none',
        modelled('model/ftrace/run/list.ts traces'),
      ),
    ],
  },
  {
    fn: 'call_direct_funcs',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the site has no entry in direct_functions, or the ops no address',
        modelled('model/ftrace/run/direct.ts setDirectCaller'),
      ),
    ],
  },
];
