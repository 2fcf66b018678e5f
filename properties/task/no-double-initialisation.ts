import type { Promises } from '../../model/contract/promises.ts';
import type { OpsId } from '../../model/core/ids.ts';
import { filterOf } from '../../model/ftrace/ops.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { finalWorlds } from '../observed/possible-worlds.ts';

/** I-28. A second initialisation of an ops discards what its client has set: the filter. */
export const noDoubleInitialisation: TaskLaw = {
  name: 'task/no-double-initialisation',
  sentence:
    'An ops is initialised exactly once, even if its first uses race: its filter is what its client set.',
  source: 'kernel/trace/ftrace.c ftrace_ops_init',
  witness: 'an ops with a filter',
  isOfEnds: true,
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'end') return 'not applicable';
    const worlds = finalWorlds(scenario, happening.done);
    const objects = new Set(worlds.flatMap(({ filters }) => Object.keys(filters)));
    const ops = [...objects].filter((name) => kernel.ftrace.ops[name] !== undefined);
    for (const name of ops) {
      const allowed = worlds.map((world) => inOrder(filterIn(world, name)));
      const filter = inOrder(filterOf(kernel, name));
      if (!allowed.some((items) => isSame(items, filter)))
        return { is: 'filter-differs', ops: name, allowed, filter };
    }
    return ops.length > 0 ? 'held' : 'not applicable';
  },
};

/** What a client has put into the filter of an ops, plus the functions that direct calls by hash have added. */
function filterIn({ filters, clients }: Promises, ops: OpsId): readonly string[] {
  const sites = clients.flatMap(({ site }) => (site?.ops === ops ? [site.ip] : []));
  return [...new Set([...(filters[ops]?.filter ?? []), ...sites])];
}

/** A filter is a set: the order of its functions does not matter. */
function inOrder(filter: readonly string[]): readonly string[] {
  return [...filter].sort();
}

function isSame(items: readonly string[], other: readonly string[]): boolean {
  return items.length === other.length && items.every((fn, i) => fn === other[i]);
}
