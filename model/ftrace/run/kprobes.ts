import { NotModelled } from '../../core/not-modelled.ts';
import { Oops } from '../../core/oops.ts';
import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import { addressOf } from '../../text/space.ts';
import { bodyAddress, siteAddress } from '../../text/text.ts';
import type { Word } from '../../x86/word.ts';
import { plus } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import { getKprobe } from '../kprobe-table.ts';
import { isOnStack } from '../kretprobe.ts';
import type { Kprobe, KprobeSite, ProbeView, ProbeWorld } from '../probes.ts';
import { rethookHook, rethookRecycle, rethookTryGet } from '../rethook.ts';
import { dispatchEvent } from './event-handlers.ts';
import type { Handling } from './handling.ts';
import { kprobeInMemory, kretprobeInMemory } from './in-memory.ts';
import { hookOnStack } from './kretprobes-on-graph.ts';
import { argumentsOf, parentSlot, readReg, writeReg } from './regs.ts';

/*
 * kprobe_ftrace_handler(): kprobes at a call site, simulated as if an int3 had been hit there.
 *
 * ```text
 *   regs->ip            seen by
 *   ----------------    ---------------------------------------------------
 *   site + 1            pre_handlers (as after an int3)
 *   site + 5            post_handlers (as after a single-stepped nop)
 *   as it was found     the rest of the call; a pre_handler may change it
 * ```
 *
 * While a handler runs, `current_kprobe` of the CPU is set: a call from the handler, or from an interrupt in it, calls no
 * handler and is counted (`kprobe_running()`).
 *
 * `kprobe_table` and the list of an aggregate are read without `kprobe_mutex`, with preemption disabled;
 * unregister_kprobe() waits for RCU before the memory is the client's. A handler may therefore still run after
 * its probe was disabled.
 */

/** kprobe_ftrace_handler() between its steps. */
interface Hitting extends Handling, Guarded {
  /** The result of get_kprobe(): one probe, or the list of an aggregate; empty: NULL. */
  probes: readonly string[];
  probe: string;
  /** The perf event whose handler is called next; empty: none. */
  event: string;
  /** `regs->ip` as it was found. */
  found: Word;
}

/**
 * kprobe_ftrace_handler(), arch/x86/kernel/kprobes/ftrace.c. With ftrace dead, 6.12 and later return at once
 * (`kprobe_ftrace_disabled`); 6.1 calls the handlers of probes that could not be disarmed.
 */
export const kprobeFtraceHandler = routine<ProbeWorld, Handling, Hitting>(
  'kprobe_ftrace_handler',
  (words) => {
    const { finish, step, when } = words;
    return [
      finish(
        'kprobes are disarmed',
        (k) => k.ftrace.disabled && profileNamed(k.profile).kprobesSurviveFtrace,
      ),
      ...guarded(words, TRACE_FTRACE_START, [
        // Without kprobe_mutex: the probe may be disabled or unlinked from here on.
        step('get_kprobe', (k, locals) => {
          locals.probes = getKprobe(k, locals.hit.ip)?.probes ?? [];
        }),
        when('there is one that is enabled', isEnabled, [
          when(
            'a kprobe is running on this CPU',
            (k) => k.current.kprobe,
            [step('count the miss', kprobesIncNmissedCount)],
            callHandlers(words),
          ),
        ]),
      ]),
    ];
  },
);

/** From the first of these steps to the last `current_kprobe` is set: an interrupt may come in a handler. */
function callHandlers(words: RoutineWords<ProbeWorld, Hitting>): Part[] {
  const { step, when, each } = words;
  return [
    step('set ip after the int3', standBehindBreakpoint),
    each<string>('a probe', (_, { probes }) => probes, takeProbe, [
      step('call its pre_handler', (k, locals) => {
        preHandler(k, locals);
        requireNext(k, locals, locals.probe);
      }),
      dispatchEvent(words),
    ]),
    when('there is a post_handler', hasPost, [
      step('set ip after the nop', (k, locals) =>
        writeReg(locals, PT_REGS.RIP, bodyAddress(k, locals.hit.ip)),
      ),
      each<string>('a probe again', listed, takeProbe, [step('call its post_handler', postHandler)]),
    ]),
    // As it was found: the function continues past its call site.
    step('put the instruction pointer back', (k, locals) => {
      writeReg(locals, PT_REGS.RIP, locals.found);
      k.current.kprobe = false;
    }),
  ];
}

/** kprobes_inc_nmissed_count(): of an aggregate each probe, also a disabled one. */
function kprobesIncNmissedCount(k: ProbeWorld, locals: Hitting): void {
  for (const name of locals.probes) {
    kprobeInMemory(k, name, 'kprobes_inc_nmissed_count').nmissed++;
    requireNext(k, locals, name);
  }
}

