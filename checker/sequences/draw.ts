import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import { NO_SITE } from '../../model/client/named-objects.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { TRACEPOINTS } from '../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { Listing } from '../../model/trampoline/listing.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import {
  isCalledBy,
  listedFunction,
  targetProgram,
  tracedFunction,
} from '../../model/trampoline/traced-function.ts';
import type { AttachCase } from './attach-case.ts';
import { ALL_SEARCHED } from './calls/all.ts';
import { hasChosenDesign } from './draw/programs.ts';
import type { Weighed } from './draw/weighed.ts';
import { faultsFor } from './faults.ts';

/** The functions that a sequence is drawn for, each with those that it calls. */
const CATALOGUE: readonly (readonly TracedFunction[])[] = [
  [tracedFunction('f2', 2, 'u64 x2 -> u64')],
  [tracedFunction('f1', 1, 'u64 -> u64')],
  [tracedFunction('f6', 6, 'u64 x6 -> u64')],
  [tracedFunction('f7', 7, 'u64 x7 -> u64')],
  [tracedFunction('v3', 20, 'u64 x3 -> void')],
  [tracedFunction('m3', 21, 'u8, u16, u32 -> u32')],
  [tracedFunction('f12', 12, 'u64 x12 -> u64')],
  [tracedFunction('f13', 13, 'u64 x13 -> u64')],
  [tracedFunction('wide', 22, 'u64 x2 -> u128')],
  [tracedFunction('rec', 44, 'u64 -> u64')],
  [tracedFunction('cb', 43, 'u64 x2 -> u64'), tracedFunction('f1', 1, 'u64 -> u64')],
];

/** BPF programs as targets. One list in three has one of them. */
const PROGRAMS: readonly TracedFunction[] = [
  targetProgram('p1', 30, 'u64 -> u64'),
  targetProgram('p3', 31, 'ptr, u32, u8 -> u32'),
];
const PROGRAM_ONE_IN = 3;
/** One list in five has a function that is in a module. */
const MODULE_ONE_IN = 5;
/** Hooks of BPF LSM, by their types: no other function is one. */
const HOOKS: readonly TracedFunction[] = [
  hookOf('lsm', 'ptr x2 -> s32'),
  hookOf('lsm', 'ptr -> void'),
  hookOf('sleepable_lsm', 'ptr x2 -> s32'),
  hookOf('bool_lsm', 'ptr -> s32'),
  hookOf('disabled_lsm', 'u32 x3, ptr -> s32'),
];

/** One list in four has a function that is on another list of the verifier, and half of those a hook. */
const LISTED: readonly (Listing | TracedFunction)[] = ['unlisted', 'security', 'kfunc', 'syscall', ...HOOKS];
const LISTED_ONE_IN = 4;

function hookOf(listing: Listing, signature: string): TracedFunction {
  return listedFunction(tracedFunction('hook', 50, signature), listing);
}

/** One to three functions, and those that they call. */
export const functionLists: fc.Arbitrary<readonly TracedFunction[]> = fc
  .tuple(
    fc.subarray([...CATALOGUE.keys()], { minLength: 1, maxLength: 3 }),
    fc.nat(PROGRAM_ONE_IN * PROGRAMS.length - 1),
    fc.nat(MODULE_ONE_IN - 1),
    fc.nat(LISTED_ONE_IN * LISTED.length - 1),
  )
  .map(([picked, program, module, listed]) => {
    const all = [...picked.flatMap((i) => item(CATALOGUE, i)), ...PROGRAMS.slice(program, program + 1)];
    const distinct = all.filter((fn, i) => all.findIndex(({ name }) => name === fn.name) === i);
    const placed = withModule(withListing(distinct, LISTED[listed]), module === 0);
    return placed.map((fn, id) => ({ ...fn, id: id + 1 }));
  });

/** Functions with the number of arguments of one of the others: a link to both may share an image. */
const ALIKE: readonly TracedFunction[] = [
  tracedFunction('g1', 61, 'u64 -> u64'),
  tracedFunction('g2', 62, 'u64 x2 -> u64'),
  tracedFunction('h2', 63, 'ptr, u64 -> u64'),
];

