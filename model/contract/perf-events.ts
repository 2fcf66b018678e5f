import type { ProgId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { DEFAULT_PRIO } from '../tracepoint/tracepoint.ts';
import type { Word } from '../x86/word.ts';
import type { EventProgram, Promises } from './promises.ts';

/*
 * Promises to programs of perf events. The events of a tracepoint have a probe together, whose place among the others is
 * that of the event that was opened first; it is there as long as one of them is.
 */

function probeOf(tracepoint: string): string {
  return `perf events of ${tracepoint}`;
}

/** A perf event is opened. */
export function eventOpened(p: Promises, event: string, tracepoint: string): Promises {
  const object = probeOf(tracepoint);
  const probe = { tracepoint, who: object, object, prio: DEFAULT_PRIO, programs: [] };
  const isFirst = p.probes.every((other) => other.object !== object);
  return {
    ...p,
    events: { ...p.events, [event]: { tracepoint, open: true } },
    probes: isFirst ? [...p.probes, probe] : p.probes,
  };
}

interface Attached {
  readonly event: string;
  readonly prog: ProgId;
  /** A link, or the event itself. */
  readonly object: string;
  readonly cookie?: Word;
}

/** A program joins those of the event's tracepoint, after all others. A program that was never loaded is promised nothing. */
export function eventProgramAttached(p: Promises, { event, prog, object, cookie }: Attached): Promises {
  const program = p.programs[prog]?.program;
  if (program === undefined) return p;
  const added = { event, object, program, cookie: cookie ?? program.cookie };
  return withPrograms(p, event, (programs) => [...programs, added]);
}

/** The file descriptor of an event is closed. */
export function eventClosed(p: Promises, event: string): Promises {
  const closed = { ...p, events: { ...p.events, [event]: { ...entry(p.events, event), open: false } } };
  return withoutUnused(closed, event);
}

/** A link is closed: its event loses the program, and its file a reference. */
export function eventLinkClosed(p: Promises, link: string): Promises {
  const event = programsOf(p).find(({ object }) => object === link)?.event;
  if (event === undefined) return p;
  return withoutUnused(
    withPrograms(p, event, (programs) => programs.filter(({ object }) => object !== link)),
    event,
  );
}

/** All programs of perf events. */
export function programsOf({ probes }: Promises): readonly EventProgram[] {
  return probes.flatMap(({ programs = [] }) => programs);
}

/** Without an event that is closed and that no link holds, with its program; the last one takes the probe along. */
function withoutUnused(p: Promises, event: string): Promises {
  const { [event]: closed, ...events } = p.events;
  const isHeld = programsOf(p).some((program) => program.event === event && program.object !== event);
  if (closed === undefined || closed.open || isHeld) return p;
  const left = withPrograms(p, event, (programs) => programs.filter((program) => program.event !== event));
  const isLast = Object.values(events).every(({ tracepoint }) => tracepoint !== closed.tracepoint);
  const object = probeOf(closed.tracepoint);
  return { ...left, events, probes: left.probes.filter((probe) => !isLast || probe.object !== object) };
}

function withPrograms(
  p: Promises,
  event: string,
  change: (programs: readonly EventProgram[]) => readonly EventProgram[],
): Promises {
  const object = probeOf(entry(p.events, event).tracepoint);
  const probes = p.probes.map((probe) =>
    probe.object === object ? { ...probe, programs: change(probe.programs ?? []) } : probe,
  );
  return { ...p, probes };
}
