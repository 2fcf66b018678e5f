import { probeName, withoutProbe } from '../contract/promised-hits.ts';
import { tracepointProbeUnregister } from '../tracepoint/register.ts';
import { isTracepoint } from '../tracepoint/tracepoint.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, startedBy } from './client-call.ts';
import { called } from './spelling.ts';
import type { TracepointProbe } from './tracepoint-probe.ts';
import { parseProbe } from './tracepoint-probe.ts';

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
