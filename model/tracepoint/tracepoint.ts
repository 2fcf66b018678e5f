import { readOfFreed } from '../core/oops.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { addressOf } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import type { Word } from '../x86/word.ts';

/*
 * A tracepoint as the kernel keeps it: a static key in the site, a static call, and an array of probes.
 *
 * ```text
 *   trace_X():  static key     nop, or jmp to the slow path
 *               static call    the probe itself if there is one, else __traceiter_X()
 *   tp->funcs   NULL, or {func, data, prio} ... {NULL}      highest prio first
 * ```
 *
 * The first argument of a probe is its data, which the site reads from tp->funcs before it makes the static call.
 */

/** `struct tracepoint_func`: a probe, its first argument, and its priority. */
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
  /** Its probes may fault and sleep: they run under rcu_read_lock_trace() (`tracepoint_ext.faultable`). */
  readonly faultable: boolean;
  /** The static key: the site jumps to its slow path. */
  key: boolean;
  /** The array of its probes; empty: NULL. */
  funcs: string;
  /** The target of the static call (`static_call_key->func`). */
  call: string;
}

/** Transitions of the number of probes that need a grace period (`enum tp_transition_sync`). */
export type TransitionSync = '1->0->1' | 'N->2->1';

/**
 * `struct tp_transition_snapshot`: a grace period that has to pass before the static call may be a probe's again.
 */
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
  /** Arrays and snapshots that were made so far. */
  made: number;
  /** Those that are ongoing. */
  snapshots: Partial<Record<TransitionSync, TracepointSnapshot>>;
}

/** A kernel that may have tracepoints; without a declared one the field is absent. */
export interface TracepointWorld extends TextWorld {
  tracepoints?: Tracepoints;
}

/** Read-only. */
export type TracepointView = DeepReadonly<TracepointWorld>;

/** tp_stub_func(): replaces a probe that is removed when there is no memory for a new array. */
export const TP_STUB_FUNC = 'tp_stub_func';

/** TRACEPOINT_DEFAULT_PRIO: that of tracepoint_probe_register(). */
export const DEFAULT_PRIO = 10;

/** Symbols of a tracepoint's code: the function that hits it, the iterator, the stub for BPF. */
export const siteName = (name: string): string => `trace_${name}`;
export const iteratorName = (name: string): string => `__traceiter_${name}`;
export const bpfStubName = (name: string): string => `__bpf_trace_${name}`;

/** All tracepoints of a kernel that has some. */
export function tracepointsOf(k: TracepointWorld): Tracepoints;
export function tracepointsOf(k: TracepointView): DeepReadonly<Tracepoints>;
export function tracepointsOf(k: TracepointView): DeepReadonly<Tracepoints> {
  if (k.tracepoints === undefined) throw new Error('no tracepoint is declared');
  return k.tracepoints;
}

/** A tracepoint by name; an unknown name is an error of the model. */
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

/** Reading an array that was freed is a crash. */
export function arrayNamed(k: TracepointWorld, array: string): TracepointFunc[];
export function arrayNamed(k: TracepointView, array: string): DeepReadonly<TracepointFunc[]>;
export function arrayNamed(k: TracepointView, array: string): DeepReadonly<TracepointFunc[]> {
  const found = tracepointsOf(k).arrays[array];
  if (found === undefined) throw readOfFreed({ is: 'probe array', array });
  return found;
}

/** Whether a name is that of a tracepoint, which is hit, and not of a function. */
export function isTracepoint(k: TracepointView, name: string): boolean {
  return k.tracepoints?.points[name] !== undefined;
}

/** Address of a function, or of the one that hits a tracepoint. */
export function calledAddress(k: TracepointView, name: string): Word {
  return addressOf(k, isTracepoint(k, name) ? siteName(name) : name);
}
