import { FIRST_FAILURE, TRACING_FILES } from './reasons.ts';
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
  V6_12,
  V7_2,
} from './row.ts';

/** Filters of ops and of the subops of a manager, kernel/trace/ftrace.c; one long table on purpose. */
export const FTRACE_FILTER: readonly AuditedFunction[] = [
  {
    fn: 'ftrace_set_hash',
    in: ALL,
    rows: [
      returns(ALL, 'ENODEV: ftrace is dead, with no lock held', modelled('ftrace_set_hash: ftrace is dead')),
      locks(
        ALL,
        'regex_lock of the hashes: from the copy until the ops has the new hash',
        modelled('ftrace_set_hash: lock'),
      ),
      allocates(
        ALL,
        'the copy of the hash, or an empty one after a reset; out_regex_unlock with ENOMEM',
        modelled('ftrace_set_hash: allocate a copy of the hash'),
      ),
      gotos(
        ALL,
        'out_regex_unlock, EINVAL: a pattern matches no function',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
      gotos(
        ALL,
        'out_regex_unlock: ftrace_match_addr() failed; the hash of the ops is as it was',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
      locks(ALL, 'ftrace_lock: the change of the ops', modelled('ftrace_set_hash: lock ftrace_lock')),
    ],
  },
  {
    fn: 'ftrace_set_regex',
    in: V7_2,
    rows: [
      returns(V7_2, 'EINVAL: a command for an ops without a tracing instance', omitted(TRACING_FILES)),
      returns(V7_2, 'EINVAL: a command that is not mod', omitted(TRACING_FILES)),
      returns(V7_2, 'ENOMEM: no copy of the name for a module that is not loaded', omitted(TRACING_FILES)),
    ],
  },
  {
    fn: 'ftrace_set_filter_ip',
    in: ALL,
    rows: [
      branches(ALL, 'the errno of ftrace_set_hash()', modelled('ftrace_set_filter_ip: ftrace_set_hash')),
    ],
  },
  {
    fn: 'ftrace_set_filter_ips',
    in: ALL,
    rows: [
      branches(
        ALL,
        'the errno of ftrace_set_hash()',
        modelled('model/ftrace/set-filter.ts ftraceSetFilterIps'),
      ),
    ],
  },
  {
    fn: 'ftrace_set_notrace',
    in: ALL,
    rows: [branches(ALL, 'the errno of ftrace_set_hash()', modelled('ftrace_set_notrace: ftrace_set_hash'))],
  },
  {
    fn: 'ftrace_match_addr',
    in: ALL,
    rows: [
      returns(
        ALL,
        'the errno of the first address that fails',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
    ],
  },
  {
    fn: '__ftrace_match_addr',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL: no call site',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
      returns(
        ALL,
        'ENOENT: an address to be removed is not in the hash',
        modelled('ftrace_set_hash: an ip is no call site, or is not in the hash'),
      ),
      returns(ALL, '0: removed, or in the hash already', modelled('ftrace_set_hash: build the hash')),
      allocates(ALL, 'the entry of an address; ENOMEM', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'alloc_and_copy_ftrace_hash',
    in: ALL,
    rows: [
      allocates(ALL, 'the new hash; NULL', modelled('ftrace_set_hash: allocate a copy of the hash')),
      returns(ALL, 'an empty hash if the old one is empty', modelled('ftrace_set_hash: build the hash')),
      gotos(ALL, 'free_hash: no memory for an entry', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'ftrace_hash_move_and_update_ops',
    in: ALL,
    rows: [
      returns(
        SINCE_6_12,
        'a subops: its manager follows',
        modelled('ftrace_set_hash: a manager traces for the ops'),
      ),
      returns(
        SINCE_6_12,
        'an ops that is not enabled and shares its hash with a subops that is: the manager follows',
        omitted(TRACING_FILES),
      ),
      defers(
        V6_1,
        'free_ftrace_hash_rcu(): the hash that was replaced',
        modelled('__ftrace_hash_move_and_update_ops: free the old hash'),
      ),
    ],
  },
  {
    fn: '__ftrace_hash_move_and_update_ops',
    in: SINCE_6_12,
    rows: [
      defers(
        SINCE_6_12,
        'free_ftrace_hash_rcu(): the hash that was replaced',
        modelled('__ftrace_hash_move_and_update_ops: free the old hash'),
      ),
    ],
  },
  {
    fn: 'ftrace_hash_move',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL: a notrace hash for an IPMODIFY ops',
        modelled('__ftrace_hash_move_and_update_ops: a notrace hash for an IPMODIFY ops'),
      ),
      allocates(
        ALL,
        'the hash in its final size, unless it is empty; ENOMEM',
        modelled('__ftrace_hash_move_and_update_ops: allocate the new hash'),
      ),
      returns(
        ALL,
        'the errno of ftrace_hash_ipmodify_update(); the new hash is freed',
        modelled('__ftrace_hash_move_and_update_ops: __ftrace_hash_update_ipmodify'),
      ),
    ],
  },
  {
    fn: 'ftrace_ops_update_code',
    in: ALL,
    rows: [
      returns(
        ALL,
        'kernel.ftrace_enabled is 0',
        modelled('__ftrace_hash_move_and_update_ops: an ops that uses it is enabled'),
      ),
      returns(
        ALL,
        'the enabled ops itself was patched',
        modelled('__ftrace_hash_move_and_update_ops: an ops that uses it is enabled'),
      ),
      returns(
        ALL,
        'the hash is not that of global_ops: no other ops uses it',
        modelled('model/ftrace/set-filter.ts replaceHash'),
      ),
      returns(
        ALL,
        'the first enabled ops that shares the hash of global_ops was patched: one change of text serves all',
        modelled('model/ftrace/set-filter.ts replaceHash'),
      ),
    ],
  },
  {
    fn: 'free_ftrace_hash_rcu',
    in: ALL,
    rows: [
      returns(ALL, 'nothing for NULL and EMPTY_HASH', modelled('model/ftrace/filter-hash.ts publishHash')),
      defers(ALL, 'call_rcu(): the hash', modelled('free_ftrace_hash_rcu: wait for rcu')),
    ],
  },
  {
    fn: 'free_ftrace_hash',
    in: ALL,
    rows: [
      returns(ALL, 'nothing for NULL and EMPTY_HASH', modelled('model/ftrace/filter-hash.ts freeHashes')),
    ],
  },
  {
    fn: 'ftrace_update_ops',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'the filter could not be changed; the notrace hash is not tried',
        modelled('ftrace_update_ops: __ftrace_hash_move_and_update_ops'),
      ),
      returns(
        SINCE_6_12,
        'the notrace hash could not be changed; the filter stays changed',
        modelled('ftrace_update_ops: __ftrace_hash_move_and_update_ops'),
      ),
    ],
  },
  {
    fn: 'ftrace_startup_subops',
    in: SINCE_6_12,
    rows: [
      returns(SINCE_6_12, 'ENODEV: ftrace is dead', modelled('ftrace_startup_subops: ftrace is dead')),
      returns(
        SINCE_6_12,
        'EBUSY with a WARN: the subops is enabled',
        modelled('ftrace_startup_subops: the subops is enabled'),
      ),
      allocates(
        V6_12,
        'copies of both hashes, for the first subops; ENOMEM',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
      branches(
        SINCE_6_12,
        'ftrace_startup() of the manager failed, its hashes are those from before, the new ones are freed at once',
        modelled('ftrace_startup_subops: roll back'),
      ),
      allocates(
        V6_12,
        'the union of the filters and the intersection of the notrace hashes, for another subops; ENOMEM',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
      allocates(
        V7_2,
        'add_first_hash() or add_next_hash(); ENOMEM',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
      branches(
        SINCE_6_12,
        'ftrace_update_ops() failed, the subops leaves the list',
        modelled('ftrace_startup_subops: roll back (2)'),
      ),
    ],
  },
  {
    fn: 'ftrace_shutdown_subops',
    in: SINCE_6_12,
    rows: [
      returns(SINCE_6_12, 'ENODEV: ftrace is dead', modelled('ftrace_shutdown_subops: ftrace is dead')),
      returns(
        SINCE_6_12,
        'EINVAL with a WARN: the subops is not enabled',
        modelled('ftrace_shutdown_subops: the subops is not enabled'),
      ),
      returns(
        SINCE_6_12,
        'ftrace_shutdown() of the manager failed: the subops is on the list again',
        modelled('ftrace_shutdown_subops: ftrace_shutdown', 'ftrace_shutdown_subops: roll back'),
      ),
      returns(
        SINCE_6_12,
        '0: the last subops; the hashes of the manager are freed at once',
        modelled('ftrace_shutdown_subops: it was the last'),
      ),
      allocates(
        V6_12,
        'append_hashes() and intersect_hashes(); ENOMEM, and the subops is on the list again',
        modelled(
          'ftrace_shutdown_subops: append_hashes',
          'ftrace_shutdown_subops: intersect_hashes',
          'ftrace_shutdown_subops: roll back',
        ),
      ),
      allocates(
        V7_2,
        'rebuild_hashes(); ENOMEM, and the subops is no longer on the list, yet enabled',
        modelled('ftrace_shutdown_subops: rebuild_hashes', 'model/ftrace/subops.ts keepSubops'),
      ),
      branches(
        SINCE_6_12,
        'ftrace_update_ops() failed, the subops is on the list again',
        modelled('ftrace_shutdown_subops: roll back'),
      ),
    ],
  },
  {
    fn: 'ftrace_hash_move_and_update_subops',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EINVAL with a WARN: the subops has no manager, or one that is a subops',
        omitted('a subops gets its manager when it is started, and the manager of the model is no subops'),
      ),
      allocates(
        SINCE_6_12,
        'the hash in its final size, unless it is empty; ENOMEM with the old hash',
        modelled('ftrace_hash_move_and_update_subops: allocate the new hash'),
      ),
      branches(
        V6_12,
        'the manager did not follow; the new hash is handed to call_rcu(), and only then replaced by the old one',
        modelled('ftrace_hash_move_and_update_subops: roll back'),
      ),
      branches(
        V7_2,
        'the hashes could not be rebuilt, or the manager did not follow; the old hash is put back',
        modelled('ftrace_hash_move_and_update_subops: roll back'),
      ),
      defers(
        SINCE_6_12,
        'free_ftrace_hash_rcu() of the new hash after a failure',
        modelled('ftrace_hash_move_and_update_subops: free the new hash'),
      ),
      defers(
        SINCE_6_12,
        'free_ftrace_hash_rcu() of the old hash',
        modelled('ftrace_hash_move_and_update_subops: free the old hash'),
      ),
    ],
  },
  {
    fn: 'intersect_hash',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'the intersection with an empty hash is EMPTY_HASH',
        modelled('model/ftrace/subops-hashes.ts intersectHash'),
      ),
      allocates(SINCE_6_12, 'an entry; ENOMEM', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'intersect_hashes',
    in: V6_12,
    rows: [
      allocates(
        V6_12,
        'a copy of the notrace hash of the manager; NULL',
        modelled('intersect_hashes: allocate the intersection of the notrace hashes'),
      ),
      allocates(
        V6_12,
        'the next hash, not checked for NULL: intersect_hash() writes through it',
        modelled('intersect_hashes: intersect with the other subops'),
      ),
      returns(V6_12, 'NULL: intersect_hash() lacks memory', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'append_hash',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'the hash is empty, which is every function: nothing is added',
        modelled('model/ftrace/subops-hashes.ts union'),
      ),
      allocates(SINCE_6_12, 'the first hash, or an entry; ENOMEM', omitted(FIRST_FAILURE)),
      returns(
        SINCE_6_12,
        'an empty hash is added: the result is every function',
        modelled('model/ftrace/subops-hashes.ts union'),
      ),
    ],
  },
  {
    fn: 'append_hashes',
    in: V6_12,
    rows: [
      allocates(
        V6_12,
        'the union; NULL without memory, which ftrace_hash_move_and_update_subops() does not check: the manager traces every function',
        modelled('append_hashes: allocate the union of the filters'),
      ),
    ],
  },
  {
    fn: 'add_first_hash',
    in: V7_2,
    rows: [
      allocates(
        V7_2,
        'a copy of the filter, or of the notrace hash if the filter is empty; ENOMEM',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
    ],
  },
  {
    fn: 'add_next_hash',
    in: V7_2,
    rows: [
      allocates(
        V7_2,
        'a copy of the filter; ENOMEM',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
      allocates(V7_2, 'entries of the union; ENOMEM with EMPTY_HASH as the filter', omitted(FIRST_FAILURE)),
      allocates(V7_2, 'the intersection of the notrace hashes; ENOMEM', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'rebuild_hashes',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'the errno of add_first_hash()',
        modelled('rebuild_hashes: allocate the hashes of the manager'),
      ),
      returns(V7_2, 'the errno of add_next_hash(); what was built is freed', omitted(FIRST_FAILURE)),
    ],
  },
  {
    fn: 'copy_hash',
    in: SINCE_6_12,
    rows: [
      returns(
        SINCE_6_12,
        'EMPTY_HASH for an empty hash, with no allocation',
        modelled('ftrace_startup_subops: allocate the hashes of the manager'),
      ),
    ],
  },
  {
    fn: 'ops_equal',
    in: SINCE_6_12,
    rows: [
      returns(SINCE_6_12, 'both hashes are empty, or only one', modelled('model/ftrace/update-ops.ts equal')),
      returns(
        SINCE_6_12,
        'false: another number of functions, or another function',
        modelled('model/ftrace/update-ops.ts equal'),
      ),
    ],
  },
  {
    fn: 'ftrace_free_filter',
    in: V7_2,
    rows: [
      returns(V7_2, 'with a WARN: the ops is enabled', modelled('ftrace_free_filter: free both hashes')),
    ],
  },
];
