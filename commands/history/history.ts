import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { notShown, shownOn } from '../../kernels/shown.ts';
import { InputError } from '../../model/core/input-error.ts';
import { nearest } from '../../model/core/nearest.ts';
import { item } from '../../model/core/present.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { grid } from '../compare/grid.ts';
import type { KernelBehaviour } from '../list/kernels.ts';
import { behaviours } from '../list/kernels.ts';
import type { ListedBreach } from './listed-breach.ts';
import { listedBreaches } from './listed-breach.ts';

/*
 * What the recorded kernels say of the releases between them: a behaviour, or a breach, changed after one of them and no
 * later than the next. Releases between two of them were not recorded.
 */

/** A behaviour by the kernels that have each value, or a breach by those that have it. */
export function historyOf(name: string | undefined): Answer {
  if (name === undefined) return ofAll();
  const behaviour = behaviours().find((own) => own.name === name);
  if (behaviour !== undefined) return ofBehaviour(behaviour);
  const breaches = listedBreaches();
  const breach = breaches.find((own) => own.name === name);
  if (breach !== undefined) return ofBreach(breach);
  const meant = nearest(
    name,
    [...behaviours(), ...breaches].map((own) => own.name),
  );
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new InputError(`there is no behaviour and no listed breach ${name}${hint}`, name);
}

/** The kernels after which something changed, and those by which it had: `6.12` and `7.2`. */
interface Change {
  readonly after: RecordedVersion;
  readonly by: RecordedVersion;
}

function changesOf(value: (kernel: RecordedVersion) => string): Change[] {
  return RECORDED_KERNELS.slice(1).flatMap((by, i) => {
    const after = item(RECORDED_KERNELS, i);
    return value(after) === value(by) ? [] : [{ after, by }];
  });
}

function ofAll(): Answer {
  const all = behaviours().map(({ name, values }) => ({
    name,
    values,
    changes: changesOf((kernel) => values[kernel]),
  }));
  const rows = all.map(({ name, values }) => [name, ...RECORDED_KERNELS.map((kernel) => values[kernel])]);
  const text = [...[['', ...RECORDED_KERNELS], ...rows].flatMap(rowLines), '', BETWEEN].join('\n');
  return { text, json: { command: 'history', behaviours: all }, exit: EXIT.HELD, save: [] };
}

/** Columns of the table: of a name, of the first kernel, whose values are short words, and of each other. */
const NAME = 22;
const VALUES = [11, 15, 15, 15] as const;

/** A row in 80 columns: values take several lines, and a long name has one for itself. */
function rowLines([name = '', ...values]: readonly string[]): string[] {
  const cells = values.map((value, i) => wrap(value, item(VALUES, i) - 2));
  const lines = Array.from({ length: Math.max(...cells.map((cell) => cell.length)) }, (_, line) =>
    cells.map((cell, i) => (cell[line] ?? '').padEnd(item(VALUES, i))).join(''),
  );
  const own = name.length > NAME - 2 ? [name] : [];
  return [
    ...own,
    ...lines.map((line, i) => `${(i === 0 && own.length === 0 ? name : '').padEnd(NAME)}${line}`.trimEnd()),
  ];
}

const BETWEEN = 'Releases between these kernels were not recorded.';

function ofBehaviour({ name, sentence, values, meanings }: KernelBehaviour): Answer {
  const changes = changesOf((kernel) => values[kernel]);
  const breaches = listedBreaches().filter(({ restsOn }) => restsOn.includes(name));
  const own = meanings.filter(({ value }) => Object.values(values).includes(value));
  const text = [
    ...wrap(`${name}: ${sentence}`, WIDTH),
    '',
    ...kernelTable((kernel) => values[kernel]),
    '',
    ...own.flatMap(meaningLines),
    ...(own.some(({ sentence: meaning }) => meaning !== null) ? [''] : []),
    ...changeLines(changes),
    ...(breaches.length === 0 ? [] : ['', 'listed breaches that rest on it']),
    ...byKernels(breaches),
  ].join('\n');
  const named = breaches.map((breach) => ({ name: breach.name, kernels: breach.kernels }));
  return {
    text,
    json: { command: 'history', behaviour: { name, sentence, values, changes, breaches: named } },
    exit: EXIT.HELD,
    save: [],
  };
}

/** Names below the kernels that have them all. */
function byKernels(breaches: readonly ListedBreach[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, kernels } of breaches) {
    const heading = kernels.join(' ');
    groups.set(heading, [...(groups.get(heading) ?? []), name]);
  }
  return [...groups].flatMap(([heading, names]) => [`  ${heading}`, ...names.map((name) => `    ${name}`)]);
}

function kernelTable(value: (kernel: RecordedVersion) => string): string[] {
  return grid(
    RECORDED_KERNELS.map((kernel) => [kernel, value(kernel)]),
    '',
  );
}

function meaningLines({ value, sentence }: KernelBehaviour['meanings'][number]): string[] {
  return sentence === null ? [] : wrap(`${value}: ${sentence}`, WIDTH);
}

function changeLines(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ['The same in all of them.'];
  return changes.map(
    ({ after, by }) => `Changed after ${after}, and by ${by}: releases between them were not recorded.`,
  );
}

function ofBreach(breach: ListedBreach): Answer {
  const { name } = breach;
  const has = (kernel: RecordedVersion) => (breach.kernels.includes(kernel) ? 'has it' : '–');
  const hasOrShows = (kernel: RecordedVersion) =>
    shownOn(kernel, name) === 'shown' ? 'has it: shown on the running kernel' : has(kernel);
  const changes = changesOf(has);
  const unseen = notShown().find((own) => own.name === name)?.why ?? null;
  const text = [
    ...wrap(`${breach.name}: ${breach.sentence}`, WIDTH),
    '',
    ...kernelTable(hasOrShows),
    '',
    ...changeLines(changes),
    ...(breach.restsOn.length === 0 ? [] : [`It rests on ${breach.restsOn.join(', ')}.`]),
    ...(unseen === null ? [] : wrap(`Not shown on a running kernel: ${unseen}.`, WIDTH)),
    ...wrap(`Evidence: ${breach.evidence.replaceAll('  ', ' ')}`, WIDTH),
  ].join('\n');
  const shown = RECORDED_KERNELS.filter((kernel) => shownOn(kernel, name) === 'shown');
  return {
    text,
    json: { command: 'history', breach: { ...breach, changes, shown, notShown: unseen } },
    exit: EXIT.HELD,
    save: [],
  };
}
