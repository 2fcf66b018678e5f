import type { Answer, AnswerPart, JobProgress, Next, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, verdictOf, worstExit } from '../../counterexamples/answer.ts';
import { closingLines, partText } from '../../counterexamples/run-part.ts';
import type { LastCompared } from '../../kernels/compared.ts';
import { comparedText, lastCompared } from '../../kernels/compared.ts';
import { recordedVersion } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { Worth } from '../bugs/worth.ts';
import { worthOf, worthText } from '../bugs/worth.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { Beside } from './beside.ts';
import { coverageByFile, coverageTable, coverageTexts } from './coverage.ts';
import type { Section, Task } from './section.ts';
import { sectionOf, unbegun } from './section.ts';
import type { Everything } from './sections.ts';
import { tasksOf } from './sections.ts';

/**
 * The default run: recordings, saved counterexamples, known breaches, random searches, and an exploration. Each
 * section is printed as soon as it is over; a new breach of the exploration, which runs concurrently, as soon as it
 * is known.
 */
export function checkJob(everything: Everything): WaitingJob {
  const { explore, exploreCommand, search, sequences, ahead } = everything;
  const tasks = tasksOf(everything);
  const bound = { combinations: search.cases, sequences: sequences.sequences, profiles: sequences.profiles };
  return sectionsJob({
    tasks,
    explore,
    exploreCommand,
    seed: search.seed,
    covers: true,
    worth: worthOf(bound),
    compared: comparedKernels(sequences.profiles),
    ahead,
  });
}

/** Sections, one after the other, and a concurrent exploration. */
export interface Sections extends Pick<Everything, 'explore' | 'exploreCommand'> {
  /** Workers that take part in the sections after the exploration. */
  readonly ahead?: Everything['ahead'] | undefined;
  readonly tasks: readonly Task[];
  readonly seed: number;
  /** The first breach ends the run: later sections are not started. */
  readonly first?: boolean;
  /** The steps of kernel functions that no section has executed are counted. */
  readonly covers?: boolean;
  /** What a pass of this size is worth, which it says. */
  readonly worth?: Worth;
  /** When histories were last run on the kernels of its profiles, which it says. */
  readonly compared?: readonly LastCompared[];
}

/** The runs on the kernels that profiles are of; one with an overridden behaviour is no kernel that was run. */
function comparedKernels(profiles: readonly string[]): LastCompared[] {
  return profiles.flatMap((profile) => {
    const kernel = recordedVersion(profile);
    return kernel === profile ? (lastCompared(kernel) ?? []) : [];
  });
}

export async function* sectionsJob({
  tasks,
  seed,
  first = false,
  covers = false,
  worth,
  compared = [],
  ahead,
  ...beside
}: Sections): WaitingJob {
  const { explore, exploreCommand } = beside;
  KERNEL_PROGRAM.executed.fill(0);
  const run = new Run(new Beside(explore()), { exploreCommand, covers, worth, compared, ahead });
  try {
    for (const task of tasks) {
      yield* run.work(task);
      if (first && run.isBroken) return run.answer(seed);
    }
    yield* run.explore();
    return run.answer(seed);
  } finally {
    await run.end();
  }
}

/** A run of several sections in progress. */
class Run {
  private readonly sections: Section[] = [];
  private stops = false;
  private isExplored = false;

  constructor(
    private readonly exploration: Beside,
    private readonly options: Required<Pick<Sections, 'exploreCommand' | 'covers' | 'compared'>> & {
      readonly worth: Worth | undefined;
      readonly ahead: Sections['ahead'];
    },
  ) {}

  /** A printed part is a new breach. */
  get isBroken(): boolean {
    return this.sections.some(({ verdict }) => verdict.breaches > 0);
  }

