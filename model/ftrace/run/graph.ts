import { profileNamed } from '../../core/profile.ts';
import { warn } from '../../core/world.ts';
import type { CFunction, Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RAX, RDI } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { fromHex, plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import type { RetStackFrame } from '../fgraph.ts';
import { FTRACE_RETFUNC_DEPTH, shadowStackMax, subopsOf } from '../fgraph.ts';
import { matches } from '../ops.ts';
import type { ProbeWorld } from '../probes.ts';
import { fprobeEntry, fprobeExit } from './fprobes.ts';
import type { Hit } from './regs.ts';
import { parentSlot } from './regs.ts';

/** Words of the header in front of what an fprobe keeps for its exit handler, and of what a session keeps. */
const HEADER_WORDS = 1;

/** ftrace_graph_func(): if anybody wants the return, the caller's return address is replaced. */
export function ftraceGraphFunc(k: ProbeWorld, hit: Hit): void {
  if (profileNamed(k.profile).graphSkipsDirectSites && k.ftrace.directFunctions[hit.ip] !== undefined) return;
  const slot = parentSlot(hit);
  const followed =
    profileNamed(k.profile).fgraph === 'single' ? enterSingle(k, hit, slot) : enterMulti(k, hit, slot);
  if (followed) hit.cpu.write(slot, addressOf(k, 'return_to_handler'));
}

function frameFor(k: ProbeWorld, hit: Hit, slot: Word): RetStackFrame {
  return {
    ret: toHex(hit.cpu.read(slot)),
    func: hit.ip,
    retp: toHex(slot),
    bitmap: 0,
    below: k.fgraph.used,
    data: {},
  };
}

/** function_graph_enter() until 6.10. */
function enterSingle(k: ProbeWorld, hit: Hit, slot: Word): boolean {
  const { fgraph } = k;
  if (fgraph.stopped) return false;
  if (fgraph.retStack.length >= FTRACE_RETFUNC_DEPTH - 1) {
    fgraph.overrun++;
    return false;
  }
  fgraph.retStack.push(frameFor(k, hit, slot));
  const wanted = fgraph.directGops !== '' && clientEntry(k, hit, fgraph.directGops);
  if (!wanted) fgraph.retStack.pop();
  return wanted;
}

/** function_graph_enter_regs(): each user is asked, in the order of the indices. Bit 0 is set whoever accepted. */
function enterMulti(k: ProbeWorld, hit: Hit, slot: Word): boolean {
  const { fgraph } = k;
  const words = profileNamed(k.profile).fgraphFrameWords;
  if (fgraph.stopped) return false;
  if (fgraph.used + words + 1 >= shadowStackMax(words)) {
    fgraph.overrun++;
    return false;
  }
  const frame = frameFor(k, hit, slot);
  fgraph.retStack.push(frame);
  fgraph.used += words + 1;
  let bitmap = 0;
  for (const name of askedUsers(k, hit.ip)) {
    const before = fgraph.used;
    const { idx } = fgraph.gops[name]!;
    if (entryOf(k, hit, name)) bitmap |= 1 << idx;
    else {
      fgraph.used = before;
      delete fgraph.retStack.at(-1)!.data[idx];
    }
  }
  if (bitmap === 0) {
    fgraph.retStack.pop();
    fgraph.used = frame.below;
    return false;
  }
  fgraph.retStack.at(-1)!.bitmap = bitmap | 1;
  return true;
}

/** The only user is called without a look at its filter: it is the manager's. */
function askedUsers(k: ProbeWorld, ip: string): string[] {
  const { doDirect, directGops, array } = k.fgraph;
  if (doDirect) return directGops === '' ? [] : [directGops];
  return array.filter((name) => name !== '' && matches(k, subopsOf(name), ip));
}

function entryOf(k: ProbeWorld, hit: Hit, name: string): boolean {
  return k.fgraph.gops[name]!.kind === 'fprobe' ? fprobeFgraphEntry(k, hit, name) : clientEntry(k, hit, name);
}

function clientEntry(k: ProbeWorld, hit: Hit, name: string): boolean {
  if (k.fgraph.gops[name]!.refuses.includes(hit.ip)) return false;
  hit.cpu.events.push({ kind: 'graph entry', who: name, fn: hit.ip });
  return true;
}

/**
 * fprobe_fgraph_entry(): room for all fprobes of the function that have an exit handler; then their entry handlers.
 * Those that want the return are noted for fprobe_return().
 */
function fprobeFgraphEntry(k: ProbeWorld, hit: Hit, gops: string): boolean {
  const names = (k.probes.fprobeTable[hit.ip] ?? []).filter((name) => k.probes.fprobes[name]!.exit);
  const words = names.reduce((sum, name) => sum + HEADER_WORDS + dataWords(k, name), 0);
  const { idx } = k.fgraph.gops[gops]!;
  if (words > 0 && !reserve(k, words)) {
    for (const name of names) k.probes.fprobes[name]!.nmissed++;
    return false;
  }
  const wanting = names.filter((name) => !fprobeEntry(k, hit, name));
  if (wanting.length === 0) return false;
  k.fgraph.retStack.at(-1)!.data[idx] = { words, value: wanting };
  return true;
}

/** A session keeps a word between its two halves. */
function dataWords(k: ProbeWorld, name: string): number {
  const { entry, exit, prog } = k.probes.fprobes[name]!;
  return entry && exit && prog > 0 ? 1 : 0;
}

/** fgraph_reserve_data(): at most 32 words, and one more that says whose they are. */
function reserve(k: ProbeWorld, words: number): boolean {
  const { fgraphFrameWords } = profileNamed(k.profile);
  if (words > 32 || k.fgraph.used + words + 1 >= shadowStackMax(fgraphFrameWords)) return false;
  k.fgraph.used += words + 1;
  return true;
}

/** ftrace_return_to_handler(): tells everybody whose bit is set, and gives the real return address. */
export const returnToHandler: CFunction<ProbeWorld> = (k, cpu) => {
  const frame = k.fgraph.retStack.at(-1);
  if (frame === undefined) {
    k.fgraph.stopped = true;
    warn(k, 'a return is not on the shadow stack (ftrace_return_to_handler)');
    cpu.setRegister(RAX, addressOf(k, 'panic'));
    return;
  }
  const ret = toHex(cpu.read(plus(cpu.register(RDI), PT_REGS.RAX)));
  if (profileNamed(k.profile).fgraph === 'single') {
    k.fgraph.retStack.pop();
    if (k.fgraph.directGops !== '')
      cpu.events.push({ kind: 'graph exit', who: k.fgraph.directGops, fn: frame.func, ret });
  } else {
    tellUsers(k, cpu, frame, ret);
    k.fgraph.retStack.pop();
    k.fgraph.used = frame.below;
  }
  cpu.setRegister(RAX, fromHex(frame.ret));
};

function tellUsers(k: ProbeWorld, cpu: Cpu, frame: RetStackFrame, ret: string): void {
  const { doDirect, directGops, array, gops } = k.fgraph;
  const told = doDirect ? [directGops].filter((name) => name !== '') : array;
  for (const name of told) {
    if (name === '' || (frame.bitmap & (1 << gops[name]!.idx)) === 0) continue;
    if (gops[name]!.kind === 'fprobe') fprobeReturn(k, cpu, name, frame, ret);
    else cpu.events.push({ kind: 'graph exit', who: name, fn: frame.func, ret });
  }
}

/** fprobe_return(): the exit handlers of the fprobes that were noted, if they are still registered. */
function fprobeReturn(k: ProbeWorld, cpu: Cpu, gops: string, frame: RetStackFrame, ret: string): void {
  const data = frame.data[k.fgraph.gops[gops]!.idx];
  if (data === undefined) {
    warn(k, 'fprobes are told of a return that they did not ask for (fprobe_return)');
    return;
  }
  for (const name of data.value)
    if (k.probes.fprobes[name] !== undefined) fprobeExit(k, cpu, name, frame.func, ret);
}
