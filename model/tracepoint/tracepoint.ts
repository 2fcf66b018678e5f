import { readOfFreed } from '../core/oops.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { addressOf } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Word } from '../x86/word.ts';

/** One probe of a tracepoint (`struct tracepoint_func`): a function, what it is given as its first argument, and its rank. */
export interface TracepointFunc {
  /** Symbol of the function. */
  func: string;
  readonly data: string;
  readonly prio: number;
}

/** `struct tracepoint`. */
export interface Tracepoint {
  /** The arguments' types, as `parseSignature()` reads them. */
  readonly prototype: string;
  /** Bytes of each argument. */
  readonly sizes: readonly number[];
  /** Its probes may sleep: they run in a section of rcu_read_lock_trace() (`tracepoint_ext.faultable`). */
  readonly faultable: boolean;
  /** The static key: the site leads to the probes. */
  key: boolean;
  /** Name of the array of its probes; empty: NULL. */
  funcs: string;
  /** What the static call leads to (`static_call_key->func`). */
  call: string;
}

/** Ways of the number of probes on which a snapshot is taken and waited for (`enum tp_transition_sync`). */
export type TransitionSync = '1->0->1' | 'N->2->1';

/** `struct tp_transition_snapshot`: grace periods that have to pass before the static call may lead to a probe again. */
export interface TracepointSnapshot {
  /** Tells it from an earlier one. */
  readonly serial: number;
  /** A grace period has passed since it was taken. */
  passed: boolean;
}

/** What kernel/tracepoint.c keeps. */
export interface Tracepoints {
  points: Record<string, Tracepoint>;
  /** Arrays of probes in memory, by name: `funcs#1`. */
  arrays: Record<string, TracepointFunc[]>;
  /** Arrays, and snapshots, that were made so far. */
  made: number;
  /** Those that are ongoing. */
  snapshots: Partial<Record<TransitionSync, TracepointSnapshot>>;
}

/** A kernel that may have tracepoints; one in which none is declared has nothing of this. */
export interface TracepointWorld extends TextWorld {
  tracepoints?: Tracepoints;
}

/** The same for those who only look. */
export type TracepointView = DeepReadonly<TracepointWorld>;

/** What takes the place of a probe that left when there was no memory for a new array. */
export const TP_STUB_FUNC = 'tp_stub_func';

/** TRACEPOINT_DEFAULT_PRIO: that of tracepoint_probe_register(). */
export const DEFAULT_PRIO = 10;

/** Symbols of a tracepoint's code: the function that hits it, the iterator, the stub for BPF. */
export const siteName = (name: string): string => `trace_${name}`;
export const iteratorName = (name: string): string => `__traceiter_${name}`;
export const bpfStubName = (name: string): string => `__bpf_trace_${name}`;

export function tracepointsOf(k: TracepointWorld): Tracepoints;
export function tracepointsOf(k: TracepointView): DeepReadonly<Tracepoints>;
export function tracepointsOf(k: TracepointView): DeepReadonly<Tracepoints> {
  if (k.tracepoints === undefined) throw new Error('no tracepoint is declared');
  return k.tracepoints;
}

export function tracepointNamed(k: TracepointWorld, name: string): Tracepoint;
export function tracepointNamed(k: TracepointView, name: string): DeepReadonly<Tracepoint>;
export function tracepointNamed(k: TracepointView, name: string): DeepReadonly<Tracepoint> {
  const found = k.tracepoints?.points[name];
  if (found === undefined) throw new Error(`there is no tracepoint ${name}`);
  return found;
}

/** The array of a tracepoint's probes; undefined: NULL. */
export function probesOf(k: TracepointWorld, name: string): TracepointFunc[] | undefined;
export function probesOf(k: TracepointView, name: string): DeepReadonly<TracepointFunc[] | undefined>;
export function probesOf(k: TracepointView, name: string): DeepReadonly<TracepointFunc[] | undefined> {
  const { funcs } = tracepointNamed(k, name);
  return funcs === '' ? undefined : arrayNamed(k, funcs);
}

/** Whoever reads an array that was given back crashes. */
export function arrayNamed(k: TracepointWorld, array: string): TracepointFunc[];
export function arrayNamed(k: TracepointView, array: string): DeepReadonly<TracepointFunc[]>;
export function arrayNamed(k: TracepointView, array: string): DeepReadonly<TracepointFunc[]> {
  const found = tracepointsOf(k).arrays[array];
  if (found === undefined) throw readOfFreed({ is: 'probe array', array });
  return found;
}

/** Whether what is called so is a tracepoint, which is hit, and not a function. */
export function isTracepoint(k: TracepointView, name: string): boolean {
  return k.tracepoints?.points[name] !== undefined;
}

/** Address of a function that is called, or of the one that hits a tracepoint. */
export function calledAddress(k: TracepointView, name: string): Word {
  return addressOf(k, isTracepoint(k, name) ? siteName(name) : name);
}
