import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { ownInterleavings } from '../../conformance/known/task-kernels.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { CORPUS, knownTaskPath } from '../../counterexamples/corpus-folder.ts';
import type { TaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { isTaskTrace, parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { counted, wrap } from '../../counterexamples/text.ts';
import type { Bootable } from '../../kernels/boot/guest.ts';
import { bootableOf } from '../../kernels/own/build.ts';
import type { OwnKernel } from '../../kernels/own/tree.ts';
import { requirePreemption } from '../../kernels/own/tree.ts';
import { readyKernel } from '../../kernels/ready.ts';
import type { RanSchedule } from '../../kernels/schedule/run-schedule.ts';
import { runSchedule } from '../../kernels/schedule/run-schedule.ts';
import type { ShownSchedule } from '../../kernels/schedule/verdict.ts';
import { directionLines } from '../../kernels/schedule/words.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed, RECORDED_PROFILES, recordedVersion } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { readTrace } from '../line/read-trace.ts';
import { inParts } from './in-parts.ts';
import type { TraceText } from './run-traces.ts';

interface Result extends RanSchedule {
  readonly path: string;
}

/** Runs a schedule on a kernel; in a test, what is there in its place. */
export type RunsSchedules = (schedule: Schedule, law: TaskLaw) => RanSchedule;

/** The kernel that schedules are run on: a recorded one, or the user's, by the nearest profile. */
export interface ScheduledKernel {
  readonly name: string;
  readonly profile: RecordedVersion;
  readonly isOwn: boolean;
}

/** `kernel 6.12 --schedule TRACE...`: stops the tasks of a running kernel where each trace says. */
export function* runSchedules(
  kernel: ScheduledKernel,
  traces: readonly TraceText[],
  run: RunsSchedules,
): Job {
  const results: Result[] = [];
  // A damaged file is named before anything is booted.
  const all = traces.map(({ path, text }) => ({ path, trace: traceIn(path, text) }));
  for (const { path, trace } of all) {
    const result = { path, ...resultOf(kernel.profile, trace, run) };
    results.push(result);
    yield { text: linesOf(kernel, result).join('\n'), save: [], goesOn: true };
    if (
      yield { part: `schedules on ${kernel.name}`, done: results.length, of: traces.length, unit: 'schedule' }
    )
      break;
  }
  return answerOf(kernel, results, traces.length);
}

/** On a kernel that was set up. */
export function schedulesOn(kernel: RecordedVersion, traces: readonly TraceText[]): Job {
  const recorded = { name: kernel, profile: kernel, isOwn: false };
  return runSchedules(recorded, traces, runningOn(readyKernel(kernel)));
}

/** On a user's kernel, for which the recorder is built where that is wanted. */
export function* schedulesOnOwn(
  kernel: OwnKernel,
  profile: RecordedVersion,
  traces: readonly TraceText[],
): Job {
  requirePreemption(kernel);
  const bootable = yield* inParts(bootableOf(kernel));
  const own = { name: kernel.release, profile, isOwn: true };
  return yield* runSchedules(own, traces, runningOn(bootable));
}

function runningOn(bootable: Bootable): RunsSchedules {
  return (schedule, law) => runSchedule(bootable, schedule, law);
}

/** The saved examples of the interleaved breaches that a kernel is listed to have. */
export function listedSchedules(kernel: RecordedVersion): TraceText[] {
  return ownInterleavings().flatMap(({ entry: { name }, kernels }) => {
    if (!kernels.includes(kernel)) return [];
    const path = join(CORPUS, knownTaskPath(name, RECORDED_PROFILES[kernel].kernel));
    return existsSync(path) ? [readTrace(path)] : [];
  });
}

/** Undefined: it is no interleaving. */
function traceIn(path: string, text: string): TaskTrace | undefined {
  try {
    return isTaskTrace(text) ? parseTaskTrace(text) : undefined;
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${path}: ${error.message}`);
    throw error;
  }
}

function resultOf(kernel: RecordedVersion, trace: TaskTrace | undefined, run: RunsSchedules): RanSchedule {
  const cannot = (why: string): RanSchedule => ({ shown: { is: 'not run', why }, staging: undefined });
  if (trace === undefined) return cannot('it is no saved interleaving');
  const { schedule, law: named, planted } = trace;
  const { profile } = schedule.scenario;
  if (planted !== undefined) return cannot('it is of a model with a planted bug');
  if (profile !== recordedVersion(profile)) return cannot(`it is of a kernel that is modified: ${profile}`);
  if (RECORDED_PROFILES[kernel].kernel !== profileNamed(profile).kernel) return cannot(`it is of ${profile}`);
  const law = ALL_TASK_LAWS.find(({ name }) => name === named);
  if (law === undefined) return cannot(`${named} is no law on interleavings`);
  return run({ ...schedule, scenario: { ...schedule.scenario, profile: kernel } }, law);
}

const COLUMNS = 76;

function linesOf({ isOwn }: ScheduledKernel, { path, shown, staging }: Result): string[] {
  const turns = staging === undefined ? [] : directionLines(staging);
  const outcome = isOwn ? ownOutcomeLines(shown) : outcomeLines(shown);
  return [`${markOf(shown, isOwn)} ${path}`, ...indented([...turns, ...outcome])];
}

/** A recorded kernel has to do as the model; in a user's one a listed breach may be mended. */
function markOf(shown: ShownSchedule, isOwn: boolean): string {
  if (shown.is === 'shown') return isOwn ? '✗' : '✓';
  if (shown.is !== 'differs') return ' ';
  return isOwn && shown.hasCrashed !== true ? '✓' : '✗';
}

function ownOutcomeLines(shown: ShownSchedule): string[] {
  if (shown.is === 'shown') return ['this kernel shows the breach:', ...outcomeLines(shown)];
  if (shown.is !== 'differs' || shown.hasCrashed === true) return outcomeLines(shown);
  return ['this kernel does not show the breach:', ...outcomeLines(shown)];
}

function indented(lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    wrap(line, COLUMNS).map((part, i) => `${i === 0 ? '    ' : '      '}${part}`),
  );
}

function outcomeLines(shown: ShownSchedule): string[] {
  switch (shown.is) {
    case 'shown':
      return firstOf(shown.kernel).map((line) => `kernel  ${line}`);
    case 'runs on':
      return ['the model crashes there; the kernel runs on: what was freed is still as it was'];
    case 'differs':
      return [`kernel  ${firstOf(shown.kernel).join('; ')}`, `model   ${shown.model.join('; ')}`];
    case 'not stopped':
      return [`the kernel takes another way: ${shown.why}`];
    case 'not run':
      return [`not run: ${shown.why}`];
    default:
      return unreachable(shown);
  }
}

/** A kernel that oopses again and again fills its console. */
function firstOf(lines: readonly string[]): readonly string[] {
  const more = lines.length - LINES_MOST;
  return more <= 1 ? lines : [...lines.slice(0, LINES_MOST), `… ${counted(more, 'line')} more`];
}

const LINES_MOST = 8;

function answerOf(kernel: ScheduledKernel, results: readonly Result[], all: number): Answer {
  const count = (isIt: (shown: ShownSchedule) => boolean) =>
    results.filter(({ shown }) => isIt(shown)).length;
  const of = (is: ShownSchedule['is']) => count((shown) => shown.is === is);
  const wrong = count((shown) => markOf(shown, kernel.isOwn) === '✗');
  const notStopped = of('not stopped');
  const open = results.length < all || of('not run') > 0 || (kernel.isOwn && notStopped > 0);
  const isBroken = wrong > 0 || (!kernel.isOwn && notStopped > 0);
  const exit = isBroken ? EXIT.BROKEN : open ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const counts = [
    `${of('shown')} shown`,
    `${of('runs on')} where freed memory was still as it was`,
    `${of('differs') + notStopped} differ`,
    `${of('not run')} not run`,
  ];
  return {
    text: `\n${kernel.name}: of ${counted(all, 'schedule')}, ${counts.join(', ')}`,
    json: {
      command: 'kernel',
      exit,
      kernel: kernel.name,
      profile: kernel.profile,
      schedules: results.map(({ path, shown, staging }) => ({
        path,
        is: shown.is,
        turns: staging === undefined ? [] : directionLines(staging),
        why: 'why' in shown ? shown.why : null,
        answers: 'kernel' in shown ? shown.kernel : [],
        model: 'model' in shown ? shown.model : [],
      })),
    },
    exit,
    save: [],
  };
}
