import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Answer, AnswerPart, JobProgress } from '../../counterexamples/answer.ts';
import { remarkLines } from '../../counterexamples/run-part.ts';
import { item } from '../../model/core/present.ts';
import type { SavedExploration } from './checkpoint-file.ts';
import { CheckpointFile, readExploration } from './checkpoint-file.ts';
import type { ScenarioResult, TaskSearch } from './exploration.ts';
import { ownAnswer } from './own-answer.ts';
import { Pool } from './pool.ts';
import { Saving } from './saving.ts';
import { SharedScenarios } from './shared-scenarios.ts';
import { taskAnswer } from './task-answer.ts';

/** How an exploration is run; none of it changes what is found. */
export interface ExploreOptions {
  readonly workers: number;
  /** Seconds after which it is stopped. */
  readonly seconds: number | undefined;
  /** Files to write to, and to resume from. */
  readonly checkpoint: string | undefined;
  /** Seconds between two checkpoints within a scenario. Default: 30. */
  readonly checkpointSeconds?: number;
  readonly resume: string | undefined;
  /** Default: all scenarios are searched here. */
  readonly share?: Share;
}

/** A command whose work is done by workers: like a `Job`, and awaited. */
export type WaitingJob = AsyncGenerator<JobProgress | AnswerPart, Answer, boolean>;

const NOTHING_DONE: SavedExploration = { done: new Map(), left: [] };

/** A job whose work runs concurrently with others, and a function that ends it. */
export interface BesideJob {
  readonly job: WaitingJob;
  readonly close: () => Promise<void>;
  /** Another CPU has nothing else to do: it may use that as well. */
  readonly widen?: () => void;
}

/** The command `explore`. */
export function startExploring(search: TaskSearch, options: ExploreOptions): WaitingJob {
  return exploreBeside(search, options).job;
}

/** Starts the workers at once; they run while others have the CPU, and the job gathers their results. */
export function exploreBeside(search: TaskSearch, options: ExploreOptions): BesideJob {
  const { resume, workers } = options;
  const saved = resume === undefined ? NOTHING_DONE : readExploration(resume, search);
  const shared = new SharedScenarios(options.share ?? WHOLE, search.scenarios.length);
  const own = { ...search, scenarios: shared.numbers.map((number) => item(search.scenarios, number)) };
  const { laws, planted, depth, states, preemptions } = own;
  const questions = own.scenarios.map(({ scenario, grain }, number) => ({
    number,
    scenario,
    grain,
    laws: laws.map(({ name }) => name),
    planted: planted?.name,
    depth,
    states,
    preemptions,
    saved: saved.left.find((left) => left.number === number)?.saved,
  }));
  const { checkpoint } = options;
  const file = checkpoint === undefined ? undefined : new CheckpointFile(checkpoint, search, saved);
  const pool = new Pool(questions, { done: new Map([...saved.done, ...shared.known]), workers, shared });
  const saving = new Saving(file, pool, options.checkpointSeconds);
  return { job: gathered(own, options, pool, saving), close: () => pool.close(), widen: () => pool.widen() };
}

async function* gathered(
  search: TaskSearch,
  options: ExploreOptions,
  pool: Pool,
  saving: Saving,
): WaitingJob {
  const { seconds = Number.POSITIVE_INFINITY, checkpoint } = options;
  const rate = meter();
  let stops = false;
  try {
    while (pool.isBusy()) {
      await pool.wait();
      if (!stops) saving.look();
      const wanted = yield progressOf(search, pool);
      if (stops || !(wanted || rate().seconds > seconds)) continue;
      stops = true;
      pool.stop();
    }
    saving.write();
    const explored = { search, results: resultsOf(search, pool) };
    const answer = search.from.is === 'file' ? ownAnswer(explored) : taskAnswer(explored);
    if (saving.failure === undefined) return stops ? goingOn(answer, options) : answer;
    const text = `${checkpoint} cannot be written: ${saving.failure}`;
    yield { text: remarkLines({ mark: '?', name: 'checkpoint', text }).join('\n'), save: [] };
    return answer;
  } finally {
    await pool.close();
  }
}

/** A stopped run resumes from the checkpoint, if there is one. */
function goingOn(answer: Answer, { checkpoint }: ExploreOptions): Answer {
  const { verdict } = answer;
  if (verdict === undefined || checkpoint === undefined) return answer;
  return { ...answer, verdict: { ...verdict, next: { options: { '--resume': checkpoint } } } };
}

/** Results up to the first new breach, or up to the first scenario that was not reached. */
function resultsOf({ scenarios }: TaskSearch, pool: Pool): ScenarioResult[] {
  const results: ScenarioResult[] = [];
  for (let number = 0; number < Math.min(scenarios.length, pool.end()); number++) {
    const result = pool.results.get(number);
    if (result === undefined) break;
    results.push(result);
  }
  return results;
}

/** Seconds since it was made. */
function meter(): () => { readonly seconds: number } {
  const start = performance.now();
  return () => ({ seconds: (performance.now() - start) / 1000 });
}

/** The scenario that is under way; scenarios that are done, and states of all. */
function progressOf({ scenarios }: TaskSearch, pool: Pool): JobProgress {
  const { number, states } = pool.progress();
  const all = states + [...pool.results.values()].reduce((sum, result) => sum + result.states, 0);
  return {
    part: 'interleavings',
    now: item(scenarios, number).name,
    done: pool.results.size,
    of: scenarios.length,
    unit: 'scenario',
    inner: { done: all, unit: 'state' },
  };
}
