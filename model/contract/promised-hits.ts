import type { Action } from '../action.ts';
import { DEFAULT_PRIO } from '../tracepoint/tracepoint.ts';
import type { ProbePromise, Promises } from './promises.ts';

/** What is promised of hits of tracepoints after an action that the kernel has accepted. */
export function probesAfter({ probes, programs }: Promises, action: Action): readonly ProbePromise[] {
  switch (action.do) {
    case 'tracepoint_probe_register_prio': {
      const { tracepoint, func, data, prio } = action;
      return [...probes, { tracepoint, who: func, object: probeName(action), prio, data }];
    }
    case 'tracepoint_probe_unregister':
      return withoutProbe(probes, probeName(action));
    case 'BPF_RAW_TRACEPOINT_OPEN': {
      const { tracepoint, link, prog } = action;
      const program = programs[prog]?.program;
      if (tracepoint === undefined || program === undefined) return probes;
      return [...probes, { tracepoint, who: `prog#${prog}`, object: link, prio: DEFAULT_PRIO, program }];
    }
    default:
      return probes;
  }
}

/** A function with its data is one probe of a tracepoint, by whatever priority it came. */
export function probeName({
  tracepoint,
  func,
  data,
}: Readonly<Record<'tracepoint' | 'func' | 'data', string>>) {
  return `${func}(${data}) on ${tracepoint}`;
}

export function withoutProbe(probes: readonly ProbePromise[], object: string): readonly ProbePromise[] {
  return probes.filter((probe) => probe.object !== object);
}

/** The probes of a tracepoint as a hit has to call them: those of higher priority first, of equal ones the oldest. */
export function probesInOrder({ probes }: Promises, tracepoint: string): readonly ProbePromise[] {
  return probes.filter((probe) => probe.tracepoint === tracepoint).toSorted((a, b) => b.prio - a.prio);
}
