import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { knownTaskPath } from '../../counterexamples/corpus-folder.ts';
import { scriptLines } from '../../counterexamples/interleavings/task-script.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { parseAction } from '../../model/action-text.ts';
import { item } from '../../model/core/present.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { KnownTask } from '../known/task-known.ts';
import type { ExploredScenario, Hypothesis, PlayedSequence } from './hypothesis.ts';

/** Reads a saved counterexample, by its path below the corpus. */
export type ReadTrace = (path: string) => string;

/** The result of an exploration in one kernel. */
export interface ExploredOutcome {
  readonly kernel: string;
  readonly states: number;
  readonly transitions: number;
  readonly complete: boolean;
  /** The nearest breach, and the moves to it. */
  readonly broken: { readonly text: string; readonly moves: number } | undefined;
}

/** States of an exploration, at most. */
const STATES = 200_000;

const DECIDED = new WeakMap<ExploredScenario, readonly ExploredOutcome[]>();

/** Explores every interleaving in each of the kernels, once for all callers. */
export function decide(explored: ExploredScenario): readonly ExploredOutcome[] {
  const outcomes = DECIDED.get(explored) ?? outcomesOf(explored);
  DECIDED.set(explored, outcomes);
  return outcomes;
}

function outcomesOf(explored: ExploredScenario): ExploredOutcome[] {
  return explored.kernels.map((kernel) => {
    const space = new Space(scenarioOf(explored, kernel));
    const { laws } = explored;
    const found = explore(space, { laws, states: STATES, stopsAt: () => false });
    const [breach] = found.breaches;
    const broken =
      breach === undefined
        ? undefined
        : {
            text: inOneLine(breach.finding),
            moves: breach.path.length,
          };
    const { states, transitions, complete } = found;
    return { kernel, states, transitions, complete, broken };
  });
}

function scenarioOf({ functions, setup, clients, callers }: ExploredScenario, profile: string): Scenario {
  const read = (text: string) => parseAction(text, { profile, functions });
  return {
    profile,
    functions,
    setup: setup.map(read),
    clients: clients.map((script) => script.map(read)),
    callers,
    cpus: 1,
  };
}

/** The whole page, as Markdown. */
export function printPage(
  hypotheses: readonly Hypothesis[],
  known: readonly KnownTask[],
  readTrace: ReadTrace,
): string {
  return [
    ...INTRODUCTION,
    '',
    '| | suspected | confirmed in | refuted in |',
    '|---|---|---|---|',
    ...hypotheses.map(
      ({ id, claim, confirmed, refuted }) =>
        `| [${id}](#${id.toLowerCase()}) | ${claim} | ${kernelsIn(confirmed)} | ${kernelsIn(refuted)} |`,
    ),
    ...hypotheses.flatMap((hypothesis) => ['', ...sectionOf(hypothesis, readTrace)]),
    '',
    '## Found by the explorer',
    '',
    'Unsuspected, or not in this form: breaches of laws on interleavings in the kernels as they are, each reached by',
    'the fewest moves. "Not in" lists kernels in which every interleaving of the same operations was explored.',
    '',
    '| breach | what happens | in | not in | source |',
    '|---|---|---|---|---|',
    ...known.map((task) => knownRow(task, readTrace)),
    '',
  ].join('\n');
}

const INTRODUCTION = [
  '# Hypotheses, decided',
  '',
  'Questions from reading the kernels, and their answers: F on ftrace, T on BPF trampolines. Each is decided in the',
  'model, which agrees with recordings of 6.1.192, 6.12.117 and 7.2.13, within the printed bound. A test generates',
  'this page: it repeats everything on it, and fails when a word or a number differs.',
];

function kernelsIn(kernels: readonly string[]): string {
  return kernels.length === 0 ? '–' : kernels.join(', ');
}

function sectionOf(hypothesis: Hypothesis, readTrace: ReadTrace): string[] {
  const { id, claim, why, source, traces = [], explored = [], played = [], recorded } = hypothesis;
  return [
    `## ${id}`,
    '',
    claim,
    '',
    `${verdictOf(hypothesis)} ${why}`,
    '',
    `Source: ${source}.`,
    ...(traces.length === 0 ? [] : ['', ...traces.map((path) => traceLine(path, readTrace))]),
    ...explored.flatMap((scenario) => ['', ...exploredLines(scenario)]),
    ...played.flatMap((sequence) => ['', ...playedLines(sequence)]),
    ...(recorded === undefined ? [] : ['', recorded()]),
  ];
}

