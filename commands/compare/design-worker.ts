import { parentPort, workerData } from 'node:worker_threads';
import type { NamedClient } from '../../checker/cost/client.ts';
import { clientNamed } from '../../checker/cost/client.ts';
import type { ComparedCost } from '../../checker/cost/compared.ts';
import { compareClient } from '../../checker/cost/compared.ts';
import type { ListCost, TypedFunction } from '../../checker/cost/list-cost.ts';
import { listCost } from '../../checker/cost/list-cost.ts';
import { loadModules } from '../line/own-modules.ts';

/** A question to a worker: the cost of a client for numbers of functions, or for the functions of a list. */
export type DesignQuestion =
  | { readonly of: 'numbers'; readonly client: NamedClient; readonly numbers: readonly number[] }
  | { readonly of: 'list'; readonly client: NamedClient; readonly functions: readonly TypedFunction[] };

/** An answer of a worker, without the client, whose functions no message carries. */
export type DesignAnswer =
  | { readonly of: 'numbers'; readonly cost: Omit<ComparedCost, 'client'> }
  | { readonly of: 'list'; readonly cost: Omit<ListCost, 'client'> };

/** A message from a worker: the number of functions that it comes to, an answer, or what it fails with. */
export type FromDesignWorker =
  | { readonly is: 'on'; readonly functions: number }
  | { readonly is: 'over'; readonly answer: DesignAnswer }
  | { readonly is: 'failed'; readonly error: unknown };

const port = parentPort!;

await loadModules(workerData as readonly string[]);

port.on('message', (question: DesignQuestion) => {
  try {
    tell({ is: 'over', answer: answered(question) });
  } catch (error) {
    tell({ is: 'failed', error });
  }
});

function answered(question: DesignQuestion): DesignAnswer {
  const client = clientNamed(question.client);
  if (question.of === 'list') {
    tell({ is: 'on', functions: question.functions.length });
    const { client: _, ...cost } = listCost(client, question.functions);
    return { of: 'list', cost };
  }
  const steps = compareClient(client, question.numbers);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      const { client: _, ...cost } = step.value;
      return { of: 'numbers', cost };
    }
    tell({ is: 'on', functions: step.value });
  }
}

function tell(message: FromDesignWorker): void {
  port.postMessage(message);
}
