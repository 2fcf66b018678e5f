import type { FunctionName } from '../../core/ids.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { BpfView } from '../world.ts';
import type { Disagreement } from './disagreement.ts';
import type { MultiTrampoline } from './multi-trampoline.ts';
import { multisOf } from './multi-trampoline.ts';

/*
 * Invariants of trampolines of several functions, checked between operations: the sets are disjoint, none of
 * their functions has programs on its own trampoline as well, and each image calls exactly the programs of its
 * trampoline.
 */

/** The image that a function calls, if it is one of several. */
export function imageOfMulti(k: BpfView, target: FunctionName): string {
  return multisOf(k).find(([, { ids }]) => ids.includes(target))?.[1].image ?? '';
}

/** Whether a function has its trampoline together with others. */
export function isInMulti(k: BpfView, target: FunctionName): boolean {
  return multisOf(k).some(([, { ids }]) => ids.includes(target));
}

/** Each function has one trampoline, and each trampoline the image for just its programs. */
export function multiDisagreement(k: BpfView): Disagreement | undefined {
  const seen = new Set<string>();
  for (const [name, tr] of multisOf(k)) {
    const twice = tr.ids.find((id) => seen.has(id) || (k.bpf.trampolines[id]?.nodes.length ?? 0) > 0);
    if (twice !== undefined) return { is: 'function-has-two-trampolines', fn: twice, other: name };
    for (const id of tr.ids) seen.add(id);
    const wrong = imageDisagreement(k, name, tr);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** A trampoline without programs is freed, so an empty list is an inconsistency too. */
function imageDisagreement(
  k: BpfView,
  name: string,
  { nodes, image }: DeepReadonly<MultiTrampoline>,
): Disagreement | undefined {
  const expected = nodes.map(({ prog }) => prog);
  const observed = [...(k.bpf.images[image]?.programs ?? [])];
  if (expected.join() === observed.join() && nodes.length > 0) return undefined;
  return { is: 'multi-image-is-for-others', of: name, expected, observed };
}
