import type { Crash } from '../../model/core/crash.ts';
import { FREED_HASH } from '../../model/ftrace/tables.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFindingOf } from '../../properties/finding/attach-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';

const LAW = 'ftrace/operations-neither-oops-nor-hang';

/** Three users of function graph leave f1 out, and one of them leaves. */
const EXAMPLE_OF_NOTRACE = [
  ...[1, 2, 3].flatMap((n) => [`ftrace_set_notrace(gops#${n}.ops, f1)`, `register_ftrace_graph(gops#${n})`]),
  'the 2nd allocation in intersect_hashes fails',
  'unregister_ftrace_graph(gops#3)',
].join('; ');

/** Operations on objects that keep pointers to what was freed for them. */
export const KNOWN_FREED_MEMORY: readonly KnownAttach[] = [
  known({
    name: 'ops-keeps-pointers-to-freed-filters',
    sentence:
      'ftrace_free_filter(), also in unregister_ftrace_direct(), frees both hashes of an ops and leaves its pointers: the next call that uses the ops follows or frees them again.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192 and 6.12.117  ftrace_free_filter: free_ftrace_hash() twice, and no assignment; fixed upstream in 6.15 (EMPTY_HASH)',
    law: LAW,
    kernels: ['6.1', '6.12'],
    restsOn: ['filterReset'],
    finding: 'operation-dies',
    when: (finding, { moment: { before } }) => isOfFreedHash(finding.died, before) && !isOfFprobe(finding),
    example: 'ftrace_set_filter_ip(ops#1, f1); ftrace_free_filter(ops#1); ftrace_set_filter_ip(ops#1, f1)',
  }),
  known({
    name: 'fprobe-keeps-pointers-to-freed-filters',
    sentence:
      'unregister_fprobe(), and a refused registration, free the filter of the embedded ops and leave its pointers: registering again without memset() follows them.',
    evidence:
      'kernel/trace/fprobe.c of 6.12.117  unregister_fprobe, fprobe_fail_cleanup: ftrace_free_filter(&fp->ops); kernel/trace/trace_fprobe.c  __unregister_trace_fprobe clears its own',
    law: LAW,
    kernels: ['6.12'],
    restsOn: ['filterReset', 'fprobe'],
    finding: 'operation-dies',
    when: (finding, { moment: { before } }) => isOfFreedHash(finding.died, before) && isOfFprobe(finding),
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, entry_handler); unregister_fprobe(fprobe#1); register_fprobe_ips(fprobe#1, { f1 }, entry_handler, not_cleared)',
  }),
  known({
    name: 'fprobe-that-has-unregistered-stops-a-freed-pool',
    sentence:
      'unregister_fprobe() twice: fprobe_is_registered() tests saved_func, which stays, and rethook_stop() writes to the pool that the first call has freed.',
    evidence:
      'kernel/trace/fprobe.c of 6.12.117  fprobe_is_registered, unregister_fprobe: fp->rethook is not reset after rethook_free()',
    law: LAW,
    kernels: ['6.12'],
    restsOn: ['fprobe'],
    finding: 'operation-dies',
    when: ({ action, died }) =>
      action === 'unregister_fprobe' && died.is === 'use after free' && died.object.is === 'rethook',
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); unregister_fprobe(fprobe#1); unregister_fprobe(fprobe#1)',
  }),
  known({
    name: 'closed-kprobe-event-is-dispatched',
    sentence:
      'A perf event is closed whose kprobe could not be disarmed: it is freed, and called all the same. kprobe_dispatcher() follows the pointer to its event, which is NULL by then; the handler of a kretprobe reads freed memory.',
    evidence:
      'run on 6.1.0-56, 6.12.117 and 7.2.13: BUG: kernel NULL pointer dereference, RIP kprobe_dispatcher; of a kretprobe, 6.12.117 hangs. kernel/trace/trace_probe.c  trace_probe_unlink',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'call-does-not-return',
    when: ({ why }) =>
      why.is === 'probe without event' ||
      (why.is === 'use after free' && why.object.is === 'kretprobe' && why.object.name.startsWith('perf#')),
    example:
      'perf#1 = perf_event_open(kprobe, f1); register_kprobe(kprobe#1, f1, post_handler); unregister_kprobe(kprobe#1); close(perf#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'kretprobe-that-stays-loses-its-pool',
    sentence:
      'A kretprobe that could not be unregistered is registered again, and refused: with `endbr64` its address is not the one in the table, so that a pool is made before register_kprobe() refuses it. `rp->rh` is NULL then, and the handler, which is still called, follows it.',
    evidence:
      'run on 7.2.13: BUG: kernel NULL pointer dereference, RIP rethook_try_get. kernel/kprobes.c  register_kretprobe: warn_kprobe_rereg() with the address of the symbol; rp->rh = NULL',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.12', '7.2'],
    restsOn: ['ibt'],
    finding: 'call-does-not-return',
    when: ({ why }) => why.is === 'kretprobe without pool',
    example:
      'register_kretprobe(kretprobe#1, f1, maxactive=1); register_kprobe(kprobe#1, f2); the next allocation in ftrace_set_hash fails; unregister_kretprobe(kretprobe#1); register_kretprobe(kretprobe#1, f1, maxactive=1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'walk-follows-a-freed-filter',
    sentence:
      'An ops is on the list with a filter that was freed, before it was registered or when a dead ftrace could not unregister it: the next call that walks the list follows it.',
    evidence: 'as ops-keeps-pointers-to-freed-filters',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1', '6.12'],
    restsOn: ['filterReset'],
    finding: 'call-does-not-return',
    when: ({ why }, { moment: { before } }) => isOfFreedHash(why, before),
    example:
      'ops#1 = ftrace_ops(); ftrace_set_notrace(ops#1, f1); ftrace_free_filter(ops#1); register_ftrace_function(ops#1); register_kprobe(kprobe#1, f1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'second-notrace-hash-is-not-checked',
    sentence:
      'A user of function graph leaves, and three remain that leave out one function: intersect_hashes() checks the copy of the first notrace hash, and adds the function to the next one, which may be NULL.',
    evidence:
      'kernel/trace/ftrace.c of 6.12.117  intersect_hashes: alloc_ftrace_hash() is not tested before intersect_hash()',
    law: 'ftrace/operations-neither-oops-nor-hang',
    kernels: ['6.12'],
    finding: 'operation-dies',
    when: ({ died }) => died.is === 'hash without memory',
    restsOn: ['managerHashes'],
    example: EXAMPLE_OF_NOTRACE,
  }),
];

