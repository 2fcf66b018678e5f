import type { Edit } from '../../../model/core/link.ts';
import type { Locals, Part } from '../../../model/core/part.ts';
import type { World } from '../../../model/core/world.ts';
import type { Kernel } from '../../../model/kernel.ts';

/*
 * What a planted bug does to one part of a routine.
 */

export function edit(routine: string, id: string, replace: Edit['replace']): Edit {
  return { routine, id, replace };
}

/** The part is left out. */
export const dropped = (): Part[] => [];

/** The same step, and something more. */
export function followedBy(change: (k: Kernel, locals: Locals) => void): Edit['replace'] {
  return (part) => [part, { kind: 'step', id: 'planted', run: change as (k: World, locals: Locals) => void }];
}

/** Something else; a step may still do its own. */
export function instead(run: (k: Kernel, locals: Locals, own: () => void) => void): Edit['replace'] {
  return (part) => {
    const own = part.kind === 'step' ? part.run : () => {};
    return [
      { kind: 'step', id: part.id, run: (k, locals) => run(k as Kernel, locals, () => own(k, locals)) },
    ];
  };
}

/** The inner parts without what holds them together. */
export function bare(part: Part): readonly Part[] {
  return part.kind === 'attempt' || part.kind === 'hold' ? part.parts : [part];
}

/** A call whose callee is given something else. */
export function giving(change: (args: Locals) => Locals): Edit['replace'] {
  return (part) =>
    part.kind === 'call' ? [{ ...part, give: (k, locals) => change(part.give(k, locals)) }] : [part];
}

/** modify_ftrace_direct() does not ask the owner of the direct call whether the new trampoline can share. */
export const OWNER_IS_NOT_ASKED: Edit = edit(
  '__modify_ftrace_direct',
  '__ftrace_hash_update_ipmodify',
  instead((_, locals) => {
    locals['errno'] = 0;
  }),
);
