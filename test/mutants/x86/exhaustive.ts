import { typeDifference } from './argument-types.ts';
import { ASSEMBLIES } from './assembly.ts';
import { breakpointDifference } from './breakpoints.ts';
import { cutCodeDifference } from './cut-code.ts';
import { EDGES } from './edges.ts';
import { sampleWordDifference } from './sample-words.ts';
import { wordDifference } from './words.ts';

/** Comparisons with an independent implementation for all values of a kind, by their names. */
const COMPARISONS: Readonly<Record<string, () => string | undefined>> = {
  ...ASSEMBLIES,
  'arithmetic of words': wordDifference,
  ...EDGES,
  breakpoints: breakpointDifference,
  'the end of code': cutCodeDifference,
  'sample words': sampleWordDifference,
  'types of arguments': typeDifference,
};

export function comparisons(): string[] {
  return Object.keys(COMPARISONS);
}

/** The first difference; undefined: there is none. */
export function exhaustiveDifference(name: string): string | undefined {
  const compare = COMPARISONS[name];
  if (compare === undefined) throw new Error(`no comparison is called ${name}`);
  return compare();
}
