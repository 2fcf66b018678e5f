import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import { designOf, refuseSingle, SINGLE_ERRNOS } from './chosen.ts';

/** Where a single program may be refused, and the reason in reports. */
const LABELS = { get: 'multi links have its target', link: 'multi links have the function' } as const;

/** Refuses a single program on a function that multi links have exclusively, if the design has such functions. */
export function keepSinglesOff<A>(
  { when, refuseWith }: RoutineWords<BpfWorld, A>,
  stage: 'get' | 'link',
  targetOf: (k: BpfWorld, locals: A) => string,
): Part {
  return when('the design keeps functions for itself', keepsSome, [
    refuseWith(SINGLE_ERRNOS, LABELS[stage], (k, locals) => refuseSingle(k, targetOf(k, locals), stage)),
  ]);
}

/** Most designs leave all functions open to single programs. */
function keepsSome({ profile }: BpfView): boolean {
  return designOf(profileNamed(profile))?.refuseSingle !== undefined;
}
