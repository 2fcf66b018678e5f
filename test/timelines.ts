import type { TimelineDocument, TraceEvent } from '../commands/timeline/timeline.ts';
import { traceKind } from '../counterexamples/trace-kind.ts';
import { sources } from './sources.ts';

/** Saved traces, and those that explanations are shown of, by kind. */
export const SAVED = sources('.trace', '.calls').filter(
  ({ path }) => path.startsWith('counterexamples/') || path.startsWith('commands/explain/examples/'),
);
export const INTERLEAVINGS = SAVED.filter(({ text }) => traceKind(text) === 'interleaving');
export const SEQUENCES = SAVED.filter(({ text }) => traceKind(text) === 'sequence');
export const COMBINATIONS = SAVED.filter(({ text }) => traceKind(text) === 'image');

export type SliceEvent = Extract<TraceEvent, { ph: 'X' }>;
type ArrowEvent = Extract<TraceEvent, { ph: 's' | 'f' }>;

const trackOf = ({ pid, tid }: TraceEvent) => `${pid}.${tid}`;

/** What the format forbids; empty: nothing. */
export function flaws({ traceEvents }: TimelineDocument): string[] {
  return [
    ...timeFlaws(traceEvents),
    ...nameFlaws(traceEvents),
    ...grouped(slicesOf(traceEvents), trackOf).flatMap(crossing),
    ...arrowFlaws(traceEvents),
  ];
}

export function slicesOf(events: readonly TraceEvent[]): SliceEvent[] {
  return events.filter((event) => event.ph === 'X');
}

function timeFlaws(events: readonly TraceEvent[]): string[] {
  let last = 0;
  return events.flatMap((event) => {
    if (event.ph === 'M') return [];
    const isLate = event.ts < last;
    last = event.ts;
    return isLate ? [`${event.name} at ${event.ts} is out of order`] : [];
  });
}

function nameFlaws(events: readonly TraceEvent[]): string[] {
  const named = (name: string) => events.filter((event) => event.ph === 'M' && event.name === name);
  const tracks = named('thread_name').map(trackOf);
  const groups = named('process_name').map(({ pid }) => pid);
  return events
    .filter((event) => event.ph !== 'M' && !(tracks.includes(trackOf(event)) && groups.includes(event.pid)))
    .map(({ name }) => `${name} has no track`);
}

/** Slices of a track that neither enclose each other nor are apart, and those that end before they begin. */
function crossing(slices: readonly SliceEvent[]): string[] {
  const open: SliceEvent[] = [];
  return slices.flatMap((slice) => {
    while (open.length > 0 && endOf(open.at(-1)!) <= slice.ts) open.pop();
    const around = open.at(-1);
    open.push(slice);
    if (slice.dur < 0) return [`${slice.name} ends before it begins`];
    const isWithin = around === undefined || endOf(slice) <= endOf(around);
    return isWithin ? [] : [`${slice.name} crosses the end of ${around.name}`];
  });
}

function endOf({ ts, dur }: SliceEvent): number {
  return ts + dur;
}

/** Arrows without their other end, or without a slice there. */
function arrowFlaws(events: readonly TraceEvent[]): string[] {
  const ends = events.filter((event): event is ArrowEvent => event.ph === 's' || event.ph === 'f');
  const slices = slicesOf(events);
  const isInSlice = (end: ArrowEvent) =>
    slices.some((slice) => trackOf(slice) === trackOf(end) && slice.ts <= end.ts && end.ts <= endOf(slice));
  const halves = grouped(ends, ({ id }) => String(id)).filter(
    (pair) => pair.map(({ ph }) => ph).join('') !== 'sf',
  );
  return [
    ...ends.filter((end) => !isInSlice(end)).map(({ name }) => `an end of ${name} is in no slice`),
    ...halves.map(([end]) => `${end?.name} has one end`),
  ];
}

function grouped<T>(list: readonly T[], keyOf: (item: T) => string): (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}
