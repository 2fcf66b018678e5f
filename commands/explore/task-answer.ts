import type { IsSought } from '../../checker/interleavings/nearest-breach.ts';
import { shortestWay } from '../../checker/interleavings/shortest-way.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { knownTaskName } from '../../conformance/known/task-name.ts';
import type { Answer, Exit } from '../../counterexamples/answer.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import { spaceOptions } from '../../counterexamples/interleavings/space-for.ts';
import type { TaskCounterexample } from '../../counterexamples/interleavings/task-describe.ts';
import { described, savedTasks, scheduleOf } from '../../counterexamples/interleavings/task-find.ts';
import { printFoundIn, printFoundInFile } from '../../counterexamples/interleavings/task-report.ts';
import type { Remark, RunPart } from '../../counterexamples/run-part.ts';
import { markOf, partAnswer } from '../../counterexamples/run-part.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { MetBreach } from '../check/pass.ts';
import {
  knownLines,
  knownText,
  lawLines,
  ofAll,
  plantedRemarks,
  stoppedRemarks,
  unaskedLines,
  unaskedText,
  unmetLines,
  vacuousRemarks,
} from '../check/pass.ts';
import type { NamedScenario, ScenarioResult, TaskSearch } from './exploration.ts';
import { boundText, isExplored, newBreach } from './exploration.ts';
import { exploredLines, onlyScenario } from './explored-lines.ts';
import { isVacuousScenario, refusedLines, refusedOperations, refusedText } from './refused-operations.ts';
import { taskChecks } from './task-checks.ts';
import type { MiscountedIn, TaskExplored } from './task-verdict.ts';
import {
  exitOf,
  isUnmet,
  isVacuous,
  miscountedIn,
  sum,
  unfinished,
  verdictOfSearch,
  witnessed,
} from './task-verdict.ts';

/** The breach that was found, or what held within the bound; known breaches by name. */
export function taskAnswer(explored: TaskExplored): Answer {
  const found = counterexampleOf(explored);
  const exit = exitOf(explored);
  const save = savedTasks(found);
  return partAnswer(
    partOf(explored, { exit, found }),
    {
      json: { command: 'explore', exit, ...jsonOf(explored, found) },
      exit,
      save,
      verdict: verdictOfSearch(explored, found !== undefined),
    },
    taskChecks(explored, { save, report: found?.trace.report, known: metBreaches(explored) }),
  );
}

function partOf(
  explored: TaskExplored,
  { exit, found }: { readonly exit: Exit; readonly found: TaskCounterexample | undefined },
): RunPart {
  const { search, results } = explored;
  const met = metBreaches(explored);
  const held = found === undefined && unfinished(explored) === 0;
  return {
    mark: markOf(exit),
    name: 'interleavings',
    counts: countsText(explored),
    kernels: [...new Set(search.scenarios.map(({ scenario }) => scenario.profile))],
    reports: found === undefined ? [] : [found.trace.report],
    remarks: found === undefined ? remarksOn(explored) : [],
    details: [
      ...(held ? search.laws.flatMap((law) => linesOf(explored, law)) : []),
      ...search.unasked.flatMap(unaskedLines),
      ...knownLines(met, 'scenario'),
      ...refusedLines(search, results),
      ...exploredLines(explored),
      ...(found === undefined ? onlyScenario(search) : []),
    ],
    known: knownText(met, 'interleavings'),
    uncovered: held ? uncoveredTexts(explored) : [],
  };
}

/** `69 scenarios, 2,684,554 states, all explored to the end`. */
function countsText(explored: TaskExplored): string {
  const { search, results } = explored;
  const all = search.scenarios.length;
  const whole = results.filter(isExplored).length;
  const never = results.filter(({ end }) => end === 'refused').length;
  const end = whole === all ? (all === 1 ? '' : 'all ') : `${count(whole)} `;
  return [
    ofAll(results.length, all, 'scenario'),
    counted(
      sum(results, ({ states }) => states),
      'state',
    ),
    `${end}explored to the end${boundText(search)}${search.depth === undefined ? '' : ` or to depth ${search.depth}`}`,
    ...(never === 0 ? [] : [`${count(never)} not possible in this kernel`]),
  ].join(', ');
}

