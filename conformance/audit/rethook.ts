import { IDLE } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, defers, modelled, omitted, returns, SINCE_6_12, V6_1 } from './row.ts';

/** Return hooks. */
export const RETHOOK: Audit = {
  file: 'kernel/trace/rethook.c',
  functions: [
    {
      fn: 'rethook_alloc',
      in: ALL,
      rows: [
        returns(
          ALL,
          'NULL or EINVAL: no handler, or no nodes',
          omitted('its callers pass a handler and at least one node'),
        ),
        allocates(V6_1, 'the pool; NULL', modelled('register_kretprobe: allocate the pool of return hooks')),
        allocates(
          SINCE_6_12,
          'the pool and its nodes; ENOMEM',
          modelled('register_kretprobe: allocate the pool of return hooks'),
        ),
      ],
    },
    {
      fn: 'rethook_free',
      in: ALL,
      rows: [
        defers(
          ALL,
          'call_rcu(): the nodes that are not in use, and the pool with its last',
          modelled('rethook_free_rcu: wait for rcu', 'rethook_free_rcu: free the nodes of the pool'),
        ),
      ],
    },
    {
      fn: 'rethook_free_rcu',
      in: ALL,
      rows: [branches(ALL, 'nodes in use keep the pool', modelled('model/ftrace/rethook.ts freeIfUnused'))],
    },
    {
      fn: 'free_rethook_node_rcu',
      in: ALL,
      rows: [branches(ALL, 'the last node frees the pool', modelled('free_rethook_node_rcu: free the node'))],
    },
    {
      fn: 'rethook_recycle',
      in: ALL,
      rows: [
        defers(
          ALL,
          'call_rcu(): a node of a pool that was stopped',
          modelled('free_rethook_node_rcu: wait for rcu'),
        ),
      ],
    },
    {
      fn: 'rethook_try_get',
      in: ALL,
      rows: [
        returns(ALL, 'NULL: the pool is stopped', modelled('model/ftrace/rethook.ts rethookTryGet')),
        returns(ALL, 'NULL: RCU is not watching', omitted(IDLE)),
        returns(ALL, 'NULL: no node is free', modelled('model/ftrace/rethook.ts rethookTryGet')),
      ],
    },
    {
      fn: 'rethook_trampoline_handler',
      in: ALL,
      rows: [
        returns(
          ALL,
          'BUG(): no node has a return address',
          modelled('model/ftrace/run/rethook-return.ts nodesOfReturn'),
        ),
        branches(
          ALL,
          'the walk ends with a WARN at a node of another frame',
          omitted('hooks of one task nest as its calls do: nodes of one return have one frame'),
        ),
        branches(
          ALL,
          'a node whose pool was stopped calls no handler',
          modelled('model/ftrace/run/rethook-return.ts callHandler'),
        ),
      ],
    },
    {
      fn: 'rethook_flush_task',
      in: ALL,
      rows: [
        branches(
          ALL,
          'each node of a task that has ended is given back, no handler is called',
          modelled('model/ftrace/task-exit.ts doTaskDead'),
        ),
      ],
    },
  ],
};
