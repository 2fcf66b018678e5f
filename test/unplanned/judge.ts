import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { UnplannedFault } from '../../commands/bugs/unplanned.ts';
import type { UnplannedFigures } from '../../commands/bugs/unplanned-board.ts';
import { placed } from '../example.ts';
import { printedWith } from '../replaced.ts';
import { sources } from '../sources.ts';

/*
 * A fault in the source, judged by the laws alone: the searches of a default run, in a process with that source in place
 * of the project's. No recording is compared, no saved trace replayed.
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

/** The sequences of a default run, then its attach combinations, and then its scenarios. */
const SEARCHES = `
import { searchesFor } from './commands/line/options.ts';
import { DEFAULT_CASES, DEFAULT_SEQUENCES } from './counterexamples/default-bounds.ts';
import { sequenceJob } from './commands/check/attach-job.ts';
import { searchJob } from './commands/check/search.ts';
import { newBreach } from './commands/explore/exploration.ts';
import { defaultExploration } from './commands/explore/explore-options.ts';
import { ScenarioSearch } from './commands/explore/scenario-search.ts';
import { toEnd } from './model/core/to-end.ts';
const { sequences, images } = searchesFor({ seed: '1', cases: String(DEFAULT_CASES), sequences: String(DEFAULT_SEQUENCES) });
console.log(JSON.stringify(ofSequences() ?? ofCombinations() ?? ofScenarios() ?? null));

function ofSequences() {
  const { counterexample, kernels } = toEnd(sequenceJob({ ...sequences, reachesSites: false })).json;
  const draws = kernels.reduce((sum, { sequences }) => sum + sequences, 0);
  return counterexample === null ? undefined : { law: counterexample.law, draws, unit: 'sequence' };
}

function ofCombinations() {
  const { counterexample, cases } = toEnd(searchJob(images)).json;
  return counterexample === null ? undefined : { law: counterexample.law, draws: cases, unit: 'combination' };
}

function ofScenarios() {
  const { scenarios, laws } = defaultExploration();
  for (const [number, { scenario, grain }] of scenarios.entries()) {
    const search = new ScenarioSearch({ number, scenario, grain, laws: laws.map(({ name }) => name) });
    search.goOn(Number.POSITIVE_INFINITY);
    const breach = newBreach(search.result());
    if (breach !== undefined) return { law: breach.law, draws: number + 1, unit: 'scenario' };
  }
  return undefined;
}
`;
