import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import {
  FTRACE_FL_DIRECT_EN,
  FTRACE_FL_ENABLED,
  FTRACE_FL_REGS_EN,
  FTRACE_FL_TRAMP_EN,
  has,
  skipRecord,
} from '../../model/ftrace/record.ts';
import { branchIn } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import type { RecordedState } from '../finding/state-finding.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { tracingOps } from '../observed/tracing-ops.ts';
import { siteBytes } from '../observed/wanted-site.ts';

/** I-2b and I-17: if other code pokes one of ftrace's sites, the next update finds it and kills ftrace. */
export const callSitesMatchRecords: AttachLaw = {
  name: 'ftrace/call-sites-match-records',
  sentence:
    'A call site holds the instruction that its record says is in effect, so that the next update finds what it expects.',
  source: 'kernel/trace/ftrace.c  ftrace_get_addr_curr; arch/x86/kernel/ftrace.c  ftrace_verify_code',
  witness: 'a patched call site',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    const { after: k } = moment;
    let witness = false;
    for (const ip in k.ftrace.records) {
      const expected = inEffect(moment, ip);
      witness ||= expected.is !== 'nop5';
      if (siteBytes(moment, ip, targetOf(expected)) === k.text.sites[ip]) continue;
      return {
        is: 'site-is-not-as-recorded',
        ip,
        expected,
        observed: branchIn(k, entry(k.text.sites, ip), siteAddress(k, ip)),
      };
    }
    return witness ? 'held' : 'not applicable';
  },
};

function inEffect({ after: k }: Moment, ip: Ip): RecordedState {
  const rec = entry(k.ftrace.records, ip);
  if (skipRecord(rec) || !has(rec, FTRACE_FL_ENABLED)) return { is: 'nop5' };
  if (has(rec, FTRACE_FL_DIRECT_EN))
    return branchOr(k.ftrace.directFunctions[ip], 'entry of direct_functions');
  if (has(rec, FTRACE_FL_TRAMP_EN))
    return branchOr(tracingOps(k, ip).find(({ ops }) => ops.trampoline !== '')?.ops.trampoline, 'trampoline');
  return { is: 'branch', to: has(rec, FTRACE_FL_REGS_EN) ? 'ftrace_regs_caller' : 'ftrace_caller' };
}

function branchOr(
  to: string | undefined,
  what: Extract<RecordedState, { readonly is: 'missing' }>['what'],
): RecordedState {
  return to === undefined ? { is: 'missing', what } : { is: 'branch', to };
}

function targetOf(recorded: RecordedState): string | undefined {
  if (recorded.is === 'nop5') return recorded.is;
  return recorded.is === 'branch' ? recorded.to : undefined;
}
