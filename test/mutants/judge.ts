import { Worker } from 'node:worker_threads';
import { bundled, removeBundle } from '../bundled.ts';
import { COSTS, TRIES } from './bound.ts';
import type { Corpus, JudgedInput } from './corpus.ts';
import type { InputBound } from './draw-inputs.ts';
import type { Input } from './input.ts';
import { THROWS } from './input.ts';
import { keptCorpus } from './kept-corpus.ts';
import type { SourceMutant } from './source-mutants.ts';
import { MARKS, SWITCH, switched } from './switched.ts';
import type { MutantVerdict } from './verdict.ts';
import type { JudgeTask } from './worker.ts';

/** What a mutant may take. */
export interface Limits {
  /** Of CPU, for all inputs of a first trial, of which the sound kernel needs a few; for more inputs longer. */
  readonly seconds: number;
  /** The memory of its thread. */
  readonly megabytes: number;
}

const LIMITS: Limits = { seconds: 40, megabytes: 1000 };

/** With the number of inputs of each kind that a first trial may have. */
const COST_OF_A_FIRST_TRIAL = (Object.keys(TRIES) as Input['is'][]).reduce(
  (sum, is) => sum + COSTS[is] * TRIES[is],
  0,
);

/** A mutant that does not end, or takes all memory, breaks a rule without a law. */
const NO_END = 'no end within the limit';
const NO_MEMORY = 'no end of memory';

/** Judges in threads, from bundles in which every mutant of the source has a switch. */
export class Judges {
  private worker: Worker | undefined;

  private constructor(
    private readonly marking: string,
    private readonly judging: string,
    private readonly limits: Limits,
  ) {}

  static async start(sources: readonly SourceMutant[]): Promise<Judges> {
    return new Judges(
      await bundle('draw-worker', sources, true),
      await bundle('worker', sources, false),
      LIMITS,
    );
  }

  /** Judges of the same mutants with other limits; they end with these. */
  within(limits: Limits): Judges {
    return new Judges(this.marking, this.judging, limits);
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    for (const program of [this.marking, this.judging]) removeBundle(program);
  }

  /** The inputs, drawn once for a bundle and a bound. */
  corpus(bound: InputBound): Promise<Corpus> {
    return keptCorpus(this.marking, bound, async () => {
      const worker = new Worker(this.marking, { workerData: 0 });
      const corpus = await new Promise<Corpus>((resolve, reject) => {
        worker.on('message', resolve).on('error', reject);
        worker.postMessage(bound);
      });
      await worker.terminate();
      return corpus;
    });
  }

  /** A mutant of a part; its thread judges the next one as well, if it comes to its end. */
  async part(name: string, inputs: readonly JudgedInput[]): Promise<MutantVerdict> {
    this.worker ??= this.started(0);
    const task: JudgeTask = { part: name, inputs };
    const verdict = await answerTo<MutantVerdict>(this.worker, task, this.secondsFor(inputs));
    if (typeof verdict === 'string') {
      await this.worker.terminate();
      this.worker = undefined;
    }
    return verdictOf(verdict);
  }

  /** A mutant of the source, in a thread of its own: what is computed when a module is loaded is mutated as well. */
  async source(number: number, inputs: readonly JudgedInput[]): Promise<MutantVerdict> {
    if (inputs.length === 0) return { is: 'unreached' };
    const worker = this.started(number);
    const task: JudgeTask = { inputs };
    const verdict = await answerTo<MutantVerdict>(worker, task, this.secondsFor(inputs));
    await worker.terminate();
    return verdictOf(verdict);
  }

  private secondsFor(inputs: readonly JudgedInput[]): number {
    const cost = inputs.reduce((sum, { input }) => sum + COSTS[input.is], 0);
    return this.limits.seconds * Math.max(1, cost / COST_OF_A_FIRST_TRIAL);
  }

  private started(mutant: number): Worker {
    const worker = new Worker(this.judging, {
      workerData: mutant,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.megabytes },
    });
    // An error that comes when the answer has been given, as the thread is ended, has no reader.
    return worker.on('error', () => {});
  }
}

function verdictOf(verdict: MutantVerdict | string): MutantVerdict {
  return typeof verdict === 'string' ? { is: 'killed', by: verdict, on: 'start', after: 1 } : verdict;
}

/** The answer of a thread, or why there is none. Seconds are those of the whole process, which waits meanwhile. */
function answerTo<Answer>(worker: Worker, task: JudgeTask, seconds: number): Promise<Answer | string> {
  return new Promise((resolve) => {
    const start = process.cpuUsage();
    const end = (answer: Answer | string): void => {
      clearInterval(timer);
      worker.off('message', end);
      worker.off('error', fail);
      resolve(answer);
    };
    const fail = ({ code }: NodeJS.ErrnoException): void =>
      end(code === 'ERR_WORKER_OUT_OF_MEMORY' ? NO_MEMORY : THROWS);
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(start);
      if ((user + system) / 1e6 > seconds) end(NO_END);
    }, 500);
    worker.on('message', end);
    worker.on('error', fail);
    worker.postMessage(task);
  });
}

async function bundle(worker: string, mutants: readonly SourceMutant[], marks: boolean): Promise<string> {
  const byPath = new Map<string, SourceMutant[]>();
  for (const mutant of mutants) byPath.set(mutant.path, [...(byPath.get(mutant.path) ?? []), mutant]);
  const first =
    `import { workerData as ${SWITCH} } from 'node:worker_threads';` +
    (marks ? `const ${MARKS} = (globalThis.${MARKS} = new Uint8Array(${mutants.length + 1}));` : '');
  return bundled(
    { file: `test/mutants/${worker}.ts` },
    { first, rewritten: (path, text) => switched(text, byPath.get(path) ?? [], marks) },
  );
}
