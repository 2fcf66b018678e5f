import type { Answer } from '../../counterexamples/answer.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import { fileExplorationFor } from './explore-file.ts';
import type { ExploreLine } from './explore-options.ts';
import { ownAnswer } from './own-answer.ts';
import { refused, ScenarioSearch } from './scenario-search.ts';

const LINE: ExploreLine = { workers: '1', schedules: '20', seed: '1' };

/** Questions and answers of `explore FILE` in a test, which chooses where files are written. */
export function exploringWith(file: (name: string, text: string) => string) {
  const asked = (text: string, line: Partial<ExploreLine> = {}): TaskSearch =>
    fileExplorationFor(file('own.scenario', text), { ...LINE, ...line });
  return { asked, explored: (text: string, line: Partial<ExploreLine> = {}) => explored(asked(text, line)) };
}

/** Searches what a file describes, as a worker does. */
function explored(search: TaskSearch): Answer {
  const { laws, planted, depth, states, preemptions } = search;
  const results = search.scenarios.map(({ scenario, grain }, number): ScenarioResult => {
    const names = laws.map(({ name }) => name);
    const bounds = { depth, states, preemptions };
    const question = { number, scenario, grain, laws: names, planted: planted?.name, ...bounds };
    const own = { ...question, saved: undefined };
    const search = new ScenarioSearch(own);
    search.goOn(Number.POSITIVE_INFINITY);
    return refused(own) ?? search.result();
  });
  return ownAnswer({ search, results });
}
