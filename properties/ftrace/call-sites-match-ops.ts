import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { ftraceIsJmp, ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { Branch } from '../../model/text/branch.ts';
import { branchIn } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { tracingOps } from '../observed/tracing-ops.ts';
import { siteBytes, wantedTarget } from '../observed/wanted-site.ts';

/** I-2, and the first half of I-19: a site with one ops left calls it directly again. */
export const callSitesMatchOps: AttachLaw = {
  name: 'ftrace/call-sites-match-ops',
  sentence:
    'A call site holds what the ops that trace its function require: a nop for none, a call of the only one, the ops list for several.',
  source: 'kernel/trace/ftrace.c  ftrace_get_addr_new, ftrace_check_record',
  witness: 'an ops tracing a function',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    let witness = false;
    for (const ip in moment.after.ftrace.records) {
      const tracing = tracingOps(moment.after, ip);
      witness ||= tracing.length > 0;
      const target = wantedTarget(moment, ip, tracing);
      if (siteBytes(moment, ip, target) === moment.after.text.sites[ip]) continue;
      return {
        is: 'site-differs',
        ip,
        tracing: tracing.map(({ name }) => name),
        expected: target === undefined ? UNASKED : branchTo(target),
        observed: held(moment, ip),
      };
    }
    return witness ? 'held' : 'not applicable';
  },
};

const UNASKED = { is: 'an unrequested direct call' } as const;

function branchTo(target: string): Branch {
  if (target === 'nop5') return { is: target };
  return { is: ftraceIsJmp(target) ? 'jmp' : 'call', to: ftraceJmpGet(target) };
}

function held({ after: k }: Moment, ip: Ip): Branch {
  return branchIn(k, entry(k.text.sites, ip), siteAddress(k, ip));
}
