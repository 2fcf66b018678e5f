import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Run, Schedule } from '../../checker/interleavings/schedule.ts';
import { turnsOf } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { Crash } from '../../model/core/crash.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Said } from '../../properties/finding/said.ts';
import type { BreachCause } from '../../properties/finding/why.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { headLines, tailLines, whyLines } from '../report-frame.ts';
import { LINES_MOST } from '../sequences/attach-report.ts';
import { counted, labelled, shellWord } from '../text.ts';
import { LISTED_BUGS } from '../trace-file.ts';
import { decidingMoves } from './deciding-moves.ts';
import { familyOptions } from './family-options.ts';
import { needsFullPreemption } from './full-preemption.ts';
import { raceLines } from './race-drawing.ts';
import { bytesOf } from './task-bytes.ts';
import { FILE_LINES_MOST, programLines } from './task-trace.ts';

/** Everything in the report of a broken schedule. */
export interface TaskReported {
  readonly schedule: Schedule;
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
  readonly breach: TaskBreach;
  readonly planted: string | undefined;
  readonly known: string | undefined;
  readonly found: string;
  readonly replay: string;
  /** Why this kernel breaks the law; undefined: no other one was run. */
  readonly why: BreachCause | undefined;
}

/** The origin of a finding by breadth-first search. */
export const BREADTH_FIRST = 'breadth first';

/** The knowledge of a breadth-first search about its finding. */
export interface FoundFirst {
  /** No shorter path was left out; otherwise the reductions of the search may have made it longer. */
  readonly proved: boolean;
  /** The law has no nearer breach, of another cause. */
  readonly isFirst: boolean;
  /** The bound of a search that tries schedules with fewer preemptions first; undefined: it had none. */
  readonly preemptions?: number | undefined;
}

/** `breadth first`, `breadth first of its cause`, `breadth first with reductions`, `breadth first within 2 preemptions`. */
export function printFoundFirst({ proved, isFirst, preemptions }: FoundFirst): string {
  const within = preemptions === undefined ? '' : ` within ${counted(preemptions, 'preemption')}`;
  return `${BREADTH_FIRST}${within}${proved ? '' : ' with reductions'}${isFirst ? '' : ' of its cause'}`;
}

/** The same in a scenario of a family, by its name; of a planted bug its own. */
export function printFoundIn(planted: TaskPlanted | undefined, scenario: string, first: FoundFirst): string {
  return `${printFoundFirst(first)}${planted === undefined ? `, ${scenario}` : ''}`;
}

/** The same in a user's scenario. */
export function printFoundInFile(path: string, first: FoundFirst): string {
  return `${printFoundFirst(first)} in ${path}`;
}

const BREADTH_FIRST_IN = new RegExp(
  `^${BREADTH_FIRST}(?: within (?<preemptions>[\\d,]+) preemptions?)?(?<unproved> with reductions)?(?<cause> of its cause)?(?:, (?<only>.+)| in (?<file>.+))?$`,
);

/** The origin of a finding in drawn scenarios by drawn schedules. */
export interface FoundRandomly {
  readonly seed: number;
  /** Drawn near others: near the scenario of a file, as a shell takes its path, or near `LISTED_BUGS`. */
  readonly near?: string | undefined;
  /** The number of the scenario, from 1, and how many schedules each one is searched by. */
  readonly scenario: number;
  readonly schedules: number;
  /** Whether the explorer has shown that there is no shorter way. */
  readonly proved: boolean;
  /** Whether the law has no nearer breach that is listed. */
  readonly isFirst: boolean;
}

/** `random schedules, seed 3, scenario 17 by 20 each, proved`; `random schedules near a.scenario, …`. */
export function printFoundRandomly(found: FoundRandomly): string {
  const { seed, near, scenario, schedules, proved, isFirst } = found;
  const where = near === undefined ? '' : ` near ${near}`;
  const known = `${proved ? 'proved' : 'not proved'}${isFirst ? '' : ' of its cause'}`;
  return `random schedules${where}, seed ${seed}, scenario ${scenario} by ${schedules} each, ${known}`;
}

const RANDOMLY =
  /^random schedules(?: near (?<near>.+))?, seed (?<seed>\d+), scenario (?<scenario>\d+) by (?<schedules>\d+) each, (?<unproved>not )?proved(?<cause> of its cause)?$/;

/** The report of a broken schedule; at most forty lines, and no more than a saved file can hold. */
export function printTaskReport(r: TaskReported): string {
  const { law } = r.breach;
  const head = headLines(law, circumstances(r));
  const frame = tailLines(law, {
    shrunkFrom: undefined,
    planted: r.planted,
    narrow: undefined,
    minimal: minimality(r),
    replay: r.replay,
    search: searchLine(r),
  });
  const most = Math.min(LINES_MOST, FILE_LINES_MOST - HEADER_LINES - programLines(r.schedule).length);
  const race = { ...r, deciding: decidingMoves(r) };
  const report = (hasBytes: boolean) => {
    const tail = ['', ...findingLines(r, whyLines(r.why), hasBytes), ...frame];
    const { lines, isWhole } = raceLines(race, most - head.length - tail.length);
    return { lines: [...head, ...lines, ...tail], isWhole };
  };
  const withBytes = report(true);
  return (withBytes.isWhole ? withBytes : report(false)).lines.join('\n');
}

