import { probeName, withoutProbe } from '../contract/promised-hits.ts';
import { tracepointProbeUnregister } from '../tracepoint/register.ts';
import { isTracepoint } from '../tracepoint/tracepoint.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, startedBy } from './client-call.ts';
import { called } from './spelling.ts';
import type { TracepointProbe } from './tracepoint-probe.ts';
import { parseProbe } from './tracepoint-probe.ts';

/*
 * tracepoint_probe_unregister() and tracepoint_remove_func() in kernel/tracepoint.c: ENOENT, with a WARN, when
 * the tracepoint has no probe at all. It waits for nothing: a hit under way may still call the probe, and its
 * owner has to call tracepoint_synchronize_unregister() before it frees the data. When the smaller array cannot
 * be allocated, the slot gets tp_stub_func() instead, and the answer is 0 even so.
 */

export interface TracepointProbeUnregister extends TracepointProbe {
  readonly do: 'tracepoint_probe_unregister';
}

export const tracepointProbeUnregisterCall: ClientCall<TracepointProbeUnregister> = {
  sentence: 'Unregisters it.',
  examples: [{ do: 'tracepoint_probe_unregister', tracepoint: 'tp1', func: 'my_probe1', data: 'data#1' }],
  service: startedBy(tracepointProbeUnregister),
  role: 'detaches',
  isMisuse: (k, { tracepoint }) => !isTracepoint(k, tracepoint),
  promised: (p, action) => ({ ...p, probes: withoutProbe(p.probes, probeName(action)) }),
  touched: nothingTouched,
  print: ({ do: name, tracepoint, func, data }) => called(name, tracepoint, func, data),
  parse({ name, args }) {
    return name === 'tracepoint_probe_unregister' ? { do: name, ...parseProbe(args) } : undefined;
  },
};
