import { linkage } from '../../model/api.ts';
import type { Part, Routine } from '../../model/core/part.ts';

/*
 * The routines of the model as trees of parts: what mutants of parts are made of.
 */

/** A part in its block: the parts that run one after the other, in the same brackets. */
export interface PlacedPart {
  readonly routine: string;
  readonly block: readonly Part[];
  readonly index: number;
  readonly part: Part;
}

/** All routines that a kernel is linked of, in the order in which the linker meets them. */
export function allRoutines(): readonly Routine[] {
  const { routines, upcalls } = linkage();
  const found = new Set<Routine>([...routines, ...Object.values(upcalls)]);
  for (const routine of found) for (const callee of callees(routine.parts)) found.add(callee);
  return [...found];
}

function callees(parts: readonly Part[]): Routine[] {
  return parts.flatMap((part) => {
    if (part.kind === 'call' && typeof part.routine !== 'string') return [part.routine];
    if (part.kind === 'indirect') return Object.values(part.routines());
    return blocksIn(part).flatMap(callees);
  });
}

/** Every part of a routine, outermost first. */
export function partsOf({ name, parts }: Routine): PlacedPart[] {
  return parts.flatMap((_, index) => placed(name, parts, index));
}

function placed(routine: string, block: readonly Part[], index: number): PlacedPart[] {
  const part = block[index]!;
  const inside = blocksIn(part).flatMap((inner) => inner.flatMap((_, i) => placed(routine, inner, i)));
  return [{ routine, block, index, part }, ...inside];
}

/** The lists of parts that a bracket has. */
export function blocksIn(part: Part): (readonly Part[])[] {
  switch (part.kind) {
    case 'hold':
    case 'each':
    case 'again':
      return [part.parts];
    case 'try':
      return [part.parts, part.busy];
    case 'when':
      return [part.parts, part.otherwise];
    case 'attempt':
      return [part.parts, part.rollback];
    case 'step':
    case 'refuse':
    case 'allocate':
    case 'finish':
    case 'call':
    case 'indirect':
    case 'wait':
      return [];
  }
}