function verdictOf({ confirmed, refuted, open = [] }: Hypothesis): string {
  const parts = [
    ...(confirmed.length === 0 ? [] : [`**Confirmed** in ${kernelsIn(confirmed)}`]),
    ...(refuted.length === 0 ? [] : [`**refuted** in ${kernelsIn(refuted)}`]),
    ...(open.length === 0 ? [] : [`**open** in ${kernelsIn(open)}`]),
  ];
  const text = parts.join(', ');
  return `${text.slice(0, 2)}${text.charAt(2).toUpperCase()}${text.slice(3)}.`;
}

/** A link, and the length of the counterexample from its report. */
function traceLine(path: string, readTrace: ReadTrace): string {
  const said = /^ {2}(\d+ steps?(?: in \d+ runs?)?)[ ,]/m.exec(readTrace(`${path}.trace`))![1]!;
  return `- [${path.split('/').at(-1)}](corpus/${path}.trace), ${said}`;
}

function exploredLines(explored: ExploredScenario): string[] {
  const [kernel] = explored.kernels;
  const scenario = scenarioOf(explored, kernel!);
  const operations = counted(explored.clients.flat().length, 'operation');
  const asked = explored.laws.length === 1 ? item(explored.laws, 0).sentence : 'All laws on interleavings.';
  return [
    `Every interleaving of ${operations} and ${counted(explored.callers.length, 'call')}, calls on one CPU, question: ${asked}`,
    '',
    '```text',
    ...explored.setup,
    ...scriptLines(scenario),
    '```',
    '',
    ...decide(explored).map(outcomeLine),
  ];
}

function outcomeLine({ kernel, states, transitions, complete, broken }: ExploredOutcome): string {
  const bound = `${kernel}: ${counted(states, 'state')}, ${counted(transitions, 'move')}`;
  const end = complete ? '' : ', incomplete';
  return `- ${bound}${end}: ${broken === undefined ? 'held' : `refuted after ${count(broken.moves)} moves: ${broken.text}`}`;
}

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')];

/** The calls with their answers, once for kernels that agree. */
function playedLines({ kernels, actions }: PlayedSequence): string[] {
  const played = kernels.map((kernel) => ({ kernel, text: play(kernel, actions).join('\n') }));
  const texts = [...new Set(played.map(({ text }) => text))];
  return texts.flatMap((text, i) => {
    const same = played.filter((item) => item.text === text).map(({ kernel }) => kernel);
    return [
      ...(i > 0 ? [''] : []),
      `${kernelsIn(same)}, one call after the other:`,
      '',
      '```text',
      text,
      '```',
    ];
  });
}

function play(profile: string, texts: readonly string[]): string[] {
  const actions = texts.map((text) => parseAction(text, { profile, functions: FUNCTIONS }));
  const steps = stepsOf({ profile, functions: FUNCTIONS, actions });
  return steps.flatMap(({ action, outcome }, i) => {
    const { call, warnings } = outcome;
    const seen = call?.events.map(({ who, kind, fn }) =>
      kind === 'body' ? `${fn}'s body` : `${who} (${kind})`,
    );
    const answer = seen === undefined ? answerOf(action, outcome) : seen.join(', ');
    const line = answer === '' ? item(texts, i) : `${item(texts, i).padEnd(62)} = ${answer}`;
    return [line, ...warnings.map((warning) => `  WARN ${warningText(warning)}`)];
  });
}

function knownRow(
  { name, sentence, kernels, others, evidence, moves }: KnownTask,
  readTrace: ReadTrace,
): string {
  const shown = kernels.map((profile, i) => {
    const kernel = item(profile.split(','), 0);
    const path = knownTaskPath(name, kernel);
    if (readTrace(path) === '') throw new Error(`there is no ${path}`);
    return `[${kernel}](corpus/${path}), ${counted(item(moves, i), 'move')}`;
  });
  return `| ${name} | ${sentence} | ${shown.join('; ')} | ${kernelsIn(others)} | ${evidence.replaceAll('  ', ': ')} |`;
}
