import type { Ip, ProgId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { functionOf, isInBody } from '../text/body-address.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import { DEFAULT_PRIO } from '../tracepoint/tracepoint.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';
import { joined, PLAIN, without } from './changes.ts';
import type { Footprint } from './footprint.ts';
import type { EventProgram, ProgramOnEvent, PromisedClient, Promises } from './promises.ts';

/*
 * Promises to programs of perf events. A kprobe of one is a client, which sees nothing as long as it has no program; its place
 * among the others is that of the event. The events of a tracepoint have a probe together, whose place among the others is
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

/** A perf event on a kprobe is opened: nothing is promised of calls yet. */
export function kprobeEventOpened(
  p: Promises,
  { event, on, ip }: { readonly event: string; readonly on: EventProbe; readonly ip: Ip },
): Promises {
  const entered = on === 'kprobe' ? (isInBody(ip) ? 'kprobe in body' : 'kprobe') : 'kretprobe';
  const opened = joined(p, {
    ...PLAIN,
    who: event,
    object: event,
    kind: entered,
    ips: [ip],
    entry: on === 'kprobe',
    exit: on === 'kretprobe',
    onEvent: NO_PROGRAM,
  });
  return { ...opened, events: { ...opened.events, [event]: { open: true } } };
}

const NO_PROGRAM: ProgramOnEvent = { prog: 0, link: '', cookie: ZERO };

/** What closing an event touches: its function, if it is on a kprobe, its program and its link. */
export function ofEvent(p: Promises, event: string): Footprint | undefined {
  const kprobe = kprobeOf(p, event);
  if (kprobe === undefined) return undefined;
  const { prog, link } = kprobe.onEvent ?? NO_PROGRAM;
  const objects = [event, ...(prog === 0 ? [] : [`prog#${prog}`]), ...(link === '' ? [] : [link])];
  return { functions: kprobe.ips.map(functionOf), objects };
}

/** The same of closing a link to an event on a kprobe; undefined: it is none. */
export function ofLinkedEvent(p: Promises, link: string): Footprint | undefined {
  const kprobe = linkedBy(p, link);
  return kprobe === undefined ? undefined : ofEvent(p, kprobe.object);
}

function linkedBy({ clients }: Promises, link: string): PromisedClient | undefined {
  return clients.find(({ onEvent }) => onEvent?.link === link && link !== '');
}

/** The client that is an event's kprobe; undefined: it is on a tracepoint, or does not exist. */
function kprobeOf({ clients }: Promises, event: string): PromisedClient | undefined {
  return clients.find(({ object, onEvent }) => onEvent !== undefined && object === event);
}

/** The event's kprobe runs this program from now on, or none. */
function running(p: Promises, event: string, onEvent: ProgramOnEvent): Promises {
  const getFuncIp = p.programs[onEvent.prog]?.program.getFuncIp === true;
  const clients = p.clients.map((client) =>
    client.object === event && client.onEvent !== undefined ? { ...client, onEvent, getFuncIp } : client,
  );
  return { ...p, clients };
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
  if (program === undefined || p.events[event] === undefined) return p;
  if (kprobeOf(p, event) !== undefined)
    return running(p, event, {
      prog,
      link: object === event ? '' : object,
      cookie: cookie ?? program.cookie,
    });
  const added = { event, object, program, cookie: cookie ?? program.cookie };
  return withPrograms(p, event, (programs) => [...programs, added]);
}

/** The file descriptor of an event is closed. */
export function eventClosed(p: Promises, event: string): Promises {
  const own = p.events[event];
  if (own === undefined) return p;
  const closed = { ...p, events: { ...p.events, [event]: { ...own, open: false } } };
  return withoutUnused(closed, event);
}

/** A link is closed: its event loses the program, and its file a reference. */
export function eventLinkClosed(p: Promises, link: string): Promises {
  const kprobe = linkedBy(p, link);
  if (kprobe !== undefined) return withoutUnused(running(p, kprobe.object, NO_PROGRAM), kprobe.object);
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
  const kprobe = kprobeOf(p, event);
  if (kprobe !== undefined)
    return closed?.open === true || kprobe.onEvent?.link !== '' ? p : { ...without(p, event), events };
  const isHeld = programsOf(p).some((program) => program.event === event && program.object !== event);
  if (closed === undefined || closed.open || isHeld) return p;
  const left = withPrograms(p, event, (programs) => programs.filter((program) => program.event !== event));
  const isLast = Object.values(events).every(({ tracepoint }) => tracepoint !== closed.tracepoint);
  const object = probeOf(closed.tracepoint ?? '');
  return { ...left, events, probes: left.probes.filter((probe) => !isLast || probe.object !== object) };
}

function withPrograms(
  p: Promises,
  event: string,
  change: (programs: readonly EventProgram[]) => readonly EventProgram[],
): Promises {
  const object = probeOf(entry(p.events, event).tracepoint ?? '');
  const probes = p.probes.map((probe) =>
    probe.object === object ? { ...probe, programs: change(probe.programs ?? []) } : probe,
  );
  return { ...p, probes };
}
