import fc from 'fast-check';
import { messageOf } from '../../model/core/message-of.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import { cases } from './arbitraries.ts';
import type { ImageBench } from './bench.ts';
import { benchFor } from './bench.ts';
import type { CaseOutcome, CaseQuestion, ImageCase } from './case.ts';
import { runCase } from './case.ts';
import { minimise } from './minimise.ts';
import type { Breach, Unfinished } from './paths.ts';
import { printCase } from './spelling.ts';

/** A search over random attach combinations. Its bound is a count, so that a seed fixes its output. */
export interface ImageSearch extends CaseQuestion {
  readonly seed: number;
  readonly cases: number;
  readonly planted: Planted | undefined;
}

/** The course and the result of a search. */
export interface SearchedImages {
  /** Attach combinations that were tried, and images among them that were judged. */
  readonly cases: number;
  readonly images: number;
  /** Paths through those images, each for all argument values. */
  readonly paths: bigint;
  /** Images that met the premise of a law, by the law's name. */
  readonly witnesses: ReadonlyMap<string, number>;
  /** Refusals by stage and errno. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Images that showed a known breach, by its name. */
  readonly known: ReadonlyMap<string, number>;
  /** The first image with a path that was not followed to its end, because of a law that was not checked. */
  readonly unfinished: UnfinishedImage | undefined;
  readonly found: FoundImage | undefined;
}

/** An image with a path that was not followed to its end, and why. */
export interface UnfinishedImage extends Unfinished {
  readonly case: ImageCase;
}

/** A new breach, shrunk. */
export interface FoundImage {
  readonly case: ImageCase;
  readonly breach: Breach;
  /** The case as it was first drawn. */
  readonly drawn: ImageCase;
}

/** Cases between two steps of a search, at which it can be stopped. */
const CHUNK = 250;
/** Seeds of neighbouring chunks are far apart. */
const SEED_STEP = 0x9e3779b1;

/**
 * Draws and judges cases until one breaks a law in an unlisted way, or the bound is reached. Yields its results so
 * far after each chunk, and ends early when it is stopped.
 */
export function* searchImages(search: ImageSearch): Generator<SearchedImages, SearchedImages, boolean> {
  const bench = benchFor(search.planted);
  const tally = new Tally(search);
  for (let done = 0; done < search.cases; done += CHUNK) {
    const numRuns = Math.min(CHUNK, search.cases - done);
    const failing = searchChunk(bench, search, tally, {
      seed: (search.seed + (done / CHUNK) * SEED_STEP) | 0,
      numRuns,
    });
    if (failing !== undefined) return { ...tally.result(), found: shrink(search, bench, failing, tally) };
    const stop = yield { ...tally.result(), found: undefined };
    if (stop) break;
  }
  return { ...tally.result(), found: undefined };
}

/** Draws cases for other uses than laws: a bench, a comparison of decoders. */
export function drawCases(bound: { seed: number; numRuns: number }, use: (c: ImageCase) => void): void {
  fc.assert(fc.property(cases, use), bound);
}

/** A case that fails, after fast-check has shrunk it; undefined when none does. */
function searchChunk(
  bench: ImageBench,
  search: ImageSearch,
  tally: Tally,
  bound: { seed: number; numRuns: number },
): ImageCase | undefined {
  let crash: unknown;
  const holds = (c: ImageCase): boolean => {
    try {
      const outcome = runCase(bench, c, search);
      tally.count(c, outcome);
      return outcome.verdict?.breach === undefined;
    } catch (error) {
      crash = new Error(`${printCase(c)}: ${messageOf(error)}`, {
        cause: error,
      });
      return false;
    }
  };
  const { counterexample } = fc.check(fc.property(cases, holds), bound);
  if (crash !== undefined) throw crash;
  return counterexample?.[0];
}

/** Shrinks further than fast-check did, to a case that no single step makes simpler. */
function shrink(search: ImageSearch, bench: ImageBench, c: ImageCase, tally: Tally): FoundImage {
  const breachOf = (candidate: ImageCase): Breach | undefined =>
    runCase(bench, candidate, search).verdict?.breach;
  const first = breachOf(c);
  if (first === undefined)
    throw new Error(`the case broke a law, and does not break it again: ${printCase(c)}`);
  const small = minimise(c, (candidate) => breachOf(candidate)?.law === first.law);
  return { case: small, breach: breachOf(small)!, drawn: tally.firstFailure ?? c };
}

/** Counts what happens until the first new breach; shrinking is not counted. */
class Tally {
  firstFailure: ImageCase | undefined;
  private readonly search: ImageSearch;
  private cases = 0;
  private images = 0;
  private paths = 0n;
  private unfinished: UnfinishedImage | undefined;
  private readonly witnesses = new Map<string, number>();
  private readonly refusals = new Map<string, number>();
  private readonly known = new Map<string, number>();

  constructor(search: ImageSearch) {
    this.search = search;
    for (const law of search.laws) this.witnesses.set(law.name, 0);
  }

  count(c: ImageCase, { attempt, subject, verdict, known }: CaseOutcome): void {
    if (this.firstFailure !== undefined) return;
    this.cases++;
    if (attempt.refusal !== undefined)
      add(this.refusals, `${attempt.refusal.stage} ${attempt.refusal.errno}`);
    if (subject === undefined || verdict === undefined) return;
    this.images++;
    this.paths += verdict.paths;
    for (const law of this.search.laws) if (law.premise(subject)) add(this.witnesses, law.name);
    for (const { name } of known) add(this.known, name);
    if (verdict.unfinished !== undefined) this.unfinished ??= { case: c, ...verdict.unfinished };
    if (verdict.breach !== undefined) this.firstFailure = c;
  }

  result(): Omit<SearchedImages, 'found'> {
    const { cases: count, images, paths, witnesses, refusals, known, unfinished } = this;
    return { cases: count, images, paths, witnesses, refusals, known, unfinished };
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
