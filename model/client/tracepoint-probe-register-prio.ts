import { probeName } from '../contract/promised-hits.ts';
import { wholeNumber } from '../core/input-value.ts';
import { tracepointProbeRegister } from '../tracepoint/register.ts';
import { DEFAULT_PRIO, isTracepoint } from '../tracepoint/tracepoint.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, nothingTouched, servedBy } from './client-call.ts';
import { called } from './spelling.ts';
import type { TracepointProbe } from './tracepoint-probe.ts';
import { parseProbe } from './tracepoint-probe.ts';

/*
 * tracepoint_probe_register_prio() and tracepoint_add_func() in kernel/tracepoint.c, under `tracepoints_mutex`:
 * EEXIST, with a WARN, for the same function with the same data, then ENOMEM for the new array. The array is
 * replaced as a whole; the old one is freed after the grace period of its readers (RCU, and SRCU on 6.1 and
 * 6.12; SRCU or RCU-tasks-trace on 7.2).
 */

/**
 * With TRACEPOINT_DEFAULT_PRIO (10) it is `tracepoint_probe_register()`. A higher one runs earlier; of equal
 * ones the older runs first, because func_add() inserts before the first probe of a lower priority.
 */
export interface TracepointProbeRegisterPrio extends TracepointProbe {
  readonly do: 'tracepoint_probe_register_prio';
  readonly prio: number;
}

/** A bound of this model: the kernel takes any int. */
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
  // A client has a `struct tracepoint` by its symbol, and needs no lookup that could fail.
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
