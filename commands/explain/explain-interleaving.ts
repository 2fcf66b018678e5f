import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { printRun } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { findingLines, movesByRun } from '../../counterexamples/interleavings/task-report.ts';
import { scenarioLines } from '../../counterexamples/interleavings/task-trace.ts';
import { changeLines } from '../../counterexamples/sequences/change-line.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { crashText } from '../../model/core/crash-words.ts';
import type { Explained } from './explained.ts';
import { toldMove } from './move-lines.ts';
import { moveDelta } from './move-told.ts';
import type { PlayedInterleaving } from './played-interleaving.ts';
import { namedBreach, playInterleaving } from './played-interleaving.ts';

/** An interleaving in detail: which actor runs, and for each move its steps and the state that they changed. */
export function explainInterleaving(text: string): Explained {
  const interleaving = playInterleaving(text);
  const { schedule, planted, space, played, diverged } = interleaving;
  const { scenario, runs } = schedule;
  const told = { kernel: scenario.profile, head: headOf(schedule, planted), diverged };
  if (space === undefined) return { ...told, steps: [] };
  const steps = movesByRun(played, runs)
    .filter(({ moves }) => moves.length > 0)
    .map(({ run, moves }, i) => ({
      number: i + 1,
      lines: ['', ...runLines(run, i), ...moves.flatMap((move) => moveLines(space, move))],
    }));
  if (diverged === undefined) steps.at(-1)?.lines.push(...endLines(space, interleaving));
  return { ...told, steps };
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
function endLines(space: Space, interleaving: PlayedInterleaving): string[] {
  const { played } = interleaving;
  const breach = namedBreach(interleaving);
  if (breach !== undefined)
    return ['', `✗ ${breach.law.name}`, '', ...findingLines({ space, played, breach })];
  const event = played.at(-1)?.event;
  return event?.is === 'crash' ? ['', `✗ the kernel crashes: ${crashText(event.crash)}`] : [];
}
