import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import {
  FTRACE_OPS_FL_DIRECT,
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_SAVE_REGS,
} from '../../model/ftrace/ops.ts';
import type { DynFtrace } from '../../model/ftrace/record.ts';
import {
  FTRACE_FL_DIRECT,
  FTRACE_FL_DIRECT_EN,
  FTRACE_FL_ENABLED,
  FTRACE_FL_IPMODIFY,
  FTRACE_FL_REGS,
  FTRACE_FL_REGS_EN,
  FTRACE_FL_TRAMP,
  FTRACE_FL_TRAMP_EN,
  skipRecord,
} from '../../model/ftrace/record.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import type { TracingOps } from '../observed/tracing-ops.ts';
import { hasFlag, tracingOps } from '../observed/tracing-ops.ts';

/** I-4, the record's part of I-5, and I-6. */
export const recordFlagsMatchOps: AttachLaw = {
  name: 'ftrace/record-flags-match-ops',
  sentence:
    "A record's flags follow from the ops that trace its function: TRAMP for a single ops, at most one direct call, at most one IPMODIFY; what is wanted is in effect.",
  source:
    'kernel/trace/ftrace.c  __ftrace_hash_rec_update, ftrace_check_record, __ftrace_hash_update_ipmodify',
  witness: 'an ops tracing a function',
  settled: true,
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    const { records, enabled } = moment.after.ftrace;
    let witness = false;
    for (const ip in records) {
      const rec = entry(records, ip);
      if (skipRecord(rec)) continue;
      const tracing = tracingOps(moment.after, ip);
      witness ||= tracing.length > 0;
      const twice = [FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_IPMODIFY].find((bit) => count(tracing, bit) > 1);
      if (twice !== undefined) return tooMany(ip, tracing, twice);
      const wanted = wantedFlags(tracing, enabled);
      if (rec.flags === wanted || (tracing.length === 0 && isLeftOver(rec))) continue;
      const { count: users, flags } = rec;
      return {
        is: 'record-flags-differ',
        ip,
        tracing: namesOf(tracing),
        expected: { count: users, flags: wanted },
        observed: { count: users, flags },
      };
    }
    return witness ? 'held' : 'not applicable';
  },
};

function wantedFlags(tracing: readonly TracingOps[], enabled: boolean): DynFtrace['flags'] {
  if (tracing.length === 0) return 0;
  const [first, second] = tracing;
  const alone = second === undefined;
  const regs = count(tracing, FTRACE_OPS_FL_SAVE_REGS) > 0;
  const tramp = alone && first!.ops.trampoline !== '';
  const direct = count(tracing, FTRACE_OPS_FL_DIRECT) > 0;
  const ipmodify = count(tracing, FTRACE_OPS_FL_IPMODIFY) > 0;
  const wanted =
    bit(FTRACE_FL_REGS, regs) |
    bit(FTRACE_FL_TRAMP, tramp) |
    bit(FTRACE_FL_DIRECT, direct) |
    bit(FTRACE_FL_IPMODIFY, ipmodify);
  if (!enabled) return wanted;
  const inEffect =
    bit(FTRACE_FL_REGS_EN, regs) | bit(FTRACE_FL_TRAMP_EN, tramp) | bit(FTRACE_FL_DIRECT_EN, direct && alone);
  return wanted | inEffect | FTRACE_FL_ENABLED;
}

/** A flag that no ops wants any more is cleared when the site is patched; while ftrace is off it is not. */
function isLeftOver({ flags }: DynFtrace): boolean {
  return (flags & ~FTRACE_FL_REGS) === 0;
}

function bit(flag: number, on: boolean): number {
  return on ? flag : 0;
}

function count(tracing: readonly TracingOps[], flag: number): number {
  return tracing.reduce((n, { ops }) => (hasFlag(ops, flag) ? n + 1 : n), 0);
}

function tooMany(ip: Ip, tracing: readonly TracingOps[], flag: number) {
  const kind = flag === FTRACE_OPS_FL_DIRECT ? 'direct' : 'IPMODIFY';
  const ops = namesOf(tracing.filter((tracingOps) => hasFlag(tracingOps.ops, flag)));
  return { is: 'ops-exclude-each-other', kind, ip, ops } as const;
}

function namesOf(tracing: readonly TracingOps[]): string[] {
  return tracing.map(({ name }) => name);
}
