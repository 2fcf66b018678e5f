import type { Audit } from './row.ts';

export const TRACEPOINT: Audit = {
  file: 'kernel/tracepoint.c',
  functions: [],
  open: [
    'allocate_probes',
    'tracepoint_add_func',
    'tracepoint_remove_func',
    'tracepoint_probe_register_prio',
    'tp_rcu_cond_sync',
    'tp_rcu_get_state',
    'release_probes',
    'tracepoint_probe_unregister',
    'tp_transition_snapshot',
    'rcu_free_old_probes',
  ],
};
