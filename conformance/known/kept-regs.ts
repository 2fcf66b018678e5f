import { entry } from '../../model/core/present.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { Changed } from '../../properties/finding/answer-finding.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';

/** A record without users got REGS while tracing was off. */
export function keepsRegs(
  { place: [room, table, ip = '', field] }: Changed,
  { before, after }: Pick<Moment, 'before' | 'after'>,
): boolean {
  return (
    !after.ftrace.enabled &&
    room === 'ftrace' &&
    table === 'records' &&
    field === 'flags' &&
    entry(after.ftrace.records, ip).count === 0 &&
    (entry(after.ftrace.records, ip).flags & ~entry(before.ftrace.records, ip).flags) === FTRACE_FL_REGS
  );
}