  async *work(task: Task): AsyncGenerator<JobProgress | AnswerPart, void, boolean> {
    if (this.stops) {
      yield this.told(unbegun(task));
      return;
    }
    const job = task.work();
    for (let step = job.next(false); ; step = job.next(this.stops)) {
      if (step.done === true) {
        yield this.told(step.value);
        return;
      }
      this.note(yield step.value);
      const { answer } = this.exploration;
      if (answer !== undefined) this.options.ahead?.begin();
      if (answer?.exit === EXIT.BROKEN) yield* this.explore();
    }
  }

  /** Waits for the exploration, and prints its result. */
  async *explore(): AsyncGenerator<JobProgress | AnswerPart, void, boolean> {
    if (this.isExplored) return;
    this.exploration.widen();
    for (;;) {
      this.exploration.requireAlive();
      const { answer, progress } = this.exploration;
      if (answer !== undefined) {
        this.isExplored = true;
        const section = sectionOf('exploration', answer);
        const next = { command: this.options.exploreCommand };
        yield this.told({ ...section, verdict: { ...section.verdict, next } });
        return;
      }
      if (progress !== undefined) this.note(yield progress);
      await this.exploration.wait();
    }
  }

  answer(seed: number): Answer {
    const exit = worstExit(this.sections.map((section) => section.exit));
    const verdict = this.verdict(seed);
    const problems = this.sections.flatMap(({ json }) => (json['problems'] ?? []) as string[]);
    const fields = Object.assign({}, ...this.sections.map(({ json }) => json));
    const save = this.sections.filter(isWrong).flatMap((section) => section.save);
    const files = this.options.covers && !this.stops ? coverageByFile(KERNEL_PROGRAM) : [];
    const { compared } = this.options;
    const worth = exit === EXIT.HELD ? this.options.worth : undefined;
    const closing = closingLines([
      ...this.sections.map(({ part }) => part),
      {
        uncovered: coverageTexts(files),
        worth: worth === undefined ? [] : [worthText(worth)],
        compared: compared.map(comparedText),
      },
    ]);
    return {
      text: closing.join('\n'),
      ...(files.length === 0 ? {} : { verbose: [...coverageTable(files), '', ...closing].join('\n') }),
      goesOn: true,
      json: {
        command: 'check',
        exit,
        ...fields,
        ...(files.length === 0 ? {} : { steps: files }),
        ...(worth === undefined ? {} : { worth }),
        ...(compared.length === 0 ? {} : { compared }),
        problems,
        open: verdict.open,
      },
      exit,
      save,
      files: this.sections.flatMap(({ files: asked = [] }) => asked),
      suites: this.sections.flatMap(({ suites }) => suites),
      verdict,
    };
  }

  /** The next command: for a failure first; then for an open question; then with another seed. */
  private verdict(seed: number): RunVerdict {
    const verdicts = this.sections.map(({ verdict }) => verdict);
    const wrong = this.sections.find(isWrong)?.verdict;
    const open = verdicts.filter((verdict) => verdict.open.length > 0).map(({ next }) => next);
    const options = Object.assign({}, ...open.map((next) => ('options' in next ? next.options : {})));
    const [other] = open.filter((next) => 'command' in next);
    const again: Next = this.stops || other === undefined ? { options } : other;
    const next = wrong?.next ?? (open.length > 0 ? again : { options: { '--seed': String(seed + 1) } });
    return verdictOf(verdicts, { seed, next });
  }

  async end(): Promise<void> {
    await Promise.all([this.exploration.end(), this.options.ahead?.end()]);
  }

  private note(wanted: boolean): void {
    if (wanted && !this.stops) this.exploration.stop();
    this.stops ||= wanted;
    this.exploration.requireAlive();
  }

  private told(section: Section): AnswerPart {
    this.sections.push(section);
    return { ...partText(section.part), save: section.save };
  }
}

/** Its saved files are of breaches: other sections also save files that are not, as a difference of two designs. */
function isWrong({ verdict: { breaches, wrong } }: Section): boolean {
  return breaches > 0 || wrong.length > 0;
}
