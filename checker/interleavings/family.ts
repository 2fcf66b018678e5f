import type { Action } from '../../model/client/all.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { functionsOf, linkMulti, loadMulti, MULTI_OPERATIONS, MULTI_PLACES } from './family-multi.ts';
import type { FamilyOperation } from './family-operations.ts';
import { link, load, OPERATIONS, SLEEPER } from './family-operations.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const FUNCTIONS = [F1, tracedFunction('f2', 2, 'u64 -> u64')];
/** Their numbers of arguments differ. */
const UNEQUAL = [F1, tracedFunction('f2', 2, 'u64 x2 -> u64')];

/** A scenario of the family, with a name that lists its operations. */
export interface FamilyScenario {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Every operation alone, with nothing else attached, and tasks that call the first of the two functions. */
export function singles(profile: string, cpus: number, callers: number): FamilyScenario[] {
  return combinations(placedIn(profile), 1).map((all) => named(profile, cpus, callers, all, []));
}

/** Every pair of operations, each on one of two functions or on both, and tasks that call the first. */
export function pairs(profile: string, cpus: number, callers: number): FamilyScenario[] {
  return combinations(placedIn(profile), 2).map((all) => named(profile, cpus, callers, all));
}

/** The same for every three operations. */
export function triples(profile: string, cpus: number, callers: number): FamilyScenario[] {
  return combinations(placedIn(profile), 3).map((all) => named(profile, cpus, callers, all));
}

/** An operation on a function, or one of a multi link on both. */
interface Placed {
  readonly operation: FamilyOperation;
  readonly place: string;
}

const PLACED = placed(OPERATIONS, ['f1', 'f2']);
const MULTI_PLACED = placed(MULTI_OPERATIONS, MULTI_PLACES);

function placed(operations: readonly FamilyOperation[], places: readonly string[]): Placed[] {
  return operations.flatMap((operation) => places.map((place) => ({ operation, place })));
}

/** The operations of a kernel. */
function placedIn(profile: string): readonly Placed[] {
  return designOf(profileNamed(profile)) === undefined ? PLACED : [...PLACED, ...MULTI_PLACED];
}

/**
 * Operations that can be concurrent, in any order, the same one twice among them. At least one is on the function
 * that is called; which of the two that is makes no difference.
 */
function combinations(from: readonly Placed[], count: number, chosen: readonly Placed[] = []): Placed[][] {
  if (count === 0) return chosen.some((placed) => isOn(placed, 'f1')) ? [[...chosen]] : [];
  return from.flatMap((placed, i) =>
    chosen.every((other) => canMeet(other, placed))
      ? combinations(from.slice(i), count - 1, [...chosen, placed])
      : [],
  );
}

function isOn({ place }: Placed, fn: FunctionName): boolean {
  return functionsOf(place).includes(fn);
}

function isMulti({ operation }: Placed): boolean {
  return MULTI_OPERATIONS.includes(operation);
}

/**
 * A function has one direct call or programs, and one live patch, which is incompatible with a client's direct call.
 */
function canMeet(placed: Placed, other: Placed): boolean {
  const isApart = !functionsOf(placed.place).some((fn) => isOn(other, fn));
  if (isApart || !placed.operation.isThere || !other.operation.isThere) return true;
  const objects = [placed.operation.object, other.operation.object];
  return objects.includes('programs') && !objects.includes('direct call');
}

function named(
  profile: string,
  cpus: number,
  callers: number,
  all: readonly Placed[],
  before: readonly Action[] = standing(profile, all),
): FamilyScenario {
  return {
    name: all.map(({ operation, place }) => `${operation.name} ${place}`).join(', '),
    scenario: {
      profile,
      functions: functionsFor(all),
      cpus,
      setup: [...before, ...all.flatMap(({ operation, place }, i) => operation.setup(place, i + 1))],
      clients: all.map(({ operation, place }, i) => [operation.action(place, i + 1)]),
      callers: Array.from({ length: callers }, () => callerOf('f1')),
    },
  };
}

/**
 * Multi links have functions of different types; but where two of them have only one function in common, their
 * functions have equal numbers of arguments, for some designs group functions by that.
 */
function functionsFor(all: readonly Placed[]): typeof FUNCTIONS {
  if (!all.some(isMulti)) return FUNCTIONS;
  const meetInOne = all.every(isMulti) && new Set(all.map(({ place }) => place)).size > 1;
  return meetInOne ? FUNCTIONS : UNEQUAL;
}

/**
 * Another program is attached throughout, where possible: a sleepable one. With only multi links it has one of them,
 * which does not sleep where the design forbids it; with a multi link and another operation there is none, for a
 * design may accept either and not both.
 */
function standing(profile: string, all: readonly Placed[]): Action[] {
  if (all.every(isMulti)) return [standingMulti(profile), linkMulti(SLEEPER, 'f1+f2')];
  const isTaken = all.some((placed) => placed.operation.object === 'direct call' && isOn(placed, 'f1'));
  return isTaken || all.some(isMulti) ? [] : [load(SLEEPER, 'fentry', 'f1'), link(SLEEPER)];
}

function standingMulti(profile: string): Action {
  const action = loadMulti(SLEEPER, 'fentry');
  const design = designOf(profileNamed(profile));
  const sleepable = design?.sleepable !== false && design?.stubWords === undefined;
  return action.do === 'BPF_PROG_LOAD' ? { ...action, program: { ...action.program, sleepable } } : action;
}

/** Kernels whose builds let no sleepable program attach to their functions are explored as if they did. */
export function withSleepers(profile: string): string {
  return profileNamed(profile).sleepableTargets ? profile : `${profile}, sleepableTargets = true`;
}
