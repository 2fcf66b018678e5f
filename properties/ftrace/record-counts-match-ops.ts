import { skipRecord } from '../../model/ftrace/record.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { tracingOps } from '../observed/tracing-ops.ts';

/** I-1. */
export const recordCountsMatchOps: AttachLaw = {
  name: 'ftrace/record-counts-match-ops',
  sentence: "A record's count is the number of enabled ops that trace its function.",
  source: 'kernel/trace/ftrace.c  __ftrace_hash_rec_update',
  witness: 'an ops tracing a function',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    const { after: k } = moment;
    let witness = false;
    for (const [ip, rec] of Object.entries(k.ftrace.records)) {
      if (skipRecord(rec)) continue;
      const tracing = tracingOps(k, ip).map(({ name }) => name);
      witness ||= tracing.length > 0;
      if (rec.count !== tracing.length)
        return { is: 'record-count-differs', ip, tracing, observed: rec.count };
    }
    return witness ? 'held' : 'not applicable';
  },
};
