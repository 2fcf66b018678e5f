import type { Edit } from '../../model/core/link.ts';
import type { Locals, Part } from '../../model/core/part.ts';
import type { World } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { AttachPlanted } from './attach-planted.ts';

/** A planted bug, and what its law says of it: what was expected / what was seen. */
export interface PlantedRecord extends AttachPlanted {
  readonly finding: string;
}

export function edit(routine: string, label: string, replace: Edit['replace']): Edit {
  return { routine, label, replace };
}

export const dropped = (): Part[] => [];

/** The same step, and something more. */
export function followedBy(change: (k: Kernel, at: Locals) => void): Edit['replace'] {
  return (part) => [part, { kind: 'step', label: 'planted', run: change as (k: World, at: Locals) => void }];
}

/** A step does something else. */
export function instead(
  routine: string,
  label: string,
  run: (k: Kernel, at: Locals, own: () => void) => void,
): Edit {
  const replace = (part: Part): Part[] => {
    if (part.kind !== 'step') throw new Error(`${routine}: ${label} is no step`);
    return [{ ...part, run: (k, at) => run(k as Kernel, at, () => part.run(k, at)) }];
  };
  return { routine, label, replace };
}

/** The inner parts without what holds them together. */
export function bare(part: Part): readonly Part[] {
  return part.kind === 'attempt' || part.kind === 'hold' ? part.parts : [part];
}
