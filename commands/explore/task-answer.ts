import type { SavedBreach } from '../../checker/interleavings/checkpoint.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import type { TaskCounterexample } from '../../counterexamples/interleavings/task-describe.ts';
import { spaceOptions } from '../../counterexamples/interleavings/task-describe.ts';
import { described, savedTasks, scheduleOf } from '../../counterexamples/interleavings/task-find.ts';
import { printFoundIn, printFoundInFile } from '../../counterexamples/interleavings/task-report.ts';
import { count, counted, percent, spread } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import { knownLine, lawLines, soFarLines, unaskedLines, unmetLines } from '../check/pass.ts';
import type { NamedScenario, TaskSearch } from './exploration.ts';
import { newBreach } from './exploration.ts';
import { exploredLines, onlyScenario } from './explored-lines.ts';
import { isVacuousScenario, refusedLines, refusedOperations } from './refused-operations.ts';
import type { MiscountedIn, TaskExplored } from './task-verdict.ts';
import {
  exitOf,
  isUnmet,
  miscountedIn,
  sum,
  unfinished,
  verdictOfSearch,
  witnessed,
} from './task-verdict.ts';

/** The breach that was found, or what held within the bound; known breaches under their names. */
export function taskAnswer(explored: TaskExplored): Answer {
  const found = counterexampleOf(explored);
  const exit = exitOf(explored);
  const text = [
    ...(found === undefined ? heldLines(explored) : [found.trace.report]),
    '',
    ...exploredLines(explored),
    ...(found === undefined ? onlyScenario(explored.search) : []),
  ].join('\n');
  return {
    text,
    json: { command: 'explore', exit, ...jsonOf(explored, found) },
    exit,
    save: savedTasks(found),
    verdict: verdictOfSearch(explored, found !== undefined),
  };
}

/** The first breach that is not listed, described. */
export function counterexampleOf({ search, results }: TaskExplored): TaskCounterexample | undefined {
  const index = results.findIndex((result) => newBreach(result) !== undefined);
  return index < 0
    ? undefined
    : foundIn(search, item(search.scenarios, index), newBreach(item(results, index))!);
}

/** Gives the names on the way to a breach that stay the same, plays it once more, and describes it. */
function foundIn(
  { planted, laws, from }: TaskSearch,
  { name, scenario, grain }: NamedScenario,
  { law: lawName, path }: SavedBreach,
): TaskCounterexample {
  const law = laws.find((law) => law.name === lawName)!;
  const space = new Space(scenario, spaceOptions(planted, grain));
  const found = from.is === 'file' ? printFoundInFile(from.path) : printFoundIn(planted, name);
  return described(scheduleOf(space, path, grain), law, { planted, known: undefined, found });
}

function heldLines(explored: TaskExplored): string[] {
  const { search, results } = explored;
  const moves = sum(results, ({ transitions }) => transitions);
  const missing = unfinished(explored);
  const short = results.filter(({ end }) => end === 'states').length;
  const laws =
    missing > 0
      ? soFarLines(
          search.laws.map((law) => witnessed(explored, law)),
          'move',
        )
      : search.laws.flatMap((law) => {
          const met = witnessed(explored, law);
          if (isUnmet(explored, law)) return unmetLines(law);
          return lawLines(law, met, 'move', percent(met, moves));
        });
  return [
    ...laws,
    ...search.unasked.flatMap(unaskedLines),
    ...knownLines(explored),
    ...miscountedIn(explored).flatMap(miscountedLines),
    ...(search.planted === undefined ? [] : [`? the planted bug ${search.planted.name} was not found`]),
    ...refusedLines(search, results),
    ...(short > 0 ? [`? inconclusive: ${counted(short, 'scenario')} with more states than the bound`] : []),
    ...(missing > 0 ? [`? inconclusive: stopped with ${counted(missing, 'scenario')} left`] : []),
  ];
}

/** Known breaches that were met: the law, and in how many scenarios of which kernels. */
function knownLines({ search, results }: TaskExplored): string[] {
  return search.known.flatMap(({ name, law }) => {
    const met = results.flatMap(({ breaches }, i) =>
      breaches.some(({ known }) => known === name) ? [item(search.scenarios, i).scenario.profile] : [],
    );
    if (met.length === 0) return [];
    const kernels = [...new Set(met.map((profile) => item(profile.split(','), 0)))];
    return knownLine(law.name, name, counted(met.length, 'scenario'), kernels);
  });
}

/** After a known breach there may be another one now: that is new. */
function miscountedLines({ known, pinned, seen, scenario: { name, scenario } }: MiscountedIn): string[] {
  return [
    spread(`✗ ${known}`, `${counted(seen, 'occurrence')}, and ${count(pinned)} are listed`),
    `    in ${name} of ${scenario.profile}`,
  ];
}

function jsonOf(explored: TaskExplored, found: TaskCounterexample | undefined) {
  const { search, results } = explored;
  return {
    planted: search.planted?.name ?? null,
    scenarios: results.map((result, i) => ({
      name: item(search.scenarios, i).name,
      kernel: item(search.scenarios, i).scenario.profile,
      cpus: item(search.scenarios, i).scenario.cpus,
      states: result.states,
      transitions: result.transitions,
      depth: result.depth,
      end: result.end,
      refused: refusedOperations(item(search.scenarios, i), result),
      vacuous: isVacuousScenario(item(search.scenarios, i), result),
      known: [...new Set(result.breaches.flatMap(({ known }) => known ?? []))],
    })),
    laws: search.laws.map((law) => ({
      name: law.name,
      sentence: law.sentence,
      moves: witnessed(explored, law),
    })),
    unasked: search.unasked,
    miscounted: miscountedIn(explored).map(({ scenario, ...item }) => ({ ...item, scenario: scenario.name })),
    counterexample: found === undefined ? null : foundJson(found),
  };
}
