import { opsOfFile } from '../../model/client/filter-file.ts';
import type { EventKind } from '../../model/core/event.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { hasFailed } from './cause.ts';

const WITHOUT_MEMORY = {
  sentence:
    'A write to a filter file returns 0 although its hash could not be moved: ftrace_regex_release() ignores the errno, and the tracer keeps its old filter.',
  evidence:
    'kernel/trace/ftrace.c of all three  ftrace_regex_release: ftrace_hash_move_and_update_ops() is called for its effect',
  kernels: ['6.1', '6.12', '7.2'],
} as const;

const INSTANCE =
  'ops#1 = ftrace_ops(); echo f1 > instances/ops#1/set_ftrace_filter; register_ftrace_function(ops#1)';

/** Breaches of set_ftrace_filter and set_ftrace_notrace, files of tracefs. */
export const KNOWN_FILTER_FILES: readonly KnownAttach[] = [
  known({
    name: 'pattern-without-a-match-empties-the-filter',
    sentence:
      'A write to set_ftrace_filter with `>` whose pattern matches no function returns EINVAL: the file has been truncated, and the tracer sees every function.',
    evidence:
      'recorded with tracefs on all three (an instance with its function tracer, echo no_such_fn > set_ftrace_filter): EINVAL, and enabled_functions from 1 to 37,655 on 6.1.192, to 42,862 on 6.12.117, to 46,795 on 7.2.13; with function_graph on the last two as well',
    law: 'ftrace/empty-filter-does-not-trace-everything',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'filter-became-everything',
    when: ({ ops }, { moment: { action } }) =>
      action.do === 'set_ftrace_filter' && action.truncate === true && opsOfFile(action) === ops,
    example: `${INSTANCE}; echo no_such_function > instances/ops#1/set_ftrace_filter`,
  }),
  known({
    ...WITHOUT_MEMORY,
    name: 'filter-file-returns-0-without-memory-seen-by-probes-fire-exactly-once',
    law: 'ftrace/probes-fire-exactly-once',
    finding: 'hits-differ',
    when: ({ kind }, breach) => TRACERS.includes(kind) && lacksMemoryAtClose(breach),
    example: `${INSTANCE}; the next allocation in __ftrace_hash_move_and_update_ops fails; echo f2 >> instances/ops#1/set_ftrace_filter; task#1 calls f2(0x5100000071000000)`,
  }),
  known({
    ...WITHOUT_MEMORY,
    name: 'filter-file-returns-0-without-memory-seen-by-overruns-are-counted',
    law: 'ftrace/overruns-are-counted',
    finding: 'overruns-differ',
    when: (_, breach) => lacksMemoryAtClose(breach),
    kernels: ['6.1'],
    example:
      'echo f1 >> set_ftrace_filter; register_ftrace_graph(gops#1); the next allocation in __ftrace_hash_move_and_update_ops fails; echo f2 >> set_ftrace_filter; task#1 calls f2(0x5100000071000000)',
  }),
  known({
    ...WITHOUT_MEMORY,
    name: 'filter-file-returns-0-without-memory-seen-by-success-means-attached',
    law: 'ftrace/success-means-attached',
    finding: 'client-is-not-served',
    when: (_, breach) => lacksMemoryAtClose(breach),
    example:
      'ops#1 = ftrace_ops(); echo f1 > instances/ops#1/set_ftrace_filter; the next allocation in __ftrace_hash_move_and_update_ops fails; echo f2 >> instances/ops#1/set_ftrace_filter; register_ftrace_function(ops#1)',
  }),
  known({
    ...WITHOUT_MEMORY,
    name: 'filter-file-returns-0-without-memory-seen-by-independent-operations-commute',
    law: 'ftrace/independent-operations-commute',
    finding: ['answers-depend-on-the-order', 'state-depends-on-the-order'],
    when: (_, breach) => lacksMemoryAtClose(breach),
    example:
      'ops#1 = ftrace_ops(); the next allocation in __ftrace_hash_move_and_update_ops fails; echo f1 >> instances/ops#1/set_ftrace_filter; register_ftrace_function(ops#1); task#1 calls f2(0x5100000071000000)',
  }),
];

/** Events of those that go by a filter file. */
const TRACERS: readonly EventKind[] = ['ftrace', 'graph entry', 'graph exit'];

function lacksMemoryAtClose(breach: Led): boolean {
  return hasFailed(breach, ['set_ftrace_filter', 'set_ftrace_notrace'], 'allocation');
}
