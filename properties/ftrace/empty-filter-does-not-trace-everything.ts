import { FTRACE_OPS_FL_ENABLED, filterOf } from '../../model/ftrace/ops.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hasFlag, isFreedOps } from '../observed/tracing-ops.ts';

/**
 * I-8. A manager ops traces everything when one of its subops does. An ops freed on the list has no filter to shrink.
 */
export const emptyFilterDoesNotTraceEverything: AttachLaw = {
  name: 'ftrace/empty-filter-does-not-trace-everything',
  sentence:
    'A registered ops does not start to trace every function when the last one is removed from its filter.',
  source: 'kernel/trace/ftrace.c  ftrace_set_hash, ftrace_hash_empty',
  witness: 'a registered ops whose filter shrinks',
  judge: (moment) => {
    if (moment.outcome.died !== undefined) return 'not applicable';
    const { before, after } = moment;
    let witness = false;
    for (const name of after.ftrace.opsList) {
      const old = before.ftrace.ops[name];
      if (old === undefined || !hasFlag(old, FTRACE_OPS_FL_ENABLED) || name === 'graph_ops') continue;
      if (isFreedOps(after, name)) continue;
      const had = filterOf(before, name).length;
      const has = filterOf(after, name).length;
      witness ||= has < had;
      if (had > 0 && has === 0) return { is: 'filter-became-everything', ops: name };
    }
    return witness ? 'held' : 'not applicable';
  },
};
