import { createHash } from 'node:crypto';
import { importsOf } from '../imports.ts';
import type { ReachedCode } from './corpus.ts';
import { partMutants } from './part-mutants.ts';
import type { SourceMutant } from './source-mutants.ts';
import { areaOf, mutatedSources } from './source-mutants.ts';

/** A mutant of either kind, as it is listed and judged. */
export interface ListedMutant {
  readonly name: string;
  /** Of parts, or the area of the file. */
  readonly area: string;
  readonly operator: string;
  /** What has to run for it to show: a part, or an expression by its number. */
  readonly reach: ReachedCode;
  /** Of expressions the others of the file, and those of the files that import it. */
  readonly near: readonly (readonly ReachedCode[])[];
}

export const PARTS = 'parts of routines';

/** All mutants: of parts, and of these expressions. */
export function allMutants(ofSource: readonly SourceMutant[]): ListedMutant[] {
  const parts = partMutants().map(({ name, operator, reach }) => ({
    name,
    area: PARTS,
    operator,
    reach,
    near: [],
  }));
  const near = nearBy(ofSource);
  return [
    ...parts,
    ...ofSource.map(({ name, path, operator, number }) => ({
      name,
      area: areaOf(path),
      operator,
      reach: number,
      near: near(path),
    })),
  ];
}

/** For a file, the expressions in it, and those of the files that import it. */
function nearBy(mutants: readonly SourceMutant[]): (path: string) => readonly (readonly ReachedCode[])[] {
  const byPath = new Map<string, number[]>();
  for (const { path, number } of mutants) byPath.set(path, [...(byPath.get(path) ?? []), number]);
  const importers = new Map<string, string[]>();
  for (const { from, to } of mutatedSources().flatMap(importsOf))
    importers.set(to, [...(importers.get(to) ?? []), from]);
  const near = new Map(
    [...byPath].map(([path, own]) => {
      const others = [...new Set(importers.get(path))].flatMap((from) => byPath.get(from) ?? []);
      return [path, [own, others]] as const;
    }),
  );
  return (path) => near.get(path) ?? [];
}

/** One shard of all: `3/64`. */
export interface Shard {
  readonly n: number;
  readonly of: number;
}

/** The mutants of a shard, in an order that a seed gives: a name has its place whatever else there is. */
export function shardOf(mutants: readonly ListedMutant[], { n, of }: Shard, seed: number): ListedMutant[] {
  const placed = mutants.map((mutant) => ({ mutant, place: placeOf(mutant.name, seed) }));
  return placed
    .filter(({ place }) => place % of === n - 1)
    .sort((a, b) => a.place - b.place)
    .map(({ mutant }) => mutant);
}

function placeOf(name: string, seed: number): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUIntBE(0, 6);
}