/** Where a design was chosen for multi links, all of these as well, so that links have functions to overlap in. */
export function functionListsFor(profile: string): fc.Arbitrary<readonly TracedFunction[]> {
  if (!hasChosenDesign(profileNamed(profile))) return functionLists;
  return functionLists.map((functions) => [
    ...functions,
    ...ALIKE.map((fn, i) => ({ ...fn, id: functions.length + 1 + i })),
  ]);
}

/** The first function that can be in a module: it calls no other, no other calls it, and it is no hook. */
function withModule(functions: readonly TracedFunction[], wanted: boolean): readonly TracedFunction[] {
  const index = functions.findIndex(
    ({ name, nesting, bpf }) =>
      !bpf && nesting === 'none' && !isCalledBy(functions, name) && !HOOKS.some((hook) => hook.name === name),
  );
  if (!wanted || index < 0) return functions;
  return functions.with(index, { ...item(functions, index), module: 'm1' });
}

/** The first function on a list; or a hook in its place, beside it where others call it. */
function withListing(
  functions: readonly TracedFunction[],
  listed: Listing | TracedFunction | undefined,
): readonly TracedFunction[] {
  if (listed === undefined) return functions;
  const first = item(functions, 0);
  if (typeof listed === 'string') return functions.with(0, listedFunction(first, listed));
  return isCalledBy(functions, first.name) ? [listed, ...functions] : functions.with(0, listed);
}

/** What the actions of a sequence are on. */
export type Subjects = Pick<AttachCase, 'functions' | 'tracepoints'>;

/** One list of functions in this many has a tracepoint beside it. */
export const TRACEPOINT_ONE_IN = 5;

/** The functions of the `n`-th list of a search, from 0, and of the second and each fifth after it a tracepoint. */
export function subjectsFor(profile: string, n: number): fc.Arbitrary<Subjects> {
  const functions = functionListsFor(profile);
  if (n % TRACEPOINT_ONE_IN !== 1) return functions.map((drawn) => ({ functions: drawn }));
  return fc
    .tuple(functions, fc.constantFrom(...TRACEPOINTS))
    .map(([drawn, tracepoint]) => ({ functions: drawn, tracepoints: [tracepoint] }));
}

/** Tracepoints alone. */
export function onlyHit(tracepoints: readonly DeclaredTracepoint[]): Subjects {
  return { functions: [], tracepoints };
}

/** Actions on these, each kind as often as its weight says, and some more. */
export function actionsFor(
  profile: string,
  { functions, tracepoints = [] }: Subjects,
  more: readonly Weighed[] = [],
): fc.Arbitrary<Action> {
  return fc.oneof(
    ...(functions.length > 0 ? drawnOn(profile, functions) : []),
    ...(tracepoints.length > 0 ? ALL_SEARCHED.flatMap((call) => call.drawHits?.(tracepoints) ?? []) : []),
    ...more,
  );
}

/** One, and now and then another. */
function mostly<T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

/** One site in thirty is none that ftrace knows; of a sequence on BPF programs alone, each. */
function drawnOn(profile: string, functions: readonly TracedFunction[]): readonly Weighed[] {
  const kernel = profileNamed(profile);
  const names = functions.flatMap(({ name, bpf }) => (bpf ? [] : [name]));
  const unknown = functions.flatMap(({ name, bpf }) => (bpf ? [name] : []));
  const unknownIp = fc.constantFrom(NO_SITE, ...unknown);
  const ip = mostly(30, names.length > 0 ? fc.constantFrom(...names) : unknownIp, unknownIp);
  const some = fc.subarray(names, { minLength: Math.min(1, names.length) });
  const ips = mostly(20, some, fc.array(ip, { maxLength: 3 }));
  const drawing = { profile: kernel, functions, ip, ips, faults: faultsFor(profile) };
  return ALL_SEARCHED.flatMap((call) => call.draw(drawing));
}
