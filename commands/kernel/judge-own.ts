import type { Answer, AnswerPart, Job, JobProgress } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import type { TracedScope } from '../../kernels/boot/new-guests.ts';
import { sayable } from '../../kernels/history/cast-history.ts';
import type { ContractVerdict, JudgedBreach } from '../../kernels/judge/judge-history.ts';
import { isNewBreach, judgeHistory } from '../../kernels/judge/judge-history.ts';
import type { Shown, ShrunkHistory } from '../../kernels/loop/shrink.ts';
import { shrinkShown } from '../../kernels/loop/shrink.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import { TestedKernel } from '../../kernels/loop/tested-kernel.ts';
import { bootableOf } from '../../kernels/own/build.ts';
import type { NamedKernel, OwnKernel } from '../../kernels/own/tree.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RunShard } from '../shard/run-shard.ts';
import { isInTurn } from '../shard/shard.ts';
import type { DrawnRun } from './drawn-histories.ts';
import { drawnHistories, historiesOf } from './drawn-histories.ts';
import { inParts } from './in-parts.ts';
import { OwnCounts } from './own-counts.ts';
import { breachJson, breachLines, savedBreach, summaryLines } from './own-report.ts';
import type { TraceText } from './run-traces.ts';

/** The histories that a user's kernel runs, drawn ones or those of files. Its contract is judged by the nearest profile. */
export interface OwnRun extends DrawnRun {
  readonly shard: RunShard;
  readonly named: NamedKernel;
  readonly kernel: Pick<OwnKernel, 'release'>;
}

export type BrokenVerdict = ContractVerdict & { readonly breach: JudgedBreach };
export type ShrunkBreach = ShrunkHistory<BrokenVerdict>;

/** A user's kernel, with its recorder. */
export type OwnKernels = RunsHistories<ContractVerdict>;

/** Builds the recorder where that is wanted, and runs drawn histories, up to the first breach that is not listed. */
export function* judgeOwn(run: OwnRun, kernel: OwnKernel): Job {
  const tested = yield* testedKernel(kernel, run.scope);
  return yield* judgeDrawn(run, tested);
}

/** The same with histories that were saved. */
export function* judgeFiles(run: OwnRun, kernel: OwnKernel, files: readonly TraceText[]): Job {
  const tested = yield* testedKernel(kernel, run.scope);
  return yield* judgeTraces(run, tested, files);
}

function* testedKernel(
  kernel: OwnKernel,
  scope: TracedScope,
): Generator<JobProgress | AnswerPart, OwnKernels, boolean> {
  const bootable = yield* inParts(bootableOf(kernel));
  return new TestedKernel<ContractVerdict>(bootable, { run: judgeHistory, isWrong }, scope);
}

/** An ops of the kernel itself keeps its trampoline: an allocation that is to fail is not made in a later history. */
function isWrong(verdict: ContractVerdict): boolean {
  return isNewBreach(verdict) || verdict.difference !== undefined;
}

export function* judgeDrawn(run: OwnRun, tested: OwnKernels): Job {
  const counts = new OwnCounts();
  const histories = historiesOf(run, 'contract');
  try {
    const part = `histories of ${run.kernel.release}`;
    const { next, found } = yield* drawnHistories(run, part, (n) => {
      if (!isInTurn(run.shard, n)) return undefined;
      const drawn = histories.at(n);
      const { question, leftOut } = sayable(drawn);
      counts.drawn(drawn.actions.length, leftOut);
      if (question === undefined) return undefined;
      const verdict = tested.run(question);
      counts.add(n, question, verdict);
      return isBroken(verdict) ? shrunk({ question, verdict }, tested) : undefined;
    });
    return answerOf(run, counts, tested.boots, next, found);
  } finally {
    tested.close();
  }
}

/** Files are run each in a kernel as its boot left it, and are not shrunk. */
export function* judgeTraces(run: OwnRun, tested: OwnKernels, files: readonly TraceText[]): Job {
  const counts = new OwnCounts();
  try {
    for (const [n, { path, text }] of files.entries()) {
      const question = questionIn(path, text, run.profile);
      counts.drawn(question.case.actions.length, []);
      const verdict = tested.runAlone(question);
      counts.add(n, question, verdict);
      if (isBroken(verdict)) {
        const drawn = question.case.actions.length;
        return answerOf(run, counts, tested.boots, n + 1, {
          question,
          verdict,
          drawn,
          asked: 0,
          isBounded: false,
        });
      }
      if (yield { part: `files on ${run.kernel.release}`, done: n + 1, of: files.length, unit: 'file' })
        break;
    }
  } finally {
    tested.close();
  }
  return answerOf({ ...run, runs: files.length, from: 0 }, counts, tested.boots, counts.histories);
}

function questionIn(path: string, text: string, profile: string) {
  if (traceKind(text) !== 'sequence') throw new InputError(`${path} is no sequence of calls`);
  const { case: saved } = parseSequence(text);
  if (saved.tracepoints !== undefined)
    throw new InputError(`${path} has tracepoints, which are compared with the model, and not judged`);
  const { question, leftOut } = sayable({ ...saved, profile });
  const [why] = leftOut;
  if (why !== undefined) throw new InputError(`${path} has what the recorder does not do: ${why}`);
  if (question === undefined)
    throw new InputError(`${path} has no call that can be run: the model crashes in the first`);
  return question;
}

function isBroken(verdict: ContractVerdict): verdict is BrokenVerdict {
  return isNewBreach(verdict);
}

function shrunk(first: Shown<BrokenVerdict>, tested: OwnKernels): ShrunkBreach {
  const { law, step } = first.verdict.breach;
  return shrinkShown(first, tested, {
    step,
    isSame: (verdict) => isNewBreach(verdict) && verdict.breach?.law.name === law.name,
    shows: isBroken,
  });
}

function answerOf(run: OwnRun, counts: OwnCounts, boots: number, next: number, found?: ShrunkBreach): Answer {
  const { kernel, profile, seed, runs, from, scope, near } = run;
  const exit = found !== undefined ? EXIT.BROKEN : next < runs ? EXIT.INCONCLUSIVE : EXIT.HELD;
  return {
    text: [
      ...(found === undefined ? [] : [...breachLines(run, found), '']),
      ...summaryLines(run, counts, { boots, next, isHeld: found === undefined }),
    ].join('\n'),
    json: {
      command: 'kernel',
      exit,
      release: kernel.release,
      profile,
      seed,
      runs,
      from,
      scope,
      near,
      next,
      boots,
      ...counts.json(),
      breach: found === undefined ? null : breachJson(found),
    },
    exit,
    save: found === undefined ? [] : [savedBreach(run, found)],
  };
}
