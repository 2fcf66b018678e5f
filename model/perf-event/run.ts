import type { CallEvent } from '../core/event.ts';
import type { ProgId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import { item, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { withoutPreemption } from '../task/current.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import type { EventCall } from '../tracepoint/perf-events.ts';
import { eventCallOf, PERF_TRACE, progArrayNamed } from '../tracepoint/perf-events.ts';
import { argumentsOfHit, hitTracepoint } from '../tracepoint/probe-functions.ts';
import { tracepointNamed } from '../tracepoint/tracepoint.ts';
import { programInMemory } from '../trampoline/in-memory.ts';
import type { BpfProgram } from '../trampoline/program.ts';
import { toHex, zeroExtended } from '../x86/word.ts';
import { callCookieHelpers, hasMultiHelpers } from './run-context.ts';

/*
 * A hit of a tracepoint with perf events: its record is written, and the programs run on that. What the event makes of
 * the record (perf_tp_event()) no program sees.
 */

interface OnCpu {
  cpu: Cpu;
  /** The tracepoint that was hit. */
  tracepoint?: string;
  valid?: boolean;
  /** Its context, as a bit of `perfRecursion`; 0: one of it is in progress. */
  context?: number;
  /** The fields of the record. */
  record?: readonly string[];
}

/**
 * perf_trace_X(), include/trace/perf.h, and perf_trace_run_bpf_submit(), kernel/events/core.c. A record is written once in
 * each context of a CPU (perf_swevent_get_recursion_context()): a hit within that runs no program, and no miss is counted.
 * 7.2 disables preemption here (perf_trace_sched_pi_setprio() of 7.2.13, disassembled); up to 6.12 the site has done so already.
 */
const perfTrace = routine<Kernel, OnCpu>(PERF_TRACE, (words) => {
  const { step, when, call } = words;
  return withoutPreemption(words, [
    step('bpf_prog_array_valid', (k, locals) => {
      locals.tracepoint = hitTracepoint(k, locals.cpu, () => 0);
      locals.valid = eventCallOf(k, locals.tracepoint).progArray !== '';
    }),
    when('there are programs', (_, { valid }) => valid === true, [
      step('perf_trace_buf_alloc', ({ current }, locals) => {
        const bit = 1 << current.context;
        locals.context = (current.perfRecursion & bit) === 0 ? bit : 0;
        current.perfRecursion |= bit;
      }),
      when('it is the only record of its context', (_, { context = 0 }) => context !== 0, [
        step('copy the arguments', (k, locals) => {
          const fn = present(locals.tracepoint, 'tracepoint');
          const { sizes } = tracepointNamed(k, fn);
          locals.record = argumentsOfHit(k, locals.cpu, fn).map((word, i) =>
            toHex(zeroExtended(word, item(sizes, i))),
          );
        }),
        call(traceCallBpf, (_, { cpu, tracepoint = '', record = [] }) => ({
          cpu,
          name: tracepoint,
          record,
        })),
        step('perf_swevent_put_recursion_context', ({ current }, { context = 0 }) => {
          current.perfRecursion &= ~context;
        }),
      ]),
    ]),
  ]);
});

interface RunArgs {
  cpu: Cpu;
  /** The name of the event call. */
  name: string;
  record: readonly string[];
  /** Of an event on a kprobe: what its program sees, and what bpf_get_func_ip() would answer to it. */
  seen?: Pick<CallEvent, 'kind' | 'who' | 'fn' | 'args' | 'ret'>;
  funcIp?: string;
  entryIp?: string;
}

interface Running extends RunArgs {
  /** `call->prog_array`, as it was read; empty: NULL. */
  array?: string;
  /** The item that is next. */
  next?: number;
  isFirst?: boolean;
}

/**
 * trace_call_bpf(), kernel/trace/bpf_trace.c: the programs run one after the other, unless a program is running on the CPU.
 * Then all of them are missed, which 6.1 does not count.
 */
export const traceCallBpf = routine<Kernel, RunArgs, Running>('trace_call_bpf', ({ step, when, again }) => [
  step('count in bpf_prog_active', ({ current }, locals) => {
    current.bpfProgActive++;
    locals.isFirst = current.bpfProgActive === 1;
  }),
  when('it runs them, or counts them', countsOrRuns, [
    step('rcu_read_lock', ({ current }) => {
      current.rcu++;
    }),
    step('read prog_array', (k, locals) => {
      locals.array = callInMemory(k, locals).progArray;
      locals.next = 0;
    }),
    again('until the NULL at the end', hasNext, [step('run, or count, the next program', runNext)]),
    step('rcu_read_unlock', ({ current }) => {
      current.rcu--;
    }),
  ]),
  step('count down bpf_prog_active', ({ current }) => {
    current.bpfProgActive--;
  }),
]);

/** That of a kprobe is freed with its event; those of tracepoints stay. */
function callInMemory(k: KernelView, { name }: Running): DeepReadonly<EventCall> {
  const call = k.perf?.calls[name];
  if (call === undefined) throw useAfterFree({ is: 'kprobe', name }, 'trace_call_bpf');
  return call;
}

function countsOrRuns({ profile }: KernelView, { isFirst }: Running): boolean {
  return isFirst === true || profileNamed(profile).perfMissesCounted;
}

function hasNext(k: KernelView, { array = '', next = 0 }: Running): boolean {
  return array !== '' && next < progArrayNamed(k, array).length;
}

/** bpf_prog_run_array(), or bpf_prog_inc_misses_counters(). `dummy_bpf_prog` does nothing, and has no count. */
function runNext(k: Kernel, locals: Running): void {
  const { array = '', next = 0, cpu, isFirst } = locals;
  locals.next = next + 1;
  // The body of `again` runs before its condition: the array may have become NULL since the hit looked for programs.
  if (array === '') return;
  const { prog, cookie } = item(progArrayNamed(k, array), next);
  if (prog === 0) return;
  const loaded = programInMemory(k, prog, 'trace_call_bpf');
  if (isFirst !== true) {
    loaded.misses++;
    return;
  }
  const isMulti = hasMultiHelpers(k, loaded);
  if (isMulti) callCookieHelpers(k, prog, loaded);
  cpu.events.push({ ...seenBy(locals, loaded.program, prog, isMulti), cookie: toHex(cookie) });
}

/** On a tracepoint the fields of the record, on a kprobe the registers. */
function seenBy(
  { record, name, seen, funcIp = '', entryIp = '' }: Running,
  { accesses = [...record.keys()], getFuncIp }: BpfProgram,
  prog: ProgId,
  isMulti: boolean,
): CallEvent {
  const ip = isMulti ? entryIp : funcIp;
  if (seen !== undefined) return { ...seen, prog: `prog#${prog}`, ...(getFuncIp ? { ip } : {}) };
  const args = accesses.map((i) => item(record, i));
  return { kind: 'program', who: `prog#${prog}`, fn: name, args };
}

export const PERF_ROUTINES = [perfTrace];

/** The probe that the perf events of tracepoints have. */
export const PERF_FUNCTIONS: CFunctions<Kernel> = {
  [PERF_TRACE]: { routine: PERF_TRACE, give: (_, cpu) => ({ cpu }) },
};
