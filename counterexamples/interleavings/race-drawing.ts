import { clientName, taskName } from '../../checker/interleavings/actor-names.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { printAction } from '../../model/action-text.ts';
import { printCall } from '../../model/client/call.ts';
import { item, last } from '../../model/core/present.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { holdersOf } from '../../properties/law/wait.ts';
import { awaitedThing } from '../../properties/law/wait-words.ts';
import { counted, labelled } from '../text.ts';
import type { RaceColumn, Row } from './columns.ts';
import { drawColumns } from './columns.ts';
import type { ActorKind, RaceStep } from './race-steps.ts';
import { raceSteps, WEIGHT } from './race-steps.ts';
import type { Way } from './race-ways.ts';
import { COLUMNS_MOST, waysOf, withChanges } from './race-ways.ts';
import { notesOf } from './task-script.ts';

/** A played schedule, and its breach. */
export interface Race {
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
  readonly breach: Pick<TaskBreach, 'finding'>;
  readonly deciding: ReadonlySet<PlayedSchedule>;
}

/** An actor of a drawing, with its calls. */
interface DrawnActor {
  readonly name: string;
  readonly kind: ActorKind;
  readonly head: readonly string[];
  readonly moves: number;
}

/**
 * The setup, and the interleaving in columns: as much of it as fits, and whether each move that decides is drawn, and
 * actors have columns.
 */
export function raceLines(
  race: Race,
  room: number,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const waits = waitsOf(race);
  const steps = raceSteps({ ...race, waits });
  const actors = actorsOf(race, steps);
  const cycle = cycleLines(waits);
  let lines: string[] = [];
  let isWhole = false;
  for (const way of waysOf(race.space.scenario, steps, actors)) {
    const { setup, shown, changes } = way;
    const drawn = columnLines(actors, rowsOf(withChanges(steps, changes), way, waits), way);
    if (drawn === undefined) continue;
    lines = [...setup, ...drawn, ...cycle];
    isWhole =
      (way.columns !== 1 || actors.length === 1) &&
      steps.every((step, i) => step.weight < WEIGHT.decides || shown(step, i));
    if (lines.length <= room) break;
  }
  return { lines, isWhole };
}

/** The actors that wait for each other in the end. */
function waitsOf({ breach: { finding } }: Race): readonly Wait[] {
  return finding.is === 'all-wait' || finding.is === 'cannot-finish' ? finding.waits : [];
}

/** `cycle      client#1 → direct_mutex → client#2 → kprobe_mutex → client#1`; nothing: it is none. */
function cycleLines(waits: readonly Wait[]): string[] {
  const [first] = waits;
  const closes = waits.every((wait, i) => holdersOf(wait).includes(item(waits, (i + 1) % waits.length).who));
  if (first === undefined || !closes) return [];
  const links = waits.flatMap((wait) => [wait.who, awaitedThing(wait)]);
  return ['', ...labelled('cycle', [...links, first.who].join(' → '))];
}

const KINDS: readonly ActorKind[] = ['client', 'work', 'caller'];

/** Clients, background work, tasks; idle actors are left out. */
function actorsOf(race: Race, steps: readonly RaceStep[]): DrawnActor[] {
  const names = [...new Set(steps.map(({ actor }) => actor))];
  return names
    .map((name) => {
      const own = steps.filter(({ actor }) => actor === name);
      const { kind } = item(own, 0);
      return { name, kind, head: headOf(race, name), moves: own.length };
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : 1));
}

/** `client#1: close(link#1)`, `task#1 on cpu 0: f1(0x1001)` and where it begins. */
function headOf({ space: { scenario }, played }: Race, name: string): string[] {
  const { clients, callers } = scenario;
  const client = clients.findIndex((_, i) => clientName(i) === name);
  if (client >= 0)
    return [
      `${name}: ${item(clients, client)
        .map((action) => printAction(action, scenario))
        .join('; ')}`,
    ];
  const task = callers.findIndex((_, i) => taskName(i) === name);
  if (task < 0) return [name];
  const caller = item(callers, task);
  const notes = notesOf(caller, scenario);
  const cpus = new Set(played.flatMap((move) => cpuOf(move, task)));
  const on = cpus.size === 1 ? ` on cpu ${[...cpus].join()}` : '';
  return [
    `${name}${on}: ${printCall(caller.call, scenario)}`,
    ...(notes.length === 0 ? [] : [`(${notes.join('; ')})`]),
  ];
}