const WITHOUT_FILTER =
  'kernel/trace/ftrace.c  prepare_direct_functions_for_ipmodify, cleanup_direct_functions_after_ipmodify: hash = ops->func_hash->filter_hash; run on 6.1.192, 6.12.117 and 7.2.13';

/** Operations on an IPMODIFY ops whose filter was never set. */
export const KNOWN_WITHOUT_FILTER: readonly KnownAttach[] = [
  known({
    name: 'patch-without-filter-is-registered',
    sentence:
      'register_ftrace_function() of an IPMODIFY ops follows func_hash before ftrace_ops_init() has set it, and filter_hash, which is NULL until a filter is set.',
    evidence: WITHOUT_FILTER,
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'operation-dies',
    when: ({ action, died }) =>
      action === 'register_ftrace_function' && died.is === 'ops without filter hash',
    example: 'ops#1 = ftrace_ops(IPMODIFY); register_ftrace_function(ops#1)',
  }),
  known({
    name: 'patch-without-filter-is-unregistered',
    sentence:
      'unregister_ftrace_function() of an IPMODIFY ops that was never registered warns, and follows its filter nevertheless: the pointers are NULL.',
    evidence: WITHOUT_FILTER,
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'operation-dies',
    when: ({ action, died }) =>
      action === 'unregister_ftrace_function' && died.is === 'ops without filter hash',
    example: 'ops#1 = ftrace_ops(IPMODIFY); unregister_ftrace_function(ops#1)',
  }),
];

/** A hash was followed, or freed again, that ftrace_free_filter() had freed. */
function isOfFreedHash(crash: Crash, { ftrace }: KernelView): boolean {
  return (
    crash.is === 'use after free' &&
    crash.object.is === 'hash' &&
    ftrace.tables.hashes[`${crash.object.ops}.${crash.object.which}`] === FREED_HASH
  );
}

function isOfFprobe({ action }: AttachFindingOf<'operation-dies'>): boolean {
  return action === 'register_fprobe_ips';
}