/** Expected and observed, then why; for a crash, with its bytes: no step that decides is folded for them. */
export function findingLines(
  r: Pick<TaskReported, 'space' | 'played' | 'breach'>,
  why: readonly string[] = [],
  hasBytes = true,
): string[] {
  const { expected, observed, lines } = foundIn(r);
  return [
    ...labelled('expected', expected),
    ...observedLines(observed),
    ...why,
    ...(lines.length === 0 || !hasBytes ? [] : ['', ...lines]),
  ];
}

/** What the law expects, and what was observed instead. */
export function findingWords(r: Pick<TaskReported, 'space' | 'played' | 'breach'>): Said {
  const { expected, observed } = foundIn(r);
  return { expected, observed };
}

/** The same with the bytes of a crash. */
function foundIn(r: Pick<TaskReported, 'space' | 'played' | 'breach'>) {
  const finding = rendered(r.breach.finding);
  const event = r.played.at(-1)?.event;
  return event?.is === 'crash' ? { ...finding, ...crashed(r, event.crash) } : { ...finding, lines: [] };
}

function crashed({ space, played }: Pick<TaskReported, 'space' | 'played'>, crash: Crash) {
  const bytes = bytesOf(space, played, crash);
  return { lines: bytes.lines, observed: crashText(bytes.crash) };
}

/** Header, blank line and rule of a saved file. */
const HEADER_LINES = 9;

/** Of several actors that wait for each other, one in each line. */
function observedLines(observed: string): string[] {
  return observed.split('; ').flatMap((part, i) => labelled(i === 0 ? 'observed' : '', part));
}

function circumstances(r: TaskReported): string {
  const { schedule, played, planted, known } = r;
  const { scenario, runs } = schedule;
  return [
    `${counted(played.length, 'step')} in ${counted(runs.length, 'run')}`,
    `kernel ${scenario.profile}`,
    counted(scenario.cpus, 'cpu'),
    ...(needsFullPreemption(r) ? ['needs preempt=full'] : []),
    ...(planted === undefined ? [] : [`planted bug: ${planted}`]),
    ...(known === undefined ? [] : [`known: ${known}`]),
  ].join(' · ');
}

function minimality({ found }: TaskReported): string {
  const searched = BREADTH_FIRST_IN.exec(found) ?? RANDOMLY.exec(found);
  if (searched === null) return 'not checked: not part of this search';
  const { preemptions, unproved, cause } = searched.groups ?? {};
  if (preemptions !== undefined) return 'not proved: schedules with fewer preemptions come first';
  if (unproved !== undefined) return 'not proved: there are more states than the bound';
  const what = cause === undefined ? 'no breach' : 'no breach of this cause';
  return `proved: ${what} in fewer steps within the bound`;
}

/** The command that finds it again. */
function searchLine({ schedule: { scenario }, breach, planted, found }: TaskReported): string | undefined {
  const { file, only, preemptions } = BREADTH_FIRST_IN.exec(found)?.groups ?? {};
  const bound = preemptions === undefined ? '' : ` --preemptions ${preemptions.replaceAll(',', '')}`;
  if (file !== undefined) {
    const bug = planted === undefined ? `--law ${breach.law.name}` : `--planted ${planted}`;
    return `npm run check -- explore ${shellWord(file)} ${bug}${bound}`;
  }
  const kernel = shellWord(scenario.profile);
  const drawn = drawnWords(found);
  if (drawn !== undefined) {
    const bug =
      planted === undefined ? `--law ${breach.law.name} --kernel ${kernel}` : `--planted ${planted}`;
    return `npm run check -- ${drawn} ${bug}`;
  }
  if (planted !== undefined) return `npm run check -- explore --planted ${planted}${bound}`;
  if (only === undefined) return undefined;
  return `npm run check -- explore --law ${breach.law.name} --kernel ${kernel} ${familyOptions(scenario, only)}${bound}`;
}

/** The command that draws scenarios and schedules, and its bounds; undefined: none were drawn. */
function drawnWords(found: string): string | undefined {
  const randomly = RANDOMLY.exec(found)?.groups;
  if (randomly === undefined) return undefined;
  const { near, seed, scenario, schedules } = randomly;
  const bound = `${scenario} --schedules ${schedules} --seed ${seed}`;
  if (near === undefined) return `explore --random ${bound}`;
  return `near ${near === LISTED_BUGS ? '' : `${near} `}--scenarios ${bound}`;
}

/** The moves of each run, as far as they were made. */
export function movesByRun(
  played: readonly PlayedSchedule[],
  runs: readonly Run[],
): { readonly run: Run; readonly moves: readonly PlayedSchedule[] }[] {
  let index = 0;
  return runs.map((run) => {
    const moves = played.slice(index, index + turnsOf(run).length);
    index += moves.length;
    return { run, moves };
  });
}
