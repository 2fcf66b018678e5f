import type { Ip, KprobeId, OptprobeId } from '../../core/ids.ts';
import { useAfterFree } from '../../core/oops.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import { probedAt } from '../../text/body-address.ts';
import { symbolAt } from '../../text/branch.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RDI, RSI } from '../../x86/register.ts';
import { fromNumber, plus } from '../../x86/word.ts';
import { KERNEL_CS, PT_REGS } from '../entry/frame.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { dispatchEvent } from './event-handlers.ts';
import { kprobeInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { argumentsOf, readReg, writeReg } from './regs.ts';

/** optimized_callback() between its steps. */
interface Detoured extends AtSite {
  readonly op: OptprobeId;
  probe: KprobeId;
  /** The perf event whose handler is called next; empty: none. */
  event: string;
}

/** The arguments of optimized_callback(): the kprobe, by the address of its detour, and the registers. */
export function detouredOf(
  k: ProbeView,
  cpu: Cpu,
): Pick<Detoured, 'cpu' | 'op' | 'hit'> & Record<string, unknown> {
  const op = symbolAt(k, cpu.register(RDI));
  const ip = k.probes.optimizer?.ops[op]?.ip ?? '';
  return { cpu, op, hit: { ip, fregs: cpu.register(RSI) } };
}

/**
 * optimized_callback(), arch/x86/kernel/kprobes/opt.c: the handlers of a kprobe with a jump. Until it disables preemption
 * nothing but RCU-tasks waits for it, and it reads the flags of the kprobe before.
 */
export const optimizedCallback = routine<ProbeWorld, Omit<Detoured, 'probe' | 'event'>, Detoured>(
  'optimized_callback',
  (words) => [
    words.finish('the kprobe is disabled', isDisabled),
    ...withoutPreemption(words, [
      words.when(
        'a kprobe is running on this CPU',
        (k) => k.current.kprobe,
        [words.step('count the miss', countMiss)],
        callHandlers(words),
      ),
    ]),
  ],
);

/** It may be disabled as long as its jump waits for the optimiser. */
function isDisabled(k: ProbeView, { op, hit }: Detoured): boolean {
  if (k.probes.optimizer?.ops[op] === undefined)
    throw useAfterFree({ is: 'optimised kprobe', name: op }, 'optimized_callback');
  return siteOf(k, hit.ip, op)?.disabled !== false;
}

function siteOf(k: ProbeView, ip: Ip, op: OptprobeId) {
  const site = k.probes.kprobeTable[ip];
  return site?.optprobe === op ? site : undefined;
}

/** opt_pre_handler(): those of the list that are enabled. */
function callHandlers(words: RoutineWords<ProbeWorld, Detoured>): Part[] {
  const { step, each } = words;
  return [
    step('fill in the registers', fillIn),
    each<KprobeId>(
      'a probe',
      (k, { hit, op }) => siteOf(k, hit.ip, op)?.probes ?? [],
      (locals, probe) => {
        locals.probe = probe;
      },
      [step('call its pre_handler', preHandler), dispatchEvent(words)],
    ),
    step('no kprobe is running', (k) => {
      k.current.kprobe = false;
    }),
  ];
}

/** As after an int3. */
function fillIn(k: ProbeWorld, locals: Detoured): void {
  const { name, offset } = probedAt(locals.hit.ip);
  writeReg(locals, PT_REGS.RSP, plus(readReg(locals, PT_REGS.RSP), 8));
  writeReg(locals, PT_REGS.CS, fromNumber(KERNEL_CS));
  writeReg(locals, PT_REGS.RIP, plus(addressOf(k, name), offset + 1));
  k.current.kprobe = true;
}

function preHandler(k: ProbeWorld, locals: Detoured): void {
  const { cpu, hit, probe: who } = locals;
  const { disabled, event } = kprobeInMemory(k, who, 'opt_pre_handler');
  locals.event = disabled ? '' : (event ?? '');
  if (disabled || event !== undefined) return;
  cpu.events.push({ kind: 'kprobe', who, fn: hit.ip, args: argumentsOf(locals) });
}

/** kprobes_inc_nmissed_count(). */
function countMiss(k: ProbeWorld, { hit, op }: Detoured): void {
  for (const name of siteOf(k, hit.ip, op)?.probes ?? [])
    kprobeInMemory(k, name, 'kprobes_inc_nmissed_count').nmissed++;
}
