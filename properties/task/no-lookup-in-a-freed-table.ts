import type { KernelObject } from '../../model/core/kernel-object.ts';
import { crashLaw } from '../observed/crash-law.ts';

const TABLES: ReadonlySet<KernelObject['is']> = new Set(['direct_functions', 'direct entry', 'hash']);

/** I-22. */
export const noLookupInAFreedTable = crashLaw({
  name: 'task/no-lookup-in-a-freed-table',
  sentence: 'A replaced hash of call sites is freed only after its last reader has finished.',
  source:
    'kernel/trace/ftrace.c ftrace_find_rec_direct, ftrace_ops_test, free_ftrace_hash_rcu, register_ftrace_direct_cb',
  witness: 'a hash table freed during a call',
  unmet: 'tables stay',
  isBreach: (crash) => crash.is === 'use after free' && TABLES.has(crash.object.is),
  isPremise: (happening) => happening.is === 'freed' && happening.object.is === 'retired table',
});
