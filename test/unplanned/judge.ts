import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UnplannedFault } from '../../commands/bugs/unplanned.ts';
import type { UnplannedFigures } from '../../commands/bugs/unplanned-board.ts';
import { placed } from '../example.ts';
import { printedWith } from '../replaced.ts';
import { sources } from '../sources.ts';

/*
 * A fault in the source, judged by the laws alone: the random searches of a default run, in a process with that source in
 * place of the project's. No recording is compared, no saved trace replayed.
 */

/** Throws when the words of the fault are not there once. */
export function faultySource({ path, from, to }: UnplannedFault): string {
  const [{ text } = { text: '' }] = sources(path);
  if (text.split(from).length !== 2) throw new Error(`${path} does not have these words once: ${from}`);
  return text.replace(from, () => to);
}

/** The first law that is broken; undefined when all hold. */
export async function judged(fault: UnplannedFault): Promise<UnplannedFigures | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
  const faulty = join(folder, 'faulty.mts');
  try {
    writeFileSync(faulty, placed(faultySource(fault), dirname(fault.path)));
    const found = await printedWith({ [fault.path]: faulty }, SEARCHES);
    return found === null ? undefined : (found as UnplannedFigures);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sequences of a default run, and then its attach combinations. */
const SEARCHES = `
import { searchesFor } from './commands/line/options.ts';
import { DEFAULT_CASES, DEFAULT_SEQUENCES } from './counterexamples/default-bounds.ts';
import { sequenceJob } from './commands/check/attach-job.ts';
import { searchJob } from './commands/check/search.ts';
import { toEnd } from './model/core/to-end.ts';
const { sequences, images } = searchesFor({ seed: '1', cases: String(DEFAULT_CASES), sequences: String(DEFAULT_SEQUENCES) });
const first = toEnd(sequenceJob({ ...sequences, reachesSites: false })).json;
const second = first.counterexample === null ? toEnd(searchJob(images)).json : null;
console.log(JSON.stringify(figures()));

function figures() {
  if (first.counterexample !== null) {
    const draws = first.kernels.reduce((sum, { sequences }) => sum + sequences, 0);
    return { law: first.counterexample.law, draws, unit: 'sequence' };
  }
  if (second.counterexample === null) return null;
  return { law: second.counterexample.law, draws: second.cases, unit: 'combination' };
}
`;
