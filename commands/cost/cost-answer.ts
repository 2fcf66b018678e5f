import type { Absent, CostClient } from '../../checker/cost/client.ts';
import type { LeftOut, ListedFunction } from '../../checker/cost/function-list.ts';
import { leftOut } from '../../checker/cost/function-list.ts';
import type { ListCost, TypedFunction } from '../../checker/cost/list-cost.ts';
import { listCost } from '../../checker/cost/list-cost.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
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
    const stop = yield { part: client.name, done: typed.length, unit: 'function' };
    if (stop) break;
    costs.push(listCost(client, typed));
  }
  const without = leftOut(
    functions.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why, by: undefined }])),
  );
  return answerOf(comparison, { costs, absent, without });
}

function answerOf(comparison: ListComparison, all: Costs): Answer {
  const { file, functions, isTyped } = comparison;
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
