import type { Errno } from '../../../model/core/errno.ts';
import type { OpsId } from '../../../model/core/ids.ts';
import type { Flavour } from '../../../model/core/part.ts';
import { unreachable } from '../../../model/core/unreachable.ts';
import type { Cause, Did, Freed, ImageRole, Passed, Stood } from './cause.ts';
import type { Spot, SpotSection, SpotStanding } from './spot.ts';

/** What a listed breach says of its cause: who frees too early, or what is done while somebody stands where. */
export type CausePattern = AtLeastOne<CauseParts>;

interface CauseParts {
  /** Where who shows it stands before the last move. */
  readonly last: StandingPattern;
  /** Where a task stands when its call is over. */
  readonly ended: StandingPattern;
  /** Who has freed what is used, and for what he has waited: for these, in this order, and for nothing else. */
  readonly freed: FreedPattern;
  /** Where who shows it stands while others do something, in this order; more may happen between. */
  readonly stood: readonly [StoodPattern, ...StoodPattern[]];
}

interface FreedPattern {
  /** The innermost routine; a client frees what is his without any. */
  readonly by: string | 'a client';
  /** One of these. */
  readonly waits: readonly (readonly PassedPattern[])[];
}

/** A wait, and where the task stands that it does not wait for any longer; only the flavour: wherever. */
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
  /** The innermost routine. */
  readonly by: string;
  /** One that has called it, directly or not. */
  readonly within?: string;
  readonly part?: string;
  /** The ops that it is about. */
  readonly ops?: readonly OpsId[];
  /** What the image is that it is about. */
  readonly image?: ImageRole;
  readonly refused?: Errno;
}

/** Where somebody stands: what is said has to be so, and something is said. */
export type StandingPattern = AtLeastOne<{
  readonly in: readonly Spot['in'][];
  /** A routine or a function in C that it is in or before, or the code; or comes back to from an interrupt. */
  readonly within: readonly string[];
  /** The ops that the routine is about. */
  readonly ops: readonly OpsId[];
  /** Of a program that it is in. */
  readonly sleepable: boolean;
  readonly condition: SpotStanding['condition'];
  readonly holds: SpotSection;
  readonly lacks: readonly SpotSection[];
}>;

type AtLeastOne<T> = { [K in keyof T]: Pick<T, K> & Partial<Omit<T, K>> }[keyof T];

/** Whether a cause is as a pattern says. */
export function isCause(cause: Cause, { last, ended, freed, stood }: CausePattern): boolean {
  return (
    (last === undefined || standsAt(cause.last, last)) &&
    (ended === undefined || cause.ended.some((standing) => standsAt(standing, ended))) &&
    (freed === undefined || (cause.freed !== undefined && isFreed(cause.freed, freed))) &&
    (stood === undefined || haveStood(cause.stood, stood))
  );
}

function isFreed({ did, waits }: Freed, { by, waits: allowed }: FreedPattern): boolean {
  const isBy = by === 'a client' ? did.length === 0 : did.some(({ within }) => within.at(-1) === by);
  const isOne = (wanted: readonly PassedPattern[]) =>
    waits.length === wanted.length && wanted.every((pattern, i) => hasPassed(waits[i], pattern));
  return isBy && allowed.some(isOne);
}

function hasPassed(passed: Passed | undefined, { flavour, task }: PassedPattern): boolean {
  return passed?.flavour === flavour && (task === undefined || standsAt(passed.task, task));
}

/** One after the other; several may be met where it stands once. */
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
    did.within.at(-1) === by &&
    (within === undefined || did.within.includes(within)) &&
    (part === undefined || did.part === part) &&
    (ops === undefined || ops.includes(String(did.about['ops']))) &&
    (image === undefined || did.image === image) &&
    (refused === undefined || did.refused === refused)
  );
}

function standsAt(
  { at: spot, interrupted, condition, sections }: SpotStanding,
  wanted: StandingPattern,
): boolean {
  return (
    (isAt(spot, wanted) || isAt(interrupted, wanted)) &&
    (wanted.in === undefined || wanted.in.includes(spot.in)) &&
    (wanted.sleepable === undefined || (spot.in === 'program' && spot.sleepable === wanted.sleepable)) &&
    (wanted.condition === undefined || condition === wanted.condition) &&
    (wanted.holds === undefined || sections.includes(wanted.holds)) &&
    (wanted.lacks ?? []).every((section) => !sections.includes(section))
  );
}

/** Whether it is the place in code that is wanted, whatever task stands there. */
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
