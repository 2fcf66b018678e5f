import { Oops } from '../../core/oops.ts';
import { profileNamed } from '../../core/profile.ts';
import { addressOf } from '../../text/space.ts';
import { bodyAddress, siteAddress } from '../../text/text.ts';
import { plus } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import type { Kprobe, ProbeWorld } from '../probes.ts';
import { getKprobe } from '../probes.ts';
import { rethookHook, rethookTryGet } from '../rethook.ts';
import type { Hit } from './regs.ts';
import { argumentsOf, parentSlot, readReg, writeReg } from './regs.ts';

/**
 * kprobe_ftrace_handler(), arch/x86/kernel/kprobes/ftrace.c: as if a breakpoint had been hit. Handlers before and
 * after the instruction see the instruction pointer that goes with it, and what was there before is put back.
 */
export function kprobeFtraceHandler(k: ProbeWorld, hit: Hit): void {
  if (k.ftrace.disabled && profileNamed(k.profile).kprobesSurviveFtrace) return;
  const site = getKprobe(k, hit.ip);
  if (site === undefined || site.disabled) return;
  if (site.damaged) throw new Oops('aggr_pre_handler', 'a kprobe whose memory was used again is in the list');
  const ip = readReg(hit, PT_REGS.RIP);
  writeReg(hit, PT_REGS.RIP, plus(siteAddress(k, hit.ip), 1));
  for (const name of site.probes) preHandler(k, hit, name);
  writeReg(hit, PT_REGS.RIP, bodyAddress(k, hit.ip));
  for (const name of site.probes) postHandler(k, hit, name);
  writeReg(hit, PT_REGS.RIP, ip);
}

function preHandler(k: ProbeWorld, hit: Hit, name: string): void {
  const probe = k.probes.kprobes[name]!;
  if (probe.disabled) return;
  if (probe.retprobe !== '') preHandlerKretprobe(k, hit, probe.retprobe);
  else hit.cpu.events.push({ kind: 'kprobe', who: name, fn: placeOf(probe, hit), args: argumentsOf(hit) });
}

function postHandler(k: ProbeWorld, hit: Hit, name: string): void {
  const probe = k.probes.kprobes[name]!;
  if (probe.disabled || !probe.post) return;
  hit.cpu.events.push({ kind: 'kprobe post', who: name, fn: placeOf(probe, hit) });
}

/** A probe that could not be taken off has lost its address. */
function placeOf(probe: Kprobe, hit: Hit): string {
  return probe.ip === '' ? '?' : hit.ip;
}

/** pre_handler_kretprobe(): hooks the return, if a node is free. */
function preHandlerKretprobe(k: ProbeWorld, hit: Hit, name: string): void {
  const probe = k.probes.kretprobes[name]!;
  if (!rethookTryGet(k, name)) {
    probe.nmissed++;
    return;
  }
  if (probe.entryHandler) hit.cpu.events.push({ kind: 'kretprobe entry', who: name, fn: hit.ip });
  rethookHook(
    k,
    hit.cpu,
    { rethook: name, fn: hit.ip },
    parentSlot(hit),
    addressOf(k, 'arch_rethook_trampoline'),
  );
}
