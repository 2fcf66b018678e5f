import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_ENABLED, filterOf } from '../../model/ftrace/ops.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { leavingShims } from '../observed/leaving-shims.ts';
import { hasFlag } from '../observed/tracing-ops.ts';
import { promisedDirect } from '../observed/wanted-site.ts';

/** I-11. */
export const directFunctionsMatchDirectOps: AttachLaw = {
  name: 'ftrace/direct-functions-match-direct-ops',
  sentence:
    'direct_functions maps exactly the functions of the registered direct ops, each to the trampoline that its client set.',
  source: 'kernel/trace/ftrace.c  register_ftrace_direct, unregister_ftrace_direct, update_ftrace_direct_add',
  witness: 'a function with a direct call',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    const { after: k } = moment;
    const { directFunctions } = k.ftrace;
    const owners = ownersOf(moment);
    for (const ip of new Set([...Object.keys(directFunctions), ...Object.keys(owners)])) {
      const owner = owners[ip] ?? null;
      const expected = owner === null ? null : (promisedDirect(moment, ip) ?? null);
      const observed = directFunctions[ip] ?? null;
      if (leavingShims(k, ip) > 0) continue;
      if (expected === observed && (owner === null || expected !== null)) continue;
      return { is: 'direct-entry-differs', ip, owner, expected, observed };
    }
    return Object.keys(owners).length > 0 ? 'held' : 'not applicable';
  },
};

/** For each function, the registered direct ops that traces it. */
function ownersOf({ after: k }: Parameters<AttachLaw['judge']>[0]): Record<string, string> {
  const owners: Record<string, string> = {};
  for (const name of k.ftrace.opsList) {
    const ops = k.ftrace.ops[name];
    // An ops freed on the list is left to no-pointer-to-a-retired-image.
    if (ops === undefined || !hasFlag(ops, FTRACE_OPS_FL_DIRECT) || !hasFlag(ops, FTRACE_OPS_FL_ENABLED))
      continue;
    for (const ip of filterOf(k, name)) owners[ip] = name;
  }
  return owners;
}
