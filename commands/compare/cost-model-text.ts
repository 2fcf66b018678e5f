import type { ArgumentCost } from '../../checker/cost/argument-costs.ts';
import type { CostPrediction, FittedCosts } from '../../checker/cost/cost-model.ts';
import { meanError } from '../../checker/cost/cost-model.ts';
import type { CountedCallers, PostedFigure } from '../../checker/cost/global-callers.ts';
import type { GlobalCode } from '../../checker/cost/global-code.ts';
import { count, counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { grid } from './grid.ts';

/** The model of time, fitted on each half; a row that is beyond it; the code of the global trampoline. */
export interface CostModelAnswer {
  readonly halves: readonly [FittedCosts, FittedCosts];
  /** A system call, by the coefficients of the first half. */
  readonly systemCall: CostPrediction;
  readonly figures: readonly PostedFigure[];
  readonly callers: readonly CountedCallers[];
  readonly ways: readonly ArgumentCost[];
  /** Instructions of functions in C that a caller calls; undefined: one of them was not recorded. */
  readonly inC: (code: GlobalCode) => number | undefined;
}

/** The rows whose ratio the posting gives. */
const RATIO = ['fentry-multi', 'fentry'] as const;

export function costModelLines({ halves, systemCall }: CostModelAnswer): string[] {
  const [first, second] = halves;
  return [
    ...wrap(
      'a model of time, fitted on half of the rows (the first, third, fifth … of the posting) and tested on the others',
      WIDTH,
    ),
    '',
    `  ns = ${first.model.perInstruction.toFixed(4)} · instructions + ${first.model.perStrayReturn.toFixed(2)} · stray`,
    '',
    ...grid(
      [
        ['', 'instructions', 'stray', 'ns', 'model', 'error', ''],
        ...rowsOf('fitted', first.fitted),
        ...rowsOf('predicted', first.others),
        ...rowsOf('beyond the model', [systemCall]),
      ],
      '',
    ),
    '',
    ...grid(
      [
        ['mean error', 'fitted', 'predicted', ''],
        ['first half fitted', percent(meanError(first.fitted)), percent(meanError(first.others)), ''],
        ['second half fitted', percent(meanError(second.fitted)), percent(meanError(second.others)), ''],
      ],
      '  ',
    ),
    '',
    ...wrap(ratioLine(first), WIDTH - 2).map((line) => `  ${line}`),
  ];
}

function rowsOf(head: string, rows: readonly CostPrediction[]): string[][] {
  return [
    [head, '', '', '', '', '', ''],
    ...rows.map(({ name, instructions, strayReturns, measured, predicted, error }) => [
      `  ${name}`,
      String(instructions),
      String(strayReturns),
      measured.toFixed(2),
      predicted.toFixed(2),
      signed(error),
      '',
    ]),
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${percent(share)}`;
}

/** The ratio of two rows, as measured and by the model. */
function ratioLine({ fitted, others }: FittedCosts): string {
  const [slow, fast] = RATIO.map((name) => [...fitted, ...others].find((row) => row.name === name));
  if (slow === undefined || fast === undefined) throw new Error('a row of the ratio has no counts');
  const measured = (slow.measured / fast.measured).toFixed(2);
  const predicted = (slow.predicted / fast.predicted).toFixed(2);
  return `${slow.name} takes ${measured} times as long as ${fast.name}; by the model ${predicted} times (docs/cost-model.md)`;
}

/** The code of the global trampoline beside what its posting says of it. */
export function globalCodeLines({ figures, callers, inC }: CostModelAnswer): string[] {
  const cell = (code: GlobalCode | undefined) =>
    code === undefined ? '–' : `${code.instructions} + ${inC(code) ?? '?'}`;
  return [
    ...wrap('the code of the global trampoline, beside the figures of its posting', WIDTH),
    '',
    ...grid([
      ['', 'posted', 'counted', ''],
      ...figures.map(({ what, posted, counted: number }) => [what, posted, String(number), '']),
    ]),
    '',
    ...wrap(
      `${counted(callers.length, 'caller')}, executed once: instructions of the caller + of the functions in C that it calls`,
      WIDTH,
    ),
    '',
    ...grid([
      ['', 'helpers called', 'inlined', 'specialised', ''],
      ...callers.map(({ name, called, inlined, specialised }) => [
        name,
        cell(called),
        cell(inlined),
        cell(specialised),
        '',
      ]),
    ]),
    '',
    ...LEGEND.flatMap((line) => wrap(line, WIDTH - 4).map((part, i) => `${i === 0 ? '  ' : '    '}${part}`)),
  ];
}

/** What it takes to give a program the arguments and the return value. */
export function argumentLines({ ways }: CostModelAnswer): string[] {
  return [
    ...wrap("ways to a function's arguments and return value, one argument", WIDTH),
    '',
    ...grid([
      ['', 'instructions', 'reads', 'writes', ''],
      ...ways.flatMap(({ how, code, inC }) => [
        ...(code === undefined
          ? []
          : [[how, ...[code.instructions, code.reads, code.writes].map(count), '']]),
        ...inC.map(({ kernel, instructions }) => [
          `${how}, ${kernel}`,
          `${count(instructions)} in C`,
          '',
          '',
          '',
        ]),
      ]),
    ]),
  ];
}

const LEGEND = [
  'helpers called: __bpf_prog_enter_recur() and the others are called, as the designs have it',
  'inlined: as posted; specialised: the tests for sleepable programs and for the original are constants as well',
];
