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
  /** What comes first: `goes on`, `runs on cpu 0`, `fetches int3`, `sleeps`, `is preempted`, `is interrupted`. */
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
  return actor === turn.actor && !isRest(does) && turn.does === GOES_ON;
}

function isRest(does: string): boolean {
  return does === 'sleeps' || does === 'is preempted';
}

/** Other turns change only the condition of a task. */
export function isStep({ does }: ScheduleTurn): boolean {
  return does === GOES_ON || does.startsWith(FETCHES);
}

export const GOES_ON = 'goes on';
export const FETCHES = 'fetches ';

/** The turns of a run, one for each move. */
export function turnsOf({ actor, does, steps }: Run): ScheduleTurn[] {
  const first: ScheduleTurn = { actor, does };
  const others = steps - (isStep(first) ? 1 : 0);
  return [first, ...Array.from({ length: others }, () => ({ actor, does: GOES_ON }))];
}

/** A run as a line: `task#1 fetches int3, 3 steps to f1+0x9`. */
export function printRun({ actor, does, steps, to }: Run): string {
  return steps === 0
    ? `${actor} ${does}`
    : `${actor} ${does}, ${steps} step${steps === 1 ? '' : 's'} to ${to}`;
}

const RUN =
  /^(client#\d+|task#\d+|work .+?) (goes on|runs on cpu \d+|fetches .+?|sleeps|is preempted|is interrupted)(?:, ([1-9]\d{0,4}) steps? to (.+))?$/;

/** Reads what `printRun()` writes; undefined when a line is no run. */
export function parseRun(line: string): Run | undefined {
  const [, actor = '', does = '', steps, to = ''] = RUN.exec(line) ?? [];
  if (actor === '') return undefined;
  const run = { actor, does, steps: Number(steps ?? 0), to };
  const canBe = isRest(does) ? run.steps === 0 : run.steps > 0 || !isStep(run);
  return canBe ? run : undefined;
}
