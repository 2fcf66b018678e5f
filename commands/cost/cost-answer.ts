import type { Absent, CostClient } from '../../checker/cost/client.ts';
import { NOT_LINEAR_MOST, namesIn, PHASES, tallyOf } from '../../checker/cost/compared.ts';
import type { LeftOut, ListedFunction } from '../../checker/cost/function-list.ts';
import { leftOut } from '../../checker/cost/function-list.ts';
import type { ListCost, TypedFunction } from '../../checker/cost/list-cost.ts';
import { listCost } from '../../checker/cost/list-cost.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { count, counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { grid } from '../compare/grid.ts';
import { indented } from '../compare/mass-text.ts';

/** A list of functions, and who attaches to them. */
export interface ListComparison {
  readonly file: string;
  readonly functions: readonly ListedFunction[];
  readonly clients: readonly (CostClient | Absent)[];
}

/** What came of it. */
interface Costs {
  readonly costs: readonly ListCost[];
  readonly absent: readonly Absent[];
  /** Functions that no kernel attaches a program to. */
  readonly without: readonly LeftOut[];
}

/** The command `cost`: what each design takes to attach to the functions of a list, and to detach. */
export function* costJob(comparison: ListComparison): Job {
  const { functions, clients } = comparison;
  const typed = functions.filter(
    (listedFunction): listedFunction is TypedFunction => listedFunction.signature !== undefined,
  );
  const costs: ListCost[] = [];
  const absent: Absent[] = [];
  for (const client of clients) {
    if ('why' in client) {
      absent.push(client);
      continue;
    }
    const stop = yield `${client.name}: ${counted(typed.length, 'function')}`;
    if (stop) break;
    costs.push(listCost(client, typed));
  }
  const without = leftOut(functions.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])));
  return answerOf(comparison, { costs, absent, without });
}

function answerOf({ file, functions }: ListComparison, all: Costs): Answer {
  const text = [
    `${file}: ${counted(functions.length, 'function')}`,
    ...withoutLines(all.without),
    '',
    ...all.costs.flatMap(clientLines),
    ...all.absent.flatMap(({ name, profile, why }) =>
      indented(name, `cannot stand on ${profile}: ${why}`, NAME),
    ),
    ...countLines(all.costs),
    ...legend(all.costs),
  ].join('\n');
  const json = {
    command: 'cost',
    exit: EXIT.HELD,
    file,
    functions: functions.length,
    without: all.without,
    designs: all.costs.map(costJson),
    absent: all.absent,
  };
  return { text, json, exit: EXIT.HELD, save: [] };
}

const NAME = 24;

function withoutLines(without: readonly LeftOut[]): string[] {
  return without.length === 0 ? [] : ['no kernel attaches a program to', ...without.flatMap(leftOutLines)];
}

function leftOutLines({ why, count: times, example }: LeftOut): string[] {
  return wrap(`${count(times)}: ${why} (${example}${times > 1 ? ', …' : ''})`, WIDTH - 4).map(
    (line, i) => `${i === 0 ? '  ' : '    '}${line}`,
  );
}

/** A design: its kernel, how many it attaches to, and which it is refused. */
function clientLines({ client, attached, refused, cost }: ListCost): string[] {
  const [version = ''] = client.profile.split(', multiLinks');
  const all = 'refused' in cost ? `; for all of them together it answers ${cost.refused}` : '';
  return [
    ...indented(client.name, `${version}: attaches to ${counted(attached, 'function')}${all}`, NAME),
    ...refused.flatMap(({ why, count: times, example }) =>
      indented('', `not to ${count(times)}: ${why} (${example}${times > 1 ? ', …' : ''})`, NAME),
    ),
  ];
}

/** One table for each count that anybody has any of, all designs below each other. */
function countLines(costs: readonly ListCost[]): string[] {
  const names = namesIn(costs.flatMap(({ cost }) => PHASES.map((phase) => tallyOf(cost, phase))));
  const rows = names
    .filter((name) =>
      costs.some((cost) => PHASES.some((phase) => (tallyOf(cost.cost, phase)[name] ?? 0) > 0)),
    )
    .flatMap((name) => [
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

function legend(costs: readonly ListCost[]): string[] {
  if (!costs.some(({ isByFormula }) => isByFormula)) return [];
  const said =
    `${FORMULA}: what does not grow linearly is not run for more than ${count(NOT_LINEAR_MOST)} functions; ` +
    'compare prints how each count grows. –: it depends on the types of the functions';
  return ['', ...wrap(said, WIDTH)];
}

function costJson({ client, attached, refused, cost, isByFormula }: ListCost) {
  const counts = namesIn(PHASES.map((phase) => tallyOf(cost, phase))).map((name) => ({
    count: name,
    attach: tallyOf(cost, 'attach')[name] ?? null,
    detach: tallyOf(cost, 'detach')[name] ?? null,
  }));
  return {
    name: client.name,
    profile: client.profile,
    attached,
    refused,
    errno: 'refused' in cost ? cost.refused : null,
    byFormula: isByFormula,
    counts,
  };
}
