import { DISABLED_PROBE, FEW_FUNCTIONS, IDLE, NODES_OF_A_REGISTERED, TABLE_OF_FPROBES } from './reasons.ts';
import type { Audit } from './row.ts';
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
  V6_12,
  V7_2,
  waits,
} from './row.ts';

/** Fprobes, on rethook and on function graph; 6.1 as recorded has none. One long table on purpose. */
export const FPROBE: Audit = {
  file: 'kernel/trace/fprobe.c',
  functions: [
    {
      fn: 'register_fprobe_ips',
      in: V6_1,
      rows: [
        returns(
          V6_1,
          'EOPNOTSUPP: the stub of include/linux/fprobe.h',
          modelled('register_fprobe_ips: no fprobes in this kernel'),
        ),
      ],
    },
    {
      fn: 'unregister_fprobe',
      in: V6_1,
      rows: [
        returns(
          V6_1,
          'EOPNOTSUPP: the stub of include/linux/fprobe.h',
          modelled('unregister_fprobe: no fprobes in this kernel'),
        ),
      ],
    },
    {
      fn: 'register_fprobe_ips',
      in: V6_12,
      rows: [
        returns(
          V6_12,
          'EINVAL: no fprobe, no addresses, or none of them',
          modelled('register_fprobe_ips (rethook): no function is named'),
        ),
        returns(
          V6_12,
          'the errno of ftrace_set_filter_ips(), with no cleanup: the filter is as it was',
          modelled(
            'register_fprobe_ips (rethook): ftrace_set_hash',
            'register_fprobe_ips (rethook): roll back',
          ),
        ),
        branches(
          V6_12,
          'fprobe_init_rethook() or register_ftrace_function() failed; fprobe_fail_cleanup()',
          modelled('register_fprobe_ips (rethook): roll back (2)'),
        ),
      ],
    },
    {
      fn: 'fprobe_init_rethook',
      in: V6_12,
      rows: [
        returns(
          V6_12,
          '0: no exit handler',
          modelled('register_fprobe_ips (rethook): it has an exit handler'),
        ),
        returns(
          V6_12,
          'EINVAL: nr_maxactive is negative',
          omitted('nr_maxactive of a call of the model is 0 or more'),
        ),
        allocates(
          V6_12,
          'the pool and its nodes; ENOMEM',
          modelled('register_fprobe_ips (rethook): allocate the pool of return hooks'),
        ),
      ],
    },
    {
      fn: 'fprobe_fail_cleanup',
      in: V6_12,
      rows: [
        defers(
          V6_12,
          'rethook_free() of a pool that was made',
          modelled('register_fprobe_ips (rethook): free the pool'),
        ),
      ],
    },
    {
      fn: 'unregister_fprobe',
      in: V6_12,
      rows: [
        returns(
          V6_12,
          'EINVAL: saved_func is no handler of fprobes',
          modelled('unregister_fprobe (rethook): the fprobe was never registered'),
        ),
        returns(
          V6_12,
          'the errno of unregister_ftrace_function(); the pool is stopped',
          modelled('unregister_fprobe (rethook): unregister_ftrace_function'),
        ),
        defers(V6_12, 'rethook_free()', modelled('unregister_fprobe (rethook): free the pool')),
      ],
    },
    {
      fn: 'fprobe_handler',
      in: V6_12,
      rows: [
        returns(V6_12, 'the fprobe is disabled', omitted(DISABLED_PROBE)),
        returns(
          V6_12,
          'the recursion bit is taken; a miss is counted',
          modelled('fprobe_handler: it is not recursive', 'fprobe_handler: count the miss'),
        ),
      ],
    },
    {
      fn: 'fprobe_kprobe_handler',
      in: V6_12,
      rows: [
        returns(V6_12, 'the fprobe is disabled', omitted(DISABLED_PROBE)),
        returns(
          V6_12,
          'the recursion bit is taken; a miss is counted',
          modelled('fprobe_kprobe_handler: it is not recursive', 'fprobe_kprobe_handler: count the miss'),
        ),
        gotos(
          V6_12,
          'recursion_unlock: a kprobe handler runs on the CPU; a miss is counted',
          modelled('fprobe_kprobe_handler: count the skipped call'),
        ),
      ],
    },
    {
      fn: '__fprobe_handler',
      in: V6_12,
      rows: [
        returns(
          V6_12,
          'no node is free, or the pool is stopped; a miss is counted, no handler is called',
          modelled('fprobe_handler: none is missing'),
        ),
      ],
    },
    {
      fn: 'fprobe_exit_handler',
      in: V6_12,
      rows: [
        returns(V6_12, 'the fprobe is disabled', omitted(DISABLED_PROBE)),
        returns(
          V6_12,
          'the recursion bit is taken; a miss is counted',
          modelled('model/ftrace/run/rethook-return.ts enterHandler'),
        ),
      ],
    },
    {
      fn: 'register_fprobe_syms',
      in: SINCE_6_12,
      rows: [
        returns(
          SINCE_6_12,
          'EINVAL: no names',
          modelled('bpf_kprobe_multi_link_attach: no function is named'),
        ),
        returns(
          SINCE_6_12,
          'ENOMEM or ENOENT of get_ftrace_locations()',
          omitted('the model registers fprobes by address'),
        ),
      ],
    },
    {
      fn: 'register_fprobe_ips',
      in: V7_2,
      rows: [
        locks(
          V7_2,
          'fprobe_mutex: all of it, the grace period after a failure included',
          modelled('register_fprobe_ips (fgraph): lock fprobe_mutex'),
        ),
        returns(
          V7_2,
          'EEXIST: the fprobe is registered',
          modelled('register_fprobe_ips (fgraph): the fprobe is registered'),
        ),
        returns(
          V7_2,
          'the errno of fprobe_init()',
          modelled('register_fprobe_ips (fgraph): not a call site'),
        ),
        returns(
          V7_2,
          'fprobe_graph_add_ips() or fprobe_ftrace_add_ips() failed; the nodes are freed',
          modelled('register_fprobe_ips (fgraph): fprobe_add_ips'),
        ),
        branches(V7_2, 'insert_fprobe_node() failed; unregister_fprobe_nolock()', omitted(TABLE_OF_FPROBES)),
        waits(V7_2, 'synchronize_rcu() after insert_fprobe_node() failed', omitted(TABLE_OF_FPROBES)),
      ],
    },
    {
      fn: 'fprobe_init',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'EINVAL: no fprobe, no addresses, or none of them',
          modelled('register_fprobe_ips (fgraph): no function is named'),
        ),
        returns(
          V7_2,
          'E2BIG: entry data of more than MAX_FPROBE_DATA_SIZE',
          omitted('entry data over 120 bytes cannot be expressed (docs/scope.md)'),
        ),
        allocates(V7_2, 'the nodes; ENOMEM', modelled('register_fprobe_ips (fgraph): allocate the nodes')),
        returns(
          V7_2,
          'ENOENT: an address is no call site; the nodes are freed',
          modelled('register_fprobe_ips (fgraph): not a call site'),
        ),
      ],
    },
    {
      fn: 'fprobe_add_ips',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'fprobe_graph_add_ips(): the errno of ftrace_set_filter_ips()',
          modelled('fprobe_add_ips: ftrace_set_hash'),
        ),
        returns(
          V7_2,
          'fprobe_graph_add_ips(): the errno of register_ftrace_graph(), with a WARN; the filter is freed',
          modelled('fprobe_add_ips: roll back'),
        ),
        returns(
          V7_2,
          'fprobe_ftrace_add_ips(): the errno of ftrace_set_filter_ips()',
          modelled('fprobe_add_ips: ftrace_set_hash'),
        ),
        returns(
          V7_2,
          'fprobe_ftrace_add_ips(): the errno of register_ftrace_function(); the filter is freed',
          modelled('fprobe_add_ips: roll back'),
        ),
      ],
    },
    {
      fn: 'add_fprobe_hash',
      in: V7_2,
      rows: [returns(V7_2, 'EINVAL with a WARN: there are no nodes', omitted('fprobe_init() has made them'))],
    },
    {
      fn: 'del_fprobe_hash',
      in: V7_2,
      rows: [
        returns(V7_2, 'EINVAL with a WARN: there are no nodes', omitted(NODES_OF_A_REGISTERED)),
        returns(V7_2, 'ENOENT: the fprobe is not registered', omitted(NODES_OF_A_REGISTERED)),
      ],
    },
    {
      fn: 'fprobe_registered',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'true: the fprobe is in the table',
          modelled('model/ftrace/probes.ts isFprobeRegistered'),
        ),
      ],
    },
    {
      fn: 'unregister_fprobe_async',
      in: V7_2,
      rows: [
        locks(V7_2, 'fprobe_mutex: all of it', modelled('unregister_fprobe (fgraph): lock fprobe_mutex')),
        returns(
          V7_2,
          'EINVAL: the fprobe is not registered',
          modelled('unregister_fprobe (fgraph): the fprobe is not registered'),
        ),
      ],
    },
    {
      fn: 'unregister_fprobe',
      in: V7_2,
      rows: [
        waits(
          V7_2,
          'synchronize_rcu(), if it was unregistered',
          modelled('unregister_fprobe (fgraph): wait for rcu'),
        ),
      ],
    },
    {
      fn: 'unregister_fprobe_nolock',
      in: V7_2,
      rows: [
        allocates(
          V7_2,
          'a working array; without it a message, and the functions stay in the filter',
          modelled('unregister_fprobe (fgraph): leave the tables'),
        ),
        defers(V7_2, 'kfree_rcu() of the nodes', modelled('unregister_fprobe (fgraph): forget the fprobe')),
      ],
    },
    {
      fn: 'fprobe_exists_on_hash',
      in: V7_2,
      rows: [
        returns(V7_2, 'false: no node has the function', modelled('model/ftrace/fprobe-graph.ts leaveTable')),
        returns(
          V7_2,
          'true: a node of the same user has the function',
          modelled('model/ftrace/fprobe-graph.ts leaveTable'),
        ),
      ],
    },
    {
      fn: 'fprobe_remove_ips',
      in: V7_2,
      rows: [
        branches(
          V7_2,
          'a user without functions is unregistered; the answers are dropped',
          modelled('fprobe_remove_ips: no function is left'),
        ),
      ],
    },
    {
      fn: 'fprobe_ftrace_entry',
      in: V7_2,
      rows: [
        returns(V7_2, 'RCU is not watching', omitted(IDLE)),
        returns(V7_2, 'the recursion bit is taken', modelled('fprobe_ftrace_entry: it is not recursive')),
        branches(
          V7_2,
          'an fprobe that is disabled, unregistered, or has an exit handler is skipped',
          modelled('fprobe_ftrace_entry: read its fprobe'),
        ),
      ],
    },
    {
      fn: '__fprobe_kprobe_handler',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          '0: a kprobe handler runs on the CPU; a miss is counted',
          modelled(
            'fprobe_ftrace_entry: count the skipped call',
            'fprobe_fgraph_entry: count the skipped call',
          ),
        ),
      ],
    },
    {
      fn: 'fprobe_fgraph_entry',
      in: V7_2,
      rows: [
        returns(V7_2, '0: RCU is not watching', omitted(IDLE)),
        returns(
          V7_2,
          '0 with a WARN: no registers',
          omitted('function graph passes the registers of the frame always'),
        ),
        returns(
          V7_2,
          '0: no words could be reserved; each fprobe counts a miss',
          modelled('fprobe_fgraph_entry: there is space'),
        ),
        branches(
          V7_2,
          'an fprobe that joined since the words were reserved counts a miss',
          modelled('model/ftrace/run/fprobes-on-graph.ts callEntry'),
        ),
      ],
    },
    {
      fn: 'fprobe_return',
      in: V7_2,
      rows: [
        returns(V7_2, 'RCU is not watching', omitted(IDLE)),
        returns(V7_2, 'a WARN: nothing was reserved', modelled('fprobe_return: none was noted')),
        branches(V7_2, 'the walk ends at a header that is NULL', modelled('fprobe_return: a header')),
        branches(
          V7_2,
          'the walk ends with a WARN where the data of an fprobe is longer than what was reserved',
          omitted('write_fprobe_header() has written the size that was reserved'),
        ),
      ],
    },
    {
      fn: 'fprobe_module_callback',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          'NOTIFY_DONE: the module is not going',
          modelled('delete_module: fprobes are notified'),
        ),
        allocates(
          V7_2,
          'a list of 128 addresses; without it a WARN, and the functions stay in the filters',
          modelled('fprobe_module_callback: leave the tables'),
        ),
        locks(
          V7_2,
          'fprobe_mutex: the walk over the table, and the filters',
          modelled('fprobe_module_callback: lock fprobe_mutex'),
        ),
        gotos(V7_2, 'again: the list of addresses is full', omitted(FEW_FUNCTIONS)),
      ],
    },
    {
      fn: 'fprobe_remove_node_in_module',
      in: V7_2,
      rows: [
        returns(
          V7_2,
          '0: the function is of another module',
          modelled('fprobe_module_callback: leave the tables'),
        ),
        returns(
          V7_2,
          '0: there is no list of addresses',
          modelled('fprobe_module_callback: leave the tables'),
        ),
        returns(V7_2, 'ENOSPC: the list of addresses is full', omitted(FEW_FUNCTIONS)),
      ],
    },
  ],
};
