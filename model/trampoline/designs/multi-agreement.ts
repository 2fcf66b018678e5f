import type { BpfWorld } from '../world.ts';
import type { Disagreement } from './design.ts';
import type { MultiTrampoline } from './multi-trampoline.ts';
import { multisOf } from './multi-trampoline.ts';

/*
 * What laws ask of trampolines of several functions.
 */

/** The image that a function is led to, if it is one of several. */
export function imageOfMulti(k: BpfWorld, target: string): string {
  return multisOf(k).find(([, { ids }]) => ids.includes(target))?.[1].image ?? '';
}

/** Each function has one trampoline, and each trampoline the image for just its programs. */
export function multiDisagreement(k: BpfWorld): Disagreement | undefined {
  const seen = new Set<string>();
  for (const [name, tr] of multisOf(k)) {
    const twice = tr.ids.find((id) => seen.has(id) || (k.bpf.trampolines[id]?.nodes.length ?? 0) > 0);
    if (twice !== undefined)
      return { expected: `${twice} has one trampoline`, observed: `${name} is another` };
    for (const id of tr.ids) seen.add(id);
    const wrong = imageDisagreement(k, name, tr);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function imageDisagreement(
  k: BpfWorld,
  name: string,
  { nodes, image }: MultiTrampoline,
): Disagreement | undefined {
  const spelled = (progs: readonly number[]) => progs.map((prog) => `prog#${prog}`).join(', ') || 'nobody';
  const wanted = spelled(nodes.map(({ prog }) => prog));
  const made = spelled(k.bpf.images[image]?.programs ?? []);
  if (wanted === made && nodes.length > 0) return undefined;
  return { expected: `the image of ${name} is the one for ${wanted}`, observed: `it is for ${made}` };
}
