import { onlyRequestedFunctionsAreTraced } from '../../ftrace/only-requested-functions-are-traced.ts';
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
];
