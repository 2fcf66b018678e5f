import type { CostClient } from '../../checker/cost/client.ts';
import type { ComparedCost, Phase } from '../../checker/cost/compared.ts';
import { countNames, NOT_LINEAR_MOST, PHASES, tallyOf } from '../../checker/cost/compared.ts';
import { count, shellWord, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { Comparison, Comparisons } from './compare-job.ts';
import { legendLines } from './count-legend.ts';
import { grid } from './grid.ts';
import { printGrowth, printOrder } from './growth-text.ts';

/** The cost of attaching: the clients compared, a table for each count, and how they grow. */
export function massLines({ numbers, names }: Comparison, { compared, absent }: Comparisons): string[] {
  return [
    'attaching a program to N functions, and detaching it: the kernel has these N',
    'functions and no others, with one to four arguments in turn',
    ...(names === undefined ? [] : listed(names, numbers)),
    '',
    ...compared.flatMap(({ client }) => clientLines(client)),
    ...absent.flatMap(({ name, profile, why }) =>
      indented(name, `cannot run on ${profile}: ${why}`, NAME_COLUMNS),
    ),
    ...PHASES.flatMap((phase) => ['', ...phaseLines(compared, numbers, phase)]),
    '',
    ...massLegend(compared),
    '',
    'how it grows in N',
    ...compared.flatMap((cost) => indented(cost.client.name, printOrder(cost), NAME_COLUMNS)),
  ];
}

/** The source of N, and the command that knows more about it. */
function listed(names: string, numbers: readonly number[]): string[] {
  const text = `N is ${numbers.map(count).join()}: ${names} has this number of names, without types; with types from vmlinux.json (bpftool):`;
  return [...wrap(text, WIDTH), `  npm run check -- cost vmlinux.json --names ${shellWord(names)}`];
}

const NAME_COLUMNS = 24;

function clientLines({ name, profile, sentence }: CostClient): string[] {
  const [version = ''] = profile.split(', multiLinks');
  return indented(name, `${version}: ${sentence}`, NAME_COLUMNS);
}

/** A name, and a text in its own column. */
export function indented(name: string, text: string, column: number): string[] {
  return wrap(text, WIDTH - column - 2).map((line, i) => `  ${(i === 0 ? name : '').padEnd(column)}${line}`);
}

/** One table for each count that is not zero for every client. */
function phaseLines(compared: readonly ComparedCost[], numbers: readonly number[], phase: Phase): string[] {
  const rows = countsOf(compared, phase).flatMap((name) => [
    [name, ...numbers.map(() => ''), ''],
    ...compared.map((cost) => {
      const [own = '', ...cells] = countRow(cost, name, phase);
      return [`  ${own}`, ...cells];
    }),
  ]);
  const head = [phase, ...numbers.map(count), 'grows as'];
  const refused = refusals(compared).flatMap(({ name, why }) => indented(name, why, NAME_COLUMNS));
  return [...grid([head, ...rows], ''), ...(phase === 'attach' ? refused : [])];
}

/** Clients that the kernel refuses, each with the errno and its guard. */
export function refusals(
  compared: readonly ComparedCost[],
): { readonly name: string; readonly why: string }[] {
  return compared.flatMap(({ client, runs }) => {
    const [by] = runs.flatMap((run) => (run !== undefined && 'refused' in run ? [run.refused] : []));
    return by === undefined ? [] : [{ name: client.name, why: `is answered ${by.errno}: ${by.guard}` }];
  });
}

/** The counts that are not zero for every client. */
export function countsOf(compared: readonly ComparedCost[], phase: Phase): string[] {
  const names = new Set(compared.flatMap((cost) => countNames(cost, phase)));
  return [...names].filter((name) => compared.some((cost) => hasAny(cost, name, phase)));
}

function hasAny({ runs, growth }: ComparedCost, name: string, phase: Phase): boolean {
  return (
    printGrowth(growth[phase][name] ?? NONE) !== '0' ||
    runs.some((run) => (tallyOf(run, phase)[name] ?? 0) > 0)
  );
}

const NONE = { constant: 0, linear: 0, quadratic: 0 };

/** A client, a count of it for each number of functions, and how that grows. */
export function countRow({ client, runs, growth }: ComparedCost, name: string, phase: Phase): string[] {
  const cells = runs.map((run) => {
    if (run === undefined) return '–';
    return 'refused' in run ? '' : count(run[phase][name] ?? 0);
  });
  const known = name in growth[phase] ? growth[phase][name] : NONE;
  const isRefused = runs.some((run) => run !== undefined && 'refused' in run);
  return [client.name, ...cells, isRefused ? 'refused' : printGrowth(known)];
}

/** The meaning of each count and sign that occurs. */
export function massLegend(compared: readonly ComparedCost[]): string[] {
  return [...legendLines(PHASES.flatMap((phase) => countsOf(compared, phase))), ...legend(compared)];
}

/** Of designs that were not run for a number: from which runs their growth is extrapolated. */
function fittedLines(compared: readonly ComparedCost[]): string[] {
  const notRun = compared.filter(({ runs }) => runs.includes(undefined));
  const samples = [...new Set(notRun.map(({ fitted }) => fitted.map(count).join(', ')))];
  return samples.map((numbers) => `   how they grow is extrapolated from runs of ${numbers} functions`);
}

/** A legend of the signs that occur. */
function legend(compared: readonly ComparedCost[]): string[] {
  const notRun = compared.some(({ runs }) => runs.includes(undefined));
  const growths = compared.flatMap(({ growth }) => PHASES.flatMap((phase) => Object.values(growth[phase])));
  const bySteps = growths.some((growth) => growth !== undefined && 'times' in growth);
  const most = count(NOT_LINEAR_MOST);
  const lines = [
    'grows as: the count for N functions; N/256 is rounded up, a batch at a time',
    ...(notRun ? [`–: not run; counts that do not grow linearly are run up to ${most} functions`] : []),
    ...fittedLines(compared),
    ...(bySteps ? ['a–b: grows in steps, as a table that doubles; bounds for 256 to 1,024 functions'] : []),
  ];
  return lines.map((line) => `  ${line}`);
}
