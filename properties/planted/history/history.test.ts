import { expect, test } from 'vitest';
import { KNOWN_ATTACH } from '../../../conformance/known/attach-all.ts';
import { KNOWN_TASK } from '../../../conformance/known/task-breaches.ts';
import { ALL_PLANTED } from '../all.ts';
import { HISTORICAL_BUGS, plantedFor } from './all.ts';

const PLANTED = new Map(
  Object.values(ALL_PLANTED)
    .flat()
    .map((planted) => [planted.name, planted]),
);

test('historical bugs have unique names and titles', () => {
  expect(new Set(HISTORICAL_BUGS.map(({ name }) => name)).size).toBe(HISTORICAL_BUGS.length);
  expect(new Set(HISTORICAL_BUGS.map(({ title }) => title)).size).toBe(HISTORICAL_BUGS.length);
});

test('what they name exists', () => {
  const breaches = new Set([...KNOWN_ATTACH, ...KNOWN_TASK].map(({ name }) => name));
  for (const bug of HISTORICAL_BUGS) {
    for (const name of plantedFor(bug)) expect([...PLANTED.keys()]).toContain(name);
    if (bug.here.is === 'known') expect([...breaches]).toContain(bug.here.breach);
    if ('differs' in bug.here) expect(bug.here.differs ?? 'It is the same.').toMatch(/^\w.*\.$/);
  }
});

test('a planted bug that names a fix is a bug of that fix, and the other way round', () => {
  const named = [...PLANTED].flatMap(([name, { history }]) =>
    history === undefined ? [] : [{ name, history }],
  );
  for (const { name, history } of named) {
    const fixes = HISTORICAL_BUGS.filter((bug) => history.startsWith(bug.title));
    expect([name, fixes.flatMap(plantedFor)]).toEqual([name, expect.arrayContaining([name])]);
  }
  for (const { title, here } of HISTORICAL_BUGS)
    for (const name of here.is === 'planted' ? here.bugs : [])
      expect([name, PLANTED.get(name)?.history?.startsWith(title)]).toEqual([name, true]);
});
