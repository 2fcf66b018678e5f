import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { checksum } from '../../commands/line/sealed-file.ts';
import type { MutantVerdict } from './verdict.ts';

/** The verdict on a mutant. */
export interface Result {
  readonly name: string;
  readonly area: string;
  readonly operator: string;
  readonly verdict: MutantVerdict;
}

/** The run that a verdict is of: what has to be the same in all shards that are merged. */
export interface ResultOrigin {
  readonly seed: number;
  /** The number of shards. */
  readonly of: number;
  /** The filters of `--area` and `--name`. */
  readonly areas: string;
  readonly named: string;
  /** SHA-256 of the code. */
  readonly code: string;
}

/** A line of the file of results. */
export interface KeptResult extends Result {
  readonly from: ResultOrigin;
  /** SHA-256 of all else. */
  readonly sum: string;
}

/** A file of results, a line each as it comes: what is there when a run ends early is kept. */
export class ResultFile {
  readonly all: Result[];

  /** Results of earlier runs are resumed, or forgotten; again: only those of killed mutants are kept. */
  constructor(
    private readonly path: string,
    resume: boolean,
    again = false,
  ) {
    const all = resume && existsSync(path) ? resultsIn(readFileSync(path, 'utf8')) : [];
    this.all = again ? all.filter(({ verdict }) => verdict.is === 'killed') : all;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.all.map(lineOf).join(''));
  }

  add(result: Result, from: ResultOrigin): void {
    const kept = keptResult(result, from);
    this.all.push(kept);
    appendFileSync(this.path, lineOf(kept));
  }
}

export function keptResult({ name, area, operator, verdict }: Result, from: ResultOrigin): KeptResult {
  const result = { name, area, operator, verdict, from };
  return { ...result, sum: checksum(JSON.stringify(result)) };
}

/** The last line may be half a line. */
export function resultsIn(text: string): Result[] {
  return wholeLines(text).flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Result]));
}

export function wholeLines(text: string): string[] {
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
}

export function lineOf(result: Result): string {
  return `${JSON.stringify(result)}\n`;
}
