import { scenarioFileLines } from '../../counterexamples/interleavings/task-trace.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { detailLines } from '../check/pass.ts';
import type { TaskSearch } from './exploration.ts';
import { boundText, isExplored } from './exploration.ts';
import type { TaskExplored } from './task-verdict.ts';

/** A summary of what was explored, some lines for each kernel. */
export function exploredLines({ search, results }: TaskExplored): string[] {
  const { planted, from, depth } = search;
  const profiles = [...new Set(search.scenarios.map(({ scenario }) => scenario.profile))];
  return profiles.flatMap((profile) => {
    const own = results.filter((_, i) => item(search.scenarios, i).scenario.profile === profile);
    const all = search.scenarios.filter(({ scenario }) => scenario.profile === profile).length;
    const whole = own.filter(isExplored).length;
    const never = own.filter(({ end }) => end === 'refused').length;
    const scenarios = search.scenarios.map(({ scenario }) => scenario);
    const operations = distinct(scenarios, ({ clients }) => clients.flat().length);
    const calls = distinct(scenarios, ({ callers }) => callers.length);
    const cpus = distinct(scenarios, ({ cpus }) => cpus);
    const wanted = planted === undefined && from.is === 'family' ? from.only : [];
    const only = wanted.length > 0 ? ` with ${wanted.join(', ')}` : '';
    const text =
      `${profile}: ${count(own.length)} of ${counted(all, 'scenario')}${only}, ` +
      `${countedAs(operations, 'operation')}, ${countedAs(calls, 'call')}, ` +
      `${countedAs(cpus, 'cpu')}: ${counted(
        own.reduce((all, { states }) => all + states, 0),
        'state',
      )}, ` +
      `${counted(
        own.reduce((all, { transitions }) => all + transitions, 0),
        'move',
      )}, ` +
      `to depth ${Math.max(0, ...own.map((result) => result.depth))}` +
      `${depth === undefined ? '' : ` (at most ${depth})`}; ${count(whole)} explored to the end${boundText(search)}` +
      (never === 0 ? '' : `, ${count(never)} not possible in this kernel`);
    return detailLines(text);
  });
}

/** Each number that scenarios have, from the smallest. */
function distinct(scenarios: readonly Scenario[], numberOf: (scenario: Scenario) => number): number[] {
  return [...new Set(scenarios.map(numberOf))].sort((a, b) => a - b);
}

/** `2 operations`, or `1 or 2 calls`. */
function countedAs(numbers: readonly number[], what: string): string {
  const smaller = numbers.slice(0, -1).map((n) => `${count(n)} or `);
  return smaller.join('') + counted(numbers.at(-1) ?? 0, what);
}

/** The scenario, where there is one: in the form of a file, for editing. */
export function onlyScenario({ scenarios }: TaskSearch): string[] {
  const [only, ...others] = scenarios;
  if (only === undefined || others.length > 0) return [];
  return ['', ...scenarioFileLines(only.scenario, only.grain).map((line) => `  ${line}`.trimEnd())];
}
