import type { Scenario } from '../../properties/observed/scenario.ts';
import type { PlayedSchedule, ScheduleTurn } from './play.ts';

/** The actors' runs in order, and the places that they reach. */
export interface Schedule {
  readonly scenario: Scenario;
  readonly runs: readonly Run[];
  /** Cut at every instruction, if the breach needs it. */
  readonly grain?: 'instruction';
}

/** Consecutive steps of one actor. */
export interface Run {
  /** `client#1`, `task#2`, `work bpf_tramp_image_put(tramp#1)`. */
  readonly actor: string;
  /** Its first turn: `runs`, `runs on cpu 0`, `fetches int3`, `sleeps`, `is preempted`, `is interrupted by an NMI`. */
  readonly does: string;
  /** Steps between two points, the one with the choice of what is fetched included. */
  readonly steps: number;
  /** The place that it reaches; empty without any step. */
  readonly to: string;
}

/** Played moves, cut into runs. */
export function runsOf(played: readonly PlayedSchedule[]): Run[] {
  const runs: Run[] = [];
  for (const { turn, to } of played) {
    const last = runs.at(-1);
    if (last !== undefined && joins(last, turn)) runs.splice(-1, 1, { ...last, steps: last.steps + 1, to });
    else runs.push({ ...turn, ...(isStep(turn) ? { steps: 1, to } : { steps: 0, to: '' }) });
  }
  return runs;
}

function joins({ actor, does }: Run, turn: ScheduleTurn): boolean {
  return actor === turn.actor && !isRest(does) && turn.does === RUNS;
}

function isRest(does: string): boolean {
  return does === 'sleeps' || does === 'is preempted';
}

/** Other turns change only the condition of a task. */
export function isStep({ does }: ScheduleTurn): boolean {
  return does === RUNS || does.startsWith(FETCHES);
}

/** A step of an actor that is running already. */
export const RUNS = 'runs';
export const FETCHES = 'fetches ';

/** The turns of a run, one for each move. */
export function turnsOf({ actor, does, steps }: Run): ScheduleTurn[] {
  const first: ScheduleTurn = { actor, does };
  const others = steps - (isStep(first) ? 1 : 0);
  return [first, ...Array.from({ length: others }, () => ({ actor, does: RUNS }))];
}

/** A run as a line: `client#1 runs 18 steps, to its end, 0`; `task#1 fetches int3, 3 steps to f1+0x9`. */
export function printRun({ actor, does, steps, to }: Run): string {
  if (steps === 0) return `${actor} ${does}`;
  const count = `${steps} step${steps === 1 ? '' : 's'}`;
  return does === RUNS ? `${actor} runs ${count}, to ${to}` : `${actor} ${does}, ${count} to ${to}`;
}

const ACTOR = /^(client#\d+|task#\d+|work .+?) /.source;
const STEPS = /([1-9]\d{0,4}) steps?/.source;

const RUN = new RegExp(
  `${ACTOR}(runs on cpu \\d+|fetches .+?|sleeps|is preempted|is interrupted(?: early| by an NMI| by a soft interrupt)?)(?:, ${STEPS} to (.+))?$`,
);
const FORMER_WORDS = /goes on/.source;

/** Steps without another turn; files that were saved before 0.2.0 have other words for them. */
const STEPS_ALONE = new RegExp(`${ACTOR}(?:runs ${STEPS}, to|${FORMER_WORDS}, ${STEPS} to) (.+)$`);

/** Reads what `printRun()` writes; undefined when a line is no run. */
export function parseRun(line: string): Run | undefined {
  const [, own, steps, former, end] = STEPS_ALONE.exec(line) ?? [];
  if (own !== undefined) return { actor: own, does: RUNS, steps: Number(steps ?? former), to: end! };
  const [, actor = '', does = '', counted, to = ''] = RUN.exec(line) ?? [];
  if (actor === '') return undefined;
  const run = { actor, does, steps: Number(counted ?? 0), to };
  const canBe = isRest(does) ? run.steps === 0 : run.steps > 0 || !isStep(run);
  return canBe ? run : undefined;
}
