import { withSleepers } from '../../checker/interleavings/family.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { faultsOn } from '../../checker/sequences/faults-on.ts';
import { profileFor } from '../../commands/designs/bound.ts';
import type { Action } from '../../model/client/all.ts';
import { InputError } from '../../model/core/input-error.ts';
import { behaviourNames, olderValues } from '../../model/core/override.ts';
import type { Profile } from '../../model/core/profile.ts';
import {
  PREFERRED,
  PROFILES,
  profileNamed,
  RECORDED_KERNELS,
  RECORDED_PROFILES,
} from '../../model/core/profile.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import { faultOf } from '../../model/core/world.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';

/*
 * Sequences that run what a search seldom does: kernels with another value of one behaviour or a small shadow stack,
 * designs in the other kernels that can have them, and a failure of each allocation and of each of the first pokes.
 */

/** Shadow stacks that are full after one frame to four: together they end at each word of a frame. */
const SMALL_STACKS = Array.from({ length: 20 }, (_, i) => 26 + i);

/** Kernels of which a task can follow few calls at once. */
export function smallStackProfiles(): string[] {
  return PREFERRED.filter((kernel) => PROFILES[kernel].fgraph === 'multi').flatMap((kernel) =>
    SMALL_STACKS.map((words) => `${kernel}, shadowStackWords = ${words}`),
  );
}

/**
 * Kernels that differ from one of ours in one behaviour that its other ones allow, whose value another kernel has, an
 * older one, or a proposal.
 */
export function overriddenProfiles(): string[] {
  const found = new Map<string, string>();
  for (const kernel of PREFERRED)
    for (const name of behaviourNames(PROFILES[kernel]))
      for (const value of otherValues(kernel, name)) {
        const override = `${name} = ${value}`;
        const profile = `${kernel}, ${override}`;
        if (!found.has(override) && isKernel(profile)) found.set(override, profile);
      }
  return [...found.values()];
}

function otherValues(kernel: keyof typeof PROFILES, name: keyof Profile): string[] {
  // Designs have sequences of their own.
  if (name === 'multiLinks') return [];
  const known = [
    ...olderValues(name),
    ...RECORDED_KERNELS.map((other) => String(RECORDED_PROFILES[other][name])),
  ];
  return [...new Set(known)].filter((value) => value !== String(PROFILES[kernel][name]));
}

function isKernel(profile: string): boolean {
  try {
    const kernel = profileNamed(profile);
    designOf(kernel);
    return kernel.sentence !== '';
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** A design in the kernels that can have it and that it is not judged on. */
export function otherProfilesOf(design: Design): string[] {
  return PREFERRED.filter(
    (kernel) => design.needs?.({ ...PROFILES[kernel], multiLinks: design.name }) === undefined,
  )
    .map((kernel) => withSleepers(`${kernel}, multiLinks = ${design.name}`))
    .filter((profile) => profile !== profileFor(design));
}

/** Pokes that fail: the first ones of an action, so that there is something to be rolled back. */
const POKES = [1, 2, 3, 4];

/**
 * Each case with a failure before one of its actions: of every allocation on its way, and of every one of the first pokes.
 * Of one kind of action and one failure the first few in a kernel.
 */
export function* withFaults(cases: readonly AttachCase[], most: number): Generator<AttachCase> {
  const seen = new Map<string, number>();
  for (const { actions, ...start } of cases) {
    const { profile, functions, tracepoints = [] } = start;
    const k = bootKernel({ profile, boot: 'default', functions, tracepoints });
    for (const [i, action] of actions.entries()) {
      if (k.fault === null && action.do !== 'call')
        for (const fault of failuresOn(copyKernel(k), action)) {
          const { what, where, nth = 1 } = fault;
          const key = [profile, kindOf(action), what, where, nth].join(' ');
          const before = seen.get(key) ?? 0;
          if (before >= most) continue;
          seen.set(key, before + 1);
          yield { ...start, actions: failing(actions, i, fault) };
        }
      if (apply(k, action, KERNEL_PROGRAM).died !== undefined) break;
    }
  }
}

/** The call, and whether it is on several functions: two targets of a link are rolled back otherwise than one. */
function kindOf(action: Action): string {
  const isMulti = 'targets' in action && (action.targets?.length ?? 0) > 1;
  return isMulti ? `${action.do} of several` : action.do;
}

function failuresOn(k: ReturnType<typeof copyKernel>, action: Action): InjectedFault[] {
  return faultsOn(k, action, KERNEL_PROGRAM).flatMap((fault) =>
    fault.what === 'poke' ? POKES.map((nth) => faultOf('poke', fault.where, nth)) : [fault],
  );
}

/** The failure is ordered, the call is made, made again, and what followed it follows. */
function failing(actions: readonly Action[], i: number, fault: InjectedFault): Action[] {
  const action = actions.slice(i, i + 1);
  return [...actions.slice(0, i), { do: 'fail', fault }, ...action, ...action, ...actions.slice(i + 1)];
}
