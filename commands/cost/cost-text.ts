import type { Absent } from '../../checker/cost/client.ts';
import { NOT_LINEAR_MOST, namesIn, PHASES, tallyOf } from '../../checker/cost/compared.ts';
import type { LeftOut } from '../../checker/cost/function-list.ts';
import type { ListCost } from '../../checker/cost/list-cost.ts';
import { count, counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { legendLines } from '../compare/count-legend.ts';
import { grid } from '../compare/grid.ts';
import { indented } from '../compare/mass-text.ts';
import type { Costs, ListComparison } from './cost-answer.ts';

/** A list, its cost for each client, and the functions that refuse it. */
export function costLines({ file, functions, isTyped, verbose }: ListComparison, all: Costs): string[] {
  const named = verbose ? Number.POSITIVE_INFINITY : NAMED_MOST;
  return [
    `${file}: ${counted(functions.length, 'function')}`,
    ...(isTyped ? [] : wrap(UNTYPED, WIDTH)),
    ...withoutLines(all.without, named),
    '',
    ...all.costs.flatMap((cost) => clientLines(cost, named)),
    ...all.absent.flatMap(absentLines),
    ...foldedLines(all, named),
    ...countLines(all.costs),
    '',
    ...legendLines(countsIn(all.costs)),
    ...formulaLines(all.costs),
  ];
}

const UNTYPED =
  'their types are unknown: each is assumed to have one to four arguments, and none is refused for its type ' +
  '(cost BTF --names LIST)';

const NAME = 24;
/** Functions named for one reason, unless all are asked for. */
const NAMED_MOST = 3;

function withoutLines(without: readonly LeftOut[], named: number): string[] {
  if (without.length === 0) return [];
  return ['no kernel attaches a program to', ...without.flatMap((left) => leftOutLines(left, named))];
}

function leftOutLines(left: LeftOut, named: number): string[] {
  return wrap(`${count(left.functions.length)}: ${left.why} ${examples(left, named)}`, WIDTH - 4).map(
    (line, i) => `${i === 0 ? '  ' : '    '}${line}`,
  );
}

/** `(vfs_read, vfs_write, …)`. */
function examples({ functions }: LeftOut, named: number): string {
  const shown = functions.slice(0, named);
  return `(${[...shown, ...(shown.length < functions.length ? ['…'] : [])].join(', ')})`;
}

/** A design: its kernel, how many functions it attaches to, and which it is refused. */
function clientLines({ client, attached, refused, cost }: ListCost, named: number): string[] {
  const [version = ''] = client.profile.split(', multiLinks');
  return [
    ...indented(client.name, `${version}: attaches to ${counted(attached, 'function')}`, NAME),
    ...refused.flatMap((left) => {
      const errno = left.by === undefined ? '' : `, ${left.by.errno}`;
      const text = `not to ${count(left.functions.length)}${errno}: ${left.why} ${examples(left, named)}`;
      return indented('', text, NAME);
    }),
    ...('refused' in cost
      ? indented('', `for all together ${cost.refused.errno}: ${cost.refused.guard}`, NAME)
      : []),
  ];
}

function absentLines({ name, profile, why }: Absent): string[] {
  return indented(name, `cannot run on ${profile}: ${why}`, NAME);
}

/** How to list the omitted names. */
function foldedLines({ costs, without }: Costs, named: number): string[] {
  const all = [...without, ...costs.flatMap(({ refused }) => refused)];
  return all.some(({ functions }) => functions.length > named)
    ? ['', '…: --verbose, --format csv and --format json name all of them']
    : [];
}

/** The counts that are not zero for every client. */
function countsIn(costs: readonly ListCost[]): string[] {
  return namesIn(costs.flatMap(({ cost }) => PHASES.map((phase) => tallyOf(cost, phase)))).filter((name) =>
    costs.some(({ cost }) => PHASES.some((phase) => (tallyOf(cost, phase)[name] ?? 0) > 0)),
  );
}

/** One table for each count, all designs below each other. */
function countLines(costs: readonly ListCost[]): string[] {
  const rows = countsIn(costs).flatMap((name) => [
    [name, '', '', ''],
    ...costs
      .filter(({ cost }) => !('refused' in cost))
      .map((cost) => [
        `  ${cost.client.name}`,
        ...PHASES.map((phase) => cell(cost, name, phase)),
        mark(cost),
      ]),
  ]);
  return ['', ...grid([['', ...PHASES, ''], ...rows], '')];
}

function cell({ cost, isByFormula }: ListCost, name: string, phase: (typeof PHASES)[number]): string {
  const value = tallyOf(cost, phase)[name];
  return value === undefined && isByFormula && name === 'bytes of text' ? '–' : count(value ?? 0);
}

const FORMULA = 'by its formula';

function mark({ isByFormula }: ListCost): string {
  return isByFormula ? FORMULA : '';
}

function formulaLines(costs: readonly ListCost[]): string[] {
  if (!costs.some(({ isByFormula }) => isByFormula)) return [];
  const said =
    `${FORMULA}: counts that do not grow linearly are run for at most ${count(NOT_LINEAR_MOST)} functions; ` +
    'compare prints how each count grows. –: it depends on the types of the functions';
  return wrap(said, WIDTH - 2).map((line) => `  ${line}`);
}
