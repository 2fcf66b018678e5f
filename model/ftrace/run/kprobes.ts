import { Oops } from '../../core/oops.ts';
import { profileNamed } from '../../core/profile.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import { addressOf } from '../../text/space.ts';
import { bodyAddress, siteAddress } from '../../text/text.ts';
import type { Word } from '../../x86/word.ts';
import { plus } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import { isOnStack } from '../kretprobe.ts';
import type { Kprobe, KprobeSite, ProbeView, ProbeWorld } from '../probes.ts';
import { getKprobe } from '../probes.ts';
import { rethookHook, rethookTryGet } from '../rethook.ts';
import type { Handling } from './handling.ts';
import { kprobeInMemory, kretprobeInMemory } from './in-memory.ts';
import { hookOnStack } from './kretprobes-on-graph.ts';
import { argumentsOf, parentSlot, readReg, writeReg } from './regs.ts';

interface Hitting extends Handling {
  /** What get_kprobe() has found: one probe, or those in the list of an aggregate; none: nothing. */
  probes: readonly string[];
  probe: string;
  /** `regs->ip` as it was found. */
  found: Word;
}

/**
 * kprobe_ftrace_handler(), arch/x86/kernel/kprobes/ftrace.c: as if a breakpoint had been hit. Handlers before and
 * after the instruction see the instruction pointer that goes with it, and what was there before is put back.
 */
export const kprobeFtraceHandler = routine<ProbeWorld, Handling, Hitting>(
  'kprobe_ftrace_handler',
  (words) => {
    const { finish, step, when, each } = words;
    return [
      finish(
        'kprobes are disarmed',
        (k) => k.ftrace.disabled && profileNamed(k.profile).kprobesSurviveFtrace,
      ),
      ...withoutPreemption(words, [
        step('get_kprobe', (k, locals) => {
          locals.probes = getKprobe(k, locals.hit.ip)?.probes ?? [];
        }),
        when('there is one that is enabled', isEnabled, [
          step('stand after a breakpoint', standBehindBreakpoint),
          each<string>('a probe', (_, { probes }) => probes, takeProbe, [
            step('call its pre_handler', preHandler),
          ]),
          when('there is a post_handler', hasPost, [
            step('stand after the call site', (k, locals) =>
              writeReg(locals, PT_REGS.RIP, bodyAddress(k, locals.hit.ip)),
            ),
            each<string>('a probe again', listed, takeProbe, [step('call its post_handler', postHandler)]),
          ]),
          step('put the instruction pointer back', (_, locals) =>
            writeReg(locals, PT_REGS.RIP, locals.found),
          ),
        ]),
      ]),
    ];
  },
);

function takeProbe(locals: Hitting, probe: string): void {
  locals.probe = probe;
}

/** The entry in the table that was found, while it is in the table. */
function siteOf(k: ProbeView, { hit, probes }: Hitting): DeepReadonly<KprobeSite> | undefined {
  const site = k.probes.kprobeTable[hit.ip];
  return site?.probes.some((name) => probes.includes(name)) === true ? site : undefined;
}

/** kprobe_disabled(): what leaves the table is disabled before, and freed when nobody is here any more. */
function isEnabled(k: ProbeView, locals: Hitting): boolean {
  const [newest] = locals.probes;
  if (newest === undefined) return false;
  const site = siteOf(k, locals);
  if (site === undefined) kprobeInMemory(k, newest, 'kprobe_ftrace_handler');
  return site !== undefined && !site.disabled;
}

function standBehindBreakpoint(k: ProbeView, locals: Hitting): void {
  if (siteOf(k, locals)?.damaged === true) throw new Oops({ is: 'reused kprobe' });
  locals.found = readReg(locals, PT_REGS.RIP);
  writeReg(locals, PT_REGS.RIP, plus(siteAddress(k, locals.hit.ip), 1));
}

function preHandler(k: ProbeWorld, locals: Hitting): void {
  const name = locals.probe;
  const probe = kprobeInMemory(k, name, 'kprobe_ftrace_handler');
  if (probe.disabled) return;
  if (probe.retprobe !== '') preHandlerKretprobe(k, locals, probe.retprobe);
  else
    locals.cpu.events.push({
      kind: 'kprobe',
      who: name,
      fn: placeOf(probe, locals),
      args: argumentsOf(locals),
    });
}

/** Whether the probe has a post_handler, or any of its aggregate. */
function hasPost(k: ProbeView, locals: Hitting): boolean {
  return siteOf(k, locals)?.post === true;
}

/** The list of the aggregate as it is now. */
function listed(k: ProbeView, locals: Hitting): readonly string[] {
  return siteOf(k, locals)?.probes ?? locals.probes;
}

function postHandler(k: ProbeView, locals: Hitting): void {
  const name = locals.probe;
  const probe = kprobeInMemory(k, name, 'kprobe_ftrace_handler');
  if (probe.disabled || !probe.post) return;
  locals.cpu.events.push({ kind: 'kprobe post', who: name, fn: placeOf(probe, locals) });
}

/** A probe that could not be taken off has lost its address. */
function placeOf(probe: Kprobe, { hit }: Hitting): string {
  return probe.ip === '' ? '?' : hit.ip;
}

/** pre_handler_kretprobe(): hooks the return, if a node is free, or the shadow stack has room. */
function preHandlerKretprobe(k: ProbeWorld, locals: Hitting, name: string): void {
  const probe = kretprobeInMemory(k, name, 'pre_handler_kretprobe');
  const { ip } = locals.hit;
  const tellEntry = () => {
    if (probe.entryHandler) locals.cpu.events.push({ kind: 'kretprobe entry', who: name, fn: ip });
  };
  if (isOnStack(k)) {
    if (!hookOnStack(k, locals, name, tellEntry)) probe.nmissed++;
    return;
  }
  if (!rethookTryGet(k, name)) {
    probe.nmissed++;
    return;
  }
  tellEntry();
  rethookHook(
    k,
    locals.cpu,
    { rethook: name, fn: ip },
    parentSlot(locals),
    addressOf(k, 'arch_rethook_trampoline'),
  );
}
