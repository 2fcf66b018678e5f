import type { Action } from '../../model/client/all.ts';
import type { ProgId } from '../../model/core/ids.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import type { FamilyOperation } from './family-operations.ts';
import { load } from './family-operations.ts';

/*
 * Operations of multi links: of one to both functions, `f1+f2`, and of one to `f2` alone, which meets the first there.
 */

/** Functions that an operation is on, as its name says them. */
export const MULTI_PLACES = ['f1+f2', 'f2'] as const;

/** The functions of a place. */
export function functionsOf(place: string): string[] {
  return place.split('+');
}

/** A program that is loaded for many functions. */
export function loadMulti(prog: ProgId, kind: TracingKind): Action {
  const action = load(prog, kind, '');
  return action.do === 'BPF_PROG_LOAD' ? { ...action, program: { ...action.program, multi: true } } : action;
}

export function linkMulti(prog: ProgId, place: string): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets: functionsOf(place) };
}

const kindOf = (own: number): TracingKind => (own === 1 ? 'fentry' : 'fexit');

/** Further operations of clients in a kernel that has multi links. */
export const MULTI_OPERATIONS: readonly FamilyOperation[] = [
  {
    name: 'attach multi',
    object: 'programs',
    isThere: false,
    setup: (_, own) => [loadMulti(own, kindOf(own))],
    action: (place, own) => linkMulti(own, place),
  },
  {
    name: 'detach multi',
    object: 'programs',
    isThere: true,
    setup: (place, own) => [loadMulti(own, kindOf(own)), linkMulti(own, place)],
    action: (_, own) => ({ do: 'close(link)', link: `link#${own}` }),
  },
];
