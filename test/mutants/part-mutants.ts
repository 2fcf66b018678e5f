import type { Edit } from '../../model/core/link.ts';
import type { Part } from '../../model/core/part.ts';
import type { PartMutation } from './part-operators.ts';
import { mutationsOf } from './part-operators.ts';
import type { PlacedPart } from './routines.ts';
import { allRoutines, partsOf } from './routines.ts';

/** A fault in one part of a routine. */
export interface PartMutant {
  /** `register_ftrace_direct/drop/the filter is empty`: stable as long as the part keeps its name. */
  readonly name: string;
  /** The part, as coverage names it: `register_ftrace_direct: the filter is empty`. */
  readonly reach: string;
  readonly operator: string;
  readonly edits: readonly Edit[];
  /** Whether it has made a fault so far, if it may make none. */
  readonly isMade?: (() => boolean) | undefined;
}

/** A part with a name that no other of its routine has: the second of one name has `(2)`. */
interface NamedPart extends PlacedPart {
  readonly id: string;
}

/** The mutants of every routine that a kernel is linked of. */
export function partMutants(): PartMutant[] {
  return namedParts().flatMap((named) =>
    mutationsOf(named).map((mutation) => ({
      name: [named.routine, nameOf(mutation), named.id].join('/'),
      reach: reachOf(named.routine, named.id),
      operator: mutation.operator,
      edits: editsOf(named.routine, mutation.parts),
      isMade: mutation.isMade,
    })),
  );
}

/** Edits that give every part a name of its own, for coverage. */
export function distinctNames(): Edit[] {
  return namedParts().flatMap(({ routine, part, id }) =>
    id === part.id ? [] : editsOf(routine, new Map([[part, [{ ...part, id }]]])),
  );
}

export function reachOf(routine: string, id: string): string {
  return `${routine}: ${id}`;
}

function namedParts(): NamedPart[] {
  return allRoutines().flatMap((routine) => {
    const seen = new Map<string, number>();
    return partsOf(routine).map((placed) => {
      const { id } = placed.part;
      const nth = (seen.get(id) ?? 0) + 1;
      seen.set(id, nth);
      return { ...placed, id: nth === 1 ? id : `${id} (${nth})` };
    });
  });
}

function nameOf({ operator, detail }: PartMutation): string {
  return detail === undefined ? operator : `${operator} ${detail}`;
}

/** Parts are distinguished by identity: a routine may have several of one name. */
function editsOf(routine: string, parts: PartMutation['parts']): Edit[] {
  const replace = (part: Part) => parts.get(part) ?? [part];
  const ids = new Set([...parts.keys()].map(({ id }) => id));
  return [...ids].map((id) => ({ routine, id, replace }));
}
