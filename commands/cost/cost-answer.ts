import type { Absent, CostClient } from '../../checker/cost/client.ts';
import type { LeftOut, ListedFunction } from '../../checker/cost/function-list.ts';
import { leftOut } from '../../checker/cost/function-list.ts';
import type { ListCost, TypedFunction } from '../../checker/cost/list-cost.ts';
import { listCost } from '../../checker/cost/list-cost.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { item } from '../../model/core/present.ts';
import { costsInWorkers } from '../compare/design-pool.ts';
import type { DesignQuestion } from '../compare/design-worker.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { costJson, refusalRows } from './cost-data.ts';
import { costLines } from './cost-text.ts';

/** A list of functions, and the clients that attach to them. */
export interface ListComparison {
  readonly file: string;
  readonly functions: readonly ListedFunction[];
  /** Their types are known. */
  readonly isTyped: boolean;
  readonly clients: readonly (CostClient | Absent)[];
  /** The text names every refused function. */
  readonly verbose: boolean;
}

/** The outcome. */
export interface Costs {
  readonly costs: readonly ListCost[];
  readonly absent: readonly Absent[];
  /** Functions that no kernel attaches a program to. */
  readonly without: readonly LeftOut[];
}

/** The command `cost`: the cost of each design to attach to the functions of a list, and to detach. */
export function* costJob(comparison: ListComparison): Job {
  const typed = typedOf(comparison);
  const costs: ListCost[] = [];
  for (const client of possible(comparison)) {
    const stop = yield { part: client.name, done: typed.length, unit: 'function' };
    if (stop) break;
    costs.push(listCost(client, typed));
  }
  return answerOf(comparison, costs);
}

/** The same, with designs in workers; the answer does not depend on their number. */
export async function* costInWorkers(comparison: ListComparison, workers: number): WaitingJob {
  const functions = typedOf(comparison);
  const clients = possible(comparison);
  const questions = clients.map(({ name, profile }): DesignQuestion => {
    return { of: 'list', client: { name, profile }, functions };
  });
  const answers = yield* costsInWorkers(questions, workers);
  const costs = answers.flatMap((answer, i): ListCost[] =>
    answer.of === 'list' ? [{ client: item(clients, i), ...answer.cost }] : [],
  );
  return answerOf(comparison, costs);
}

function typedOf({ functions }: ListComparison): TypedFunction[] {
  return functions.filter(
    (listedFunction): listedFunction is TypedFunction => listedFunction.signature !== undefined,
  );
}

function possible({ clients }: ListComparison): CostClient[] {
  return clients.filter((client): client is CostClient => !('why' in client));
}

function outcome({ functions, clients }: ListComparison, costs: readonly ListCost[]): Costs {
  const without = functions.flatMap(({ name, why }) =>
    why === undefined ? [] : [{ name, why, by: undefined }],
  );
  return {
    costs,
    absent: clients.filter((client): client is Absent => 'why' in client),
    without: leftOut(without),
  };
}

function answerOf(comparison: ListComparison, costs: readonly ListCost[]): Answer {
  const { file, functions, isTyped } = comparison;
  const all = outcome(comparison, costs);
  return {
    text: costLines(comparison, all).join('\n'),
    json: {
      command: 'cost',
      exit: EXIT.HELD,
      file,
      functions: functions.length,
      typed: isTyped,
      ...costJson(all),
    },
    csv: refusalRows(all),
    exit: EXIT.HELD,
    save: [],
  };
}
