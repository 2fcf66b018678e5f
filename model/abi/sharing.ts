import { present } from '../core/present.ts';
import { compareText } from '../core/text-order.ts';
import type { ArchName, FunctionModel } from './arch.ts';
import { passing, placeOn, wordBytes } from './arch.ts';
import { stackWords } from './slots.ts';

/** A function that something is to be attached to. */
export interface Traced extends FunctionModel {
  /** The programs that run on it, by any name for all of them together; needed where images differ by that. */
  readonly programs?: string;
}

/**
 * When functions may share a trampoline image. An image prepares ctx by a plan: for each word of ctx, in order, the places
 * that it is copied from. It has to find out from the stack which function it is called for, and calls it through there.
 */
export interface Sharing {
  /**
   * `exact`: functions of one plan. `prefix`: a function may as well use the image of one whose plan begins with its own;
   * the words of ctx after its own are garbage, which none of its programs reads.
   */
  readonly plans: 'exact' | 'prefix';
  /** An image calls its programs: those of all functions, or of functions that have the same. */
  readonly programs: 'the same for all' | 'their own';
  /**
   * Where exit programs find the return value: at a place that is the same in all images, or after the last argument of
   * the function, `ctx[n]`, so that n counts.
   */
  readonly returnPlace: 'fixed' | 'after the arguments';
  /** What of the return value is stored: every register that there may be, or those of the function's type. */
  readonly returnWidth: 'all registers' | 'own registers';
  /**
   * What an image that calls the original copies of the caller's stack: as much as the function with most has, which is
   * harmless where another has less, or just the function's own words.
   */
  readonly stackCopied: 'most words' | 'own words';
}

/** Plans decide and nothing else: what an image that runs at the entry alone has to be made for. */
export const BY_PLAN: Sharing = {
  plans: 'exact',
  programs: 'the same for all',
  returnPlace: 'fixed',
  returnWidth: 'all registers',
  stackCopied: 'most words',
};

/** Functions that share an image. */
export interface SharedBy {
  /** What the image prepares: places by name, those of one word of ctx joined by a colon. */
  readonly plan: readonly string[];
  /** Indices of the functions, ascending. */
  readonly members: readonly number[];
}

/** How many images there have to be: M for N functions, and who shares which. */
export interface Needed {
  readonly trampolines: number;
  readonly classes: readonly SharedBy[];
}

/** The fewest images for some functions, in an order that does not depend on theirs. */
export function trampolinesNeeded(functions: readonly Traced[], arch: ArchName, how: Sharing): Needed {
  const keyed = functions.map((traced) => ({
    apart: keptApart(traced, arch, how),
    plan: ctxPlan(traced, arch),
  }));
  const plans = new Map<string, Planned>();
  for (const item of keyed) plans.set(keyOf(item), item);
  const images = [...plans]
    .filter(([, planned]) => how.plans === 'exact' || !isBeginning(planned, plans))
    .sort(([a], [b]) => compareText(a, b))
    .map(([, planned]) => ({ planned, members: [] as number[] }));
  keyed.forEach((item, i) => {
    const image = images.find(({ planned }) => serves(planned, item, how));
    present(image, keyOf(item)).members.push(i);
  });
  const classes = images.map(({ planned: { plan }, members }) => ({ plan, members }));
  return { trampolines: classes.length, classes };
}

interface Planned {
  readonly apart: string;
  readonly plan: readonly string[];
}

function keyOf({ apart, plan }: Planned): string {
  return `${apart}|${plan.join(' ')}`;
}

/** The places of each word of ctx: of 64 bits, so that on a machine of 32 bits there may be two. */
export function ctxPlan(model: FunctionModel, arch: ArchName): string[] {
  const placesOfWord = 8 / wordBytes(arch);
  const plan: string[] = [];
  for (const { word, place } of passing(arch, model).slots) {
    const name = placeOn(arch, place);
    if (word % placesOfWord === 0) plan.push(name);
    else plan[plan.length - 1] += `:${name}`;
  }
  return plan;
}

/** What else must not differ within a class, as text. */
function keptApart(traced: Traced, arch: ArchName, how: Sharing): string {
  const { slots, returns } = passing(arch, traced);
  const parts: (string | number)[] = [];
  if (how.programs === 'their own') parts.push(traced.programs ?? '');
  if (how.returnPlace === 'after the arguments') parts.push(ctxPlan(traced, arch).length);
  if (how.returnWidth === 'own registers')
    parts.push(returns.in === 'memory' ? 'memory' : returns.registers.length);
  if (how.stackCopied === 'own words') parts.push(stackWords(slots));
  return parts.join(',');
}

/** Whether another plan starts where this one ends. */
function isBeginning(planned: Planned, plans: ReadonlyMap<string, Planned>): boolean {
  return [...plans.values()].some((other) => other !== planned && beginsWith(other, planned));
}

function serves(image: Planned, planned: Planned, { plans }: Sharing): boolean {
  if (plans === 'exact') return keyOf(image) === keyOf(planned);
  return beginsWith(image, planned);
}

function beginsWith(longer: Planned, shorter: Planned): boolean {
  return (
    longer.apart === shorter.apart &&
    longer.plan.length >= shorter.plan.length &&
    shorter.plan.every((places, i) => longer.plan[i] === places)
  );
}
