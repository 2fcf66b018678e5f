import type { Ip } from '../core/ids.ts';
import { NotModelled } from '../core/not-modelled.ts';
import { routine } from '../core/routine.ts';
import { disableKprobe, enableKprobe } from '../ftrace/disable-kprobe.ts';
import { registerKprobe } from '../ftrace/kprobe.ts';
import { isOnStack, kprobeOf, registerKretprobe, unregisterKretprobe } from '../ftrace/kretprobe.ts';
import { unregisterKprobe } from '../ftrace/unregister-kprobe.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { functionOf } from '../text/body-address.ts';
import { isLoaded } from '../text/module.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import { dropEventCall, eventCallOf, makeEventCall } from '../tracepoint/perf-events.ts';

/*
 * The kprobe or kretprobe of a perf event, kernel/trace/trace_kprobe.c:
 *
 * ```text
 *   open    register (KPROBE_FLAG_DISABLED) -> TP_FLAG_PROFILE -> enable_kprobe()
 *   close   program detached -> flag cleared -> disable_kprobe() -> waits for readers -> unregister -> freed
 * ```
 *
 * It is among the kprobes of its address like any other, has the name of the event, and its handler runs the programs.
 */

interface EventArgs {
  event: string;
}

interface CreateArgs extends EventArgs {
  ip: Ip;
  on: EventProbe;
  code: readonly string[];
}

/**
 * create_local_trace_kprobe(): the symbol is looked up (number_of_same_symbols(), validate_probe_symbol() since 6.4), and
 * __register_trace_kprobe() refuses functions that ftrace does not know before register_kprobe() sees them.
 */
export const createLocalTraceKprobe = routine<Kernel, CreateArgs>(
  'create_local_trace_kprobe',
  ({ refuse, allocate, step, attempt, when, call }) => [
    refuse('ENOENT', 'no symbol has this name', (k, { ip }) => !isSymbol(k, functionOf(ip))),
    allocate('the trace_kprobe'),
    step('init_trace_event_call', initCall),
    attempt(
      [
        refuse('EINVAL', 'ftrace does not know the function', (k, { ip }) => {
          return k.ftrace.records[functionOf(ip)] === undefined;
        }),
        when(
          'it is for returns',
          (_, { on }) => on === 'kretprobe',
          [
            call(registerKretprobe, (_, { event, ip }) => ({
              kretprobe: event,
              ip,
              maxactive: 0,
              entryHandler: false,
              disabled: true,
              event,
            })),
          ],
          [
            call(registerKprobe, (_, { event, ip, code }) => ({
              kprobe: event,
              ip,
              post: false,
              disabled: true,
              retprobe: '',
              code,
              event,
            })),
          ],
        ),
      ],
      [step('free_trace_kprobe', (k, { event }) => dropEventCall(k, event))],
    ),
  ],
);

function initCall(k: Kernel, { event, on }: CreateArgs): void {
  if (on === 'kretprobe' && isOnStack(k))
    throw new NotModelled('a perf event on a kretprobe of the shadow stack is not modelled');
  makeEventCall(k, event, on);
}

/** kallsyms has the functions of the kernel and of its modules, also of one that is being unloaded. */
function isSymbol(k: KernelView, fn: string): boolean {
  return k.text.sites[fn] !== undefined && !isBpfProgram(k, fn) && isLoaded(k, fn);
}

/** A site in text that ftrace has no record of, and that is in no module. */
function isBpfProgram(k: KernelView, fn: string): boolean {
  const inModule = Object.values(k.text.modules).some(({ functions }) => functions.includes(fn));
  return k.ftrace.records[fn] === undefined && !inModule;
}

/** enable_trace_kprobe() for perf. One that is gone stays disabled, and that is no error. */
export const enableTraceKprobe = routine<Kernel, EventArgs>(
  'enable_trace_kprobe',
  ({ step, attempt, when, call }) => [
    step('set TP_FLAG_PROFILE', (k, { event }) => setProfile(k, event, true)),
    attempt(
      [
        when('it is not gone', (k, args) => k.probes.kprobes[kprobeOfEvent(k, args)]?.gone === false, [
          call(enableKprobe, (k, args) => ({ kprobe: kprobeOfEvent(k, args) })),
        ]),
      ],
      [step('clear TP_FLAG_PROFILE', (k, { event }) => setProfile(k, event, false))],
    ),
  ],
);

/** disable_trace_kprobe(): what disable_kprobe() answers is not used. */
export const disableTraceKprobe = routine<Kernel, EventArgs>('disable_trace_kprobe', ({ step, call }) => [
  step('clear TP_FLAG_PROFILE', (k, { event }) => setProfile(k, event, false)),
  call(
    disableKprobe,
    (k, args) => ({ kprobe: kprobeOfEvent(k, args) }),
    () => {},
  ),
]);

/** destroy_local_trace_kprobe(): unregistered, with the wait for its handlers, and freed. */
export const destroyLocalTraceKprobe = routine<Kernel, EventArgs>(
  'destroy_local_trace_kprobe',
  ({ when, call, step }) => [
    when(
      'it is for returns',
      (k, { event }) => eventCallOf(k, event).probe?.on === 'kretprobe',
      [call(unregisterKretprobe, (_, { event }) => ({ kretprobe: event }))],
      [call(unregisterKprobe, (_, { event }) => ({ kprobe: event }))],
    ),
    // The kretprobe is a part of it: of one that could not be disarmed, the handler reads freed memory from here on.
    step('free_trace_kprobe', (k, { event }) => {
      dropEventCall(k, event);
      delete k.probes.kretprobes[event];
    }),
  ],
);

function setProfile(k: Kernel, event: string, profile: boolean): void {
  const { probe } = eventCallOf(k, event);
  if (probe !== undefined) probe.profile = profile;
}

/** The kprobe, or that of the kretprobe. */
function kprobeOfEvent(k: KernelView, { event }: EventArgs): string {
  return eventCallOf(k, event).probe?.on === 'kretprobe' ? kprobeOf(event) : event;
}
