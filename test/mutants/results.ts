import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MutantVerdict } from './verdict.ts';

/** The verdict on a mutant; a line of the file of results. */
export interface Result {
  readonly name: string;
  readonly area: string;
  readonly operator: string;
  readonly verdict: MutantVerdict;
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

  add(result: Result): void {
    this.all.push(result);
    appendFileSync(this.path, lineOf(result));
  }
}

/** The last line may be half a line. */
export function resultsIn(text: string): Result[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Result]));
}

function lineOf(result: Result): string {
  return `${JSON.stringify(result)}\n`;
}
