import type { Ip, OptprobeId } from '../core/ids.ts';
import { entry, present } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { warn } from '../core/world.ts';
import type { ProbedPlace } from '../text/body-address.ts';
import { functionOf, ipAt, probedAt } from '../text/body-address.ts';
import { write } from '../text/poke.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import { allocatePage, freePage, SITE_BYTES } from '../text/text.ts';
import { INT3 } from '../text/view.ts';
import { plus } from '../x86/word.ts';
import { detourCode } from './entry/detour.ts';
import type { KprobeSite, Optimizer, Optprobe, ProbeView, ProbeWorld } from './probes.ts';

/*
 * An optimised kprobe is a jump of five bytes (kernel/kprobes.c, arch/x86/kernel/kprobes/opt.c). It replaces the probed
 * instruction and those after it that begin within the five bytes. Its target is a detour: code that calls the handlers,
 * copies of the replaced instructions, and a jump back.
 *
 * ```text
 *   f+0x9   53            push %rbx            e9 .. .. .. ..   jmp optprobe#1
 *   f+0xa   48 83 ec 10   sub $0x10,%rsp        (rest of the jump)
 *   f+0xe   48 89 e3      mov %rsp,%rbx        48 89 e3         mov %rsp,%rbx
 *
 *   optprobe#1   save registers, call optimized_callback(), restore them
 *                push %rbx
 *                sub $0x10,%rsp
 *                jmp f+0xe
 * ```
 *
 * A task that is preempted at f+0xa would resume in the middle of the jump, so the optimiser (`kprobe-optimizer.ts`) waits
 * for RCU-tasks between the int3 and the jump. From when a kprobe is queued, execution resumes after its int3 in the copies: no task gets to
 * f+0xa any more. A kprobe that is armed among the replaced instructions takes the jump away first, and none is optimised
 * over one.
 */

/** The detour's instruction after the handlers' call: where execution resumes after the int3 of a kprobe that is queued. */
export function copiesOf(k: ProbeView, optprobe: OptprobeId) {
  return plus(addressOf(k, optprobe), detourCode(k, optprobe, entry(opsOf(k), optprobe)).copies);
}

/** `optinsn.size`: bytes of the instructions that are replaced. */
export function sizeOf({ code }: Pick<DeepReadonly<Optprobe>, 'code'>): number {
  return code.join('').length / 2;
}

function opsOf(k: ProbeWorld): Record<OptprobeId, Optprobe>;
function opsOf(k: ProbeView): DeepReadonly<Record<OptprobeId, Optprobe>>;
function opsOf({ probes: { optimizer } }: ProbeView): DeepReadonly<Record<OptprobeId, Optprobe>> {
  return optimizer?.ops ?? {};
}

/** The optimised kprobe of an address, if one was prepared. */
export function optprobeAt(k: ProbeWorld, ip: Ip): Optprobe | undefined;
export function optprobeAt(k: ProbeView, ip: Ip): DeepReadonly<Optprobe> | undefined;
export function optprobeAt(k: ProbeView, ip: Ip): DeepReadonly<Optprobe> | undefined {
  const name = k.probes.kprobeTable[ip]?.optprobe;
  return name === undefined ? undefined : opsOf(k)[name];
}

/** kprobe_disarmed(): disabled, and on no list of the optimiser. */
function isDisarmed(k: ProbeView, ip: Ip, site: DeepReadonly<KprobeSite>): boolean {
  return site.disabled && (optprobeAt(k, ip)?.list ?? 'none') === 'none';
}

/** kprobe_queued(). */
export function isQueued(k: ProbeView, ip: Ip): boolean {
  return (optprobeAt(k, ip)?.list ?? 'none') !== 'none';
}

/** kprobe_unused(): its last kprobe has left, and it waits for the optimiser. */
export function isUnused({ disabled, probes }: DeepReadonly<KprobeSite>): boolean {
  return disabled && probes.length === 0;
}

/**
 * get_optimized_kprobe(): the nearest kprobe before an address among whose replaced instructions the address is. One that
 * is disarmed is skipped.
 */
export function overlapping(k: ProbeView, ip: Ip): Ip | undefined {
  const { name, offset } = probedAt(ip);
  const before = Object.entries(opsOf(k))
    .map(([, op]) => ({ op, start: probedAt(op.ip).offset }))
    .filter(({ op, start }) => functionOf(op.ip) === name && start < offset && offset < start + sizeOf(op))
    .filter(({ op }) => {
      const site = k.probes.kprobeTable[op.ip];
      return site !== undefined && optprobeAt(k, op.ip) === op && !isDisarmed(k, op.ip, site);
    });
  return before.sort((a, b) => b.start - a.start)[0]?.op.ip;
}

/** optimize_kprobe(): whether a kprobe is enabled, has a detour, and no post_handler. */
export function mayHaveJump(k: ProbeView, ip: Ip): boolean {
  const site = k.probes.kprobeTable[ip];
  if (optprobeAt(k, ip) === undefined || site === undefined) return false;
  return k.probes.optimizer?.allowed === true && !site.disabled && !site.post;
}

/** arch_check_optimized_kprobe(): whether a kprobe is armed at an instruction that would be replaced. */
export function isArmedWithin(k: ProbeView, ip: Ip): boolean {
  const { name, offset } = probedAt(ip);
  const size = sizeOf(present(optprobeAt(k, ip), ip));
  return Object.entries(k.probes.kprobeTable).some(([other, site]) => {
    if (functionOf(other) !== name || other === name) return false;
    const start = probedAt(other).offset;
    return start > offset && start < offset + size && !isDisarmed(k, other, site);
  });
}

