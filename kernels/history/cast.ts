import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { calledFrom, isCalledBy } from '../../model/trampoline/traced-function.ts';
import type { GuestFunction } from '../catalogue.ts';
import { CATALOGUE, GUEST_TRACEPOINTS } from '../catalogue.ts';

/** The recorder's functions that play those of a history: their numbers, by name. */
export type Cast = ReadonlyMap<string, number>;

/** What a history is about. */
type Playable = Pick<AttachCase, 'functions' | 'tracepoints'>;

/** The players of functions and tracepoints. One that none of the recorder's can play has no number, nor has one that calls such a function. */
export function castOf({ functions, tracepoints = [] }: Playable): Cast {
  const cast = new Map<string, number>();
  const taken = new Set<number>();
  // Names that bodies call have one player only, and go first.
  const ordered = functions.toSorted((a, b) => Number(isFixed(b, functions)) - Number(isFixed(a, functions)));
  for (const fn of ordered) {
    const number = playerOf(fn, isFixed(fn, functions), taken);
    if (number === undefined) continue;
    cast.set(fn.name, number);
    taken.add(number);
  }
  for (const { name } of functions)
    if (!calledFrom(functions, name).every((callee) => cast.has(callee))) cast.delete(name);
  for (const tracepoint of tracepoints) {
    const number = playerOfTracepoint(tracepoint, taken);
    if (number === undefined) continue;
    cast.set(tracepoint.name, number);
    taken.add(number);
  }
  return cast;
}

function isFixed(fn: TracedFunction, functions: readonly TracedFunction[]): boolean {
  return fn.nesting !== 'none' || isCalledBy(functions, fn.name);
}

/** One with the same types. Probes that may fault are not played. */
function playerOfTracepoint(
  { name, prototype, faultable }: DeclaredTracepoint,
  taken: ReadonlySet<number>,
): number | undefined {
  if (faultable === true) return undefined;
  const fits = [...GUEST_TRACEPOINTS.keys()].filter(
    (i) => GUEST_TRACEPOINTS[i]?.prototype === prototype && !taken.has(TRACEPOINTS_FROM + i),
  );
  const found = fits.find((i) => GUEST_TRACEPOINTS[i]?.name === name) ?? fits[0];
  return found === undefined ? undefined : TRACEPOINTS_FROM + found;
}

/** BPF programs are made for a history: their numbers follow those of all functions. */
export const TARGETS_FROM = CATALOGUE.length;
const TARGETS_MOST = 4;
/** The numbers of the functions that hit tracepoints. */
export const TRACEPOINTS_FROM = TARGETS_FROM + TARGETS_MOST;

function targetNumber(taken: ReadonlySet<number>): number | undefined {
  const numbers = Array.from({ length: TARGETS_MOST }, (_, i) => TARGETS_FROM + i);
  return numbers.find((number) => !taken.has(number));
}

/** Its namesake, or else any with its signature that is free. The bodies of the recorder call those that programs may trace. */
function playerOf(fn: TracedFunction, fixed: boolean, taken: ReadonlySet<number>): number | undefined {
  if (fn.bpf) return targetNumber(taken);
  if (fn.noreturn) return undefined;
  const fits = [...CATALOGUE.keys()].filter((i) => !taken.has(i) && canPlay(CATALOGUE[i], fn));
  const namesake = fits.find((i) => CATALOGUE[i]?.name === fn.name);
  if (!fixed) return namesake ?? fits[0];
  return fn.listing === 'traced' && fn.module === '' ? namesake : undefined;
}

function canPlay(guest: GuestFunction | undefined, fn: TracedFunction): boolean {
  return (
    guest !== undefined &&
    guest.nesting === fn.nesting &&
    guest.listing === fn.listing &&
    (guest.home === 'second module') === (fn.module !== '') &&
    guest.signature === printSignature(fn.signature)
  );
}
