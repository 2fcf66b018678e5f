import { FIRST_FAILURE, NO_MEMORY_LEFT } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
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
  waits,
} from './row.ts';

/** Direct calls by an ops, kernel/trace/ftrace.c. */
export const DIRECT_CALLS: readonly AuditedFunction[] = [
  {
    fn: 'register_ftrace_direct',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EINVAL: the ops has a func or a trampoline',
        modelled('register_ftrace_direct: the ops has a func or a trampoline'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: FTRACE_OPS_FL_INITIALIZED is not set',
        modelled('register_ftrace_direct: the ops is not initialised'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: the ops is enabled',
        modelled('register_ftrace_direct: the ops is enabled'),
      ),
      returns(
        SINCE_6_12,
        'EINVAL: the filter hash is empty',
        modelled('register_ftrace_direct: the filter is empty'),
      ),
      locks(
        SINCE_6_12,
        'direct_mutex: from the look-up of the sites until the ops is registered, or reset; not the checks before',
        modelled('register_ftrace_direct: lock direct_mutex'),
      ),
      gotos(
        SINCE_6_12,
        'out_unlock, EBUSY: a site of the filter has an entry in direct_functions',
        modelled('register_ftrace_direct: a site of the filter has a direct call'),
      ),
      allocates(
        SINCE_6_12,
        'new_hash, of the size of the filter and of direct_functions; out_unlock with ENOMEM',
        modelled('register_ftrace_direct: allocate the new direct_functions'),
      ),
      allocates(
        SINCE_6_12,
        'an entry of new_hash for each entry of direct_functions; out_unlock with ENOMEM',
        omitted(FIRST_FAILURE),
      ),
      allocates(
        SINCE_6_12,
        'an entry of new_hash for each site of the filter; out_unlock with ENOMEM, after entries of the filter got the address',
        omitted(
          'the address in an entry of a filter is read only after the ops is registered, which writes it again',
        ),
      ),
      branches(
        SINCE_6_12,
        'reset_direct() after register_ftrace_function_nolock() failed',
        modelled('register_ftrace_direct: roll back (2)'),
      ),
      defers(
        SINCE_6_12,
        'out_unlock: call_rcu_tasks() of the replaced direct_functions, unless it is EMPTY_HASH, whether or not the ops was registered',
        modelled(
          'register_ftrace_direct: free the old direct_functions',
          'register_ftrace_direct: free the old direct_functions (2)',
          'register_ftrace_direct: roll back',
        ),
      ),
      gotos(SINCE_6_12, 'out_unlock: new_hash is freed if it was not published', omitted(NO_MEMORY_LEFT)),
    ],
  },
  {
    fn: 'register_ftrace_direct_multi',
    in: V6_1,
    rows: [
      returns(
        V6_1,
        'EINVAL: the ops has a func or a trampoline',
        modelled('register_ftrace_direct: the ops has a func or a trampoline'),
      ),
      returns(
        V6_1,
        'EINVAL: FTRACE_OPS_FL_INITIALIZED is not set',
        modelled('register_ftrace_direct: the ops is not initialised'),
      ),
      returns(V6_1, 'EINVAL: the ops is enabled', modelled('register_ftrace_direct: the ops is enabled')),
      returns(
        V6_1,
        'EINVAL: the filter hash is empty',
        modelled('register_ftrace_direct: the filter is empty'),
      ),
      locks(
        V6_1,
        'direct_mutex: from the look-up of the sites until the ops is registered, or its entries are removed',
        modelled('register_ftrace_direct: lock direct_mutex'),
      ),
      gotos(
        V6_1,
        'out_unlock, EBUSY: a site of the filter has an entry in direct_functions',
        modelled('register_ftrace_direct: a site of the filter has a direct call'),
      ),
      gotos(
        V6_1,
        'out_remove, ENOMEM: ftrace_add_rec_direct() of a site has no memory; the entries of the sites before it are removed',
        modelled(
          'register_ftrace_direct: allocate a larger direct_functions',
          'register_ftrace_direct: allocate the entries',
        ),
      ),
      gotos(
        V6_1,
        'out_remove: register_ftrace_function_nolock() failed; remove_direct_functions_hash()',
        modelled('register_ftrace_direct: roll back (2)'),
      ),
      waits(
        V6_1,
        'out_unlock: synchronize_rcu_tasks() after direct_mutex is released, on success and on failure, if the table was enlarged',
        modelled(
          'register_ftrace_direct: roll back',
          'register_ftrace_direct: wait for rcu_tasks',
          'register_ftrace_direct: wait for rcu_tasks (2)',
        ),
      ),
    ],
  },
  {
    fn: 'register_ftrace_direct',
    in: V6_1,
    rows: [
      locks(
        V6_1,
        'direct_mutex: the whole call, the grace period for a descriptor included',
        modelled('register_ftrace_direct(ip): lock direct_mutex'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV: ftrace_location() finds no call site',
        modelled('register_ftrace_direct(ip): not a call site'),
      ),
      gotos(
        V6_1,
        'out_unlock, EBUSY: the site has an entry in direct_functions',
        modelled('register_ftrace_direct(ip): the site has a direct call'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV: lookup_rec() finds no record',
        modelled('register_ftrace_direct(ip): the record has gone since, or is direct without an entry'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV with a WARN: the record has FTRACE_FL_DIRECT',
        modelled('register_ftrace_direct(ip): the record has gone since, or is direct without an entry'),
      ),
      gotos(
        V6_1,
        'out_unlock, ENODEV: the record begins elsewhere, and that address has an entry',
        omitted('ftrace_location() of 6.1 answers the address of the record: the two are equal'),
      ),
      allocates(
        V6_1,
        'the descriptor, unless the trampoline has one; out_unlock with ENOMEM',
        modelled('register_ftrace_direct(ip): allocate the descriptor of the trampoline'),
      ),
      allocates(
        V6_1,
        'the entry, and a larger table, in ftrace_add_rec_direct(); out_unlock with ENOMEM, a new descriptor is left with no site',
        modelled(
          'register_ftrace_direct(ip): allocate the entry',
          'register_ftrace_direct(ip): allocate a larger direct_functions',
        ),
      ),
      branches(
        V6_1,
        'ftrace_set_filter_ip() or register_ftrace_function_nolock() failed, the entry is removed',
        modelled('register_ftrace_direct(ip): roll back (2)'),
      ),
      branches(
        V6_1,
        'register_ftrace_function_nolock() failed, the site leaves the filter of direct_ops',
        modelled('register_ftrace_direct(ip): roll back (3)'),
      ),
      waits(
        V6_1,
        'synchronize_rcu_tasks() with direct_mutex held, after a failure that leaves the descriptor with no site',
        modelled('register_ftrace_direct(ip): wait for rcu_tasks (2)'),
      ),
      waits(
        V6_1,
        'out_unlock: synchronize_rcu_tasks() after direct_mutex is released, if the table was enlarged',
        modelled(
          'register_ftrace_direct(ip): roll back',
          'register_ftrace_direct(ip): wait for rcu_tasks',
          'register_ftrace_direct(ip): wait for rcu_tasks (3)',
        ),
      ),
    ],
  },
];
