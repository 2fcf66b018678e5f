import { expect, test } from 'vitest';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { OCCURRENCES } from '../../conformance/known/task-occurrences.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from './exploration.ts';
import { asked, defaultExploration } from './explore-options.ts';
import { keyOf, miscounted, occurrencesIn } from './occurrences.ts';
import { ScenarioSearch } from './scenario-search.ts';
import { taskAnswer } from './task-answer.ts';

const PAIR = 'detach f1, detach f1';
const ONE_CPU = { ...DEFAULT_FAMILY, profiles: ['6.12'], cpus: 1, only: PAIR.split(', ') };
const scenario = scenariosOf(ONE_CPU).find(({ name }) => name === PAIR)!;

function searched(): ScenarioResult {
  const laws = asked(['6.12']).map(({ name }) => name);
  const question = { number: 0, scenario: scenario.scenario, laws, planted: undefined };
  const search = new ScenarioSearch({
    ...question,
    depth: undefined,
    states: undefined,
    preemptions: undefined,
    saved: undefined,
  });
  search.goOn(Number.POSITIVE_INFINITY);
  return search.result();
}

const result = searched();

test('a scenario shows its listed breaches as often as is written down', () => {
  expect(Object.keys(OCCURRENCES[keyOf(scenario)]!).length).toBeGreaterThan(1);
  expect(miscounted(scenario, result)).toEqual([]);
});

test('another number is new, and so is one that is not there any more', () => {
  const seen = occurrencesIn(result);
  const [name = ''] = Object.keys(seen);
  const others = { ...seen, [name]: seen[name]! + 1, 'is-gone': 2 };
  expect(miscounted(scenario, result, { [keyOf(scenario)]: others })).toEqual([
    { known: name, pinned: seen[name]! + 1, seen: seen[name] },
    { known: 'is-gone', pinned: 2, seen: 0 },
  ]);
  const breaches = result.breaches.map((breach) => ({ ...breach, count: breach.count + 1 }));
  const search: TaskSearch = { ...defaultExploration(), scenarios: [scenario] };
  const { exit, text } = taskAnswer({ search, results: [{ ...result, breaches }] });
  expect(exit).toBe(EXIT.BROKEN);
  expect(text).toMatch(
    new RegExp(`✗ miscounted +\\S+: \\d+ occurrences, and \\d+ listed, in\\s+${PAIR} of 6.12\n`),
  );
  expect(taskAnswer({ search, results: [result] }).text).not.toContain('miscounted');
});

test('something is written down of each scenario that a kernel allows, and of listed breaches alone', () => {
  const families = [DEFAULT_FAMILY, { ...DEFAULT_FAMILY, profiles: ['6.1', '6.12', '7.2'], cpus: 1 }];
  const keys = families.flatMap(scenariosOf).map(keyOf);
  expect(Object.keys(OCCURRENCES).filter((key) => !keys.includes(key))).toEqual([]);
  expect(Object.keys(OCCURRENCES).length).toBeGreaterThan(keys.length / 2);
  const names = new Set(Object.values(OCCURRENCES).flatMap((counts) => Object.keys(counts)));
  expect([...names].filter((name) => !KNOWN_TASK.some((entry) => entry.name === name))).toEqual([]);
});
