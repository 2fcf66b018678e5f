import { nearest } from '../model/core/nearest.ts';
import {
  measureCheck,
  measureCompare,
  measureCores,
  measureCost,
  measureKernels,
  measureStart,
} from './commands.ts';
import { measureEmulator } from './emulator.ts';
import { measureExplorer, measureFull } from './explore.ts';
import type { MeasuredPart } from './row.ts';
import { measureWalks } from './walk.ts';

/** What parts of the bench are given. */
export interface PartOptions {
  /** The path of tla2tools.jar; empty: there is none. */
  readonly tlc: string;
}

/** Rows that are measured together. */
export interface BenchPart {
  readonly name: string;
  /** It takes minutes: it is run if it is named, or if all are asked for. */
  readonly isLong?: true;
  readonly measure: (options: PartOptions) => MeasuredPart;
}

export const PARTS: readonly BenchPart[] = [
  { name: 'emulator', measure: measureEmulator },
  { name: 'walk', measure: measureWalks },
  { name: 'explorer', measure: measureExplorer },
  { name: 'full', measure: measureFull },
  { name: 'cores', measure: measureCores },
  { name: 'kernels', isLong: true, measure: measureKernels },
  { name: 'check', isLong: true, measure: measureCheck },
  { name: 'compare', measure: measureCompare },
  { name: 'cost', measure: measureCost },
  { name: 'start', measure: measureStart },
];

/** The parts that are named, in the order of the table; or all but those that take minutes. */
export function chosenParts(names: readonly string[], all: boolean): readonly BenchPart[] {
  const known = PARTS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, known);
    const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
    throw new Error(`--only ${unknown}: there is no such part; ${hint}`);
  }
  if (names.length === 0) return PARTS.filter(({ isLong }) => all || isLong !== true);
  return PARTS.filter(({ name }) => names.includes(name));
}
