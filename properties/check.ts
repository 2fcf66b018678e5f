import fc from 'fast-check';
import type { Stage } from '../model/trampoline/stage/stage.ts';
import { createStage, PLAIN_STAGE } from '../model/trampoline/stage/stage.ts';
import { EMITTERS } from '../model/trampoline/stage/stubs.ts';
import { cases } from './arbitraries.ts';
import type { Case, Outcome } from './case.ts';
import { runCase } from './case.ts';
import type { Law } from './law.ts';
import { minimise } from './minimise.ts';
import type { Breach } from './paths.ts';
import type { Planted } from './planted/planted.ts';
import { watchStubs } from './segment.ts';
import type { Toolchain } from './subject.ts';
import { KERNEL } from './subject.ts';

/** A breach that a real kernel is known for: it is counted, not reported as found. */
export interface Known {
  readonly law: string;
  readonly kernels: readonly string[];
  /** Whether a case has what it takes. */
  readonly when: (c: Case) => boolean;
}

/** A search over random attach combinations. Its bound is a count, so that a seed fixes its output. */
export interface Search {
  readonly seed: number;
  readonly cases: number;
  readonly laws: readonly Law[];
  readonly planted: Planted | undefined;
  readonly known: readonly Known[];
}

/** What a search did and found. */
export interface Searched {
  /** Attach combinations that were tried, and images among them that were judged. */
  readonly cases: number;
  readonly images: number;
  /** Paths through those images, each for all argument values. */
  readonly paths: bigint;
  /** Images that met the premise of a law, by the law's name. */
  readonly witnesses: ReadonlyMap<string, number>;
  /** Refusals by stage and errno. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Breaches that were known, by index in the list. */
  readonly known: ReadonlyMap<number, number>;
  readonly found: Found | undefined;
}

/** A new breach, shrunk. */
export interface Found {
  readonly case: Case;
  readonly breach: Breach;
  /** The case as it was first drawn. */
  readonly drawn: Case;
  readonly shrinks: number;
}

/** Everything that judging a case takes. */
export interface Bench {
  readonly stage: Stage;
  readonly tools: Toolchain;
}

export function benchFor(planted: Planted | undefined): Bench {
  const emitters = planted?.emitters?.(EMITTERS) ?? EMITTERS;
  const stage = createStage({ ...PLAIN_STAGE, emitters });
  watchStubs(stage);
  return { stage, tools: planted?.tools?.(KERNEL) ?? KERNEL };
}

/** Draws and judges cases until one breaks a law in a way that is not known, or the bound is reached. */
export function searchImages(search: Search): Searched {
  const bench = benchFor(search.planted);
  const tally = new Tally(search);
  const holds = (c: Case): boolean => {
    const outcome = runCase(bench.stage, c, search.laws, bench.tools);
    tally.count(c, outcome);
    const breach = outcome.verdict?.breach;
    return breach === undefined || tally.isKnown(c, breach);
  };
  const details = fc.check(fc.property(cases, holds), { seed: search.seed, numRuns: search.cases });
  const failing = details.counterexample?.[0];
  return { ...tally.result(), found: failing === undefined ? undefined : shrink(search, bench, failing, details.numShrinks, tally) };
}

/** Shrinks further than fast-check did, to a case that no single step makes simpler. */
function shrink(search: Search, bench: Bench, c: Case, shrinks: number, tally: Tally): Found {
  const breachOf = (candidate: Case): Breach | undefined => {
    const breach = runCase(bench.stage, candidate, search.laws, bench.tools).verdict?.breach;
    return breach === undefined || tally.isKnown(candidate, breach) ? undefined : breach;
  };
  const first = breachOf(c);
  if (first === undefined) throw new Error('the case that broke a law does not break it again');
  const small = minimise(c, (candidate) => breachOf(candidate)?.law === first.law);
  return { case: small, breach: breachOf(small)!, drawn: tally.firstFailure ?? c, shrinks };
}

/** Counts what happens until the first new breach; shrinking is not counted. */
class Tally {
  firstFailure: Case | undefined;
  private readonly search: Search;
  private cases = 0;
  private images = 0;
  private paths = 0n;
  private readonly witnesses = new Map<string, number>();
  private readonly refusals = new Map<string, number>();
  private readonly known = new Map<number, number>();

  constructor(search: Search) {
    this.search = search;
    for (const law of search.laws) this.witnesses.set(law.name, 0);
  }

  isKnown(c: Case, breach: Breach): boolean {
    return this.knownIndex(c, breach) >= 0;
  }

  count(c: Case, { attempt, subject, verdict }: Outcome): void {
    if (this.firstFailure !== undefined) return;
    this.cases++;
    if (attempt.refusal !== undefined) add(this.refusals, `${attempt.refusal.stage} ${attempt.refusal.errno}`);
    if (subject === undefined || verdict === undefined) return;
    this.images++;
    this.paths += verdict.paths;
    for (const law of this.search.laws) if (law.premise(subject)) add(this.witnesses, law.name);
    if (verdict.breach === undefined) return;
    const index = this.knownIndex(c, verdict.breach);
    if (index < 0) this.firstFailure = c;
    else add(this.known, index);
  }

  result(): Omit<Searched, 'found'> {
    const { cases: count, images, paths, witnesses, refusals, known } = this;
    return { cases: count, images, paths, witnesses, refusals, known };
  }

  private knownIndex(c: Case, { law }: Breach): number {
    return this.search.known.findIndex(
      (known) => known.law === law.name && known.kernels.includes(c.kernel) && known.when(c),
    );
  }
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
