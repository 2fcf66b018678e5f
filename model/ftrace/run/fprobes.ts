import { Oops } from '../../core/oops.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import type { ProbeWorld } from '../probes.ts';
import { rethookHook, rethookRecycle, rethookTryGet } from '../rethook.ts';
import type { Hit } from './regs.ts';
import { argumentsOf, parentSlot } from './regs.ts';

/** The entry handler of an fprobe; its answer says that the exit handler shall not run. */
export function fprobeEntry(k: ProbeWorld, hit: Hit, name: string): boolean {
  const { entry, prog, vetoes } = k.probes.fprobes[name]!;
  if (!entry) return false;
  const event = { fn: hit.ip, args: argumentsOf(hit) };
  if (prog > 0) hit.cpu.events.push({ kind: 'kprobe.multi', who: `prog#${prog}`, ...event });
  else hit.cpu.events.push({ kind: 'fprobe entry', who: name, fn: hit.ip });
  return vetoes;
}

export function fprobeExit(k: ProbeWorld, cpu: Cpu, name: string, fn: string, ret: string): void {
  const { exit, prog } = k.probes.fprobes[name]!;
  if (!exit) return;
  if (prog > 0) cpu.events.push({ kind: 'kprobe.multi return', who: `prog#${prog}`, fn, ret });
  else cpu.events.push({ kind: 'fprobe exit', who: name, fn, ret });
}

/**
 * fprobe_handler() (5.18 to 6.13): without a free node not even the entry handler runs. A dead ftrace does not take an
 * ops off its list, and the link that the fprobe is part of is freed all the same.
 */
export function fprobeHandler(k: ProbeWorld, hit: Hit, ops: string): void {
  const name = ops.replace(/\.ops$/, '');
  const fprobe = k.probes.fprobes[name];
  if (fprobe === undefined)
    throw new Oops('fprobe_handler', 'an fprobe whose memory was used again is on ftrace_ops_list');
  if (fprobe.exit && !rethookTryGet(k, name)) {
    fprobe.nmissed++;
    return;
  }
  const refused = fprobeEntry(k, hit, name);
  if (!fprobe.exit) return;
  if (refused) rethookRecycle(k, name);
  else
    rethookHook(
      k,
      hit.cpu,
      { rethook: name, fn: hit.ip },
      parentSlot(hit),
      addressOf(k, 'arch_rethook_trampoline'),
    );
}

/** fprobe_ftrace_entry() (6.19): the fprobes of a function that want its entry only. */
export function fprobeFtraceEntry(k: ProbeWorld, hit: Hit): void {
  for (const name of k.probes.fprobeTable[hit.ip] ?? [])
    if (!k.probes.fprobes[name]!.exit) fprobeEntry(k, hit, name);
}
