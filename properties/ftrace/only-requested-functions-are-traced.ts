import { hasFunction } from '../../model/contract/promises.ts';
import { entry } from '../../model/core/present.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';
import { leavingShims } from '../observed/leaving-shims.ts';

/** Its oracle is the contract alone: what clients asked for, and were granted. A shim that a work item takes off still traces. */
export const onlyRequestedFunctionsAreTraced: AttachLaw = {
  name: 'ftrace/only-requested-functions-are-traced',
  sentence: 'A function that no client has asked for is not traced: no ops counts in its record.',
  source: 'kernel/trace/ftrace.c  __ftrace_hash_rec_update; kernel/trace/fprobe.c  fprobe_remove_ips',
  witness: 'a function without clients',
  judge: (moment) => {
    const { after, promises, faults } = moment;
    if (!isAlive(moment) || mayHaveCaused('filterIsStale', faults)) return 'not applicable';
    let witness = false;
    for (const ip in after.ftrace.records) {
      if (promises.clients.some((client) => hasFunction(promises, client, ip))) continue;
      if (leavingShims(after, ip) > 0) continue;
      witness = true;
      const { count } = entry(after.ftrace.records, ip);
      if (count > 0) return { is: 'traced-without-a-client', ip, count };
    }
    return witness ? 'held' : 'not applicable';
  },
};
