import { clientName } from '../../checker/interleavings/actor-names.ts';
import { answered, placeOfTask } from '../../checker/interleavings/actors.ts';
import type { Move } from '../../checker/interleavings/move.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { playRuns } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { printRun, RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { readForKernels } from '../../counterexamples/for-all-kernels.ts';
import { breachAtEnd } from '../../counterexamples/interleavings/breach-at-end.ts';
import { eventsOf, partsOf } from '../../counterexamples/interleavings/move-text.ts';
import { spaceFor } from '../../counterexamples/interleavings/space-for.ts';
import { findingLines, movesByRun } from '../../counterexamples/interleavings/task-report.ts';
import { parseScenario, scenarioLines } from '../../counterexamples/interleavings/task-trace.ts';
import { changeLines } from '../../counterexamples/sequences/change-line.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { printAction } from '../../model/action-text.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { fromHex } from '../../model/x86/word.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { eventText } from './event-text.ts';
import { programKind, returnText } from './explain-sequence.ts';
import type { Explained } from './explained.ts';
import { moveDelta, standingTexts } from './move-told.ts';

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
  const { event, move } = played;
  const step = space.stepOf(played.before, unpackMove(move));
  const names = space.scenario.functions.map(({ name }) => name);
  const warnings = event !== undefined && 'warnings' in event ? event.warnings : (step?.warnings ?? []);
  const said = [
    ...standingTexts(space, played),
    ...seenTexts(space, played),
    ...warnings.map((warning) => `WARN ${warningText(warning)}`),
  ];
  return [
    ...operationLines(space, played),
    ...indented(step === undefined ? taskText(space, played) : (partsOf(step) ?? `to ${played.to}`), 5),
    ...changeLines(moveDelta(space, played), names),
    ...said.flatMap((text) => indented(text, 7)),
  ];
}

/** The operation that a client begins. */
function operationLines(space: Space, { before, move }: PlayedSchedule): string[] {
  const { who, index } = unpackMove(move);
  if (who !== 'client') return [];
  const { frames, answers } = space.clientOf(before, index);
  if (frames !== null) return [];
  const action = item(item(space.scenario.clients, index), answers.length);
  return indented(`${clientName(index)} begins ${printAction(action, space.scenario)}`, 5);
}

/** `comes onto cpu 0, at prog#1`; `f1+0x4, fetches int3: to __bpf_tramp_enter`. */
function taskText(space: Space, { turn: { does }, before, move, to }: PlayedSchedule): string {
  const { does: kind, index } = unpackMove(move) as Extract<Move, { who: 'caller' }>;
  if (kind !== 'resumes') return kind === 'is interrupted' ? `${does}, before ${to}` : `${does}, at ${to}`;
  const fetches = does === RUNS ? '' : `, ${does}`;
  return `from ${placeOfTask(space, before, index)}${fetches}, to ${to}`;
}

function indented(text: string, columns: number): string[] {
  return wrap(text, WIDTH - columns - 2).map((line, i) => ' '.repeat(i === 0 ? columns : columns + 2) + line);
}

/** What clients saw of a call, and how a call or an operation ended. */
function seenTexts(space: Space, played: PlayedSchedule): string[] {
  const { before, event } = played;
  const k = space.kernelOf(before);
  const seen = eventsOf(space, played).map((event) =>
    eventText(event, {
      kindOf: (who) => programKind(k, who),
      placeOf: (address) => codePlace(k, fromHex(address)),
    }),
  );
  if (event?.is === 'call over') return [...seen, returnText(event.run)];
  const ended = event?.is === 'operation' ? event.step.ended : undefined;
  return ended === undefined ? seen : [`answers ${answered(ended)}`];
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
