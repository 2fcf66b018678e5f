import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownByCause, knownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import type { IsSought } from '../../checker/interleavings/nearest-breach.ts';
import { occurrenceOf } from '../../checker/interleavings/nearest-breach.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { scenarioOn } from '../../conformance/known/task-known.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { sources, TOP } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { taskPathOf } from './task-describe.ts';
import { findTask, type Sought } from './task-find.ts';
import { FILE_LINES_MOST, parseTaskTrace, printTaskTrace } from './task-trace.ts';

/** What has a trace: each planted bug, and each known breach in each kernel that shows it. */
const SAVED: readonly [name: string, moves: number, sought: Sought][] = [
  ...TASK_PLANTED.map((planted): [string, number, Sought] => {
    const { name, law, profile, scenario, moves } = planted;
    return [
      name,
      moves,
      { scenario: { profile, ...scenario }, law, planted, known: undefined, grain: planted.grain },
    ];
  }),
  ...KNOWN_TASK.flatMap((entry) =>
    entry.kernels.map((profile, i): [string, number, Sought] => {
      const { name, law, grain, moves } = entry;
      const isSought: IsSought = (breach) => knownByCause([entry], breach) === entry;
      return [
        `${name} of ${profile}`,
        moves[i]!,
        { scenario: scenarioOn(entry, profile), law, planted: undefined, known: name, isSought, grain },
      ];
    }),
  ),
];

const FILES = new Map(
  sources('.trace').flatMap(({ path, text }) => (path.startsWith(`${CORPUS}/task/`) ? [[path, text]] : [])),
);

const UPDATES = process.env['UPDATE'] === '1';
/** The cause of each of them is searched again; every default run replays all of them. */
const ASKED = UPDATES ? SAVED : someOf(SAVED, 10);

describe.each(ASKED)('the trace of %s', (_, moves, sought) => {
  test('is the nearest breach, known for what it is, kept as it is printed', () => {
    const found = findTask(sought);
    const { counterexample, path, breach, space } = found;
    const { trace } = counterexample!;
    const file = `${CORPUS}/${counterexample!.path}`;
    const text = printTaskTrace(trace);
    if (UPDATES) {
      mkdirSync(dirname(join(TOP, file)), { recursive: true });
      writeFileSync(join(TOP, file), text);
    } else expect(text).toBe(FILES.get(file));
    expect(path).toHaveLength(moves);
    if (sought.planted !== undefined) expect(inOneLine(breach!.finding)).toBe(sought.planted.finding);
    else expect(knownTaskBreach(KNOWN_TASK, occurrenceOf(found, space)!)?.name).toBe(sought.known);
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(FILE_LINES_MOST);
    expect(parseTaskTrace(text)).toEqual(trace);
  });
});

test('there is no other, and each has a name of its own', () => {
  const paths = SAVED.map(([, , { scenario, law, planted, known }]) =>
    taskPathOf(scenario, law, { planted, known }),
  );
  const files = paths.map((path) => `${CORPUS}/${path}`);
  expect(new Set(files).size).toBe(SAVED.length);
  const others = [...FILES.keys()].filter((file) => !files.includes(file));
  if (UPDATES) for (const file of others) rmSync(join(TOP, file));
  else expect(others).toEqual([]);
});
