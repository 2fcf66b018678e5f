import type { Ip } from '../core/ids.ts';
import { Oops, useAfterFree } from '../core/oops.ts';
import { routine } from '../core/routine.ts';
import { kprobeOf } from '../ftrace/kretprobe.ts';
import type { EventHit } from '../ftrace/run/event-handlers.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { isInBody } from '../text/body-address.ts';
import { addressOf } from '../text/space.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import { toHex, ZERO } from '../x86/word.ts';
import { traceCallBpf } from './run.ts';
import { entryIp } from './run-context.ts';

/*
 * The handlers of kprobes and kretprobes that perf events have, kernel/trace/trace_kprobe.c: with a program, the programs of
 * the event run on the registers. What the event counts or records (perf_trace_buf_submit()) no program sees.
 */

interface Hitting extends EventHit {
  /** What bpf_get_func_ip() answers now. */
  funcIp?: string;
  /** The same, to a program of kprobe.multi. */
  entryIp?: string;
}

/** kprobe_dispatcher(), and kprobe_perf_func() of it. */
export const kprobePerfFunc = routine<Kernel, EventHit, Hitting>(
  'kprobe_perf_func',
  ({ finish, step, call }) => [
    finish('TP_FLAG_PROFILE is not set, or there is no program', (k, { event }) => !runsPrograms(k, event)),
    step('kprobe_running', setFuncIp('kprobe')),
    call(traceCallBpf, (_, { cpu, event, fn, args = [], funcIp = '', entryIp = '' }) => ({
      cpu,
      name: event,
      record: [],
      seen: { kind: 'kprobe' as const, who: event, fn, args },
      funcIp,
      entryIp,
    })),
  ],
);

/** kretprobe_dispatcher(), and kretprobe_perf_func() of it: `current_kprobe` is the kprobe at the entry. */
export const kretprobePerfFunc = routine<Kernel, EventHit, Hitting>(
  'kretprobe_perf_func',
  ({ finish, step, call }) => [
    finish('TP_FLAG_PROFILE is not set, or there is no program', (k, { event }) => !runsPrograms(k, event)),
    step('kprobe_running', setFuncIp('kretprobe')),
    call(traceCallBpf, (_, { cpu, event, fn, ret = '', funcIp = '', entryIp = '' }) => ({
      cpu,
      name: event,
      record: [],
      seen: { kind: 'kretprobe' as const, who: event, fn, ret },
      funcIp,
      entryIp,
    })),
  ],
);

function runsPrograms(k: KernelView, event: string): boolean {
  const call = callInMemory(k, event);
  return call.probe?.profile === true && call.progArray !== '';
}

/**
 * The event call is part of the `struct trace_kprobe`, and so is the kprobe. One that could not be disarmed is freed while
 * its handler is still called, which finds no event: trace_probe_unlink() has taken it away before.
 */
function callInMemory({ perf, probes }: KernelView, event: string): PerfCall {
  const call = perf?.calls[event];
  if (call !== undefined) return call;
  const isListed = [event, kprobeOf(event)].some((kprobe) => probes.kprobes[kprobe] !== undefined);
  throw isListed
    ? new Oops({ is: 'probe without event', event })
    : useAfterFree({ is: 'kprobe', name: event }, 'kprobe_perf_func');
}

type PerfCall = NonNullable<KernelView['perf']>['calls'][string];

function setFuncIp(on: EventProbe) {
  return (k: Kernel, locals: Hitting): void => {
    locals.funcIp = funcIpOf(k, locals.fn);
    locals.entryIp = entryIp(k, on, locals.fn);
  };
}

/**
 * bpf_get_func_ip_kprobe(), kernel/trace/bpf_trace.c: 0 unless the kprobe is at the entry (KPROBE_FLAG_ON_FUNC_ENTRY, which
 * register_kprobe() sets); there the address of the function, as get_entry_ip() subtracts an `endbr64`. Of several
 * kprobes at an address `current_kprobe` is their aggregate, which took the flag over from the first.
 */
function funcIpOf(k: KernelView, ip: Ip): string {
  return isInBody(ip) ? toHex(ZERO) : toHex(addressOf(k, ip));
}

export const KPROBE_EVENT_ROUTINES = [kprobePerfFunc, kretprobePerfFunc];
