import { addTo } from '../../model/core/add-to.ts';
import type { Law } from '../../properties/law/image-law.ts';
import type { CaseOutcome, ImageCase } from './case.ts';
import type { Unfinished } from './paths.ts';

/** What has happened to some attach combinations: plain data. */
export interface CountedImages {
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
}

/** An image with a path that was not followed to its end, and why. */
export interface UnfinishedImage extends Unfinished {
  readonly case: ImageCase;
}

/** Counts what happens until the first new breach; shrinking is not counted. */
export class ImageTally {
  firstFailure: ImageCase | undefined;
  private cases = 0;
  private images = 0;
  private paths = 0n;
  private unfinished: UnfinishedImage | undefined;
  private readonly witnesses = new Map<string, number>();
  private readonly refusals = new Map<string, number>();
  private readonly known = new Map<string, number>();

  constructor(private readonly laws: readonly Law[]) {
    for (const law of laws) this.witnesses.set(law.name, 0);
  }

  count(c: ImageCase, { attempt, subject, verdict, known }: CaseOutcome): void {
    if (this.firstFailure !== undefined) return;
    this.cases++;
    if (attempt.refusal !== undefined)
      addTo(this.refusals, `${attempt.refusal.stage} ${attempt.refusal.errno}`);
    if (subject === undefined || verdict === undefined) return;
    this.images++;
    this.paths += verdict.paths;
    for (const law of this.laws) if (law.premise(subject)) addTo(this.witnesses, law.name);
    for (const { name } of known) addTo(this.known, name);
    if (verdict.unfinished !== undefined) this.unfinished ??= { case: c, ...verdict.unfinished };
    if (verdict.breach !== undefined) this.firstFailure = c;
  }

  /** Counts what was counted elsewhere. */
  add(counted: CountedImages): void {
    this.cases += counted.cases;
    this.images += counted.images;
    this.paths += counted.paths;
    this.unfinished ??= counted.unfinished;
    for (const [name, times] of counted.witnesses) addTo(this.witnesses, name, times);
    for (const [name, times] of counted.refusals) addTo(this.refusals, name, times);
    for (const [name, times] of counted.known) addTo(this.known, name, times);
  }

  /** Counts cases that are judged elsewhere, of which nothing else is known. */
  leave(cases: number): void {
    this.cases += cases;
  }

  result(): CountedImages {
    const { cases: count, images, paths, witnesses, refusals, known, unfinished } = this;
    return { cases: count, images, paths, witnesses, refusals, known, unfinished };
  }
}
