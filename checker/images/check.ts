import fc from 'fast-check';
import { messageOf } from '../../model/core/message-of.ts';
import { present } from '../../model/core/present.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import type { Share } from '../share.ts';
import { WHOLE, workOn } from '../share.ts';
import { cases } from './arbitraries.ts';
import type { ImageBench } from './bench.ts';
import { benchFor } from './bench.ts';
import type { CaseQuestion, ImageCase } from './case.ts';
import { runCase } from './case.ts';
import { minimise } from './minimise.ts';
import type { Breach } from './paths.ts';
import { printCase } from './spelling.ts';
import type { CountedImages } from './tally.ts';
import { ImageTally } from './tally.ts';

/** A search over random attach combinations. Its bound is a count, so that a seed fixes its output. */
export interface ImageSearch extends CaseQuestion {
  readonly seed: number;
  readonly cases: number;
  readonly planted: Planted | undefined;
  /** Default: all of it is worked on here. */
  readonly share?: Share;
}

/** The course and the result of a search. */
export interface SearchedImages extends CountedImages {
  readonly found: FoundImage | undefined;
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
  const { share = WHOLE } = search;
  const bench = benchFor(search.planted);
  const tally = new ImageTally(search.laws);
  for (let done = 0; done < search.cases; done += CHUNK) {
    const number = done / CHUNK;
    const bound = {
      seed: (search.seed + number * SEED_STEP) | 0,
      numRuns: Math.min(CHUNK, search.cases - done),
    };
    const drawn = new DrawnChunk(bench, search, bound);
    const part = workOn(share, `images, ${number}`, () => drawn.judge());
    if (part !== undefined) tally.add(part);
    else tally.leave(bound.numRuns);
    if (part?.failed === true) return { ...tally.result(), found: drawn.found() };
    const stop = yield { ...tally.result(), found: undefined };
    if (stop) break;
  }
  return { ...tally.result(), found: undefined };
}

interface Bound {
  readonly seed: number;
  readonly numRuns: number;
}

/** What the cases of a chunk came to: plain data. */
interface JudgedChunk extends CountedImages {
  /** The last of them breaks a law in an unlisted way. */
  readonly failed: boolean;
}

/** Cases that are drawn with one seed. */
class DrawnChunk {
  /** The one that failed when they were judged here, and the count until then. */
  private failed: { readonly failing: ImageCase; readonly tally: ImageTally } | undefined;

  constructor(
    private readonly bench: ImageBench,
    private readonly search: ImageSearch,
    private readonly bound: Bound,
  ) {}

  /** Judges them, up to one that fails. */
  judge(): JudgedChunk {
    const tally = new ImageTally(this.search.laws);
    const failing = searchChunk(this.bench, this.search, tally, this.bound);
    this.failed = failing && { failing, tally };
    return { ...tally.result(), failed: failing !== undefined };
  }

  /** The one that fails, shrunk; all are judged again if that was elsewhere. */
  found(): FoundImage {
    if (this.failed === undefined) this.judge();
    const { failing, tally } = present(this.failed, 'case that fails again');
    return shrink(this.search, this.bench, failing, tally);
  }
}

/** Draws cases for other uses than laws: a bench, a comparison of decoders. */
export function drawCases(bound: { seed: number; numRuns: number }, use: (c: ImageCase) => void): void {
  fc.assert(fc.property(cases, use), bound);
}

/** A case that fails, after fast-check has shrunk it; undefined when none does. */
function searchChunk(
  bench: ImageBench,
  search: ImageSearch,
  tally: ImageTally,
  bound: Bound,
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
function shrink(search: ImageSearch, bench: ImageBench, c: ImageCase, tally: ImageTally): FoundImage {
  const breachOf = (candidate: ImageCase): Breach | undefined =>
    runCase(bench, candidate, search).verdict?.breach;
  const first = breachOf(c);
  if (first === undefined)
    throw new Error(`the case broke a law, and does not break it again: ${printCase(c)}`);
  const small = minimise(c, (candidate) => breachOf(candidate)?.law === first.law);
  return { case: small, breach: breachOf(small)!, drawn: tally.firstFailure ?? c };
}
