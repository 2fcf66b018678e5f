import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Checkpoint } from '../../checker/interleavings/checkpoint.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { ToAhead, Turn } from '../check/ahead.ts';
import type { SearchOptions } from '../line/options.ts';
import { loadModules } from '../line/own-modules.ts';
import type { ScenarioResult } from './exploration.ts';
import type { HelpLine } from './help-line.ts';
import { DistantHelper, helpOver } from './help-line.ts';
import type { ScenarioQuestion } from './scenario-search.ts';
import { refused, ScenarioSearch, visitsFor } from './scenario-search.ts';

/** A message to a worker. */
export type ToWorker =
  | { readonly do: 'search'; readonly question: ScenarioQuestion }
  /** It reports the state of the search in progress. */
  | { readonly do: 'save' }
  /** It stops the search in progress, and reports its state. */
  | { readonly do: 'stop' }
  /** It visits states for a search in another worker, or has that done for its own. */
  | { readonly do: 'help'; readonly question: ScenarioQuestion; readonly line: HelpLine }
  | { readonly do: 'be helped'; readonly number: number; readonly line: HelpLine };

/** A message from a worker. */
export type FromWorker =
  | { readonly is: 'on'; readonly number: number; readonly states: number; readonly bytes: number }
  | {
      readonly is: 'over';
      readonly number: number;
      readonly result: ScenarioResult;
      /** For coverage: 1 for each instruction of the model that the search has executed. */
      readonly executed: Uint8Array;
    }
  | { readonly is: 'saved'; readonly number: number; readonly saved: Checkpoint }
  | {
      readonly is: 'left';
      readonly number: number;
      readonly result: ScenarioResult;
      readonly saved: Checkpoint;
    }
  | { readonly is: 'failed'; readonly number: number; readonly error: unknown };

/** States between two checks for messages. */
const SLICE = 4000;

const port = parentPort!;
let stops = false;
let saves = false;
/** The search in progress, and the number of its scenario. */
let current: { readonly number: number; readonly search: ScenarioSearch } | undefined;
/** The part that a run has come to whose parts are worked on ahead. */
let reached: string | undefined;

await loadModules(workerData as readonly string[]);

port.on('message', (message: ToWorker | ToAhead) => {
  if (message.do === 'stop') stops = true;
  else if (message.do === 'save') saves = true;
  else if (message.do === 'reached') reached = message.part;
  else if (message.do === 'ahead') void goAhead(message.options, message.turn);
  else if (message.do === 'help') help(message.question, message.line);
  else if (message.do === 'be helped') beHelped(message.number, message.line);
  else void work(message.question);
});

function help(question: ScenarioQuestion, line: HelpLine): void {
  const fail = (error: unknown) => tell({ is: 'failed', number: question.number, error });
  helpOver(line, () => visitsFor(question), fail);
}

/** The search may have ended meanwhile. */
function beHelped(number: number, line: HelpLine): void {
  const helper = new DistantHelper(line);
  if (current?.number === number) current.search.helpedBy(helper);
  else helper.end();
}

/** After the exploration, the worker of a default run takes part in its other sections. */
async function goAhead(options: SearchOptions, turn: Turn): Promise<void> {
  const { workAhead } = await import('../check/ahead-work.ts');
  await workAhead(
    options,
    turn,
    () => reached,
    (done) => port.postMessage(done),
  );
}

async function work(question: ScenarioQuestion): Promise<void> {
  const { number } = question;
  try {
    tell(await searched(question));
  } catch (error) {
    tell({ is: 'failed', number, error });
  }
}

async function searched(question: ScenarioQuestion): Promise<FromWorker> {
  const { number } = question;
  const impossible = refused(question);
  if (impossible !== undefined) return over(number, impossible);
  KERNEL_PROGRAM.executed.fill(0);
  const search = new ScenarioSearch(question);
  current = { number, search };
  while (search.goOn(SLICE)) {
    tell({ is: 'on', number, ...search.size });
    await setImmediate();
    if (stops) return { is: 'left', number, result: search.result(), saved: search.saved() };
    if (saves) tell({ is: 'saved', number, saved: search.saved() });
    saves = false;
  }
  search.dismiss();
  return over(number, search.result());
}

function over(number: number, result: ScenarioResult): FromWorker {
  return { is: 'over', number, result, executed: KERNEL_PROGRAM.executed };
}

function tell(message: FromWorker): void {
  port.postMessage(message);
}
