import { join } from 'node:path';
import type { AskedPart, Share } from '../../checker/share.ts';
import { filesBelow, readText } from '../../conformance/files.ts';
import type { WholeJob } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { toEnd } from '../../model/core/to-end.ts';
import type { SearchOptions } from '../line/options.ts';
import { searchesFor } from '../line/options.ts';
import { TOP } from '../line/project.ts';
import { replayText } from '../replay/replay.ts';
import { sequenceJob } from './attach-job.ts';
import { searchJob } from './search.ts';

/** A part of a run that can be worked on by itself. */
export interface PartAhead {
  readonly name: string;
  /** Its result: plain data. */
  readonly work: () => unknown;
}

/** The name of the part that a saved counterexample is. */
export function traceName(path: string): string {
  return `trace ${path}`;
}

/** The parts of a default run, in its order: saved counterexamples, attach combinations, sequences. */
export function partsAhead(options: SearchOptions): PartAhead[] {
  const { images, sequences } = searchesFor(options);
  const traces = filesBelow(TOP, CORPUS, '.trace').map((path): PartAhead => {
    return { name: traceName(path), work: () => replayText(readText(join(TOP, path))).kind };
  });
  return [
    ...traces,
    ...(images === undefined ? [] : partsOf((share) => searchJob({ ...images, share }))),
    ...(sequences === undefined ? [] : partsOf((share) => sequenceJob({ ...sequences, share }))),
  ];
}

/** The parts of a search, which asks for each of them. */
function partsOf(job: (share: Share) => WholeJob): PartAhead[] {
  const names: string[] = [];
  const ask = (part: string): AskedPart => {
    names.push(part);
    return { is: 'elsewhere' };
  };
  toEnd(job({ ...ELSEWHERE, ask }));
  return names.map((name) => ({ name, work: () => workOnOne(job, name) }));
}

const ELSEWHERE: Share = { ask: () => ({ is: 'elsewhere' }), begin: () => {}, keep: () => {} };

/** The result of one part of a search, which ends then. */
function workOnOne(job: (share: Share) => WholeJob, name: string): unknown {
  let kept: { readonly result: unknown } | undefined;
  const steps = job({
    ...ELSEWHERE,
    ask: (part) => ({ is: part === name ? 'here' : 'elsewhere' }),
    keep: (_, result) => {
      kept = { result };
    },
  });
  for (let step = steps.next(false); step.done !== true && kept === undefined; step = steps.next(false));
  return kept?.result;
}
