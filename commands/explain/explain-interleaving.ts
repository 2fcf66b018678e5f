import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { printRun } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { readForKernels } from '../../counterexamples/for-all-kernels.ts';
import { breachAtEnd } from '../../counterexamples/interleavings/breach-at-end.ts';
import { spaceFor } from '../../counterexamples/interleavings/space-for.ts';
import { findingLines, movesByRun } from '../../counterexamples/interleavings/task-report.ts';
import { parseScenario, scenarioLines } from '../../counterexamples/interleavings/task-trace.ts';
import { changeLines } from '../../counterexamples/sequences/change-line.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { InputError } from '../../model/core/input-error.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import type { Explained } from './explained.ts';
import { toldMove } from './move-lines.ts';
import { moveDelta } from './move-told.ts';

/** An interleaving in detail: which actor runs, and for each move its steps and the state that they changed. */
export function explainInterleaving(text: string): Explained {
  const { isForAll, read } = readForKernels(text, parseScenario);
  const { scenario, runs, grain, planted, law } = read;
  if (runs.length === 0)
    throw new InputError(
      'it is a scenario without a schedule: npm run check -- explore FILE searches all of them, and explain takes the file that it saves for a breach',
    );
  if (isForAll) throw new InputError('a schedule needs one kernel: name it instead of "all"');
  const schedule: Schedule = { scenario, runs, ...(grain === undefined ? {} : { grain }) };
  const told = { kernel: scenario.profile, head: headOf(schedule, planted) };
  const space = spaceFor(scenario, plantedIn(TASK_PLANTED, planted), grain);
  if (typeof space === 'string') return { ...told, steps: [], diverged: space };
  const { played, diverged } = playRuns(space, runs);
  const steps = movesByRun(played, runs)
    .filter(({ moves }) => moves.length > 0)
    .map(({ run, moves }, i) => ({
      number: i + 1,
      lines: ['', ...runLines(run, i), ...moves.flatMap((move) => moveLines(space, move))],
    }));
  if (diverged === undefined) steps.at(-1)?.lines.push(...endLines(space, played, law));
  return { ...told, steps, diverged };
}

function headOf({ scenario }: Schedule, planted: string | undefined): string[] {
  const about = [
    `kernel ${scenario.profile}`,
    counted(scenario.cpus, 'cpu'),
    ...(planted === undefined ? [] : [`planted bug: ${planted}`]),
  ];
  return [...wrap(about.join(' · '), WIDTH), '', ...scenarioLines(scenario).map((line) => `     ${line}`)];
}

function runLines(run: Run, i: number): string[] {
  const [first = '', ...others] = indented(printRun(run), 5);
  return [String(i + 1).padStart(3) + first.slice(3), ...others];
}

/** The steps of a move, then the state that they changed, and what clients saw of a call. */
function moveLines(space: Space, played: PlayedSchedule): string[] {
  const { begins, does, said } = toldMove(space, played);
  const names = space.scenario.functions.map(({ name }) => name);
  return [
    ...(begins === undefined ? [] : indented(begins, 5)),
    ...indented(does, 5),
    ...changeLines(moveDelta(space, played), names),
    ...said.flatMap((text) => indented(text, 7)),
  ];
}

function indented(text: string, columns: number): string[] {
  return wrap(text, WIDTH - columns - 2).map((line, i) => ' '.repeat(i === 0 ? columns : columns + 2) + line);
}

/** How it ends: the breach of the law that the file names, or the crash. */
function endLines(space: Space, played: readonly PlayedSchedule[], name: string | undefined): string[] {
  const law = ALL_TASK_LAWS.find((law) => law.name === name);
  const breach = law === undefined ? undefined : breachAtEnd(space, law, played);
  if (breach !== undefined)
    return ['', `✗ ${breach.law.name}`, '', ...findingLines({ space, played, breach })];
  const event = played.at(-1)?.event;
  return event?.is === 'crash' ? ['', `✗ the kernel crashes: ${crashText(event.crash)}`] : [];
}
