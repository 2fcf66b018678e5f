import { filterOf } from '../../model/ftrace/ops.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { finalWorlds } from '../observed/possible-worlds.ts';

/** I-28. What a second initialisation takes away of an ops is what its client has given it: the filter. */
export const objectsAreInitialisedOnce: TaskLaw = {
  name: 'task/objects-are-initialised-once',
  sentence:
    'However first uses of an ops overlap, it is initialised once: its filter is what its client has made it.',
  source: 'kernel/trace/ftrace.c ftrace_ops_init',
  witness: 'an ops had a filter',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'end') return 'no say';
    const worlds = finalWorlds(scenario, happening.done);
    const objects = new Set(worlds.flatMap(({ filters }) => Object.keys(filters)));
    const ops = [...objects].filter((name) => kernel.ftrace.ops[name] !== undefined);
    for (const name of ops) {
      const wanted = worlds.map(({ filters }) => inOrder(filters[name]?.filter ?? []));
      const held = inOrder(filterOf(kernel, name));
      if (!wanted.includes(held))
        return {
          expected: `the filter of ${name} is ${[...new Set(wanted.map(spelled))].join(', or ')}`,
          observed: `it is ${spelled(held)}`,
        };
    }
    return ops.length > 0 ? 'held' : 'no say';
  },
};

/** A filter is a set: in which order its functions came is of no account. */
function inOrder(filter: readonly string[]): string {
  return [...filter].sort().join(', ');
}

function spelled(filter: string): string {
  return filter === '' ? 'empty' : filter;
}
