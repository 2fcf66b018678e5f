import type { Ip } from '../../model/core/ids.ts';
import { subopsOf } from '../../model/ftrace/fgraph.ts';
import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import { filterOf, GRAPH_OPS, hashHas, matches, notraceOf, opsOf } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { hasFailed, isOfGraph } from './cause.ts';

/** A tracefs script over the top-level instance, with A = do_sys_openat2, B = vfs_statx and ten system calls a line. */
const SCRIPT =
  "recorded with tracefs on 6.1.192, 6.12.117 and 7.2.13 (set_ftrace_filter = A B; function_graph; 'echo A > set_ftrace_notrace')";

/** A user of function graph joins one that keeps a function out. */
const UNION = {
  sentence:
    'A user of function graph joins one that keeps a function out: graph_ops traces the union of the filters without what both keep out, and so a function that neither wants; its calls are entered for nothing.',
  evidence:
    'recorded with tracefs on 6.12.117 and 7.2.13 (an instance with set_ftrace_filter = B and set_ftrace_notrace = B joins the tracer of A): B is enabled on 6.12, 46,795 functions on 7.2; kernel/trace/ftrace.c of 6.12.117  ftrace_startup_subops, and upstream since 6.15  add_next_hash',
  kernels: ['6.12', '7.2'],
  restsOn: ['fgraph'],
  example:
    'ftrace_set_notrace(gops#1.ops, f1); register_ftrace_graph(gops#1); ftrace_set_filter_ip(gops#2.ops, f2); register_ftrace_graph(gops#2)',
} as const;

