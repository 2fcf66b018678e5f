import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { hasFlag, isFreedOps, tracingOps } from '../../properties/observed/tracing-ops.ts';
import type { Led } from './cause.ts';

/**
 * Some record has REGS although no ops on it saves registers, and no freed ops is on it: one that saves them has left
 * the function and is still on the list, or the record had the flag before.
 */
export function isRegsLeftOver({ moment }: Led): boolean {
  const { after } = moment;
  if (after.ftrace.opsList.some((name) => isFreedOps(after, name))) return false;
  return Object.entries(after.ftrace.records).some(
    ([ip, { count, flags }]) =>
      count > 0 &&
      (flags & FTRACE_FL_REGS) !== 0 &&
      saversOf(after, ip).length === 0 &&
      isMistaken(moment, ip),
  );
}

/** The ops that save registers of a function. */
function saversOf(k: KernelView, ip: Ip): string[] {
  return tracingOps(k, ip).flatMap(({ name, ops }) => (hasFlag(ops, FTRACE_OPS_FL_SAVE_REGS) ? [name] : []));
}

/**
 * test_rec_ops_needs_regs() finds what leaves on the list; an ops that is unregistered is off it by then. One that a
 * link takes off its functions one after the other is on the list until the last of them.
 */
function isMistaken({ before, action, after }: Led['moment'], ip: Ip): boolean {
  const savers = saversOf(before, ip);
  const inTurn = (name: string) =>
    (action.do === 'close(link)' || action.do === 'BPF_LINK_CREATE') &&
    entry(before.ftrace.ops, name).filter.length > 1;
  return savers.length === 0 || savers.some((name) => after.ftrace.opsList.includes(name) || inTurn(name));
}
