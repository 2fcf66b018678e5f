import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { ChunkLog } from '../../checker/interleavings/cores/chunk.ts';
import { item } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { giveBack, takeWorker } from '../line/idle-workers.ts';
import { startExploring } from './explore.ts';
import { explorationFor, IN_ONE_WORKER } from './explore-options.ts';
import { EXPLORE_WORKER } from './explore-start.ts';
import type { FromWorker, ToWorker } from './explore-worker.ts';
import type { HelpLine } from './help-line.ts';
import { DistantHelper, helpOver } from './help-line.ts';
import type { ScenarioQuestion } from './scenario-search.ts';
import { ScenarioSearch } from './scenario-search.ts';

const SEARCH = explorationFor({
  only: 'attach f1, live patch on f1',
  kernel: '6.12',
  cpus: '2',
  tasks: '4',
  workers: '1',
  schedules: '20',
  seed: '1',
});

const QUESTION: ScenarioQuestion = {
  number: 0,
  scenario: item(SEARCH.scenarios, 0).scenario,
  laws: SEARCH.laws.map(({ name }) => name),
  planted: undefined,
  depth: undefined,
  states: 40_000,
  preemptions: undefined,
  saved: undefined,
};

function lines(): [HelpLine, HelpLine] {
  const { port1, port2 } = new MessageChannel();
  const bell = new Int32Array(new SharedArrayBuffer(4));
  return [
    { port: port1, bell },
    { port: port2, bell },
  ];
}

/** A helper for which the search waits however long it takes, so that it takes part for certain. */
class AwaitedHelper extends DistantHelper {
  states = 0;

  override take(): ChunkLog | undefined {
    const log = super.take();
    for (const { states } of log?.parts ?? []) this.states += states;
    return log;
  }

  override wait(): void {
    super.wait(60_000);
  }
}

/** The result of a search, and what of the model it has executed. */
function searched(helper?: DistantHelper): Record<string, string> {
  KERNEL_PROGRAM.executed.fill(0);
  const search = new ScenarioSearch(QUESTION);
  if (helper !== undefined) search.helpedBy(helper);
  while (search.goOn(1000));
  search.dismiss();
  const { executed } = KERNEL_PROGRAM;
  const result = JSON.stringify(search.result());
  const saved = JSON.stringify(search.saved(), (_, value) =>
    value instanceof Int32Array ? [...value] : value,
  );
  return { result, saved: hashOf(saved), executed: hashOf(executed) };
}

/** Of megabytes, which no failed test should print. */
function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('a search that another thread helps has the same result, states and coverage', async () => {
  const worker = takeWorker(EXPLORE_WORKER);
  const [near, far] = lines();
  const message: ToWorker = { do: 'help', question: QUESTION, line: far };
  worker.postMessage(message, [far.port]);
  const helper = new AwaitedHelper(near);
  const together = searched(helper);
  await worker.terminate();
  expect(helper.states).toBeGreaterThan(1000);
  expect(together).toEqual(searched());
});

test('a helper that fails says so, and hangs up', async () => {
  const [near, far] = lines();
  const failed: unknown[] = [];
  const begin = () => {
    throw new Error('no such scenario');
  };
  helpOver(far, begin, (error) => failed.push(error));
  const numbered = { worlds: [], parts: [], callers: [], clients: [], works: [] };
  new DistantHelper(near).send({ states: new Int32Array(2), halves: new Int32Array(0), numbered });
  await once(near.port, 'close');
  expect(failed).toEqual([new Error('no such scenario')]);
});

/** The other end of a pool: it receives what a worker is sent, and says what the test wants. */
class FakeWorker extends EventEmitter {
  readonly received: string[] = [];

  constructor(private readonly answer: (message: ToWorker, worker: FakeWorker) => void) {
    super();
  }

  postMessage(message: ToWorker): void {
    this.received.push(message.do);
    setImmediate(() => this.answer(message, this));
  }

  say(message: FromWorker): void {
    this.emit('message', message);
  }

  ref(): void {}
  unref(): void {}
  terminate(): Promise<number> {
    return Promise.resolve(0);
  }
}

/** Drives an exploration in fake workers, of which the second one is taken last. */
async function exploreWith(workers: readonly FakeWorker[], line: { preemptions?: string } = {}) {
  for (const worker of [...workers].reverse()) giveBack(EXPLORE_WORKER, worker as unknown as Worker);
  const search = explorationFor({
    only: 'register f1, register f1',
    kernel: '6.12',
    workers: '2',
    schedules: '20',
    seed: '1',
    ...line,
  });
  const job = startExploring(search, { ...IN_ONE_WORKER, workers: 2 });
  for (let step = await job.next(false); step.done !== true; step = await job.next(false));
}

const ON: FromWorker = { is: 'on', number: 0, states: 4000, bytes: 1 };
const OVER: FromWorker = {
  is: 'over',
  number: 0,
  result: {
    states: 1,
    transitions: 0,
    depth: 0,
    bytes: 1,
    end: 'complete',
    breaches: [],
    witnesses: [],
    fates: [],
  },
  executed: new Uint8Array(KERNEL_PROGRAM.executed.length),
};

test('a thread that dies while it helps ends the exploration with one sentence', async () => {
  const searches = new FakeWorker(({ do: does }, worker) => does === 'search' && worker.say(ON));
  const dies = new FakeWorker((_, worker) => worker.emit('exit', 3));
  await expect(exploreWith([searches, dies])).rejects.toThrow(
    'a thread of the exploration has ended, with exit code 3',
  );
  expect(dies.received).toEqual(['help']);
});

test.each([
  ['a search is helped once it is large', {}, ['search', 'be helped'], ['help']],
  ['one with a bound on preemptions is not', { preemptions: '1' }, ['search'], []],
])('%s', async (_, line, received, helped) => {
  const searches = new FakeWorker(({ do: does }, worker) => {
    if (does !== 'search') return;
    worker.say(ON);
    setImmediate(() => worker.say(OVER));
  });
  const helps = new FakeWorker(() => {});
  await exploreWith([searches, helps], line);
  expect(searches.received).toEqual(received);
  expect(helps.received).toEqual(helped);
  // Both are idle now, and other tests would take them.
  const idle = [takeWorker(EXPLORE_WORKER), takeWorker(EXPLORE_WORKER)] as unknown[];
  expect(new Set(idle)).toEqual(new Set([searches, helps]));
});