/** KPROBE_FLAG_OPTIMIZED: one that waits to be unoptimised is just dequeued. */
export function keepsJump(k: ProbeWorld, ip: Ip): boolean {
  const op = present(optprobeAt(k, ip), ip);
  if (op.optimized && op.list === 'unoptimizing') op.list = 'none';
  return op.optimized;
}

/** The rest of optimize_kprobe(): whether the work of the optimiser has to be scheduled. */
export function queueToOptimize(k: ProbeWorld, ip: Ip): boolean {
  const op = present(optprobeAt(k, ip), ip);
  op.optimized = true;
  if (op.list !== 'none') {
    warn(k, { is: 'optprobe on a list', ip });
    return false;
  }
  op.list = 'optimizing';
  return kick(k);
}

/** kick_kprobe_optimizer(): whether its work was not pending yet. */
export function kick(k: ProbeWorld): boolean {
  const optimizer = optimizerOf(k);
  const { kicked } = optimizer;
  optimizer.kicked = true;
  return !kicked;
}

/** It is there since kprobes were first allowed to be optimised. */
export function optimizerOf({ probes: { optimizer } }: ProbeWorld): Optimizer {
  if (optimizer === null) throw new Error('kprobes were never allowed to be optimised');
  return optimizer;
}

/** arch_prepare_optimized_kprobe(): makes the detour of an address whose instructions leave room for a jump. */
export function prepareOptprobe(k: ProbeWorld, ip: Ip): void {
  const { optimizer, kprobeTable } = k.probes;
  const site = entry(kprobeTable, ip);
  const { code = [] } = site;
  if (optimizer === null || site.optprobe !== undefined || sizeOf({ code }) < SITE_BYTES) return;
  optimizer.made++;
  const name = `optprobe#${optimizer.made}`;
  optimizer.ops[name] = { ip, code, optimized: false, list: 'none' };
  site.optprobe = name;
  site.aggregate = true;
  allocatePage(k, name, '');
  entry(k.text.pages, name).bytes = detourCode(k, name, { ip, code }).bytes;
  watchReplaced(k, ip, code);
}

/** `p->opcode`, in the place of its int3. */
export function writeOpcode(k: ProbeWorld, ip: Ip): void {
  write(k, probedAt(ip), 'heads', opcodeOf(k, ip));
}

export function opcodeOf(k: ProbeView, ip: Ip): string {
  const [first = ''] = entry(k.probes.kprobeTable, ip).code ?? [];
  return first.slice(0, 2);
}

/** free_aggr_kprobe(). Its slot is dirty, and given back later. */
export function freeOptprobe(k: ProbeWorld, name: OptprobeId): void {
  const { ip } = entry(opsOf(k), name);
  delete opsOf(k)[name];
  forgetPlaces(k, ip);
}

/** kill_optimized_kprobe(): the text goes, and the detour with it. */
export function killOptprobe(k: ProbeWorld, site: KprobeSite): void {
  if (site.optprobe === undefined) return;
  delete opsOf(k)[site.optprobe];
  freePage(k, site.optprobe);
  delete site.optprobe;
}

/** The jump of an optimised kprobe. */
export function jumpOf(k: ProbeView, { ip, optprobe }: { ip: Ip; optprobe: OptprobeId }): string {
  const { name, offset } = probedAt(ip);
  return branchBytes('e9', plus(addressOf(k, name), offset), addressOf(k, optprobe));
}

/** The places of the replaced instructions, with what memory has there. */
export function watchReplaced(k: ProbeWorld, ip: Ip, code: readonly string[]): void {
  const { name, offset } = probedAt(ip);
  const { probed } = k.text;
  const bytes = memoryAt(k, { kind: 'probed', name, offset }, code.join('').slice(0, 2 * SITE_BYTES));
  let start = 0;
  for (const insn of code) {
    const key = ipAt(name, offset + start);
    const now = bytes.slice(2 * start);
    if (now !== '' && (probed[key] ?? '').length < now.length) probed[key] = now;
    start += insn.length / 2;
  }
}

/** Bytes as they were compiled, with what kprobes have changed. */
function memoryAt({ text: { probed } }: ProbeView, { name, offset }: ProbedPlace, compiled: string): string {
  const bytes = compiled.match(/../g) ?? [];
  for (const [ip, now] of Object.entries(probed)) {
    if (functionOf(ip) !== name) continue;
    const start = probedAt(ip).offset - offset;
    for (let i = 0; i < now.length / 2; i++)
      if (bytes[start + i] !== undefined) bytes[start + i] = now.slice(2 * i, 2 * i + 2);
  }
  return bytes.join('');
}

/** Bytes of a function that no kprobe changes any more are text like any other. */
export function forgetPlaces(k: ProbeWorld, ip: Ip): void {
  const fn = functionOf(ip);
  const ops = Object.values(opsOf(k)).filter((op) => functionOf(op.ip) === fn);
  const { probed } = k.text;
  for (const key of Object.keys(probed)) {
    if (functionOf(key) !== fn) continue;
    const bytes = entry(probed, key);
    const { offset } = probedAt(key);
    const replaced = ops
      .map((op) => probedAt(op.ip).offset)
      .filter((start) => start <= offset)
      .map((start) => start + SITE_BYTES - offset);
    const kept = Math.max(bytes.startsWith(INT3) ? 1 : 0, ...replaced);
    if (kept <= 0) delete probed[key];
    else probed[key] = bytes.slice(0, 2 * kept);
  }
}
