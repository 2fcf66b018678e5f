import type { Item } from '../../model/trampoline/item.ts';
import { planImage } from '../../model/trampoline/plan/plan.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Toolchain } from '../../properties/observed/subject.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import { editItems } from '../../properties/planted/images/edit.ts';
import { benchFor } from './bench.ts';
import type { CaseOutcome, ImageCase } from './case.ts';
import { runCase } from './case.ts';
import type { Known } from './known-breach.ts';

/* For tests: systematic faults. Every single item of an image's plan is mutated in every way. */

/** The mutated item, and the functions that then generate the image. */
export type ImageMutant = readonly [string, Toolchain];

const bench = benchFor(undefined);

/** Every single fault in the image of a case. */
export function mutantsOf(c: ImageCase): ImageMutant[] {
  const { subject } = runCase(bench, c, { laws: [], known: [] });
  if (subject === undefined) throw new Error('the case has no image');
  const { items } = planImage(subject.request);
  return items
    .flatMap((_, i) => mutationsOf(items, i))
    .map(([name, edit]) => [name, editItems(edit)(KERNEL)]);
}

/**
 * A case in a kernel that generates its images so: a fault of its own, not a planted bug. Undefined: nothing can be
 * run.
 */
export function runInKernel(
  tools: Toolchain,
  c: ImageCase,
  known: readonly Known[] = [],
): CaseOutcome | undefined {
  try {
    return runCase({ ...bench, tools }, c, { laws: IMAGE_LAWS, known });
  } catch (error) {
    if (error instanceof UnsupportedInstruction) return undefined;
    throw error;
  }
}

type Mutation = readonly [string, (items: readonly Item[]) => Item[]];

/** Every mutation of one item. */
function mutationsOf(items: readonly Item[], i: number): Mutation[] {
  const item = items[i]!;
  const as = (change: Partial<Item>) => () => items.with(i, { ...item, ...change });
  const named = (what: string) => `${what} ${item.role}: ${item.op}`;
  const mutations: Mutation[] = [[named('without'), () => items.toSpliced(i, 1)]];
  if (WITH_OFFSET.includes(item.op))
    for (const by of [8, -8]) mutations.push([named(`${by} bytes off`), as({ at: item.at + by })]);
  if (item.op === 'ifZero') mutations.push([named('inverted'), as({ op: 'ifNonzero' })]);
  if (item.op === 'ifNonzero') mutations.push([named('inverted'), as({ op: 'ifZero' })]);
  if (item.op === 'constant')
    mutations.push([named('one more in'), as({ value: { hi: item.value.hi, lo: item.value.lo + 1 } })]);
  if (item.op === 'call') mutations.push([named('twice'), () => items.toSpliced(i, 0, item)]);
  if (item.symbol === '&prog#1') mutations.push([named('of the other program'), as({ symbol: '&prog#2' })]);
  if (item.op === 'raise') mutations.push([named('twice'), () => items.toSpliced(i, 0, item)]);
  return mutations;
}

const WITH_OFFSET = ['load', 'store', 'lea', 'clear32', 'compareZero', 'lower'];
