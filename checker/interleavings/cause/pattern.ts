import type { Errno } from '../../../model/core/errno.ts';
import type { OpsId } from '../../../model/core/ids.ts';
import type { Flavour } from '../../../model/core/part.ts';
import { unreachable } from '../../../model/core/unreachable.ts';
import type { Cause, Did, Freed, ImageRole, Passed, Stood } from './cause.ts';
import type { Spot, SpotSection, SpotStanding } from './spot.ts';

/** The cause of a listed breach: an object freed too early, or steps of others while an actor is at a place. */
export type CausePattern = AtLeastOne<CauseParts>;

interface CauseParts {
  /** The place of the failing actor before the last move. */
  readonly last: StandingPattern;
  /** The place of a task when its call ends. */
  readonly ended: StandingPattern;
  /**
   * The routine that has freed the object, and the grace periods that it waited for: these, in this order, and no
   * others.
   */
  readonly freed: FreedPattern;
  /** A place of the failing actor while others execute steps, in this order; more may happen between. */
  readonly stood: readonly [StoodPattern, ...StoodPattern[]];
}

interface FreedPattern {
  /** The innermost routine, or one of several; a client frees its own memory without any. */
  readonly by: string | readonly string[] | 'a client';
  /** One of these. */
  readonly waits: readonly (readonly PassedPattern[])[];
}

/** A wait, and the place of a task that it no longer waits for; only the flavour: any place. */
interface PassedPattern {
  readonly flavour: Flavour;
  readonly task?: StandingPattern;
}

interface StoodPattern {
  readonly at: StandingPattern | 'anywhere';
  readonly did: readonly [DidPattern, ...DidPattern[]];
}

/** A part of a routine. */
interface DidPattern {
  /** The innermost routine, or one of several. */
  readonly by: string | readonly string[];
  /** One that has called it, directly or not. */
  readonly within?: string;
  readonly part?: string;
  /** Its ops. */
  readonly ops?: readonly OpsId[];
  /** The state of its image. */
  readonly image?: ImageRole;
  readonly refused?: Errno;
}

/** The place of an actor: all given conditions must hold, and at least one is given. */
export type StandingPattern = AtLeastOne<{
  readonly in: readonly Spot['in'][];
  /** A routine or a function in C that it is in or before, or the code; or that an interrupt returns to. */
  readonly within: readonly string[];
  /** The ops of the routine. */
  readonly ops: readonly OpsId[];
  /** A property of the program that it is in. */
  readonly sleepable: boolean;
  readonly condition: SpotStanding['condition'];
  readonly holds: SpotSection;
  readonly lacks: readonly SpotSection[];
}>;

type AtLeastOne<T> = { [K in keyof T]: Pick<T, K> & Partial<Omit<T, K>> }[keyof T];

/** Whether a cause matches a pattern. */
export function isCause(cause: Cause, { last, ended, freed, stood }: CausePattern): boolean {
  return (
    (last === undefined || standsAt(cause.last, last)) &&
    (ended === undefined || cause.ended.some((standing) => standsAt(standing, ended))) &&
    (freed === undefined || (cause.freed !== undefined && isFreed(cause.freed, freed))) &&
    (stood === undefined || haveStood(cause.stood, stood))
  );
}

function isFreed({ did, waits }: Freed, { by, waits: allowed }: FreedPattern): boolean {
  const isBy = by === 'a client' ? did.length === 0 : did.some(({ within }) => isOneOf(within.at(-1), by));
  const isOne = (wanted: readonly PassedPattern[]) =>
    waits.length === wanted.length && wanted.every((pattern, i) => hasPassed(waits[i], pattern));
  return isBy && allowed.some(isOne);
}

function hasPassed(passed: Passed | undefined, { flavour, task }: PassedPattern): boolean {
  return passed?.flavour === flavour && (task === undefined || standsAt(passed.task, task));
}

/** In order; several may be matched at one place. */
function haveStood(stood: readonly Stood[], wanted: readonly StoodPattern[]): boolean {
  let from = 0;
  return wanted.every((pattern) => {
    const index = stood.findIndex((where, i) => i >= from && isAsWanted(where, pattern));
    from = index;
    return index >= 0;
  });
}

function isAsWanted({ standing, did }: Stood, { at: locals, did: wanted }: StoodPattern): boolean {
  if (locals !== 'anywhere' && !standsAt(standing, locals)) return false;
  let from = 0;
  return wanted.every((pattern) => {
    const found = did.findIndex((step, i) => i >= from && isDone(step, pattern));
    from = found + 1;
    return found >= 0;
  });
}

function isDone(did: Did, { by, within, part, ops, image, refused }: DidPattern): boolean {
  return (
    isOneOf(did.within.at(-1), by) &&
    (within === undefined || did.within.includes(within)) &&
    (part === undefined || did.part === part) &&
    (ops === undefined || ops.includes(String(did.about['ops']))) &&
    (image === undefined || did.image === image) &&
    (refused === undefined || did.refused === refused)
  );
}

function isOneOf(routine: string | undefined, by: string | readonly string[]): boolean {
  return typeof by === 'string' ? routine === by : routine !== undefined && by.includes(routine);
}

function standsAt(
  { at: spot, interrupted, condition, sections }: SpotStanding,
  wanted: StandingPattern,
): boolean {
  return (
    [spot, ...interrupted].some((own) => isAt(own, wanted)) &&
    (wanted.in === undefined || wanted.in.includes(spot.in)) &&
    (wanted.sleepable === undefined || (spot.in === 'program' && spot.sleepable === wanted.sleepable)) &&
    (wanted.condition === undefined || condition === wanted.condition) &&
    (wanted.holds === undefined || sections.includes(wanted.holds)) &&
    (wanted.lacks ?? []).every((section) => !sections.includes(section))
  );
}

/** Whether it is the wanted place in code, for any task. */
function isAt(spot: Spot, { within, ops }: Partial<StandingPattern>): boolean {
  return (
    (within === undefined || within.some((name) => namesOf(spot).includes(name))) &&
    (ops === undefined || (spot.in === 'routine' && ops.includes(String(spot.about['ops']))))
  );
}

function namesOf(spot: Spot): readonly string[] {
  switch (spot.in) {
    case 'nothing':
    case 'program':
      return [];
    case 'routine':
      return spot.within;
    case 'C function':
    case 'code':
      return [spot.name];
    case 'image':
      return [spot.image];
    default:
      return unreachable(spot);
  }
}
