import { FTRACE_OPS_FL_ENABLED, GRAPH_OPS, opsOf } from '../../../model/ftrace/ops.ts';
import { noWarningWithoutMisuse } from '../../ftrace/no-warning-without-misuse.ts';
import { onlyRequestedFunctionsAreTraced } from '../../ftrace/only-requested-functions-are-traced.ts';
import { userCountsMatchUsers } from '../../ftrace/user-counts-match-users.ts';
import { F1, F2, filter, graph } from './actions.ts';
import { edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in the hashes that a manager has from its subops. */
export const PLANTED_SUBOPS: readonly AttachPlanted[] = [
  {
    name: 'manager-starts-with-an-empty-filter',
    sentence:
      'The union of the filters of subops starts with an empty hash, which append_hash() takes for every function.',
    history: 'ftrace: Fix accounting of adding subops to a manager ops (6.14)',
    law: onlyRequestedFunctionsAreTraced,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup_subops',
        'combine the hashes',
        followedBy((_, locals) => {
          locals['filter'] = [];
        }),
      ),
    ],
    functions: [F1, F2],
    smallest: [filter('gops#1.ops'), filter('gops#2.ops'), graph(1), graph(2)],
    finding: 'no ops traces f2: no client has asked for it / its record counts 1',
  },
  {
    name: 'manager-has-a-function-twice',
    sentence: 'append_hash() adds the entries of a subops without looking whether the manager has them.',
    history: 'ftrace: Do not add duplicate entries in subops manager ops (6.14)',
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup_subops',
        'combine the hashes',
        followedBy((k, locals) => {
          const [old, added] = [GRAPH_OPS, locals['subops'] as string].map((name) => opsOf(k, name).filter);
          if (old!.length > 0 && added!.length > 0) locals['filter'] = [...old!, ...added!];
        }),
      ),
    ],
    functions: [F1],
    smallest: [filter('gops#1.ops'), filter('gops#2.ops'), graph(1), graph(2)],
    finding: "the count of graph_ops' filter is 1 / it is 2",
  },
  {
    name: 'started-subops-is-not-marked-enabled',
    sentence: 'A user of function graph is started, and its ops does not get FTRACE_OPS_FL_ENABLED.',
    history: undefined,
    law: noWarningWithoutMisuse,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup_subops',
        'add the subops',
        followedBy((k, locals) => {
          k.ftrace.ops[locals['subops'] as string]!.flags &= ~FTRACE_OPS_FL_ENABLED;
        }),
      ),
    ],
    smallest: [graph(1), { do: 'unregister_ftrace_graph', gops: 'gops#1' }],
    finding:
      'no warning in unregister_ftrace_graph / a subops that is not enabled is shut down (ftrace_shutdown_subops)',
  },
];
