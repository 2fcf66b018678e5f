import { writeFileSync } from 'node:fs';
import type { ScenarioFamily } from './exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from './exploration.ts';
import { asked } from './explore-options.ts';
import { keyOf, occurrencesIn } from './occurrences.ts';
import { refused, ScenarioSearch } from './scenario-search.ts';

/*
 * Counts the listed breaches in each scenario of the default run and of `explore`, and writes the table:
 * `npm run occurrences`.
 */

const EXPLORED = ['6.1', '6.12', '7.2'];
const FAMILIES: readonly ScenarioFamily[] = [
  DEFAULT_FAMILY,
  { ...DEFAULT_FAMILY, profiles: EXPLORED, cpus: 1 },
];
const FILE = new URL('../../conformance/known/task-occurrences.ts', import.meta.url);

const HEAD = `/** What scenarios show, long on purpose: a table, which \`npm run occurrences\` writes. */

/** By scenario the listed breaches that it shows, and in how many moves and ends. */
export type Occurrences = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Of the default run, and of what \`explore\` explores in each kernel. */
export const OCCURRENCES: Occurrences = `;

const table: Record<string, Record<string, number>> = {};
for (const family of FAMILIES) {
  const laws = asked(family.profiles).map(({ name }) => name);
  for (const scenario of scenariosOf(family)) {
    const question = {
      number: 0,
      scenario: scenario.scenario,
      laws,
      planted: undefined,
      depth: undefined,
      preemptions: undefined,
      states: undefined,
      saved: undefined,
    };
    if (refused(question) !== undefined) continue;
    const search = new ScenarioSearch(question);
    search.goOn(Number.POSITIVE_INFINITY);
    const result = search.result();
    if (result.end !== 'complete') throw new Error(`${keyOf(scenario)} ends with ${result.end}`);
    table[keyOf(scenario)] = occurrencesIn(result);
  }
}
writeFileSync(FILE, `${HEAD}${JSON.stringify(table, null, 2)};\n`);
