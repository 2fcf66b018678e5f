import type { ProgId } from '../core/ids.ts';
import { readOfFreed } from '../core/oops.ts';
import { entry, present } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { Word } from '../x86/word.ts';

/*
 * Perf events on tracepoints, and the programs on them:
 *
 * ```text
 *   perf#1 ─┐                     event
 *           ├─▶ tp1: perf_trace_X(call) ─▶ call->prog_array ─▶ {prog, cookie} ... {NULL}
 *   perf#2 ─┘
 *   perf#3 ───▶ f1: kprobe_dispatcher(kp) ─▶ call->prog_array ─▶ {prog, cookie} {NULL}
 * ```
 *
 * The events of a tracepoint have one probe together. Each may have a program, and a hit runs all of them. An event on a
 * kprobe has a kprobe and an event call of its own.
 */

/** perf_trace_X(): one for all events of a class, with `struct trace_event_call` as its data. */
export const PERF_TRACE = 'perf_trace_X';

/** `struct perf_event` on a tracepoint or a kprobe. */
export interface PerfEvent {
  /** Its `struct trace_event_call`, by name: that of its tracepoint; of one on a kprobe, its own. */
  readonly call: string;
  /** Its file descriptor is open. */
  open: boolean;
  /** References on its file: that of the file descriptor, and one for each link. */
  refs: number;
  /** `event->prog`; 0: none. */
  prog: ProgId;
}

/** `struct trace_event_call`, by its tracepoint, or by the event on a kprobe. */
export interface EventCall {
  perfRefcount: number;
  /** Name of the array of its programs; empty: NULL. */
  progArray: string;
  /** Of an event on a kprobe: the `struct trace_kprobe` that it is in. */
  readonly probe?: TraceKprobe;
}

/** `struct trace_kprobe` of a single event (create_local_trace_kprobe()). */
export interface TraceKprobe {
  /** trace_kprobe_is_return(). */
  readonly on: EventProbe;
  /** `TP_FLAG_PROFILE`: its handler runs the programs. */
  profile: boolean;
}

export type EventProbe = 'kprobe' | 'kretprobe';

/** `struct bpf_prog_array_item`. */
export interface ProgArrayItem {
  /** 0: `dummy_bpf_prog`, in the place of a program that was detached without memory. */
  prog: ProgId;
  readonly cookie: Word;
}

export interface PerfEvents {
  events: Record<string, PerfEvent>;
  calls: Record<string, EventCall>;
  /** `struct bpf_prog_array` in memory: `progs#1`. */
  arrays: Record<string, ProgArrayItem[]>;
  /** Arrays that were made so far. */
  made: number;
}

/** A kernel that may have perf events; without a tracepoint the field is absent until an event is on a kprobe. */
export interface PerfWorld {
  perf?: PerfEvents;
}

/** Read-only. */
export type PerfView = DeepReadonly<PerfWorld>;

/** No event is open. */
export function bootPerfEvents(tracepoints: readonly string[]): PerfEvents {
  const calls = tracepoints.map((name) => [name, { perfRefcount: 0, progArray: '' }]);
  return { events: {}, calls: Object.fromEntries(calls), arrays: {}, made: 0 };
}

/** The perf events of a kernel that has tracepoints. */
export function perfEventsOf(k: PerfWorld): PerfEvents;
export function perfEventsOf(k: PerfView): DeepReadonly<PerfEvents>;
export function perfEventsOf(k: PerfView): DeepReadonly<PerfEvents> {
  return present(k.perf, 'events of tracepoints');
}

export function eventNamed(k: PerfWorld, event: string): PerfEvent;
export function eventNamed(k: PerfView, event: string): DeepReadonly<PerfEvent>;
export function eventNamed(k: PerfView, event: string): DeepReadonly<PerfEvent> {
  return entry(perfEventsOf(k).events, event);
}

export function eventCallOf(k: PerfWorld, call: string): EventCall;
export function eventCallOf(k: PerfView, call: string): DeepReadonly<EventCall>;
export function eventCallOf(k: PerfView, call: string): DeepReadonly<EventCall> {
  return entry(perfEventsOf(k).calls, call);
}

/** The event call of an event that is open. */
export function callOfEvent(k: PerfWorld, event: string): EventCall;
export function callOfEvent(k: PerfView, event: string): DeepReadonly<EventCall>;
export function callOfEvent(k: PerfView, event: string): DeepReadonly<EventCall> {
  return eventCallOf(k, eventNamed(k, event).call);
}

/** init_trace_event_call() of an event on a kprobe. */
export function makeEventCall(k: PerfWorld, event: string, on: EventProbe): void {
  k.perf ??= bootPerfEvents([]);
  k.perf.calls[event] = { perfRefcount: 0, progArray: '', probe: { on, profile: false } };
}

/** free_trace_kprobe(). */
export function dropEventCall(k: PerfWorld, event: string): void {
  delete perfEventsOf(k).calls[event];
  forgetUnused(k);
}

export function dropEvent(k: PerfWorld, event: string): void {
  delete perfEventsOf(k).events[event];
  forgetUnused(k);
}

/** A kernel without tracepoints in which no array was made has no perf events again. */
function forgetUnused(k: PerfWorld): void {
  const { events, calls, made } = perfEventsOf(k);
  if (made === 0 && Object.keys(calls).length + Object.keys(events).length === 0) delete k.perf;
}

/** Reading an array that was freed is a crash. */
export function progArrayNamed(k: PerfWorld, array: string): ProgArrayItem[];
export function progArrayNamed(k: PerfView, array: string): DeepReadonly<ProgArrayItem[]>;
export function progArrayNamed(k: PerfView, array: string): DeepReadonly<ProgArrayItem[]> {
  const found = perfEventsOf(k).arrays[array];
  if (found === undefined) throw readOfFreed({ is: 'program array', array });
  return found;
}
