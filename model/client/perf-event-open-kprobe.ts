import { codeAt } from '../call/body-code.ts';
import { kprobeEventOpened } from '../contract/perf-events.ts';
import type { Ip } from '../core/ids.ts';
import { perfEventOpenKprobe } from '../perf-event/event.ts';
import { functionOf, ipAt, isInBody, probedAt } from '../text/body-address.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import type { ClientCall } from './client-call.ts';
import { servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * perf_event_open() of the perf_kprobe PMU, perf_kprobe_init() in kernel/trace/trace_event_perf.c: ENOENT for a name that is
 * no symbol, EINVAL for a function that ftrace does not know, then what register_kprobe() or register_kretprobe()
 * answers, and what enable_kprobe() does. `kprobe_func` names the function, `probe_offset` the instruction; bit 0 of
 * `config` asks for its returns. Two events have two kprobes.
 */

export interface PerfEventOpenKprobe {
  readonly do: 'perf_event_open(kprobe)';
  readonly event: string;
  readonly on: EventProbe;
  readonly ip: Ip;
  /** `probe_offset`; absent: the function's entry. */
  readonly offset?: number;
}

/** An event on a kprobe by its number. */
export function kprobeEvent(n: number, ip: Ip, offset = 0): PerfEventOpenKprobe {
  const place = offset === 0 ? {} : { offset };
  return { do: 'perf_event_open(kprobe)', event: `perf#${n}`, on: 'kprobe', ip, ...place };
}

export const perfEventOpenKprobeCall: ClientCall<PerfEventOpenKprobe> = {
  sentence: 'Opens a perf event on a kprobe or a kretprobe of its own.',
  examples: [kprobeEvent(1, 'f1'), { ...kprobeEvent(1, 'f1'), on: 'kretprobe' }, kprobeEvent(1, 'f1', 10)],
  service: servedBy(perfEventOpenKprobe, ({ event, on, ip, offset = 0 }, k) => ({
    event,
    on,
    ip: ipAt(ip, offset),
    code: offset === 0 ? [] : codeAt(k, ipAt(ip, offset)),
  })),
  role: 'attaches',
  // A kprobe that could not be disarmed is listed under the name of its event, which is freed.
  isMisuse: (k, { event }) =>
    k.perf?.events[event] !== undefined ||
    [event, `${event}.kp`].some((kprobe) => k.probes.kprobes[kprobe] !== undefined),
  promised: (p, { event, on, ip, offset = 0 }) => kprobeEventOpened(p, { event, on, ip: ipAt(ip, offset) }),
  registered: ({ event }) => event,
  touched: (_p, _k, { event, ip }) => ({ functions: [ip], objects: [event] }),
  sharesOps: 'of kprobes',
  detach: ({ event }) => ({ do: 'close(perf_event)', event }),
  print: ({ event, on, ip, offset = 0 }) => `${event} = ${called('perf_event_open', on, ipAt(ip, offset))}`,
  parse({ name, result, args: [on = '', address = ''] }) {
    if (name !== 'perf_event_open' || (on !== 'kprobe' && on !== 'kretprobe')) return undefined;
    const offset = isInBody(address) ? { offset: probedAt(address).offset } : {};
    return { do: 'perf_event_open(kprobe)', event: result, on, ip: functionOf(address), ...offset };
  },
};
