import type { Errno } from '../../../model/core/errno.ts';
import type { Edit } from '../../../model/core/link.ts';
import type { Locals, Part } from '../../../model/core/part.ts';
import type { World } from '../../../model/core/world.ts';
import type { Kernel } from '../../../model/kernel.ts';

/*
 * What a planted bug does to one part of a routine.
 */

/** The identity of a part that a planted bug adds. */
export const PLANTED_PART = 'planted';

export function edit(routine: string, id: string, replace: Edit['replace']): Edit {
  return { routine, id, replace };
}

/** Drops the part. */
export const dropped = (): Part[] => [];

/** The same step, followed by another. */
export function followedBy(change: (k: Kernel, locals: Locals) => void): Edit['replace'] {
  return (part) => [
    part,
    { kind: 'step', id: PLANTED_PART, run: change as (k: World, locals: Locals) => void },
  ];
}

/** Replaces the step, which may still call the original. */
export function instead(run: (k: Kernel, locals: Locals, own: () => void) => void): Edit['replace'] {
  return (part) => {
    const own = part.kind === 'step' ? part.run : () => {};
    const once = part.kind === 'step' ? part.once : undefined;
    return [
      { kind: 'step', id: part.id, once, run: (k, locals) => run(k as Kernel, locals, () => own(k, locals)) },
    ];
  };
}

/** The same refusal, with another errno. */
export function refusing(errno: Errno): Edit['replace'] {
  return (part) =>
    part.kind === 'refuse'
      ? [
          {
            ...part,
            errnos: [errno],
            find: (k, locals) => (part.find(k, locals) === undefined ? undefined : errno),
          },
        ]
      : [part];
}

/** The inner parts without their bracket. */
export function bare(part: Part): readonly Part[] {
  return part.kind === 'attempt' || part.kind === 'hold' ? part.parts : [part];
}

/** A call with changed arguments. */
export function giving(change: (args: Locals) => Locals): Edit['replace'] {
  return (part) =>
    part.kind === 'call' ? [{ ...part, give: (k, locals) => change(part.give(k, locals)) }] : [part];
}

/** modify_ftrace_direct() does not query the direct call's owner whether the new trampoline can share. */
export const OWNER_IS_NOT_ASKED: Edit = edit(
  '__modify_ftrace_direct',
  '__ftrace_hash_update_ipmodify',
  instead((_, locals) => {
    locals['errno'] = 0;
  }),
);
