/**
 * Faults of ftrace that a checker has to notice: the planted bugs that re-enact each, or why there is none.
 * Sequential ones are planted in sequences, concurrent ones in interleavings.
 */
export interface Mutant {
  readonly fault: string;
  /** Names of planted bugs of either kind. */
  readonly planted: readonly string[];
  /** Why there is none. */
  readonly missing?: string;
}

export const MUTANTS: readonly Mutant[] = [
  { fault: 'TRAMP is not cleared when an ops is added', planted: ['tramp-survives-a-second-ops'] },
  {
    fault: 'the search for another trampoline finds the ops that goes',
    planted: [],
    missing: 'the search is one function without parts',
  },
  {
    fault: 'REGS is forgotten when a module is loaded',
    planted: ['new-module-records-lack-regs'],
  },
  {
    fault: 'counting stops too early at an entry that is there twice',
    planted: [],
    missing: 'a hash here has no entry twice',
  },
  {
    fault: 'a direct call is modified without tmp_ops',
    planted: ['modify-without-the-temporary-ops', 'modify-without-the-detour'],
  },
  {
    fault: 'a direct call is modified without asking its owner',
    planted: ['modify-does-not-ask-for-ipmodify', 'live-patch-is-bypassed'],
  },
  {
    fault: 'the ops is not reset when it could not be registered',
    planted: ['no-rollback-of-a-direct-call', 'direct-entry-is-leaked'],
  },
  {
    fault: 'the smaller table is published before the text changes',
    planted: ['direct-entry-is-removed-before-the-text'],
  },
  { fault: 'update_ftrace_direct_add() without ftrace_lock', planted: ['direct-calls-without-ftrace-lock'] },
  { fault: 'the old image is freed at once', planted: ['image-is-freed-at-once'] },
  { fault: 'the rude flavour alone', planted: ['only-rude', 'rude-before-the-kill'] },
  { fault: 'RCU-tasks alone, without the rude flavour', planted: ['only-tasks'] },
  {
    fault: 'the owner of a direct call takes the lock instead of trying it',
    planted: ['peer-waits-for-the-trampoline'],
  },
  {
    fault: 'the owner of a direct call modifies it with the lock taken again',
    planted: ['peer-takes-direct-mutex-again', 'modify-takes-direct-mutex-again'],
  },
  {
    fault: 'a sync of a text change is dropped, or the tail is written first',
    planted: ['no-sync-after-int3', 'no-sync-after-tails', 'no-sync-after-heads', 'no-breakpoint'],
  },
  { fault: 'the batch is retired before the last sync', planted: ['batch-is-retired-with-the-heads'] },
  { fault: 'the batch is not sorted', planted: ['batch-is-not-sorted'] },
  {
    fault: 'a kprobe leaves the filter before the last is unregistered',
    planted: ['kprobe-is-removed-from-the-filter-first'],
  },
  {
    fault: 'what an fprobe has is freed before its ops is unregistered',
    planted: ['fprobe-goes-before-its-ops'],
  },
  { fault: 'a return hook that is not the newest is taken back', planted: ['oldest-return-hook-runs-first'] },
  {
    fault: 'a slot of fgraph_array is read twice',
    planted: [],
    missing: 'the stub that the second read finds refuses, as the first would have had it',
  },
  { fault: 'what a refused entry has reserved is kept', planted: ['refused-frame-stays'] },
  {
    fault: 'bit 0 of the bitmap is always set',
    planted: ['exit-handlers-ignore-the-frame-bitmap'],
    missing: 'kernels do it: graph-exit-without-entry is among the known breaches',
  },
  {
    fault: 'the index of function graph that was freed last is used first',
    planted: [],
    missing: 'no law says which index is taken',
  },
  {
    fault: 'an image is jumped to although it shares with a live patch',
    planted: ['jump-under-a-live-patch'],
  },
  {
    fault: 'a lock is held over a grace period that the task which holds it up needs',
    planted: [],
    missing: 'a task in a call takes no locks here',
  },
  {
    fault: 'the errno of setting the filter is ignored',
    planted: [],
    missing: '6.1 does it (bpfIgnoresFilterErrors)',
  },
  {
    fault: 'trampolines of a multi link are not marked as managed by ftrace',
    planted: ['trampoline-does-not-know-ftrace'],
  },
];
