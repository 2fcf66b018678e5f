import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import type { ProbeWorld, RethookNode } from './probes.ts';

/** rethook_alloc(): a pool with a node for each call that may be under way at once. */
export function rethookAlloc(k: ProbeWorld, name: string, nodes: number): void {
  k.probes.rethooks[name] = { free: nodes, max: nodes, handler: true };
}

/** rethook_free(): nothing is taken from the pool any more; it goes when its last node has come back. */
export function rethookFree(k: ProbeWorld, name: string): void {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined) return;
  rethook.handler = false;
  if (rethook.free === rethook.max) delete k.probes.rethooks[name];
}

/** rethook_try_get(): a node, unless the pool is empty or its user is going. */
export function rethookTryGet(k: ProbeWorld, name: string): boolean {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined || !rethook.handler || rethook.free === 0) return false;
  rethook.free--;
  return true;
}

/** rethook_recycle(). */
export function rethookRecycle(k: ProbeWorld, name: string): void {
  const rethook = k.probes.rethooks[name];
  if (rethook === undefined) return;
  rethook.free++;
  if (!rethook.handler && rethook.free === rethook.max) delete k.probes.rethooks[name];
}

/** rethook_hook(): the return address on the stack becomes the trampoline's, and the node keeps the real one. */
export function rethookHook(
  k: ProbeWorld,
  cpu: Cpu,
  node: Omit<RethookNode, 'retAddr' | 'frame'>,
  slot: Word,
  trampoline: Word,
): void {
  k.probes.hooked.push({ ...node, retAddr: toHex(cpu.read(slot)), frame: toHex(slot) });
  cpu.write(slot, trampoline);
}