/** Breaches of users of function graph that keep functions out. */
export const KNOWN_NOTRACE: readonly KnownAttach[] = [
  known({
    name: 'notrace-of-a-graph-user-has-no-effect',
    sentence:
      'A function is kept out of a registered user of function graph: graph_ops still traces it, and a single user sees it, until it registers again.',
    evidence: `${SCRIPT}: A 11 times before and 11 after on 6.12, 11 and 0 on 6.1 and 7.2; kernel/trace/ftrace.c of 6.12.117  intersect_hashes: copies ops->func_hash->notrace_hash, the manager's own, for the first subops; fixed upstream in 6.15 (rebuild_hashes)`,
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12'],
    restsOn: ['managerHashes'],
    finding: 'hits-differ',
    when: (finding, { moment: { before } }) =>
      isOfGraph(finding) &&
      finding.expected < finding.observed &&
      before.fgraph.directGops === finding.who &&
      hashHas(notraceOf(before, subopsOf(finding.who)), finding.fn) &&
      !hashHas(notraceOf(before, GRAPH_OPS), finding.fn),
    example:
      'register_ftrace_graph(gops#1); ftrace_set_notrace(gops#1.ops, f1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'graph-user-misses-what-it-traces-again',
    sentence:
      'A registered user of function graph traces a function again that it kept out: graph_ops does not, and no call is seen, until it registers again.',
    evidence: `${SCRIPT}, restarted, then 'echo > set_ftrace_notrace': A 0 times before and 0 after on 6.12, 0 and 11 on 6.1 and 7.2; kernel/trace/ftrace.c of 6.12.117  intersect_hashes`,
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12'],
    restsOn: ['managerHashes'],
    finding: 'hits-differ',
    when: (finding, { moment: { before } }) =>
      isOfGraph(finding) &&
      finding.observed < finding.expected &&
      !hashHas(notraceOf(before, subopsOf(finding.who)), finding.fn) &&
      hashHas(notraceOf(before, GRAPH_OPS), finding.fn),
    example:
      'ftrace_set_notrace(gops#1.ops, f1); register_ftrace_graph(gops#1); ftrace_set_notrace(gops#1.ops, f2, 1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'notrace-of-a-graph-user-waits-for-the-next-one',
    sentence:
      'A function is kept out of a registered user of function graph: its calls are seen until another user registers, and so a call before that and one after it differ.',
    evidence: 'as notrace-of-a-graph-user-has-no-effect',
    law: 'ftrace/independent-operations-commute',
    kernels: ['6.12'],
    restsOn: ['managerHashes'],
    finding: 'answers-depend-on-the-order',
    when: ({ expected, observed }, { moment: { previous } }) =>
      previous !== undefined &&
      [expected, observed].some(
        (answer) =>
          answer.is === 'event' &&
          isOfGraph(answer) &&
          hashHas(notraceOf(previous.before, subopsOf(answer.who)), answer.fn) !==
            hashHas(notraceOf(previous.before, GRAPH_OPS), answer.fn),
      ),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#2); ftrace_set_notrace(gops#2.ops, f2); register_ftrace_graph(gops#1); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'graph-user-of-no-function-sees-all',
    sentence:
      'A user of function graph keeps out every function of its filter: nothing is left of it, which graph_ops takes for every function, and a single user sees them all.',
    evidence:
      'recorded with tracefs on 7.2.13 (set_ftrace_filter = A; set_ftrace_notrace = A; function_graph): 46,795 functions enabled and 25,975 lines of others, none on 6.1.192 and 6.12.117; kernel/trace/ftrace.c upstream since 6.15  add_first_hash: remove_hash() can leave a hash without entries',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['7.2'],
    restsOn: ['managerHashes'],
    finding: 'hits-differ',
    when: (finding, { moment: { before } }) =>
      isOfGraph(finding) && finding.expected < finding.observed && seesAllForNone(before, finding.who),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_notrace(gops#1.ops, f1); register_ftrace_graph(gops#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'graph-user-of-no-function-sees-all-until-another-joins',
    sentence:
      'A single user of function graph sees every function, as nothing is left of its filter; with a second user each call is compared with the hashes of both: a call before that one joins or leaves, and one after it, differ.',
    evidence:
      'recorded with tracefs on 7.2.13, as graph-user-of-no-function-sees-all, with 10 calls of A each: A 12 times alone, 0 times while an fprobe (f:fp vfs_statx%return) is enabled, 11 times once it is off; kernel/trace/fgraph.c of 6.12.117, and upstream since  function_graph_enter_regs: ftrace_ops_test() only on the way without fgraph_do_direct',
    law: 'ftrace/independent-operations-commute',
    kernels: ['7.2'],
    restsOn: ['managerHashes'],
    finding: 'answers-depend-on-the-order',
    when: ({ expected, observed }, { moment: { previous, before } }) =>
      [expected, observed].some(
        (answer) =>
          answer.is === 'event' &&
          isOfGraph(answer) &&
          [previous?.before ?? before, before].some((k) => seesAllForNone(k, answer.who)),
      ),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_notrace(gops#1.ops, f1); register_ftrace_graph(gops#1); register_fprobe_ips(fprobe#1, { f2 }, exit_handler); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'manager-traces-everything-without-memory',
    sentence:
      'The filter of a registered user of function graph changes without memory for the filter of graph_ops: the call returns 0, every function is traced, and a single user sees them all.',
    evidence:
      'shown on 6.12.117 (function_graph with set_ftrace_filter = A, a debugger lets append_hashes() answer NULL, echo B > set_ftrace_filter): errno 0, enabled functions from 1 to 42,862; kernel/trace/ftrace.c of 6.12.117  ftrace_hash_move_and_update_subops; fixed upstream in 6.15 (rebuild_hashes)',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12'],
    restsOn: ['managerHashes'],
    finding: 'hits-differ',
    when: (finding, breach) =>
      isOfGraph(finding) &&
      finding.expected < finding.observed &&
      breach.moment.before.fgraph.directGops === finding.who &&
      hasLostItsFilter(breach.moment.before) &&
      hasFailed(breach, ['ftrace_set_filter_ip'], 'allocation', ['append_hashes']),
    example:
      'register_ftrace_graph(gops#1); the next allocation in append_hashes fails; ftrace_set_filter_ip(gops#1.ops, f1); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'user-of-a-manager-without-memory-sees-all-until-it-leaves',
    sentence:
      'The filter of the only user of function graph changes without memory for that of graph_ops: until it leaves, it sees the calls of functions that it does not want.',
    evidence: 'as manager-traces-everything-without-memory',
    law: 'ftrace/independent-operations-commute',
    kernels: ['6.12'],
    restsOn: ['managerHashes'],
    finding: 'answers-depend-on-the-order',
    when: ({ expected, observed }, breach) =>
      [expected, observed].some((answer) => answer.is === 'event' && isOfGraph(answer)) &&
      breach.moment.previous !== undefined &&
      hasLostItsFilter(breach.moment.previous.before) &&
      hasFailed(breach, ['ftrace_set_filter_ip'], 'allocation', ['append_hashes']),
    example:
      'register_ftrace_graph(gops#1); the next allocation in append_hashes fails; ftrace_set_filter_ip(gops#1.ops, f1); unregister_ftrace_graph(gops#1); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    ...UNION,
    name: 'manager-traces-what-no-user-wants',
    except: ['function graph'],
    law: 'ftrace/only-changed-sites-are-poked',
    finding: 'pokes-differ',
    when: ({ ip, expected, observed }, { moment: { before, after } }) =>
      expected < observed && isTracedForNothing(before, ip) !== isTracedForNothing(after, ip),
  }),
  known({
    name: 'manager-changes-its-filter-first',
    sentence:
      'The only user of function graph that keeps a function out gets another filter: graph_ops changes its filter and then its notrace hash, and traces in between what is kept out.',
    evidence:
      'kernel/trace/ftrace.c of 6.12.117 and 7.2.13  ftrace_update_ops: __ftrace_hash_move_and_update_ops() for each of the two hashes; since 6.15 a hash of notrace is kept only for a filter that is empty (add_first_hash)',
    law: 'ftrace/only-changed-sites-are-poked',
    kernels: ['7.2'],
    restsOn: ['managerHashes'],
    finding: 'pokes-differ',
    when: ({ ip, expected, observed }, { moment: { before, after } }) =>
      expected < observed &&
      !opsReferencesIp(before, GRAPH_OPS, ip) &&
      !hashHas(notraceOf(before, GRAPH_OPS), ip) &&
      hashHas(notraceOf(after, GRAPH_OPS), ip),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_notrace(gops#1.ops, f2); register_ftrace_graph(gops#1); echo > instances/gops#1/set_ftrace_filter',
  }),
  known({
    ...UNION,
    name: 'manager-traces-what-no-user-wants-seen-by-only-requested-functions-are-traced',
    except: ['function graph'],
    law: 'ftrace/only-requested-functions-are-traced',
    finding: 'traced-without-a-client',
    goesOn: true,
    when: ({ ip, count }, { moment: { after } }) => count === 1 && isTracedForNothing(after, ip),
  }),
];

/** A user of function graph is called directly, whatever is in its hashes, which leave it no function. */
function seesAllForNone(k: KernelView, who: string): boolean {
  if (k.fgraph.directGops !== who) return false;
  const { filter, notrace } = opsOf(k, subopsOf(who));
  return filter.length > 0 && filter.every((ip) => hashHas(notrace, ip));
}

/** The manager traces every function, and each of its users some. */
function hasLostItsFilter(k: KernelView): boolean {
  const { subops } = k.fgraph;
  return filterOf(k, GRAPH_OPS).length === 0 && subops.every((name) => filterOf(k, name).length > 0);
}

/** The manager traces a function that none of its users wants, for one of them keeps functions out. */
function isTracedForNothing(k: KernelView, ip: Ip): boolean {
  const { subops } = k.fgraph;
  return (
    opsReferencesIp(k, GRAPH_OPS, ip) &&
    !subops.some((name) => matches(k, name, ip)) &&
    subops.some((name) => notraceOf(k, name).length > 0)
  );
}
