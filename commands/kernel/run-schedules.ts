import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { isTaskTrace, parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { counted, wrap } from '../../counterexamples/text.ts';
import { readyKernel } from '../../kernels/ready.ts';
import type { RanSchedule, ShownSchedule } from '../../kernels/schedule/run-schedule.ts';
import { runSchedule } from '../../kernels/schedule/run-schedule.ts';
import { directionLines } from '../../kernels/schedule/words.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed, RECORDED_PROFILES, recordedVersion } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { readTrace } from '../line/read-trace.ts';
import type { TraceText } from './run-traces.ts';

interface Result extends RanSchedule {
  readonly path: string;
}

/** Runs a schedule on a kernel; in a test, what is there in its place. */
export type RunsSchedules = (schedule: Schedule, law: TaskLaw) => RanSchedule;

/** `kernel 6.12 --schedule TRACE...`: stops the tasks of a running kernel where each trace says. */
export function* runSchedules(
  kernel: RecordedVersion,
  traces: readonly TraceText[],
  run: RunsSchedules = onKernel(kernel),
): Job {
  const results: Result[] = [];
  for (const { path, text } of traces) {
    const result = { path, ...resultOf(kernel, text, run) };
    results.push(result);
    yield { text: linesOf(result).join('\n'), save: [], goesOn: true };
    if (yield { part: `schedules on ${kernel}`, done: results.length, of: traces.length, unit: 'schedule' })
      break;
  }
  return answerOf(kernel, results, traces.length);
}

function onKernel(kernel: RecordedVersion): RunsSchedules {
  const bootable = readyKernel(kernel);
  return (schedule, law) => runSchedule(bootable, schedule, law);
}

/** The saved examples of the interleaved breaches that a kernel is listed to have. */
export function listedSchedules(kernel: RecordedVersion): TraceText[] {
  return KNOWN_TASK.filter(({ multiLinks }) => multiLinks === undefined).flatMap((entry) => {
    const { name, restsOn } = entry;
    const kernels = entry.kernels.map((profile) => profileNamed(profile).kernel);
    if (!recordedKernelsOf([{ restsOn, kernels }]).includes(kernel)) return [];
    const path = join(CORPUS, 'task/known', `${name}.${RECORDED_PROFILES[kernel].kernel}.trace`);
    return existsSync(path) ? [readTrace(path)] : [];
  });
}

function resultOf(kernel: RecordedVersion, text: string, run: RunsSchedules): RanSchedule {
  const cannot = (why: string): RanSchedule => ({ shown: { is: 'not run', why }, staging: undefined });
  if (!isTaskTrace(text)) return cannot('it is no saved interleaving');
  const { schedule, law: named, planted } = parseTaskTrace(text);
  const { profile } = schedule.scenario;
  if (planted !== undefined) return cannot('it is of a model with a planted bug');
  if (profile !== recordedVersion(profile)) return cannot(`it is of a kernel that is modified: ${profile}`);
  if (RECORDED_PROFILES[kernel].kernel !== profileNamed(profile).kernel) return cannot(`it is of ${profile}`);
  const law = ALL_TASK_LAWS.find(({ name }) => name === named);
  if (law === undefined) return cannot(`${named} is no law on interleavings`);
  return run({ ...schedule, scenario: { ...schedule.scenario, profile: kernel } }, law);
}

const COLUMNS = 76;

function linesOf({ path, shown, staging }: Result): string[] {
  const mark = shown.is === 'shown' ? '✓' : shown.is === 'differs' ? '✗' : ' ';
  const turns = staging === undefined ? [] : directionLines(staging);
  return [`${mark} ${path}`, ...indented([...turns, ...outcomeLines(shown)])];
}

function indented(lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    wrap(line, COLUMNS).map((part, i) => `${i === 0 ? '    ' : '      '}${part}`),
  );
}

function outcomeLines(shown: ShownSchedule): string[] {
  switch (shown.is) {
    case 'shown':
      return shown.kernel.map((line) => `kernel  ${line}`);
    case 'runs on':
      return ['the model crashes there; the kernel runs on: what was freed is still as it was'];
    case 'differs':
      return [`kernel  ${shown.kernel.join('; ')}`, `model   ${shown.model.join('; ')}`];
    case 'not stopped':
      return [`the kernel takes another way: ${shown.why}`];
    case 'not run':
      return [`not run: ${shown.why}`];
    default:
      return unreachable(shown);
  }
}

function answerOf(kernel: RecordedVersion, results: readonly Result[], all: number): Answer {
  const of = (is: ShownSchedule['is']) => results.filter(({ shown }) => shown.is === is).length;
  const differing = of('differs') + of('not stopped');
  const open = results.length < all || of('not run') > 0;
  const exit = differing > 0 ? EXIT.BROKEN : open ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const counts = [
    `${of('shown')} shown`,
    `${of('runs on')} where freed memory was still as it was`,
    `${differing} differ`,
    `${of('not run')} not run`,
  ];
  return {
    text: `\n${kernel}: of ${counted(all, 'schedule')}, ${counts.join(', ')}`,
    json: {
      command: 'kernel',
      exit,
      kernel,
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
