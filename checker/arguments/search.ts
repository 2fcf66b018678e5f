import fc from 'fast-check';
import { ARCHES, passing } from '../../model/abi/arch.ts';
import type { Sharing } from '../../model/abi/sharing.ts';
import { trampolinesNeeded } from '../../model/abi/sharing.ts';
import { item, present } from '../../model/core/present.ts';
import type { AbiFinding } from '../../properties/finding/abi-finding.ts';
import type { AbiLaw, AbiTools, FunctionSample } from '../../properties/law/argument-law.ts';
import type { AbiPlanted } from '../../properties/planted/arguments/abi.ts';
import { relatedSignatures } from './draw.ts';
import { minimise } from './minimise.ts';
import { callThrough, wholeWords } from './shared-image.ts';

/** What to search: how many samples, for which laws, with which bug. */
export interface AbiSearch {
  readonly seed: number;
  readonly cases: number;
  readonly laws: readonly AbiLaw[];
  readonly planted: AbiPlanted | undefined;
}

/** The result of a search. */
export interface AbiSearched {
  readonly cases: number;
  /** How many samples exercised each law, by its name. */
  readonly witnesses: ReadonlyMap<string, number>;
  readonly found: AbiFound | undefined;
}

/** A breach, and the smallest sample that shows it. */
export interface AbiFound {
  readonly law: AbiLaw;
  readonly sample: FunctionSample;
  readonly finding: AbiFinding;
  /** Functions of the sample that was drawn. */
  readonly drawn: number;
}

const MODEL: AbiTools = { passing, trampolinesNeeded, sharedSignature: wholeWords, callThrough };

/** Functions of a sample, at most. */
const FUNCTIONS_MOST = 6;

const HOW: fc.Arbitrary<Sharing> = fc.record({
  plans: fc.constantFrom('exact', 'prefix'),
  programs: fc.constantFrom('the same for all', 'their own'),
  returnPlace: fc.constantFrom('fixed', 'after the arguments'),
  returnWidth: fc.constantFrom('all registers', 'own registers'),
  stackCopied: fc.constantFrom('most words', 'own words'),
});

const SAMPLES: fc.Arbitrary<FunctionSample> = fc.constantFrom(...ARCHES).chain((arch) => {
  const signatures = relatedSignatures(arch, FUNCTIONS_MOST);
  const about = fc.array(fc.tuple(fc.constantFrom('A', 'B'), fc.nat(99)), {
    minLength: FUNCTIONS_MOST,
    maxLength: FUNCTIONS_MOST,
  });
  return fc.tuple(HOW, signatures, about).map(([how, drawn, of]) => ({
    arch,
    how,
    functions: drawn.map((signature, i) => ({ ...signature, programs: item(of, i)[0] })),
    order: drawn.map((_, i) => i).toSorted((a, b) => item(of, a)[1] - item(of, b)[1]),
  }));
});

/** Checks the laws on random functions; the same seed draws the same. */
export function searchAbi({ seed, cases, laws, planted }: AbiSearch): AbiSearched {
  const tools = planted?.tools(MODEL) ?? MODEL;
  const witnesses = new Map(laws.map(({ name }) => [name, 0]));
  let first: FunctionSample | undefined;
  let asked = 0;
  const broken = (sample: FunctionSample) =>
    laws.find((law) => law.premise(sample) && law.breach(sample, tools));
  const holds = (sample: FunctionSample): boolean => {
    const law = broken(sample);
    if (first !== undefined) return law === undefined;
    asked++;
    for (const { name, premise } of laws)
      if (premise(sample)) witnesses.set(name, present(witnesses.get(name), name) + 1);
    if (law !== undefined) first = sample;
    return law === undefined;
  };
  const { counterexample } = fc.check(fc.property(SAMPLES, holds), { seed, numRuns: cases });
  const drawn = counterexample?.[0];
  if (drawn === undefined) return { cases: asked, witnesses, found: undefined };
  const law = broken(drawn)!;
  const sample = minimise(drawn, (smaller) => broken(smaller) === law);
  const found = { law, sample, finding: law.breach(sample, tools)!, drawn: first!.functions.length };
  return { cases: asked, witnesses, found };
}
