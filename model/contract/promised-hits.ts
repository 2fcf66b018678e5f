import type { ProbePromise, Promises } from './promises.ts';

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

/**
 * The probes of a tracepoint as a hit has to call them: func_add() keeps the array sorted by priority, highest
 * first, and appends within one priority. A stable sort of the order of registration is the same.
 */
export function probesInOrder({ probes }: Promises, tracepoint: string): readonly ProbePromise[] {
  return probes.filter((probe) => probe.tracepoint === tracepoint).toSorted((a, b) => b.prio - a.prio);
}