function cpuOf({ move }: PlayedSchedule, task: number): number[] {
  const unpacked = unpackMove(move);
  return unpacked.who === 'caller' && unpacked.index === task && unpacked.does === 'runs on'
    ? [unpacked.detail]
    : [];
}

/** A row for each shown move, and one for those between them; where it is tight, the next move of the run joins it. */
function rowsOf(
  steps: readonly RaceStep[],
  { shown, isTight }: Pick<Way, 'shown' | 'isTight'>,
  waits: readonly Wait[],
): DrawnRow[] {
  const rows: DrawnRow[] = [];
  let hidden: RaceStep[] = [];
  const fold = (actor: string) => {
    const [only, ...others] = hidden;
    const isBrief =
      only !== undefined &&
      others.length === 0 &&
      only.weight === WEIGHT.nothing &&
      only.text.length <= BRIEF;
    if (isBrief) rows.push({ actor, text: only.text, changes: [] });
    else if (hidden.length > 0)
      rows.push({ actor, text: `… ${counted(hidden.length, 'step')}`, changes: [] });
    hidden = [];
  };
  steps.forEach((step, i) => {
    if (i > 0 && item(steps, i - 1).run !== step.run) fold(item(steps, i - 1).actor);
    if (!shown(step, i)) {
      if (step.isStep) hidden.push(step);
      return;
    }
    const joined = isTight && hidden.length > 0 ? `… ${counted(hidden.length, 'step')}, then ` : '';
    if (joined === '') fold(step.actor);
    else hidden = [];
    const isBreach = i === steps.length - 1 && waits.length === 0;
    rows.push({ ...step, text: (isBreach ? '✗ ' : '') + joined + step.text });
  });
  fold(last(steps).actor);
  return [
    ...rows,
    ...waits.map((wait) => ({ actor: wait.who, text: `✗ waits for ${awaitedThing(wait)}`, changes: [] })),
  ];
}

/** A step that takes no more lines than its fold. */
const BRIEF = 32;

interface DrawnRow extends Omit<Row, 'column'> {
  readonly actor: string;
}

/**
 * The columns that fit: the least active actors share one, in which each row names its actor. Undefined: not as
 * strictly.
 */
function columnLines(
  actors: readonly DrawnActor[],
  rows: readonly DrawnRow[],
  { fit, columns, listsWork }: Pick<Way, 'fit' | 'columns' | 'listsWork'>,
): string[] | undefined {
  const most = columns ?? Math.min(actors.length, COLUMNS_MOST);
  const least = columns === undefined && fit === 'loose' ? 1 : most;
  for (let count = most; count >= least; count--) {
    const groups = grouped(actors, count);
    const own = rows.flatMap((row) => rowIn(groups, row));
    const lines = drawColumns(
      groups.map((group) => columnOf(group, listsWork)),
      own,
      fit,
    );
    if (lines !== undefined) return lines;
  }
  return undefined;
}

function grouped(actors: readonly DrawnActor[], count: number): DrawnActor[][] {
  const least = actors.toSorted((a, b) => a.moves - b.moves).slice(0, actors.length - count + 1);
  const alone = (actor: DrawnActor) => least.length === 1 || !least.includes(actor);
  const groups: DrawnActor[][] = [];
  let shared: DrawnActor[] | undefined;
  for (const actor of actors) {
    if (alone(actor)) groups.push([actor]);
    else if (shared === undefined) groups.push((shared = [actor]));
    else shared.push(actor);
  }
  return groups;
}

function columnOf(group: readonly DrawnActor[], listsWork: boolean): RaceColumn {
  return { head: group.flatMap(({ kind, head }) => (listsWork || kind !== 'work' ? head : [])) };
}

function rowIn(groups: readonly (readonly DrawnActor[])[], { actor, text, changes }: DrawnRow): Row[] {
  const column = groups.findIndex((group) => group.some(({ name }) => name === actor));
  if (column < 0) return [];
  return [
    {
      column,
      text: item(groups, column).length > 1 ? `${nameIn(item(groups, column), actor)}: ${text}` : text,
      changes,
    },
  ];
}

/** The only background work of a column goes by that name alone. */
function nameIn(group: readonly DrawnActor[], actor: string): string {
  const works = group.filter(({ kind }) => kind === 'work');
  return works.length === 1 && works[0]?.name === actor ? 'work' : actor;
}
