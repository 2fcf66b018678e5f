import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import { GRAPH_OPS } from '../../model/ftrace/ops.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { wasRegisteredTwice } from './attach-leftovers.ts';
import { isArmed, stepsOf } from './cause.ts';

/** Functions that stay traced although their last client has unregistered. */
export const KNOWN_TRACED_ON: readonly KnownAttach[] = [
  known({
    name: 'kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
    sentence: 'The same kprobe stays armed when it has been unregistered.',
    evidence: 'as kprobe-is-disarmed-by-another-ops',
    law: 'ftrace/only-requested-functions-are-traced',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'traced-without-a-client',
    when: ({ ip, count }, breach) =>
      count === 1 &&
      isArmed(breach.moment.after, ip) &&
      stepsOf(breach).some(({ outcome: { warnings } }) =>
        warnings.some(({ is }) => is === 'kprobe not disarmed'),
      ),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#1); unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'graph-user-registered-twice-traces-on',
    sentence: 'What the same user traced stays traced after it has been unregistered.',
    evidence: 'as graph-user-registered-twice-stays',
    law: 'ftrace/only-requested-functions-are-traced',
    kernels: ['6.12'],
    finding: 'traced-without-a-client',
    when: ({ ip, count }, breach) =>
      count === 1 &&
      opsReferencesIp(breach.moment.after, GRAPH_OPS, ip) &&
      stepsOf(breach).some(
        ({ action }) => action.do === 'register_ftrace_graph' && wasRegisteredTwice(breach, action.gops),
      ),
    example: 'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); unregister_ftrace_graph(gops#1)',
  }),
];
