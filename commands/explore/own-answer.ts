import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { worstExit } from '../../counterexamples/answer.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import { savedTasks } from '../../counterexamples/interleavings/task-find.ts';
import { scenarioFileLines } from '../../counterexamples/interleavings/task-trace.ts';
import { count, counted, wrap } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import { lawLines } from '../check/pass.ts';
import type { NamedScenario, ScenarioResult, TaskSearch } from './exploration.ts';
import { boundText, isExplored, newBreach } from './exploration.ts';
import { ownSuite } from './own-checks.ts';
import { OWN_EXITS, ownLaws, ownVerdict, verdictText } from './own-verdict.ts';
import { refusedOperations } from './refused-operations.ts';
import { counterexampleOf } from './task-answer.ts';
import type { TaskExplored } from './task-verdict.ts';

/** The results of the exploration of a user's scenario, kernel by kernel. */
export function ownAnswer(explored: TaskExplored): Answer {
  const { search, results } = explored;
  const found = counterexampleOf(explored);
  const verdicts = search.scenarios.map((own, i) => ownVerdict(search, own, results[i]));
  const exit = worstExit(verdicts.map(({ is }) => OWN_EXITS[is]));
  const sections = (lawsOf: typeof heldLines) =>
    search.scenarios
      .map((own, i) => {
        const result = results[i];
        const verdict = verdictText(own.name, item(verdicts, i), boundText(search));
        if (result === undefined) return [...linesOf(own), '', verdict];
        const isBroken = newBreach(result) !== undefined;
        return [
          ...(isBroken ? [found!.trace.report] : [...linesOf(own), '', ...lawsOf(search, result)]),
          ...(isBroken ? [] : knownLines(search, result)),
          ...ownRefusedLines(own, result),
          ...(isBroken ? [''] : []),
          ...sizeLines(search, result),
          verdict,
        ];
      })
      .map((lines) => lines.join('\n'))
      .join('\n\n');
  return {
    text: sections(() => []),
    verbose: sections(heldLines),
    json: {
      command: 'explore',
      exit,
      file: search.from.is === 'file' ? search.from.path : null,
      planted: search.planted?.name ?? null,
      preemptions: search.preemptions ?? null,
      scenarios: results.map((result, i) => jsonOf(search, item(search.scenarios, i), result)),
      counterexample: found === undefined ? null : foundJson(found),
    },
    suites: [ownSuite(explored, verdicts, { save: savedTasks(found), report: found?.trace.report })],
    exit,
    save: savedTasks(found),
  };
}

function linesOf({ scenario, grain }: NamedScenario): string[] {
  return scenarioFileLines(scenario, grain);
}

/** The laws of `--verbose`: those that were exercised, and the number of the others. */
function heldLines(search: TaskSearch, result: ScenarioResult): string[] {
  const laws = ownLaws(search, result);
  const silent = laws.filter(({ is }) => is === 'not applicable').length;
  return [
    ...laws.flatMap(({ law, is, moves }) =>
      is === 'held' ? lawLines(law, { met: moves, of: result.transitions, noun: 'move' }) : [],
    ),
    ...(silent === 0 ? [] : [`  ${counted(silent, 'law')} not exercised: --json names all`]),
  ];
}

/** Listed breaches, each with its sentence: those of interleavings, and those of sequences that need no overlap. */
function knownLines({ known }: TaskSearch, { breaches }: ScenarioResult): string[] {
  const shown = new Map(breaches.map(({ law, known }) => [`${law} ${known}`, { law, known }]));
  return [...shown.values()].flatMap(({ law, known: name }) => {
    const listed = [...known, ...KNOWN_ATTACH].find((entry) => entry.name === name);
    if (listed === undefined) return [];
    return [`known ${law}`, ...wrap(`${name}: ${listed.sentence}`, 76).map((line) => `    ${line}`)];
  });
}

/** Operations that overlapped with nothing, each with its answer. */
function ownRefusedLines(own: NamedScenario, result: ScenarioResult): string[] {
  return refusedOperations(own, result).flatMap(({ client, call, answers }) => [
    `? client#${client}: ${call}`,
    `    refused at once with ${answers.join(' or ')}: overlaps with nothing`,
  ]);
}

function sizeLines(search: TaskSearch, result: ScenarioResult): string[] {
  const { states, transitions } = result;
  const { depth } = search;
  const bound = depth === undefined ? '' : ` (at most ${depth})`;
  const whole = isExplored(result) ? `, explored to the end${boundText(search)}` : '';
  const text = `${counted(states, 'state')}, ${counted(transitions, 'move')}, to depth ${count(result.depth)}`;
  return wrap(`${text}${bound}${whole}`, 76).map((line) => `  ${line}`);
}

function jsonOf(search: TaskSearch, own: NamedScenario, result: ScenarioResult) {
  const { scenario } = own;
  const { states, transitions, depth, end, breaches } = result;
  return {
    kernel: scenario.profile,
    cpus: scenario.cpus,
    states,
    transitions,
    depth,
    end,
    verdict: ownVerdict(search, own, result).is,
    known: [...new Set(breaches.flatMap(({ known }) => known ?? []))],
    refused: refusedOperations(own, result),
    laws: ownLaws(search, result).map(({ law, is, moves }) => ({ name: law.name, is, moves })),
  };
}
