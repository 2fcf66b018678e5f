import { PROBES } from '../../model/tracepoint/probe-functions.ts';
import type { Lines } from './ftrace.ts';
import { numberOf, op, tracepointNumber } from './numbers.ts';

/** The probes of clients on tracepoints; data are numbers, too. */
export const TRACEPOINT_LINES: Lines<'tracepoint_probe_register_prio' | 'tracepoint_probe_unregister'> = {
  tracepoint_probe_register_prio: ({ tracepoint, func, data, prio }, wording) =>
    op('TRACEPOINT', tracepointNumber(tracepoint, wording), probeNumber(func), numberOf(data), prio),
  tracepoint_probe_unregister: ({ tracepoint, func, data }, wording) =>
    op('TRACEPOINT_UNREGISTER', tracepointNumber(tracepoint, wording), probeNumber(func), numberOf(data)),
};

function probeNumber(func: string): number {
  return PROBES.map(String).indexOf(func) + 1;
}
