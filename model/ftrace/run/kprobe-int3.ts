import { Oops } from '../../core/oops.ts';
import { profileNamed } from '../../core/profile.ts';
import type { Cpu } from '../../text/cpu.ts';
import type { TextPlace } from '../../text/text.ts';
import { readText } from '../../text/text.ts';
import { INT3, placeKey } from '../../text/view.ts';
import { ARGUMENT_REGS } from '../../x86/argument-registers.ts';
import type { Word } from '../../x86/word.ts';
import { toHex } from '../../x86/word.ts';
import { getKprobe } from '../kprobe-table.ts';
import { copiesOf, optprobeAt } from '../optprobe.ts';
import type { ProbeWorld } from '../probes.ts';
import type { EventHit } from './event-handlers.ts';
import { kprobeInMemory } from './in-memory.ts';

/**
 * kprobe_int3_handler(), arch/x86/kernel/kprobes/core.c: the handlers of the kprobes at an instruction of a body. Then
 * the CPU executes that instruction, where the kernel executes a copy of it with interrupts disabled and comes to a
 * second int3. The post_handlers run after it; they see nothing of it, and run here with the others. False: nothing is
 * there any more, and the CPU fetches again (until 6.7).
 *
 * From the trap to the instruction after it interrupts are disabled, and disarming waits for it by a sync of every CPU:
 * it is one step, with the programs of perf events (`dispatch`).
 */
export function kprobeInt3Handler<K extends ProbeWorld>(
  k: K,
  cpu: Cpu,
  place: TextPlace,
  dispatch: (hit: EventHit) => void,
): boolean | Word {
  const ip = placeKey(place);
  const site = getKprobe(k, ip);
  if (site === undefined) {
    const isGone = readText(k, place, 1) !== INT3;
    if (isGone && profileNamed(k.profile).lateInt3Retries) return false;
    throw new Oops({ is: 'unknown int3', place: ip });
  }
  const probes = site.probes.map((name) => ({
    name,
    probe: kprobeInMemory(k, name, 'kprobe_int3_handler'),
  }));
  // setup_detour_execution(): also before the jump is there, so that no task gets past the int3.
  const { optprobe } = site;
  const resumes =
    optprobe !== undefined && optprobeAt(k, ip)?.optimized === true ? copiesOf(k, optprobe) : true;
  // reenter_kprobe(): also those of the list that are disabled.
  if (k.current.kprobe) {
    for (const { probe } of probes) probe.nmissed++;
    return resumes;
  }
  // aggr_pre_handler() checks the flag of each; a kprobe alone at its address is called until it is disarmed.
  const called = probes.filter(({ probe }) => !site.aggregate || !probe.disabled);
  const args = ARGUMENT_REGS.map((reg) => toHex(cpu.register(reg)));
  for (const { name, probe } of called)
    if (probe.event === undefined) cpu.events.push({ kind: 'kprobe', who: name, fn: ip, args });
    else dispatch({ cpu, event: probe.event, fn: ip, args });
  for (const { name, probe } of called)
    if (probe.post) cpu.events.push({ kind: 'kprobe post', who: name, fn: ip });
  return resumes;
}
