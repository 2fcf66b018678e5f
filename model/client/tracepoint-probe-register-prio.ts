import { probeName } from '../contract/promised-hits.ts';
import { wholeNumber } from '../core/input-value.ts';
import { tracepointProbeRegister } from '../tracepoint/register.ts';
import { DEFAULT_PRIO, isTracepoint } from '../tracepoint/tracepoint.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, nothingTouched, servedBy } from './client-call.ts';
import { called } from './spelling.ts';
import type { TracepointProbe } from './tracepoint-probe.ts';
import { parseProbe } from './tracepoint-probe.ts';

/** With the usual priority it is `tracepoint_probe_register()`. */
export interface TracepointProbeRegisterPrio extends TracepointProbe {
  readonly do: 'tracepoint_probe_register_prio';
  readonly prio: number;
}

const PRIO_MOST = 1000;

export const tracepointProbeRegisterPrioCall: ClientCall<TracepointProbeRegisterPrio> = {
  sentence: 'Registers a probe with its data on a tracepoint; without a priority it has the usual one.',
  examples: [
    {
      do: 'tracepoint_probe_register_prio',
      tracepoint: 'tp1',
      func: 'my_probe1',
      data: 'data#1',
      prio: DEFAULT_PRIO,
    },
    { do: 'tracepoint_probe_register_prio', tracepoint: 'tp1', func: 'my_probe1', data: 'data#1', prio: 20 },
  ],
  service: servedBy(tracepointProbeRegister, (action) => ({ ...argsOf(action), mayExist: false })),
  role: 'attaches',
  isMisuse: (k, { tracepoint }) => !isTracepoint(k, tracepoint),
  promised(p, action) {
    const { tracepoint, func, data, prio } = action;
    const probe = { tracepoint, who: func, object: probeName(action), prio, data };
    return { ...p, probes: [...p.probes, probe] };
  },
  touched: nothingTouched,
  detach: ({ tracepoint, func, data }) => ({ do: 'tracepoint_probe_unregister', tracepoint, func, data }),
  print: ({ do: name, tracepoint, func, data, prio }) =>
    prio === DEFAULT_PRIO
      ? called('tracepoint_probe_register', tracepoint, func, data)
      : called(name, tracepoint, func, data, String(prio)),
  parse({ name, args }) {
    const own = 'tracepoint_probe_register_prio';
    if (name === 'tracepoint_probe_register') return { do: own, ...parseProbe(args), prio: DEFAULT_PRIO };
    if (name !== own) return undefined;
    return { do: own, ...parseProbe(args), prio: wholeNumber(args[3] ?? '', 'a priority', PRIO_MOST) };
  },
};