function linesOf(explored: TaskExplored, law: TaskLaw): string[] {
  if (isUnmet(explored, law)) return unmetLines(law);
  const of = sum(explored.results, ({ transitions }) => transitions);
  return lawLines(law, { met: witnessed(explored, law), of, noun: 'move' });
}

/** What a whole exploration has left out, though it leaves nothing open. */
function uncoveredTexts(explored: TaskExplored): string[] {
  const { search, results } = explored;
  const unmet = search.laws.filter((law) => isUnmet(explored, law)).length;
  return [
    ...unaskedText(search.unasked, 'interleavings'),
    ...(unmet === 0 ? [] : [`${counted(unmet, 'law')} not met in these scenarios`]),
    ...refusedText(search, results),
  ];
}

/** The first breach that is not listed, described. */
export function counterexampleOf({ search, results }: TaskExplored): TaskCounterexample | undefined {
  const index = results.findIndex((result) => newBreach(result) !== undefined);
  return index < 0 ? undefined : foundIn(search, item(search.scenarios, index), item(results, index));
}

/** Keeps the names stable on the way to a breach, plays it again, and describes it. */
function foundIn(
  { planted, laws, from, preemptions }: TaskSearch,
  { name, scenario, grain }: NamedScenario,
  result: ScenarioResult,
): TaskCounterexample {
  const found = newBreach(result)!;
  const { path, cycle = [], finding } = found;
  const law = laws.find((law) => law.name === found.law)!;
  const isFirst = result.breaches.find((breach) => breach.law === found.law) === found;
  const isSought: IsSought = (breach) => planted !== undefined || knownTaskName(breach) === undefined;
  const reduced = new Space(scenario, spaceOptions(planted, grain));
  const breach = { law, finding };
  // A shorter way may have more preemptions than the bound.
  const way =
    preemptions === undefined
      ? shortestWay(reduced, { breach, path, cycle }, isSought)
      : { breach, path, cycle, space: reduced, proved: true };
  const first = { proved: way.proved, isFirst, preemptions };
  return described(scheduleOf(way.space, [...way.path, ...way.cycle], grain), law, {
    planted,
    known: undefined,
    found: from.is === 'file' ? printFoundInFile(from.path, first) : printFoundIn(planted, name, first),
  });
}

/** Failures and open questions. */
function remarksOn(explored: TaskExplored): Remark[] {
  const { search, results } = explored;
  const missing = unfinished(explored);
  const short = results.filter(({ end }) => end === 'states').length;
  const vacuous = missing > 0 ? [] : search.laws.filter((law) => isVacuous(explored, law));
  return [
    ...vacuousRemarks(vacuous),
    ...miscountedIn(explored).map(miscountedRemark),
    ...plantedRemarks(search.planted),
    ...(short === 0
      ? []
      : [
          {
            mark: '?',
            name: 'bound',
            text: `${counted(short, 'scenario')} with more states than the bound`,
          } as const,
        ]),
    ...stoppedRemarks(missing === 0 ? [] : [`${counted(missing, 'scenario')} not explored to the end`]),
  ];
}

/** Listed breaches that were met, each in how many scenarios of which kernels. */
function metBreaches({ search, results }: TaskExplored): MetBreach[] {
  return search.known.flatMap(({ name, law, sentence }) => {
    const met = results.flatMap(({ breaches }, i) =>
      breaches.some(({ known }) => known === name) ? [item(search.scenarios, i).scenario.profile] : [],
    );
    const kernels = [...new Set(met.map((profile) => item(profile.split(','), 0)))];
    return met.length === 0 ? [] : [{ name, law: law.name, sentence, times: met.length, kernels }];
  });
}

/** A known breach may now hide another one: that is new. */
function miscountedRemark({ known, pinned, seen, scenario: { name, scenario } }: MiscountedIn): Remark {
  const text = `${known}: ${counted(seen, 'occurrence')}, and ${count(pinned)} listed, in ${name} of ${scenario.profile}`;
  return { mark: '✗', name: 'miscounted', text };
}

function jsonOf(explored: TaskExplored, found: TaskCounterexample | undefined) {
  const { search, results } = explored;
  return {
    planted: search.planted?.name ?? null,
    preemptions: search.preemptions ?? null,
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