/** The next probe of the list: a probe whose memory was cleared has none. */
function requireNext(k: ProbeView, locals: Hitting, name: string): void {
  if (siteOf(k, locals)?.damaged.includes(name) === true) throw new Oops({ is: 'reused kprobe' });
}

function takeProbe(locals: Hitting, probe: string): void {
  locals.probe = probe;
}

/** The entry of the table that get_kprobe() found, for as long as it is in the table. */
function siteOf(k: ProbeView, { hit, probes }: Hitting): DeepReadonly<KprobeSite> | undefined {
  const site = k.probes.kprobeTable[hit.ip];
  return site?.probes.some((name) => probes.includes(name)) === true ? site : undefined;
}

/** kprobe_disabled(): a probe is disabled before it leaves the table, and freed when no handler runs any more. */
function isEnabled(k: ProbeView, locals: Hitting): boolean {
  const [newest] = locals.probes;
  if (newest === undefined) return false;
  const site = siteOf(k, locals);
  if (site === undefined) kprobeInMemory(k, newest, 'kprobe_ftrace_handler');
  return site !== undefined && !site.disabled;
}

function standBehindBreakpoint(k: ProbeWorld, locals: Hitting): void {
  locals.found = readReg(locals, PT_REGS.RIP);
  writeReg(locals, PT_REGS.RIP, plus(siteAddress(k, locals.hit.ip), 1));
  k.current.kprobe = true;
}

/** aggr_pre_handler() for each enabled probe; a kretprobe's is pre_handler_kretprobe(). */
function preHandler(k: ProbeWorld, locals: Hitting): void {
  const name = locals.probe;
  const probe = kprobeInMemory(k, name, 'kprobe_ftrace_handler');
  locals.event = '';
  if (probe.disabled) return;
  if (probe.retprobe !== '') preHandlerKretprobe(k, locals, probe.retprobe);
  else if (probe.event !== undefined) locals.event = probe.event;
  else
    locals.cpu.events.push({
      kind: 'kprobe',
      who: name,
      fn: placeOf(probe, locals),
      args: argumentsOf(locals),
    });
}

/** Whether the probe, or any of its aggregate, has a post_handler. */
function hasPost(k: ProbeView, locals: Hitting): boolean {
  return siteOf(k, locals)?.post === true;
}

/** The list of the aggregate, read again for the post_handlers: it may have changed since. */
function listed(k: ProbeView, locals: Hitting): readonly string[] {
  return siteOf(k, locals)?.probes ?? locals.probes;
}

/** aggr_post_handler(). */
function postHandler(k: ProbeView, locals: Hitting): void {
  const name = locals.probe;
  const probe = kprobeInMemory(k, name, 'kprobe_ftrace_handler');
  if (probe.disabled || !probe.post) return;
  locals.cpu.events.push({ kind: 'kprobe post', who: name, fn: placeOf(probe, locals) });
}

/** A probe that could not be disarmed has lost its address. */
function placeOf(probe: Kprobe, { hit }: Hitting): string {
  return probe.ip === '' ? '?' : hit.ip;
}

/**
 * pre_handler_kretprobe(): hooks the return if a node is free, or (`kretprobe = ret_stack`) if the shadow stack
 * has space. A call that is not hooked counts as missed, unless the entry handler has answered nonzero.
 */
function preHandlerKretprobe(k: ProbeWorld, locals: Hitting, name: string): void {
  const probe = kretprobeInMemory(k, name, 'pre_handler_kretprobe');
  const { ip } = locals.hit;
  const tellEntry = () => {
    if (probe.entryHandler) locals.cpu.events.push({ kind: 'kretprobe entry', who: name, fn: ip });
  };
  if (isOnStack(k)) {
    if (probe.vetoes === true)
      throw new NotModelled(
        'a kretprobe on the shadow stack whose entry handler answers nonzero is not modelled',
      );
    if (!hookOnStack(k, locals, name, tellEntry)) probe.nmissed++;
    return;
  }
  if (probe.withoutPool === true) throw new Oops({ is: 'kretprobe without pool', kretprobe: name });
  const rethook = rethookTryGet(k, name);
  if (rethook === undefined) {
    probe.nmissed++;
    return;
  }
  tellEntry();
  if (probe.vetoes === true) {
    rethookRecycle(k, rethook);
    return;
  }
  rethookHook(
    k,
    locals.cpu,
    { rethook, fn: ip },
    parentSlot(locals),
    addressOf(k, 'arch_rethook_trampoline'),
  );
}
